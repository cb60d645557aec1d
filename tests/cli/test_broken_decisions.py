"""A file made from the turns never stops a save: it is left as it is, named, and mended by `repair`."""

import json

import pytest

from awf_archive.cli import checkpoint_view
from awf_archive.domain.wording.damage_words import DAMAGE_WORDS

WHOLE = b"<the file as it was>"
BROKEN = {
    "empty": b"",
    "no JSON": b"<<<<<<< HEAD\n" + WHOLE,
    "a list": b"[]",
    "without its list": b"{}",
    "null for its list": b'{"decisions": null}',
    "texts for records": b'{"decisions": ["use SQLite"]}',
    "numbers for records": b'{"decisions": [1]}',
    "nested without end": b'{"decisions": ' + b"[" * 100_000,
    "no UTF-8": b'{"decisions": ["\xff"]}',
}


@pytest.fixture
def told(workspace, talk):
    """A feature with a decision, and the path of its file."""
    talk.ask("Which database? Let us decide.", "Decision: we use SQLite because it needs no server.")
    workspace.save(talk)
    path = workspace.layout.decisions("login")
    assert "SQLite" in path.read_text(encoding="utf-8")
    return path


@pytest.fixture(params=["cut in half", *BROKEN])
def broken(request, told):
    whole = told.read_bytes()
    cut = whole[: len(whole) // 2]
    told.write_bytes(BROKEN.get(request.param, cut).replace(WHOLE, whole))
    return told


def test_a_checkpoint_saves_the_turns_and_leaves_the_file_and_says_so(broken, workspace, talk, awf):
    before = broken.read_bytes()
    talk.ask("And for logs?", "Decision: we log as JSON lines.")

    done = awf("checkpoint", "--transcript", talk.write(), "--json")

    assert (done.code, done.json["savedTurns"]) == (0, 1)
    assert [turn[1] for turn in workspace.turns()][-1] == "And for logs?"
    assert broken.read_bytes() == before
    (warning,) = done.json["warnings"]
    assert "login/.context/decisions.json" in warning
    assert "awf-archive repair" in warning


@pytest.mark.parametrize("language", sorted(DAMAGE_WORDS))
def test_the_warning_is_printed_in_every_language(told, talk, awf, language):
    told.write_bytes(b"")
    talk.ask("one more")

    done = awf("checkpoint", "--transcript", talk.write(), "--lang", language)

    path = ".claude/spec-workflow/specs/login/.context/decisions.json"
    assert DAMAGE_WORDS[language].unread.format(path=path) in done.out


def test_an_import_saves_the_turns_and_calls_no_transcript_unreadable(broken, talk, awf):
    before = broken.read_bytes()
    talk.ask("And for logs?")

    done = awf("import", talk.write(), "--json", "--feature", "login")

    assert (done.code, done.json["totals"]["failed"], done.json["totals"]["turns"]) == (0, 0, 1)
    assert len(done.json["warnings"]) == 1
    assert broken.read_bytes() == before


@pytest.mark.usefixtures("broken")
def test_a_summary_that_is_due_is_made_without_them(workspace, talk):
    talk.asks(45)

    workspace.save(talk)

    assert workspace.manifest()["semanticChunks"]


def test_repair_sets_the_file_aside_and_finds_the_decisions_anew(broken, workspace, talk, awf):
    before = broken.read_bytes()
    talk.ask("And for logs?", "Decision: we log as JSON lines.")
    workspace.save(talk)
    assert [one["code"] for one in awf("verify", "--json").json["findings"]] == ["decisions"]

    done = awf("repair", "--json")

    (mended,) = done.json["repaired"]
    (aside,) = workspace.layout.set_aside("login").glob("*/decisions.json")
    assert aside.read_bytes() == before
    assert workspace.layout.relative(aside) in mended["what"]
    found = [one.text for one in workspace.archive.decisions("login")]
    assert found == ["Decision: we use SQLite", "Decision: we log as JSON lines"]
    assert awf("verify", "--json").json["findings"] == []
    assert awf("repair", "--json").json["repaired"] == []


def test_records_before_the_break_keep_their_ids_and_what_a_person_said_of_them(told, workspace, talk, awf):
    talk.ask("And for logs?", "Decision: we log as JSON lines.")
    workspace.save(talk)
    assert awf("decisions", "edit", "D-001", "--text", "SQLite, in WAL mode").code == 0
    assert awf("decide", "no cloud", "--feature", "login").code == 0
    before = workspace.archive.decisions("login")
    whole = told.read_bytes()
    told.write_bytes(whole[: whole.rindex(b'"D-003"')])

    awf("repair")

    assert workspace.archive.decisions("login") == before[:2]
    told.write_bytes(whole[:40])
    awf("repair")
    assert workspace.archive.decisions("login")[0].text == "Decision: we use SQLite"


def test_a_link_in_its_place_is_set_aside_as_a_link(told, workspace, talk, awf, tmp_path):
    elsewhere = tmp_path / "elsewhere.json"
    elsewhere.write_bytes(told.read_bytes())
    told.unlink()
    told.symlink_to(elsewhere)
    talk.ask("one more")

    assert awf("checkpoint", "--transcript", talk.write()).code == 0
    assert told.is_symlink()
    awf("repair")

    assert not told.is_symlink()
    assert len(workspace.archive.decisions("login")) == 1


def test_another_feature_is_harvested_all_the_same(told, workspace, talk, awf):
    told.write_bytes(b"")
    other = talk.copy(talk.path.with_name("b.jsonl"), "0000aaaa-1111-4111-8111-000000000002")
    workspace.save(other, feature="b")
    workspace.layout.decisions("b").unlink()

    done = awf("decisions", "harvest")

    assert len(workspace.archive.decisions("b")) == 1
    assert (done.code, told.read_bytes()) == (3, b"")


@pytest.mark.parametrize(
    "command",
    [
        ("decisions",),
        ("recap", "full"),
        ("list",),
        ("site", "build"),
        ("status",),
        ("doctor",),
        ("resume", "login"),
        ("search", "database"),
    ],
    ids=" ".join,
)
def test_what_reads_the_archive_goes_on_and_names_the_file(told, command, awf):
    told.write_bytes(told.read_bytes()[:40])

    done = awf(*command)

    assert "decisions.json" in done.out + done.err
    assert "Traceback" not in done.err
    assert done.out


def test_decisions_of_the_other_features_are_listed_and_the_exit_code_tells(told, workspace, talk, awf):
    other = talk.copy(talk.path.with_name("b.jsonl"), "0000aaaa-1111-4111-8111-000000000002")
    workspace.save(other, feature="sound")
    told.write_bytes(b"")

    done = awf("decisions", "--json")

    assert [one["feature"] for one in done.json["decisions"]] == ["sound"]
    assert done.code == 3


@pytest.mark.usefixtures("told")
def test_the_conversation_s_bytes_are_kept_also_where_the_manifest_does_not_read(workspace, talk, awf):
    workspace.layout.manifest("login").write_bytes(b"{")
    talk.ask("the last words")
    path = talk.write()

    done = awf("checkpoint", "--transcript", path)

    assert done.code == 3
    path.unlink()
    assert awf("restore", talk.window, "--to", path.parent).code == 0
    assert path.read_bytes().count(b"the last words") == 1


def test_an_older_turn_that_does_not_read_postpones_the_summary_and_not_the_save(workspace, talk):
    workspace.save(talk.asks(3))
    turn = next(workspace.context.rglob("turn-001.md"))
    whole = turn.read_bytes()
    turn.unlink()

    done = workspace.save(talk.asks(30))

    assert (done.saved, done.chunk, done.postponed is not None) == (30, None, True)
    assert "awf-archive verify" in checkpoint_view.warnings(done, "en")[0]
    turn.write_bytes(whole)
    assert workspace.save(talk.asks(1)).chunk is not None
    assert json.loads((workspace.context / "manifest.json").read_bytes())["semanticChunks"]


def test_a_summary_that_cannot_be_written_is_made_by_the_next_save(workspace, talk):
    workspace.save(talk.asks(3))
    folder = workspace.context / "conversations/semantic-chunks"
    if folder.is_dir():
        folder.rmdir()
    folder.write_bytes(b"a file where the folder should be")

    done = workspace.save(talk.asks(30))

    assert (done.saved, done.chunk, done.postponed is not None) == (30, None, True)
    folder.unlink()
    assert workspace.save(talk.asks(1)).chunk is not None
