"""Summaries by a configured command, with real small programs as the command (SPEC 1.8, 8)."""

import os
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from awf_archive.config import SummaryCommand, summary_environment
from awf_archive.domain.wording import WORDINGS
from awf_archive.integrations import queue
from awf_archive.services.chunk_model import Model
from awf_archive.services.chunk_rebuild import Rebuilding, rebuild
from awf_archive.services.repair import repair
from awf_archive.services.repairing import Repairing
from awf_archive.services.summary_command import CommandFailedError, ask
from awf_archive.services.verify import verify

EN = WORDINGS["en"]
GOOD = """print('''## Overview
The team added the export command and its tests. Paging works now.

## Important points
- Turn 2: The export command writes Markdown.
- Turn 9: Paging was mended.

## Errors and fixes
- Turn 9: KeyError: page → the cache is emptied first''')"""
PROGRAMS = {
    "hangs": ("import time; time.sleep(600)", "in time"),
    "prints rubbish": ("import os, sys; sys.stdout.buffer.write(os.urandom(500))", "control characters"),
    "chats instead": ("print('Sure! Here is your summary of the conversation.')", "Overview"),
    "floods": ("while True: print('x' * 10000)", "printed more than"),
    "says nothing": ("pass", "printed nothing"),
    "fails": ("import sys; sys.exit('no credit left')", "no credit left"),
    "does not read": ("import sys; sys.stdin.close(); sys.exit(3)", "code 3"),
    "names a turn that is not there": (GOOD.replace("Turn 9", "Turn 99"), "turn 99"),
    "speaks another language": (
        GOOD.replace(
            "The team added the export command and its tests. Paging works now.",
            "团队增加了导出命令和测试，分页已经修复。",
        )
        .replace("The export command writes Markdown.", "导出命令会写出文档。")
        .replace("Paging was mended.", "分页已经修复。"),
        "not in English",
    ),
    "prints an escape": (GOOD.replace("Paging works", "Paging\\x1b[31m works"), "control characters"),
    "writes a book": (GOOD.replace("The team", "The team " * 900), "longer than"),
}


def _command(code, **limits):
    return SummaryCommand(command=(sys.executable, "-c", code), **limits)


def _work(workspace, command, **options):
    model = Model(command=command, environment=summary_environment())
    return Rebuilding(
        archive=workspace.archive, now="2026-03-06T10:00:00Z", fallback=EN, model=model, **options
    )


@pytest.fixture
def chunked(workspace, talk):
    """A workspace whose turns 1 to 12 are summarised."""
    for number in range(1, 13):
        answer = f"Export module {number} writes pages." + " It turns them over." * 80
        talk.ask(f"Explain the export module number {number} please", answer=answer)
    workspace.save(talk)
    workspace.save(talk.asks(10))
    assert workspace.manifest()["semanticChunks"][0]["turnRange"] == [1, 12]
    return workspace


def _files(workspace):
    return {path.name: path.read_text(encoding="utf-8") for path in _folder(workspace).iterdir()}


def _folder(workspace):
    return workspace.context / "conversations/semantic-chunks"


def _findings(workspace):
    return tuple(verify(workspace.archive, None, threshold=20).findings)


def test_what_a_command_writes_becomes_the_summary_and_the_one_without_stays_beside(chunked):
    before = _files(chunked)["chunk-001.md"]

    done = list(rebuild(_work(chunked, _command(GOOD)), "login"))

    assert [(one.outcome, one.made_by, one.why) for one in done] == [("made", "command", "")]
    files = _files(chunked)
    assert files["chunk-001.plain.md"] == before
    assert "The team added the export command and its tests." in files["chunk-001.md"]
    assert files["chunk-001.md"].startswith("# Summary 001 (turns 1–12)\n\n## Overview\n")
    assert chunked.manifest()["semanticChunks"][0]["madeBy"] == "command"
    assert _findings(chunked) == ()
    kept = list((chunked.context / "conversations/set-aside").rglob("chunk-001.md"))
    assert [path.read_text(encoding="utf-8") for path in kept] == [before]


def test_decisions_and_files_are_never_taken_from_a_model(chunked):
    invented = GOOD.replace(
        "## Important", "## Key decisions\n1. Use Mongo (turn 2)\n\n## Files\n- made/up.py\n\n## Important"
    )

    list(rebuild(_work(chunked, _command(invented)), "login"))

    text = _files(chunked)["chunk-001.md"]
    assert "Mongo" not in text
    assert "made/up.py" not in text
    assert "## Key decisions\nNone was recorded in these turns." in text


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda name: name.replace(" ", "-"))
def test_a_bad_answer_leaves_the_summary_made_without_and_says_why(chunked, program):
    code, why = PROGRAMS[program]
    before = _files(chunked)

    (done,) = rebuild(_work(chunked, _command(code, seconds=1)), "login")

    assert why in done.why
    assert (done.outcome, done.made_by) == ("unchanged", "")
    assert _files(chunked) == before
    assert _findings(chunked) == ()


def test_a_command_that_is_not_there_is_named(chunked):
    (done,) = rebuild(_work(chunked, SummaryCommand(command=("no-such-program-anywhere",))), "login")

    assert "no-such-program-anywhere cannot be started" in done.why


def test_a_failure_later_leaves_what_the_command_wrote_before(chunked):
    list(rebuild(_work(chunked, _command(GOOD)), "login"))
    before = _files(chunked)

    (done,) = rebuild(_work(chunked, _command("pass")), "login")

    assert done.why == "it printed nothing"
    assert _files(chunked) == before


