"""`decide` and what changes a decision, killed at any moment: the list is whole, no id twice, nothing reported is lost."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from crashes import dies_at

from awf_archive.domain.decisions import Found, Status
from awf_archive.services import decisions_changes as changes

FEATURE = "login"
NOW = "2026-03-06T10:00:00Z"


@pytest.fixture
def tmp_path(tmp_path):
    """In memory where the system has such a folder: these tests write thousands of files."""
    memory = Path("/dev/shm")  # noqa: S108 - a folder of its own is made in it
    if not os.access(memory, os.W_OK):
        yield tmp_path
        return
    folder = Path(tempfile.mkdtemp(prefix="awf-decisions-", dir=memory))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(autouse=True)
def _quick_lock(monkeypatch):
    """A lock without an owner, left by a process killed before it wrote its name, is taken over after half a second."""
    monkeypatch.setattr("awf_archive.store.lock.UNCLAIMED", 0.5)
    monkeypatch.setattr("awf_archive.store.lock._POLL", 0.001)


def held(workspace):
    """Return the list as it is on disk; fails when it is not whole."""
    path = workspace.archive.layout.decisions(FEATURE)
    return json.loads(path.read_bytes())["decisions"] if path.exists() else []


def record(workspace, text):
    found = Found(text=text, by="user", found_by="command", evidence=text)
    return changes.record(workspace.archive, FEATURE, found, NOW)


NEW = Found(text="one writer", by="user", found_by="command", evidence="one writer")
STEPS = {
    "record": lambda archive: changes.record(archive, FEATURE, NEW, NOW),
    "edit": lambda archive: changes.edit(archive, FEATURE, "D-001", changes.Edit(reason="no server")),
    "accept": lambda archive: changes.accept(archive, FEATURE, "D-002"),
    "reject": lambda archive: changes.reject(archive, FEATURE, "D-001"),
    "supersede": lambda archive: changes.supersede(archive, FEATURE, "D-001", "D-002"),
}


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_a_change_that_dies_at_any_operation_is_done_or_not(workspace, step, monkeypatch):
    monkeypatch.setattr("awf_archive.store.lock.UNCLAIMED", 0.0)
    record(workspace, "use SQLite")
    record(workspace, "use Postgres")
    changes.reject(workspace.archive, FEATURE, "D-002")
    path = workspace.archive.layout.decisions(FEATURE)
    before = path.read_bytes()
    step(workspace.archive)
    after = path.read_bytes()

    operation, seen = 0, set()
    while True:
        path.write_bytes(before)
        died = dies_at(operation, lambda: step(workspace.archive))
        seen.add(path.read_bytes())
        assert seen <= {before, after}
        if not died:
            break
        step(workspace.archive)  # whoever comes next finds no lock in the way
        assert path.read_bytes() == after
        operation += 1

    assert operation > 4
    assert seen == {before, after}


def _states(text):
    """What becomes of one decision, step by step: its reason and status."""
    because = f"because of {text}"
    return [("", "accepted"), (because, "accepted"), (because, "rejected"), (because, "accepted")]


def _works(workspace, name, report):
    """Record, edit, reject and accept one decision after the other; report each step once it is done."""
    for number in range(10_000):
        text = f"{name}{number} is used"
        one = record(workspace, text).id
        report(one, text, 0)
        changes.edit(workspace.archive, FEATURE, one, changes.Edit(reason=f"because of {text}"))
        report(one, text, 1)
        changes.reject(workspace.archive, FEATURE, one)
        report(one, text, 2)
        changes.accept(workspace.archive, FEATURE, one)
        report(one, text, 3)


def _worker(workspace, name, pipe):
    """Start a process that works until it is killed; return its number."""
    child = os.fork()
    if child:
        return child
    try:
        _works(workspace, name, lambda *told: os.write(pipe, f"{json.dumps(told)}\n".encode()))
    except BaseException:  # noqa: BLE001 - the child must never go on as a test run of its own
        os._exit(1)
    os._exit(0)


def _kill(child):
    os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _round(workspace, names, chance):
    """Let several work at once, look at the list meanwhile, kill them one by one; return what they reported."""
    reading, writing = os.pipe()
    children = [_worker(workspace, name, writing) for name in names]
    os.close(writing)
    chance.shuffle(children)
    codes = []
    try:
        for _ in names:
            end = time.monotonic() + chance.uniform(0.005, 0.08)
            while time.monotonic() < end:
                held(workspace)
            codes.append(_kill(children.pop()))
    finally:
        codes += map(_kill, children)
    assert codes == [-signal.SIGKILL] * len(names)
    with os.fdopen(reading) as told:
        return [json.loads(line) for line in told]


def _check(workspace, reported):
    entries = {one["id"]: one for one in held(workspace)}
    assert len(entries) == len(held(workspace))
    assert list(entries) == [f"D-{number:03d}" for number in range(1, len(entries) + 1)]
    assert len({one["text"] for one in entries.values()}) == len(entries)
    last = {(one, text): step for one, text, step in reported}
    for (one, text), step in last.items():
        entry = entries[one]
        assert entry["text"] == text
        assert (entry["reason"], entry["status"]) in _states(text)[step : step + 2]


@pytest.mark.parametrize(
    "rounds", [pytest.param(8, id="8 rounds"), pytest.param(80, id="80 rounds", marks=pytest.mark.soak)]
)
def test_several_that_are_killed_while_they_decide_lose_nothing(workspace, talk, rounds):
    chance = random.Random(8)  # noqa: S311 - moments, not keys
    reported = []

    for number in range(rounds):
        reported += _round(workspace, [f"{who}{number}x" for who in ("an", "binh", "chi")], chance)
        _check(workspace, reported)

    assert len(reported) > rounds
    last = record(workspace, "the last word")
    assert last.id == f"D-{len(held(workspace)):03d}"
    assert last.status is Status.ACCEPTED
    workspace.save(talk.asks(1))
    aside = workspace.context / "conversations/set-aside"
    assert [path for path in workspace.root.rglob(".tmp-*") if aside not in path.parents] == []
    _check(workspace, reported)


def _program(workspace, *arguments):
    return subprocess.Popen(
        [sys.executable, "-m", "awf_archive", *arguments, "--workspace", str(workspace.root)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def _killed(workspace, commands, seconds):
    """Run the program several times at once, kill each after a while; return what each printed."""
    running = [_program(workspace, *command) for command in commands]
    started = time.monotonic()
    for process, after in zip(running, seconds, strict=True):
        try:
            process.wait(max(0.0, started + after - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
    return [process.communicate()[0] for process in running]


@pytest.mark.parametrize(
    "rounds", [pytest.param(5, id="5 rounds"), pytest.param(45, id="45 rounds", marks=pytest.mark.soak)]
)
def test_the_program_killed_while_it_decides_edits_and_accepts_loses_nothing(workspace, rounds):
    chance = random.Random(8)  # noqa: S311 - moments, not keys
    record(workspace, "use SQLite")
    started = time.monotonic()
    _program(workspace, "decisions", "reject", "D-001").communicate()
    usual = time.monotonic() - started
    told = {}

    for number in range(rounds):
        commands = [
            ("decide", f"choice {number} of an", "--feature", FEATURE),
            ("decide", f"choice {number} of binh", "--feature", FEATURE),
            ("decisions", "edit", "D-001", "--reason", f"reason {number}"),
            ("decisions", "accept" if number % 2 else "reject", "D-001"),
        ]
        seconds = [chance.uniform(0.5, 4) * usual for _ in commands]
        printed = _killed(workspace, commands, seconds)
        told |= {match[2]: match[1] for out in printed for match in re.finditer(r"(D-\d+) · (.+)", out)}
        entries = held(workspace)
        assert [one["id"] for one in entries] == [f"D-{at:03d}" for at in range(1, len(entries) + 1)]
        assert told == {one["text"]: one["id"] for one in entries if one["text"] in told}
        if printed[2]:
            assert entries[0]["reason"] == f"reason {number}"
        if printed[3]:
            assert entries[0]["status"] == ("accepted" if number % 2 else "rejected")

    assert record(workspace, "the last word").id == f"D-{len(held(workspace)):03d}"
