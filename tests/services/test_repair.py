"""What `repair` mends, and that it deletes nothing (SPEC 1.11)."""

import json
import shutil

import pytest

from awf_archive.domain import turn_file
from awf_archive.domain.wording import choose
from awf_archive.errors import DamagedArchiveError
from awf_archive.services import grow_turns
from awf_archive.services.keep import existing_vault
from awf_archive.services.move import Moving, move
from awf_archive.services.repair import Repairing, repair
from awf_archive.services.verify import verify

OTHER = "0000bbbb-1111-4111-8111-00000000000b"
LATER = "2026-03-06T10:00:00Z"
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
SESSION = "conversations/sessions/session-001"


@pytest.fixture
def vaults(tmp_path):
    return tmp_path / "data/vault"


@pytest.fixture
def save(workspace, vaults):
    return lambda talk, **options: workspace.save(talk, **{"vaults": vaults, "threshold": 5} | options)


@pytest.fixture
def look(workspace, vaults):
    def run():
        report = verify(workspace.archive, existing_vault(workspace.layout, vaults), threshold=5)
        return [(one.code, one.path.rsplit("/", 1)[-1]) for one in report.findings]

    return run


@pytest.fixture
def mend(workspace, vaults):
    def run(**options):
        vault = existing_vault(workspace.layout, vaults)
        repairing = Repairing(
            archive=workspace.archive, vault=vault, now=LATER, words=choose("en"), threshold=5, **options
        )
        return {one.path.rsplit("/", 1)[-1]: one.what for one in repair(repairing)}

    return run


@pytest.fixture
def saved(workspace, talk, save):
    talk.user([{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXEL}}])
    talk.reply("A pixel.")
    save(talk.asks(3))
    talk.reply("And one more thing.")
    save(talk)
    save(talk.asks(3))
    save(talk.asks(2))
    return workspace


def _told(workspace):
    manifest = workspace.archive.manifest(workspace.feature)
    return workspace.turns(), [workspace.archive.chunk(workspace.feature, one) for one in manifest.chunks]


def _names(manifest):
    keys = ("turnWatermark", "semanticChunks", "recentSessions", "archivedSessions", "movedTurns")
    return {key: manifest.get(key) for key in keys}


def test_a_sound_archive_is_left_as_it_is(saved, mend, snapshot):
    before = snapshot(saved.root)

    assert mend() == {}

    assert snapshot(saved.root) == before


@pytest.mark.parametrize("how", ["missing", "broken"])
def test_a_lost_manifest_is_made_anew_exactly_as_it_was(saved, mend, look, how):
    before, path = saved.manifest(), saved.context / "manifest.json"
    path.unlink() if how == "missing" else path.write_bytes(b"{broken")

    assert mend() == {"manifest.json": "rebuilt from the session folders"}

    assert _names(saved.manifest()) == _names(before)
    assert look() == []
    kept = [one.read_bytes() for one in saved.context.rglob("set-aside/*/manifest.json")]
    assert kept == ([] if how == "missing" else [b"{broken"])


def test_a_lost_manifest_still_knows_the_turns_that_were_moved_away(workspace, talk, save, mend, look):
    save(talk.copy(talk.path.with_name("other.jsonl"), OTHER).asks(1, "other"))
    save(talk.asks(2))
    moving = Moving(archive=workspace.archive, now=LATER, words=choose("en"), threshold=5)
    move(moving, talk.window, "elsewhere")
    before = workspace.manifest()
    (workspace.context / "manifest.json").unlink()

    mend()

    assert _names(workspace.manifest()) == _names(before)
    assert before["movedTurns"] == [{"turnRange": [2, 3], "feature": "elsewhere", "start": 1}]
    assert look() == []


@pytest.mark.parametrize("data", [None, b"", b"changed by hand"], ids=["gone", "empty", "edited"])
def test_turns_and_images_come_back_from_the_vault(saved, mend, look, data):
    before = _told(saved)
    damaged = [*saved.context.glob("conversations/sessions/*/turn-*.md"), *saved.context.rglob("*.png")]
    for path in damaged:
        path.unlink() if data is None else path.write_bytes(data)

    done = mend()

    assert len(done) >= 4
    assert _told(saved) == before
    assert look() == []
    aside = [path.read_bytes() for path in saved.context.rglob("set-aside/*/*") if path.is_file()]
    assert aside == ([] if data is None else [data] * len(damaged))