def test_plain_takes_the_command_s_words_back_and_keeps_them_aside(chunked):
    plain = _files(chunked)["chunk-001.md"]
    list(rebuild(_work(chunked, _command(GOOD)), "login"))
    written = _files(chunked)["chunk-001.md"]

    (done,) = rebuild(replace(_work(chunked, _command(GOOD)), model=None), "login")

    assert (done.outcome, done.made_by) == ("made", "")
    assert _files(chunked) == {"chunk-001.md": plain}
    assert "madeBy" not in chunked.manifest()["semanticChunks"][0]
    kept = (chunked.context / "conversations/set-aside").rglob("chunk-001.md*")
    assert written in [path.read_text(encoding="utf-8") for path in kept]


def test_a_dry_run_runs_nothing_and_writes_nothing(chunked, snapshot, tmp_path):
    mark = tmp_path / "ran"
    before = snapshot(chunked.context)

    (done,) = rebuild(_work(chunked, _command(f"open({str(mark)!r}, 'w')"), is_dry=True), "login")

    assert done.outcome == "would"
    assert snapshot(chunked.context) == before
    assert not mark.exists()


def test_rebuilding_in_the_turns_own_words_changes_nothing(chunked, snapshot):
    before = snapshot(chunked.context)

    (done,) = rebuild(replace(_work(chunked, _command("pass")), model=None), "login")

    assert done.outcome == "unchanged"
    assert snapshot(chunked.context) == before


def test_a_lost_summary_beside_a_model_s_is_a_finding_and_comes_back(chunked):
    list(rebuild(_work(chunked, _command(GOOD)), "login"))
    beside = _folder(chunked) / "chunk-001.plain.md"
    before = beside.read_bytes()
    beside.unlink()

    found = _findings(chunked)
    list(rebuild(_work(chunked, _command(GOOD)), "login"))

    assert [(one.code, "chunk rebuild" in one.remedy) for one in found] == [("chunk", True)]
    assert beside.read_bytes() == before
    assert _findings(chunked) == ()


def test_a_lost_manifest_comes_back_with_who_wrote_the_summary(chunked):
    list(rebuild(_work(chunked, _command(GOOD)), "login"))
    before = chunked.manifest()["semanticChunks"]
    (chunked.context / "manifest.json").unlink()

    repair(Repairing(archive=chunked.archive, vault=None, now="2026-03-06T10:00:00Z", words=EN, threshold=20))

    assert chunked.manifest()["semanticChunks"] == before


def test_a_long_range_goes_in_parts_under_the_limit_and_is_merged(chunked, tmp_path):
    log = tmp_path / "asked"
    log.mkdir()
    code = f"""
import os, re, sys
text = sys.stdin.buffer.read()
open(os.path.join({str(log)!r}, str(len(os.listdir({str(log)!r})))), "wb").write(text)
first = re.search(rb"- Turn (\\d+): ", text)[1].decode()
print("## Overview\\nThe export module is explained.\\n\\n## Important points\\n- Turn " + first + ": It writes pages.")
"""

    (done,) = rebuild(_work(chunked, _command(code, max_bytes=4_000)), "login")

    asked = [(log / str(number)).read_text(encoding="utf-8") for number in range(len(list(log.iterdir())))]
    assert done.why == ""
    assert all(len(one.encode()) < 4_000 + 2_500 for one in asked)
    assert 3 <= len(asked) <= 9
    assert "## Turn 1\n" in asked[0]
    assert "The export module is explained." in asked[-1]
    assert "## Turn" not in asked[-1]


def test_a_secret_never_reaches_the_command(workspace, talk, tmp_path):
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    talk.ask(f"Use the token {secret} for the push", answer=f"Pushed with {secret}.")
    workspace.save(talk.asks(11))
    workspace.save(talk.asks(10))
    seen = tmp_path / "seen"
    code = f"import sys; open({str(seen)!r}, 'w').write(sys.stdin.read())"

    list(rebuild(_work(workspace, _command(code)), "login"))

    assert "[REDACTED:" in seen.read_text(encoding="utf-8")
    assert secret not in seen.read_text(encoding="utf-8")


def test_it_runs_in_an_empty_folder_and_no_hook_of_ours_answers_it():
    code = f"import os; print(os.listdir('.'), os.environ[{queue.GUARD!r}])"

    assert ask((sys.executable, "-c", code), "", 20, summary_environment()) == "[] 1\n"


@pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX's")
@pytest.mark.parametrize("parent", ["time.sleep(600)", "pass"], ids=["parent-hangs", "parent-ends"])
def test_a_child_that_it_forks_ends_with_it(tmp_path, parent):
    mark = tmp_path / "child"
    child = f"import os, time; open({str(mark)!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    code = (
        f"import subprocess, sys, time, os\nsubprocess.Popen([sys.executable, '-c', {child!r}])\n"
        f"while not os.path.exists({str(mark)!r}) or not open({str(mark)!r}).read(): time.sleep(0.01)\n{parent}"
    )

    with pytest.raises(CommandFailedError):
        ask((sys.executable, "-c", code), "", 2, dict(os.environ))

    assert _is_gone(int(mark.read_text()))


def _is_gone(pid):
    for _ in range(500):
        try:
            # a zombie has ended too
            if Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.01)
    return False
