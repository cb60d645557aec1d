"""What `verify` finds, and that it finds nothing where nothing is wrong (SPEC 1.11)."""

import json
import shutil
from hashlib import sha256

import pytest

from awf_archive.domain.wording import choose
from awf_archive.services.keep import existing_vault
from awf_archive.services.move import Moving, move
from awf_archive.services.verify import verify

OTHER = "0000bbbb-1111-4111-8111-00000000000b"
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
SESSION = "conversations/sessions/session-001"


@pytest.fixture
def vaults(tmp_path):
    return tmp_path / "data/vault"


@pytest.fixture
def save(workspace, vaults):
    return lambda talk, **options: workspace.save(talk, vaults=vaults, **options)


@pytest.fixture
def look(workspace, vaults):
    """Verify, and return what was found as code and file name, and the report."""

    def run(**options):
        vault = existing_vault(workspace.layout, vaults)
        report = verify(workspace.archive, vault, **{"threshold": 20} | options)
        return [(one.code, one.path.rsplit("/", 1)[-1]) for one in report.findings], report

    return run


@pytest.fixture
def saved(workspace, talk, save):
    """An archive of three sessions with an image, a grown turn and a summary."""
    talk.user([{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXEL}}])
    talk.reply("A pixel.")
    save(talk.asks(3), threshold=5)
    talk.reply("And one more thing.")
    save(talk, threshold=5)
    save(talk.asks(3), threshold=5)
    save(talk.asks(2), threshold=5)
    return workspace


def test_a_sound_archive_has_no_findings_and_every_turn_is_proven_from_the_vault(saved, look, talk):
    found, report = look(threshold=5)

    assert found == []
    size = talk.path.stat().st_size
    lines = talk.path.read_bytes().count(b"\n")
    proven = report.proven
    assert (proven.bytes, proven.lines, proven.turns, proven.from_vault) == (size, lines, 9, 9)
    assert len(saved.turns()) == 9


def test_quick_reads_no_turn_file(saved, look):
    path = saved.context / SESSION / "turn-001.md"
    path.write_bytes(b"something else")

    assert look(quick=True, threshold=5)[0] == []
    assert look(threshold=5)[0] == [("turn", "turn-001.md")]


def _change(context, how):
    path = context / "manifest.json"
    value = json.loads(path.read_bytes())
    how(value)
    path.write_text(json.dumps(value))


def edited(context):
    path = context / SESSION / "turn-001.md"
    path.write_text(path.read_text().replace("A pixel", "A pickle"))


def line_ends(context):
    path = context / SESSION / "turn-002.md"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


def missing_turn(context):
    (context / SESSION / "turn-003.md").unlink()


def missing_revision(context):
    next(context.rglob("revisions/*.md")).unlink()


def changed_revision(context):
    next(context.rglob("revisions/*.md")).write_bytes(b"")


def missing_image(context):
    next(context.rglob("attachments/*.png")).unlink()


def changed_image(context):
    next(context.rglob("attachments/*.png")).write_bytes(b"no image")


def missing_metadata(context):
    (context / SESSION / "metadata.json").unlink()


def broken_metadata(context):
    (context / SESSION / "metadata.json").write_bytes(b"{")


def edited_metadata(context):
    path = context / SESSION / "metadata.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"title": "mine"}))


def missing_chunk(context):
    next(context.rglob("chunk-001.md")).unlink()


def broken_decisions(context):
    (context / "decisions.json").write_bytes(b"[]")


def broken_manifest(context):
    (context / "manifest.json").write_bytes(b'{"specId"')


def missing_manifest(context):
    (context / "manifest.json").unlink()


def extra_turn(context):
    shutil.copy(context / SESSION / "turn-001.md", context / SESSION / "turn-099.md")


def extra_file(context):
    (context / SESSION / "notes.txt").write_text("mine")


def half_a_session(context):
    shutil.copytree(context / SESSION, context / "conversations/sessions/session-009")


def temporary(context):
    (context / ".tmp-0123456789ab-manifest.json").write_bytes(b"")


def lost_session(context):
    _change(context, lambda value: value["recentSessions"].pop(0))