def test_line_ends_that_git_changed_are_changed_back(saved, mend, look):
    before = {path: path.read_bytes() for path in saved.context.rglob("*") if path.is_file()}
    for path in before:
        if path.suffix in {".md", ".json"} and "semantic-chunks" not in path.parts:
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert look()

    mend()

    assert look() == []
    changed = [path for path, data in before.items() if path.read_bytes() != data]
    assert [path.name for path in changed if path.suffix == ".md"] == []


def test_line_ends_are_mended_without_a_manifest_too(saved, mend, look):
    before = saved.manifest()
    for path in saved.context.rglob("metadata.json"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    (saved.context / "manifest.json").unlink()

    mend()

    assert _names(saved.manifest()) == _names(before)
    assert look() == []


def test_a_session_that_the_manifest_lost_is_listed_again(saved, mend, look):
    before = saved.manifest()
    value = saved.manifest()
    value["recentSessions"].pop(0)
    (saved.context / "manifest.json").write_text(json.dumps(value))
    assert look()

    assert "listed again" in mend().values()

    assert _names(saved.manifest()) == _names(before)
    assert look() == []


def test_wrong_watermarks_are_put_right(saved, mend, look):
    before = saved.manifest()
    value = saved.manifest()
    value["turnWatermark"] = {"lastChunkedTurn": 0, "lastSessionEndTurn": 12}
    (saved.context / "manifest.json").write_text(json.dumps(value))

    mend()

    assert _names(saved.manifest()) == _names(before)
    assert look() == []


def test_a_missing_summary_is_made_anew(saved, mend, look):
    path = next(saved.context.rglob("chunk-001.md"))
    before = path.read_bytes()
    path.unlink()

    assert mend() == {"chunk-001.md": "made anew from its turns"}

    assert path.read_bytes() == before
    assert look() == []


def test_what_belongs_to_nothing_is_set_aside(saved, mend, look):
    shutil.copytree(saved.context / SESSION, saved.context / "conversations/sessions/session-009")
    (saved.context / ".tmp-0123456789ab-x").write_bytes(b"half")

    mend()

    assert look() == []
    names = {path.name for path in saved.context.rglob("set-aside/*/*")}
    assert names == {"session-009", ".tmp-0123456789ab-x"}


@pytest.mark.usefixtures("saved")
def test_a_torn_vault_is_mended_and_nothing_of_it_is_lost(mend, look, vaults):
    ledger = next(vaults.rglob("ledger.jsonl"))
    with ledger.open("ab") as file:
        file.write(b'{"file"')
    shutil.copy(ledger.parent / "000001.zst", ledger.parent / "000077.zst")
    assert {code for code, _ in look()} == {"leftover"}

    mend()

    assert look() == []
    assert (ledger.parent / "set-aside/000077.zst").exists()


def test_a_text_that_a_newer_reader_gives_is_taken_over_and_the_old_one_kept(saved, mend, look, monkeypatch):
    real = turn_file.write
    old = saved.context / SESSION / "turn-002.md"
    before = old.read_bytes()
    monkeypatch.setattr(turn_file, "write", lambda *given: real(*given).replace(b"answer", b"reply"))
    assert {code for code, _ in look()} == {"differs"}

    mend()

    assert look() == []
    assert b"reply" in old.read_bytes()
    assert (saved.context / SESSION / "revisions/turn-002.1.md").read_bytes() == before


def _without_time(session):
    return {name: value for name, value in session.items() if name not in _ANEW}


_ANEW = {"createdAt", "skippedTurns", "tokens"}
"""When it was saved, and what a grown turn had used before it grew, nothing says."""


@pytest.mark.parametrize("number", ["001", "002", "003"])
@pytest.mark.parametrize("what", ["metadata.json", "broken", "folder"])
def test_a_lost_session_is_made_anew_from_the_vault_under_its_numbers(
    saved, talk, save, mend, look, *, number, what
):
    before, told, folder = saved.metadata(f"session-{number}"), _told(saved), saved.context / SESSION
    folder = folder.with_name(f"session-{number}")
    if what == "folder":
        shutil.rmtree(folder)
    elif what == "broken":
        (folder / "metadata.json").write_bytes(b"{broken")
    else:
        (folder / what).unlink()

    assert mend() == {folder.name: f"made anew from the vault, {before['turnCount']} turns"}

    after = saved.metadata(folder.name)
    if what == "folder":
        for one in (*before["turns"], *after["turns"]):
            one.pop("revisions", None)  # the text before it grew was in the folder alone
    assert _without_time(after) == _without_time(before)
    assert after["createdAt"] == before["turns"][-1]["time"]
    assert _told(saved) == told
    assert look() == []
    assert (save(talk).saved, save(talk.asks(1)).numbers) == (0, (10, 10))


def test_several_lost_sessions_come_back_in_order(saved, mend, look):
    before = _told(saved)
    for folder in saved.context.glob("conversations/sessions/*"):
        shutil.rmtree(folder)

    assert sorted(mend()) == ["session-001", "session-002", "session-003"]

    assert _told(saved) == before
    assert look() == []


def test_a_turn_file_that_lies_there_stays_though_the_vault_saw_half_of_it(workspace, talk, save, mend, look):
    talk.ask("a long one", "first", "second", "third")
    workspace.save(talk)
    talk.write(records=2)
    save(talk.path)
    before = workspace.turns()
    (workspace.context / SESSION / "metadata.json").unlink()

    assert mend() == {"session-001": "made anew from the vault, 1 turns"}

    assert workspace.turns() == before
    assert look() == []
    assert mend() == {}


def test_an_edited_turn_file_without_metadata_gives_way_to_the_vaults_text(saved, mend, look):
    before = _told(saved)
    (saved.context / SESSION / "metadata.json").unlink()
    (saved.context / SESSION / "turn-002.md").write_bytes(b"## User\n\nedited\n")

    mend()

    assert _told(saved) == before
    assert look() == []
    assert [one.read_bytes() for one in saved.context.rglob("set-aside/*/*turn-002.md")] == [
        b"## User\n\nedited\n"
    ]


def test_a_session_of_which_the_vault_lacks_a_turn_is_left_and_nothing_guessed(
    workspace, talk, save, mend, look
):
    workspace.save(talk.asks(3))
    talk.write(records=4)
    save(talk.path)
    shutil.rmtree(workspace.context / SESSION)
    before = workspace.manifest()

    assert mend() == {}

    assert workspace.manifest() == before
    assert ("missing", "metadata.json") in look()


@pytest.mark.parametrize("feature", ["login", "elsewhere"])
def test_a_conversation_in_two_features_comes_back_in_each(workspace, talk, save, mend, look, *, feature):
    save(talk.asks(2), feature="elsewhere")
    save(talk.asks(2), feature="login")
    told = workspace.turns(feature)
    shutil.rmtree(workspace.layout.context(feature) / SESSION)

    mend()

    assert workspace.turns(feature) == told
    assert ("missing", "metadata.json") not in look()


def test_a_session_that_moved_comes_back_where_it_is_now(workspace, talk, save, mend, look):
    save(talk.copy(talk.path.with_name("other.jsonl"), OTHER).asks(1, "other"))
    save(talk.asks(2))
    moving = Moving(archive=workspace.archive, now=LATER, words=choose("en"), threshold=5)
    move(moving, talk.window, "elsewhere")
    told = workspace.turns("elsewhere")
    shutil.rmtree(workspace.layout.context("elsewhere") / SESSION)

    mend()

    assert workspace.turns("elsewhere") == told
    assert look() == []


@pytest.mark.parametrize(
    ("what", "redact"), [("metadata.json", "view"), ("metadata.json", "archive"), ("", "archive")]
)
def test_what_was_masked_stays_masked_when_its_session_is_made_anew(
    workspace, talk, save, mend, look, *, what, redact
):
    talk.ask("the key is AKIAIOSFODNN7EXAMPLQ", "password: hunter2hunter2")
    save(talk, redact="archive")
    told, path = workspace.turns(), workspace.context / SESSION
    assert "AKIA" not in str(told)
    (path / what).unlink() if what else shutil.rmtree(path)

    mend(redact=redact)

    assert workspace.turns() == told
    assert "AKIA" not in (path / "metadata.json").read_text()
    assert look() == []


def test_what_a_checkpoint_kept_is_never_cut_down_to_what_the_vault_saw(
    workspace, talk, save, mend, snapshot
):
    talk.ask("a long one", "first", "second", "third")
    workspace.save(talk)
    talk.write(records=2)
    assert [one.code for one in save(talk.path).problems] == ["shrunk"]
    before = snapshot(workspace.root)

    assert mend() == {}

    assert snapshot(workspace.root) == before


def test_what_the_vault_holds_more_of_is_taken_over(workspace, talk, vaults, mend, look):
    """In a clone, a save that stopped between the vault and the turn: the vault saw more than the archive."""
    talk.ask("a long one", "first")
    workspace.save(talk)
    talk.reply("second")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grow_turns, "keep_growth", _dies)
        with pytest.raises(KeyboardInterrupt):
            workspace.save(talk, vaults=vaults)
    assert look() == [("differs", "turn-001.md")]

    mend()

    assert look() == []
    assert "second" in workspace.turns()[0][2]
    assert b"first" in (workspace.context / SESSION / "revisions/turn-001.1.md").read_bytes()


