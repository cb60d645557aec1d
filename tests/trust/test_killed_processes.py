"""Real processes, killed with SIGKILL at random moments: the next run completes what they left (issue 4 point 3)."""

import random
import shutil
import time

import pytest
from faults import killed_after

from awf_archive.errors import UsageError

OTHER = "0000bbbb-1111-4111-8111-00000000000b"


@pytest.fixture
def scene(safe, talk, talk_class, tmp_path):
    """An archive with a vault; two conversations that an import and a checkpoint are to save."""
    talk.path = tmp_path / "transcripts/one/talk.jsonl"
    other = talk_class(tmp_path / "transcripts/two/other.jsonl", OTHER, cwd=str(safe.workspace.root))
    safe.save(other.asks(8, "other"))
    for number in range(30):
        other.ask(f"more {number}", f"answer {number} " + "x" * 20_000)
    talk.asks(30).write()
    other.write()
    commands = [
        ("checkpoint", "--transcript", other.path, "--feature", "login", "--auto"),
        ("checkpoint", "--transcript", talk.path, "--feature", "login"),
        ("import", talk.path, other.path, "--feature", "login", "--into", safe.workspace.root),
        ("move", OTHER, "--to", "elsewhere"),
        ("repair",),
    ]
    before = tmp_path / "before"
    for name in ("workspace", "data"):
        shutil.copytree(tmp_path / name, before / name)
    return before, commands, (talk, other)


def _set_back(before, tmp_path):
    for name in ("workspace", "data"):
        shutil.rmtree(tmp_path / name)
        shutil.copytree(before / name, tmp_path / name)


def _durations(safe, commands, before, program, tmp_path):
    """How long each command takes when nobody kills it."""
    takes = {}
    for arguments in commands:
        started = time.monotonic()
        process = program(safe.workspace.root, *arguments)
        out, error = process.communicate()
        assert process.returncode == 0, out + error
        takes[arguments] = time.monotonic() - started
        _set_back(before, tmp_path)
    return takes


def _complete(safe, name, talks):
    """Run again what was killed, then save everything; return every text with its number."""
    if name == "repair":
        safe.repair()
    if name == "move":
        _move(safe)
    talk, other = talks
    safe.save(talk.path)
    safe.save(other.path, feature="elsewhere" if name == "move" else "login")
    return [text for told in safe.told().values() for _, text, *_ in told[0]]


def _kill(safe, scene, program, tmp_path, times):
    """Kill `times` processes; return how many were still at work, and what was proven at the end."""
    before, commands, talks = scene
    moments = random.Random(20260305)  # noqa: S311 - the same moments every time
    takes = _durations(safe, commands, before, program, tmp_path)
    killed = proven = 0
    for number in range(times):
        arguments = commands[number % len(commands)]
        process = program(safe.workspace.root, *arguments)
        moment = moments.uniform(takes[arguments] * 0.2, takes[arguments])
        killed += killed_after(moment, process)
        process.communicate()
        for turns, *_ in safe.told().values():
            assert [turn[0] for turn in turns] == list(range(1, len(turns) + 1))
        said = _complete(safe, arguments[0], talks)
        assert len(said) == len(set(said)) == 68
        report = safe.report()
        assert report.findings == []
        assert safe.left_behind() == []
        proven += report.proven.bytes
        _set_back(before, tmp_path)
    return killed, proven


def _move(safe):
    try:
        safe.move(OTHER, "elsewhere")
    except UsageError as problem:
        assert "Nothing to move" in problem.hint  # noqa: PT017 - it may have moved before it died


def test_twenty_killed_processes_lose_nothing(safe, scene, program, tmp_path, figures):
    killed, proven = _kill(safe, scene, program, tmp_path, 20)

    figures(f"killed {killed} of 20 processes at work; {proven} bytes proven afterwards")
    assert killed > 5


@pytest.mark.soak
def test_two_hundred_killed_processes_lose_nothing(safe, scene, program, tmp_path, figures):
    killed, proven = _kill(safe, scene, program, tmp_path, 200)

    figures(f"killed {killed} of 200 processes at work; {proven} bytes proven afterwards")
    assert killed > 100
