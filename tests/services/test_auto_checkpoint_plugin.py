import json
import logging
import threading
import time
from datetime import UTC, datetime, timedelta

import pytest

import awf_archive
from awf_archive.brain.backends import Setting, open_backend
from awf_archive.brain.events import append, events
from awf_archive.brain.folder import Brain
from awf_archive.brain.record import ArchivePlace
from awf_archive.config import Settings
from awf_archive.services.auto_checkpoint import (
    AutoCheckpoint,
    AutoCheckpointSettings,
    Captured,
    resume_session,
)
from awf_archive.services.auto_checkpoint_worker import Worker
from awf_archive.services.auto_checkpoint_workspace import Session, auto_checkpoint
from awf_archive.services.autosave_disk import DISK

STATE = Captured(
    work_state={"summary": {"project": "shop"}},
    brain_summary={"project": {"name": "shop"}},
    archive=ArchivePlace(feature="login", session="session-001", turn=3),
)


@pytest.fixture
def memory(tmp_path):
    return open_backend("memory", Setting(Brain(tmp_path), DISK))


@pytest.fixture
def auto(memory):
    def make(**more):
        made = AutoCheckpoint(memory, "s-1", lambda: STATE, AutoCheckpointSettings(**more))
        running.append(made)
        return made

    running = []
    yield make
    for one in running:
        one.close(1)


def triggers(auto):
    assert auto.flush()
    return [one.trigger for one in reversed(auto.backend.listed("s-1"))]


def test_seed_002_defaults():
    assert AutoCheckpointSettings() == AutoCheckpointSettings(
        every_n_turns=10,
        on_tools=(),
        on_events=("approval_required", "session_end"),
        max_checkpoints=50,
        ttl_seconds=2_592_000,
    )


def test_seed_002_every_n_turns(auto):
    plugin = auto()

    due = [plugin.turn_completed() for _ in range(25)]

    assert [place for place, is_due in enumerate(due, 1) if is_due] == [10, 20]
    assert triggers(plugin) == ["every_n_turns"] * 2


@pytest.mark.parametrize("never", [None, 0])
def test_seed_002_every_n_turns_may_be_off(auto, never):
    plugin = auto(every_n_turns=never)

    assert not any(plugin.turn_completed() for _ in range(30))


def test_seed_002_on_tools(auto):
    plugin = auto(on_tools=("shell", "edit_file"))

    assert [plugin.tool_ran(tool) for tool in ("shell", "read_file", "edit_file")] == [True, False, True]
    assert triggers(plugin) == ["on_tool:shell", "on_tool:edit_file"]


def test_seed_002_on_events(auto):
    plugin = auto()

    assert [plugin.happened(one) for one in ("approval_required", "agent_abort", "session_end")] == [
        True,
        False,
        True,
    ]
    assert auto(on_events=("agent_abort",)).happened("agent_abort")


def test_seed_002_any_condition_saves(auto):
    plugin = auto(every_n_turns=2, on_tools=("shell",))

    plugin.turn_completed()
    plugin.tool_ran("shell")
    plugin.turn_completed()
    plugin.happened("session_end")

    assert triggers(plugin) == ["on_tool:shell", "every_n_turns", "on_event:session_end"]


def test_seed_002_after_each_save_the_oldest_go(memory):
    clock = [datetime(2026, 3, 5, tzinfo=UTC)]
    settings = AutoCheckpointSettings(max_checkpoints=3, ttl_seconds=100)
    plugin = AutoCheckpoint(memory, "s-1", lambda: STATE, settings, now=lambda: clock[0])
    kept = []
    for step in (1, 1, 1, 1, 99, 500):
        clock[0] += timedelta(seconds=step)
        plugin.save()
        plugin.flush()
        kept.append(len(memory.ages("s-1")))

    assert kept == [1, 2, 3, 3, 3, 1]


def test_seed_002_each_save_emits_an_event(auto):
    plugin, told = auto(), []
    stop = plugin.subscribe(told.append)

    plugin.save("manual")
    plugin.flush()
    stop()
    plugin.save("manual")
    plugin.flush()

    (event,) = told
    assert event["event"] == "auto_checkpoint_saved"
    assert event["checkpoint_id"] == plugin.backend.listed("s-1")[-1].id
    assert (event["session_id"], event["trigger"], event["backend"]) == ("s-1", "manual", "memory")
    assert event["archive"] == {"feature": "login", "session": "session-001", "lastTurn": 3}


class Broken:
    """A backend that raises, or hangs."""

    name = "broken"

    def __init__(self, hang=None):
        self.hang = hang
        self.calls = 0

    def save(self, _snapshot):
        self.calls += 1
        if self.hang:
            self.hang.wait(20)
        raise RuntimeError("no such table")

    def close(self):
        raise RuntimeError("not even that")


def test_seed_002_a_failure_is_one_warning_emits_nothing_and_never_reaches_the_caller(caplog):
    told = []
    plugin = AutoCheckpoint(Broken(), "s-1", lambda: STATE)
    plugin.subscribe(told.append)

    with caplog.at_level(logging.WARNING):
        assert plugin.save()
        assert plugin.flush()

    assert [one.levelname for one in caplog.records] == ["WARNING"]
    assert "RuntimeError: no such table" in caplog.text
    assert told == []