def overlap(context):
    _change(context, lambda value: value["recentSessions"][0].update(globalRange=[4, 8]))


def watermark(context):
    _change(context, lambda value: value["turnWatermark"].update(lastSessionEndTurn=12))


DAMAGES = {
    edited: [("turn", "turn-001.md")],
    line_ends: [("turn", "turn-002.md")],
    missing_turn: [("missing", "turn-003.md")],
    missing_revision: [("missing", "turn-004.1.md")],
    changed_revision: [("revision", "turn-004.1.md")],
    missing_image: [("missing", "PNG")],
    changed_image: [("attachment", "PNG")],
    missing_metadata: [("missing", "metadata.json")],
    broken_metadata: [("metadata", "metadata.json"), ("metadata", "metadata.json")],
    edited_metadata: [("metadata", "metadata.json")],
    missing_chunk: [("chunk", "chunk-001.md")],
    broken_decisions: [("decisions", "decisions.json")],
    broken_manifest: [("manifest", "manifest.json")],
    missing_manifest: [("manifest", "manifest.json")],
    extra_turn: [("leftover", "turn-099.md")],
    extra_file: [("extra", "notes.txt")],
    half_a_session: [("leftover", "session-009")],
    temporary: [("leftover", ".tmp-0123456789ab-manifest.json")],
    lost_session: [("numbers", "manifest.json")],
    overlap: [("numbers", "manifest.json")],
    watermark: [("numbers", "manifest.json")],
}
"""What is done to the archive's folder → what is found."""


@pytest.mark.parametrize(("damage", "expected"), DAMAGES.items(), ids=[one.__name__ for one in DAMAGES])
def test_each_damage_is_found_and_named_with_its_file(saved, look, damage, expected):
    damage(saved.context)

    found, report = look(threshold=5)

    codes = {(code, "PNG" if name.endswith(".png") else name) for code, name in found}
    assert set(expected) <= codes
    assert all(one.remedy and one.message for one in report.findings)


def test_gits_line_ends_are_named_as_the_cause(saved, look):
    for path in saved.context.rglob("*.md"):
        if "sessions" in path.parts:
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))

    found, report = look(threshold=5)

    assert {code for code, _ in found} >= {"turn", "revision"}
    assert all("CR LF" in one.message for one in report.findings)


def test_a_turn_that_the_archive_lacks_though_the_vault_has_it_is_found(workspace, talk, save, look):
    save(talk.asks(2))
    before = workspace.root.with_name("before")
    shutil.copytree(workspace.root / ".claude", before)
    save(talk.asks(1))
    shutil.rmtree(workspace.root / ".claude")
    shutil.copytree(before, workspace.root / ".claude")

    found, report = look()

    assert [code for code, _ in found] == ["unsaved"]
    assert f"awf-archive checkpoint --transcript {talk.path}" in report.findings[0].remedy


def test_a_digest_that_was_forged_with_its_file_is_found_by_the_vault(workspace, talk, save, look):
    """Who changes a turn and every digest above it still cannot change what the source's bytes give."""
    save(talk.asks(1))
    folder = workspace.context / SESSION
    forged = (folder / "turn-001.md").read_bytes().replace(b"answer 1", b"answer X")
    (folder / "turn-001.md").write_bytes(forged)
    metadata = json.loads((folder / "metadata.json").read_bytes())
    metadata["turns"][0]["sha256"] = sha256(forged).hexdigest()
    (folder / "metadata.json").write_text(json.dumps(metadata))
    digest = sha256((folder / "metadata.json").read_bytes()).hexdigest()
    _change(workspace.context, lambda value: value["recentSessions"][0].update(metadataSha256=digest))

    assert look()[0] == [("differs", "turn-001.md")]


@pytest.mark.usefixtures("saved")
def test_a_damaged_vault_is_found(look, vaults):
    next(vaults.rglob("000001.zst")).write_bytes(b"rubbish")

    found, report = look(threshold=5)

    assert "vault" in [code for code, _ in found]
    assert any("000001.zst" in one.message for one in report.findings)