def _dies(*_given):
    raise KeyboardInterrupt


def test_a_damaged_turn_without_a_vault_is_left_alone_and_still_found(workspace, talk, mend, look):
    workspace.save(talk.asks(2))
    (workspace.context / SESSION / "turn-001.md").write_bytes(b"edited")

    assert mend() == {}

    assert look() == [("turn", "turn-001.md")]


def test_it_deletes_nothing(saved, mend):
    for number, path in enumerate(sorted(saved.context.rglob("*.md"))):
        if number % 2:
            path.write_bytes(f"damaged {number}".encode())
    (saved.context / "manifest.json").write_bytes(b"damaged manifest")
    before = {path.read_bytes() for path in saved.context.rglob("*") if path.is_file()}

    mend()

    after = {path.read_bytes() for path in saved.context.rglob("*") if path.is_file()}
    assert {one for one in before - after if not one.startswith(b"{")} == set()


@pytest.mark.parametrize("name", ["chatgpt-export/03-example.json", "codex", "gemini-cli/03-session.json"])
def test_a_real_session_of_another_tool_comes_back_as_it_was(workspace, save, shared, mend, look, *, name):
    path = shared / "corpus" / name
    save(min(path.glob("*.jsonl")) if path.is_dir() else path)
    before, files = workspace.metadata("session-001"), workspace.turn_files()
    shutil.rmtree(workspace.context / SESSION)

    mend()

    assert _without_time(workspace.metadata("session-001")) == _without_time(before)
    assert (workspace.turn_files(), look()) == (files, [])