def test_seed_002_a_capture_that_fails_is_one_warning(memory, caplog):
    plugin = AutoCheckpoint(memory, "s-1", lambda: 1 / 0)

    plugin.save()
    assert plugin.flush()

    assert "ZeroDivisionError" in caplog.text


def test_seed_002_a_backend_that_hangs_holds_nobody_up(caplog):
    release = threading.Event()
    plugin = AutoCheckpoint(Broken(release), "s-1", lambda: STATE, worker=Worker(most_waiting=3))
    began = time.perf_counter()

    taken = [plugin.save() for _ in range(30)]
    is_done = plugin.close(0.05)

    assert time.perf_counter() - began < 1.0
    assert not is_done
    assert 3 <= sum(taken) <= 4
    assert "one was dropped" in caplog.text
    release.set()


def test_a_save_that_hangs_for_long_is_left_behind(memory, caplog):
    release = threading.Event()
    worker = Worker(patience=0.05)
    AutoCheckpoint(Broken(release), "s-1", lambda: STATE, worker=worker).save()
    time.sleep(0.15)

    good = AutoCheckpoint(memory, "s-1", lambda: STATE, worker=worker)
    good.save()

    assert good.flush(5)
    assert memory.newest("s-1")
    assert "a save hangs" in caplog.text
    release.set()


def test_a_subscriber_that_raises_keeps_nobody_from_the_event(auto, caplog):
    plugin, told = auto(), []
    plugin.subscribe(lambda _: 1 / 0)
    plugin.subscribe(told.append)

    plugin.save()
    plugin.flush()

    assert len(told) == 1
    assert "ZeroDivisionError" in caplog.text


def test_concurrent_callers_lose_no_turn(auto):
    plugin = auto(every_n_turns=10, max_checkpoints=500)
    due = []
    threads = [
        threading.Thread(target=lambda: due.extend(plugin.turn_completed() for _ in range(50)))
        for _ in range(4)
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()

    assert len(due) == 200
    assert sum(due) <= 20
    assert plugin._turns == 200


def test_after_closing_nothing_more_is_taken(auto):
    plugin = auto()
    plugin.save()

    assert plugin.close()
    assert not plugin.save()
    assert len(plugin.backend.listed("s-1")) == 1


@pytest.mark.parametrize("name", ["file", "sqlite"])
def test_spec_5_a_workspace_saves_archive_snapshot_and_event(workspace, talk, name):
    brain = workspace.root / ".brain"
    brain.mkdir()
    (brain / "session.json").write_text(json.dumps({"summary": {"project": "shop"}}))
    settings = Settings(checkpoint_backend=name, every_n_turns=1)
    session = Session(session_id=talk.window, transcript=talk.asks(3).write(), feature="login")
    plugin = auto_checkpoint(workspace.layout, session, settings)

    plugin.turn_completed()
    assert plugin.flush(30)
    talk.asks(2).write()
    plugin.turn_completed()
    assert plugin.close(30)

    assert [one["turnCount"] for one in [workspace.metadata("session-001")]] == [5]
    assert [one["archive"]["lastTurn"] for one in events(brain / "events.jsonl")] == [3, 5]
    resumed = resume_session(
        talk.window, open_backend(name, Setting(Brain(workspace.root), DISK)), workspace.archive
    )
    assert resumed.snapshot.work_state == {"summary": {"project": "shop"}}
    assert resumed.turns == ()


def test_spec_5_resume_session_gives_the_turns_since(workspace, talk, memory):
    workspace.save(talk.asks(3))
    plugin = AutoCheckpoint(memory, "s-1", lambda: STATE)
    plugin.save()
    plugin.close()
    workspace.save(talk.asks(2, "later"))

    resumed = resume_session("s-1", memory, workspace.archive)

    assert [one.entry.turn for one in resumed.turns] == [4, 5]
    assert resumed.turns[0].turn.user.startswith("later")


def test_spec_5_resume_session_without_a_snapshot(memory):
    assert resume_session("s-1", memory) is None


def test_spec_5_a_transcript_that_does_not_read_leaves_a_snapshot_all_the_same(workspace, tmp_path, caplog):
    broken = tmp_path / "x.bin"
    broken.write_bytes(b"\0" * 50)
    plugin = auto_checkpoint(workspace.layout, Session(session_id="s-1", transcript=broken), Settings())

    plugin.save()
    plugin.close(30)

    assert "the archive was not saved" in caplog.text
    assert (
        resume_session("s-1", open_backend("file", Setting(Brain(workspace.root), DISK))).snapshot.archive
        is None
    )


def test_spec_5_events_survive_a_crash_within_a_line(tmp_path):
    path = tmp_path / "events.jsonl"
    append(path, {"n": 1})
    with path.open("ab") as file:
        file.write(b'{"n": 2, "ha')

    append(path, {"n": 3})

    assert [one["n"] for one in events(path)] == [1, 3]
    assert list(events(tmp_path / "none")) == []


def test_the_api_is_at_hand():
    assert awf_archive.AutoCheckpoint is AutoCheckpoint
    assert awf_archive.resume_session is resume_session
    assert set(awf_archive.__all__) <= set(dir(awf_archive))
    with pytest.raises(AttributeError, match="nonsense"):
        _ = awf_archive.nonsense