@pytest.mark.usefixtures("saved")
def test_turns_that_the_vault_lost_are_named_and_are_still_what_was_saved(look, vaults):
    ledger = next(vaults.rglob("ledger.jsonl"))
    lines = ledger.read_bytes().splitlines(keepends=True)
    ledger.write_bytes(b"".join(lines[:-1]))
    (ledger.parent / f"{len(lines):06d}.zst").unlink()

    found, report = look(threshold=5)

    codes = [one.code for one in report.notes]
    assert codes == ["unproven", "unproven"], "the two turns of the last save"
    assert (found, report.proven.turns, report.proven.from_vault) == ([], 9, 7)


def test_turns_that_the_source_no_longer_holds_are_proven_from_its_earlier_bytes(
    workspace, talk, save, look, talk_class
):
    save(talk.asks(4))
    other = talk_class(talk.path, OTHER).asks(1, "something else")
    other.records = [one | {"sessionId": talk.window} for one in other.records]
    save(other)

    found, report = look()

    assert found == []
    assert report.proven.from_vault == len(workspace.turns()) == 5


def test_a_source_that_came_back_shorter_leaves_everything_proven(workspace, talk, save, look):
    save(talk.asks(4))
    talk.write(records=2)
    save(talk.path)

    found, report = look()

    assert (found, report.proven.from_vault, len(workspace.turns())) == ([], 4, 4)


def test_a_vault_that_saw_half_of_a_turn_is_no_reason_to_call_the_archive_wrong(workspace, talk, save, look):
    """In a clone, whose vault is its own, somebody saved a copy of the transcript that was cut short."""
    talk.asks(2).ask("a long one", "first", "second", "third")
    workspace.save(talk.asks(1))
    talk.write(records=6)
    assert [one.code for one in save(talk.path).problems] == ["shrunk"]

    found, report = look()

    notes = [(one.code, one.path.rsplit("/", 1)[-1]) for one in report.notes]
    assert notes == [("shorter", "turn-003.md"), ("unproven", "turn-004.md")]
    assert (found, report.proven.turns, report.proven.from_vault) == ([], 4, 2)


def test_a_damaged_turn_is_found_also_where_the_vault_holds_half_of_it(workspace, talk, save, look):
    talk.ask("a long one", "first", "second", "third")
    workspace.save(talk)
    talk.write(records=2)
    save(talk.path)
    (workspace.context / SESSION / "turn-001.md").write_bytes(b"edited")

    found, report = look()

    assert found == [("turn", "turn-001.md")]
    assert report.notes == []


def test_an_archive_without_a_vault_is_checked_by_its_digests(workspace, talk, look):
    workspace.save(talk.asks(2))

    found, report = look()

    assert (found, report.proven.turns, report.proven.bytes) == ([], 2, 0)


def test_forks_and_skipped_turns_are_not_missed(talk, save, look, tmp_path):
    talk.ask("/save", "✅ **Checkpoint saved!**")
    save(talk.asks(3))
    fork = talk.copy(tmp_path / "fork.jsonl", OTHER)
    save(fork)
    save(fork.asks(1))

    found, report = look()

    assert (found, report.proven.from_vault) == ([], 4)


def test_moved_turns_are_sound_and_their_old_numbers_lead_somewhere(workspace, talk, save, look):
    save(talk.asks(2))
    moving = Moving(archive=workspace.archive, now="2026-03-05T11:00:00Z", words=choose("en"), threshold=20)
    move(moving, talk.window, "elsewhere")

    assert look()[0] == []
    shutil.rmtree(workspace.layout.context("elsewhere"))
    assert {code for code, _ in look()[0]} == {"moved", "unsaved"}


def test_the_original_skills_archive_is_sound(workspace, shared, look):
    example = shared / "corpus/spec-context/01-doc-example-v2"
    for context in example.rglob(".context"):
        shutil.copytree(context, workspace.layout.context("example"), dirs_exist_ok=True)
    if not workspace.layout.context("example").exists():
        shutil.copytree(example, workspace.layout.context("example"))

    found, report = look()

    assert found == []
    assert report.proven.turns > 0