def test_newer_turns_are_not_taken_for_those_that_are_lost(workspace, talk, save, mend):
    """In a clone, whose vault saw a source without the lost turns and with two new ones at its end."""
    for _ in range(3):
        workspace.save(talk.asks(2))
    shutil.rmtree(workspace.context / "conversations/sessions/session-002")
    prompts = [place for place, one in enumerate(talk.records) if one["type"] == "user"]
    lost = talk.records[prompts[2] : prompts[4]]
    talk.asks(2)
    talk.records = [one for one in talk.records if one not in lost]
    with pytest.raises(DamagedArchiveError):
        save(talk)
    assert existing_vault(workspace.layout, workspace.root.parent / "data/vault")
    before = workspace.manifest()

    assert mend() == {}

    assert workspace.manifest() == before


def test_a_link_in_place_of_a_session_is_not_written_through(workspace, talk, save, mend, tmp_path):
    save(talk.asks(2))
    away = tmp_path / "away"
    shutil.move(workspace.context / SESSION, away)
    (away / "metadata.json").unlink()
    (workspace.context / SESSION).symlink_to(away)

    mend()

    assert not (away / "metadata.json").exists()


def test_a_turn_file_of_which_the_vault_gives_nothing_is_not_taken_for_another_turn(
    workspace, talk, save, mend, look
):
    workspace.save(talk.asks(2))
    talk.records, talk.leaf = talk.records[:2], talk.records[1]["uuid"]
    other = talk.user("something else")
    talk.records[-1]["uuid"] = talk.leaf = other.replace("2222", "3333")
    talk.reply("another answer")
    (workspace.context / SESSION / "metadata.json").unlink()
    files = workspace.turn_files()
    with pytest.raises(DamagedArchiveError):
        save(talk)

    assert mend() == {}

    assert workspace.turn_files() == files
    assert ("missing", "metadata.json") in look()
