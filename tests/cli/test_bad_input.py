"""Bad input: one clear line and a hint, the right exit code, nothing changed on disk (SPEC 9)."""

import json
import os
import shlex

import pytest

PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n"
OTHER_TOOL = b'{"event": "message", "text": "hello"}\n{"event": "message", "text": "world"}\n'


@pytest.fixture
def files(tmp_path):
    """Things that are no transcripts."""
    (tmp_path / "document.pdf").write_bytes(PDF)
    (tmp_path / "other.jsonl").write_bytes(OTHER_TOOL)
    (tmp_path / "folder").mkdir()
    (tmp_path / "noise.jsonl").write_bytes(bytes(range(256)) * 4)
    return tmp_path


CASES = {
    "no transcript of this workspace": (["checkpoint"], 3, "no transcript of this workspace"),
    "no such file": (["checkpoint", "--transcript", "{files}/none.jsonl"], 3, "no such file"),
    "a folder": (["checkpoint", "--transcript", "{files}/folder"], 3, "a folder, not a transcript"),
    "a PDF": (["checkpoint", "--transcript", "{files}/document.pdf"], 3, "a PDF document"),
    "noise": (["checkpoint", "--transcript", "{files}/noise.jsonl"], 3, "not recognised"),
    "another tool's records": (
        ["checkpoint", "--transcript", "{files}/other.jsonl"],
        3,
        "JSON with the keys event, text",
    ),
    "a feature that leaves the folder": (
        ["checkpoint", "--transcript", "{talk}", "--feature", "../x"],
        2,
        "path separator",
    ),
    "a device's name": (["checkpoint", "--transcript", "{talk}", "--feature", "con"], 2, "device on Windows"),
    "a phase that is none": (["checkpoint", "--transcript", "{talk}", "--phase", "lunch"], 2, "lunch"),
    "a format that is none": (
        ["checkpoint", "--transcript", "{talk}", "--format", "word"],
        2,
        "no such format",
    ),
    "a language that is none": (["checkpoint", "--transcript", "{talk}", "--lang", "xx"], 2, "xx"),
    "two ways to say which": (["checkpoint", "--transcript", "{talk}", "--all"], 2, "do not go together"),
    "an unknown command": (["chekpoint"], 2, "no such command"),
    "an unknown option": (["checkpoint", "--fast"], 2, "--fast"),
    "a workspace that is none": (["list", "--workspace", "{files}/none"], 2, "not a folder"),
    "a search without a topic": (["search"], 2, "a topic is missing"),
    "a search without an archive": (["search", "x"], 1, "no conversation is archived"),
    "a list of an unknown feature": (["list", "--feature", "none"], 1, "nothing was saved"),
    "a feature that is unsafe to show": (["show", "../x#1"], 2, "path separator"),
    "a turn of an unknown feature": (["show", "none#1"], 1, "nothing was saved"),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_one_clear_line_a_hint_and_nothing_changed(awf, talk, files, snapshot, case):
    arguments, code, message = case
    talk.asks(1).write()
    given = [one.format(files=files, talk=talk.path) for one in arguments]
    before = snapshot(files)

    person, program = awf(*given), awf(*given, "--json")

    assert (person.code, person.out) == (code, "")
    first, *hints = person.err.strip("\n").split("\n")
    assert first.startswith("awf-archive: ")
    assert message in first
    assert len(hints) <= 1
    assert "Traceback" not in person.err
    assert program.code == code
    assert set(program.error) == {"kind", "message", "hint"}
    assert message in program.error["message"]
    assert program.error["hint"] == (hints[0].removeprefix("  → ") if hints else "")
    assert snapshot(files) == before


def test_the_nearest_command_is_named(awf):
    assert awf("chekpoint").err.endswith("Did you mean checkpoint?\n")


def test_an_empty_file_is_no_error(awf, workspace, tmp_path, snapshot):
    empty = tmp_path / "empty.jsonl"
    empty.write_bytes(b"")
    before = snapshot(workspace.root)

    answer = awf("checkpoint", "--transcript", empty)

    assert (answer.code, answer.err) == (0, "")
    assert "without any conversation yet" in answer.out
    assert awf("checkpoint", "--transcript", empty, "--json").json["empty"] is True
    assert snapshot(workspace.root) == before


def test_nothing_archived_yet_is_a_no(awf):
    assert awf("list").code == 1
    assert awf("list", "--json").json == {"sessions": [], "lost": []}


def test_a_damaged_manifest_is_named_and_nothing_changed(awf, workspace, talk, snapshot):
    workspace.save(talk.asks(1))
    (workspace.context / "manifest.json").write_text('{"specId": "login"', encoding="utf-8")
    talk.asks(1).write()
    before = snapshot(workspace.root)

    for arguments in (
        ["checkpoint", "--transcript", talk.path, "--feature", "login"],
        ["checkpoint", "--transcript", talk.path],
        ["list"],
        ["show", "login#1"],
    ):
        answer = awf(*arguments, "--json")
        assert answer.code == 3
        assert answer.error["kind"] == "damagedArchive"
        assert "login/.context/manifest.json" in answer.error["message"]
    after = snapshot(workspace.root)
    after.pop(".awf-archive/id", None)  # the vault's name: its bytes are kept before the archive is looked at
    assert after == before


@pytest.mark.parametrize(
    "text", ["[]", "null", '{"specId": 1}', '{"specId": "a", "turnWatermark": []}', "\ufeff{}", "{'a': 1}"]
)
def test_any_nonsense_in_a_manifest_is_damage_and_no_failure_of_ours(awf, workspace, talk, text):
    workspace.save(talk.asks(1))
    (workspace.context / "manifest.json").write_text(text, encoding="utf-8")

    assert awf("list").code == 3


def test_damaged_decisions_are_named_and_left_and_the_turns_are_saved(awf, workspace, talk):
    workspace.save(talk.asks(1))
    (workspace.context / "decisions.json").write_text("[]", encoding="utf-8")
    talk.asks(1).write()

    answer = awf("checkpoint", "--transcript", talk.path)

    assert answer.code == 0
    assert "decisions.json does not read" in answer.out
    assert (workspace.context / "decisions.json").read_text("utf-8") == "[]"
    assert awf("show", "login#2").code == 0


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can become nobody")
def test_a_file_that_may_not_be_read_is_told(awf, tmp_path, talk):
    """Root may read everything, so a process of its own becomes nobody first."""
    path = talk.asks(1).write()
    path.chmod(0o600)
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(folder.stat().st_mode | 0o055)
    awf("checkpoint", "--transcript", path, "--dry-run")  # everything is imported before nobody may read it
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.setgroups([])
        os.setresgid(65534, 65534, 65534)
        os.setresuid(65534, 65534, 65534)
        answer = awf("checkpoint", "--transcript", path)
        os.write(writer, json.dumps([answer.code, answer.out, answer.err]).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as told:
        code, out, err = json.load(told)
    os.waitpid(child, 0)

    assert (code, out) == (3, ""), err
    assert "cannot be read (Permission denied)" in err
    assert err.count("\n") == 2


def test_a_failure_of_ours_is_no_traceback(awf, talk, monkeypatch):
    def fails(*_arguments, **_options):
        raise ZeroDivisionError("boom")

    monkeypatch.setattr("awf_archive.services.checkpoint.checkpoint", fails)
    monkeypatch.setattr("awf_archive.cli.checkpoint_cmd.checkpoint", fails)

    answer = awf("checkpoint", "--transcript", talk.asks(1).write(), "--json")

    assert answer.code == 6
    assert answer.error["kind"] == "internal"
    assert "report it" in answer.error["hint"]


def test_a_lock_that_is_held_too_long_is_code_4(awf, workspace, talk, monkeypatch):
    (workspace.root / ".awf-archive/lock").write_text(
        json.dumps({"token": "x", "host": "elsewhere", "pid": 1})
    )
    monkeypatch.setattr("awf_archive.store.lock.time.monotonic", iter(range(0, 10_000, 100)).__next__)

    answer = awf("checkpoint", "--transcript", talk.asks(1).write())

    assert answer.code == 4
    assert "process 1 on elsewhere" in answer.err


def test_the_hint_for_a_file_of_several_conversations_works_as_printed(awf, workspace, tmp_path):
    log = tmp_path / "an aider log.md"
    parts = (
        f"# aider chat started at 2026-03-0{day} 10:00:00\n\n#### ask {day}\n\nAnswer.\n" for day in (1, 2)
    )
    log.write_text("\n".join(parts))

    refused = awf("checkpoint", "--transcript", log, "--feature", "login", "--json")

    assert refused.code == 3
    program, *arguments = shlex.split(refused.error["hint"].removeprefix("Bring them all in with: "))
    assert (program, awf(*arguments).code) == ("awf-archive", 0)
    assert [user for _, user, _, _ in workspace.turns("login")] == ["ask 1", "ask 2"]
