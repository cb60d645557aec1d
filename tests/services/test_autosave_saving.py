import contextlib
import errno
import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from awf_archive.domain.triggers import Counts, Level, Trigger
from awf_archive.errors import DiskError
from awf_archive.services import autosave, autosave_write
from awf_archive.services.autosave import Place
from awf_archive.store import atomic
from awf_archive.store.layout import Layout

STATE = {
    "updated_at": "2026-03-01T00:00:00Z",
    "working_on": {"feature": "login", "task": "Fix the form", "status": "coding", "mood": "fine"},
    "pending_tasks": [{"task": "later", "priority": "low"}, {"task": "urgent", "priority": "high"}],
    "theirs": {"deep": [1, {"x": None}]},
}


@dataclass
class Clock:
    time: datetime = datetime(2026, 3, 5, 12, tzinfo=UTC)
    pauses: list = field(default_factory=list)

    def now(self):
        return self.time

    def sleep(self, seconds):
        self.pauses.append(seconds)
        self.time += timedelta(seconds=seconds)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def place(workspace, clock, tmp_path):
    return Place(layout=workspace.layout, home=tmp_path / "home", now=clock.now, sleep=clock.sleep)


@pytest.fixture
def session(workspace):
    path = workspace.root / ".brain/session.json"
    path.parent.mkdir()
    path.write_text(json.dumps(STATE))
    return path


def loaded(path):
    return json.loads(path.read_bytes())


def snapshots(workspace):
    return sorted(path.name for path in (workspace.root / ".brain/snapshots").glob("*.json"))


def prefer(workspace, **config):
    path = workspace.root / ".brain/preferences.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"auto_save_config": config}))


def test_spec_3_3_what_is_saved(place, session):
    done = autosave.on_message(place, "mai làm tiếp nhé", counts=Counts(messages=7))

    saved = loaded(session)
    assert done.is_saved
    assert saved["summary"] == {
        "project": "workspace",
        "current_feature": "login",
        "current_task": "Fix the form",
        "status": "coding",
        "next_step": "urgent",
    }
    assert saved["message_count"] == 7
    assert saved["updated_at"] == "2026-03-05T12:00:00Z"
    assert saved["context_checkpoints"] == [
        {
            "timestamp": "2026-03-05T12:00:00Z",
            "trigger": "user_leaving",
            "summary": "workspace · login · Fix the form · coding · → urgent",
            "message_count": 7,
        }
    ]


def test_spec_3_3_every_key_we_do_not_know_is_kept(place, session):
    autosave.on_request(place)

    saved = loaded(session)
    assert saved["theirs"] == STATE["theirs"]
    assert saved["working_on"] == STATE["working_on"]
    assert saved["pending_tasks"] == STATE["pending_tasks"]


def test_spec_3_3_checkpoints_are_appended(place, session):
    for _ in range(3):
        autosave.on_request(place)

    assert [one["trigger"] for one in loaded(session)["context_checkpoints"]] == ["manual"] * 3


def test_a_workspace_without_a_brain_gets_a_work_state(place, workspace):
    autosave.on_message(place, "bye")

    assert loaded(workspace.root / ".brain/session.json")["summary"] == {"project": "workspace"}


@pytest.mark.parametrize(
    ("text", "counts", "trigger", "notices"),
    [
        ("bye", Counts(1), Trigger.USER_LEAVING, ("user_leaving",)),
        ("ok", Counts(1), Trigger.DECISION_MADE, ()),
        ("thêm test", Counts(15), Trigger.PERIODIC, ()),
        ("thêm test", Counts(1), None, ()),
    ],
)
def test_spec_3_4_what_is_told(place, text, counts, trigger, notices):
    done = autosave.on_message(place, text, counts=counts)

    assert (done.trigger, done.notices) == (trigger, notices)


def test_spec_3_4_notify_on_save_false_silences_all_but_warnings(place, workspace):
    prefer(workspace, notify_on_save=False)

    assert autosave.on_message(place, "bye").notices == ()
    assert autosave.on_message(place, "x", counts=Counts(700)).notices == ("context_warning",)


def test_spec_3_6_disabled_saves_nothing_but_a_person_may(place, workspace):
    prefer(workspace, enabled=False)

    assert not autosave.on_message(place, "bye").is_saved
    assert not autosave.on_workflow_end(place, "code").is_saved
    assert autosave.on_request(place).is_saved


def test_spec_3_6_the_workspaces_preferences_win_over_the_users(place, workspace, tmp_path):
    user = tmp_path / "home/.antigravity/preferences.json"
    user.parent.mkdir(parents=True)
    user.write_text(json.dumps({"auto_save_config": {"checkpoint_interval": 5, "warn_threshold": 60}}))
    prefer(workspace, checkpoint_interval=3, snapshot_retention_days="seven")

    config = place.config()

    assert (config.checkpoint_interval, config.warn_threshold, config.snapshot_retention_days) == (3, 60, 7)


def test_spec_3_2_messages_are_counted_along_per_window(place):
    for _ in range(14):
        assert autosave.on_message(place, "thêm test", window="a").trigger is None
    assert autosave.on_message(place, "thêm test", window="b").message_count == 1

    assert autosave.on_message(place, "thêm test", window="a").trigger is Trigger.PERIODIC


def test_spec_3_2_both_sides_count_and_a_clear_starts_anew(place):
    autosave.on_message(place, "a\n```\nx\n```", window="a")
    autosave.on_reply(place, "```\ny\n```", window="a", error_dumps=2)

    done = autosave.on_message(place, "b", window="a")
    assert (done.message_count, done.tokens) == (3, 3 * 150 + 2 * 300 + 2 * 200)

    autosave.on_cleared(place, window="a")
    assert autosave.on_message(place, "c", window="a").message_count == 1


def test_spec_3_2_a_level_is_told_once_and_not_hidden_by_an_earlier_trigger(place):
    told = [
        autosave.on_message(place, text, counts=Counts(count)).notices
        for text, count in (("x", 540), ("x", 660), ("ok", 675), ("x", 690), ("bye", 770), ("x", 780))
    ]

    assert told == [(), (), ("context_warning",), (), ("user_leaving", "emergency"), ()]


def test_spec_3_2_after_a_compaction_the_levels_may_be_told_again(place):
    assert autosave.on_message(place, "x", counts=Counts(700)).level is Level.WARNING
    autosave.on_message(place, "x", counts=Counts(3))

    assert autosave.on_message(place, "x", counts=Counts(701)).notices == ("context_warning",)


def test_spec_3_5_snapshots_on_workflow_end_and_emergency_only(place, workspace, session):
    (workspace.root / ".brain/brain.json").write_text('{"project": {"name": "shop"}, "features": ["a"]}')
    autosave.on_message(place, "bye")
    assert snapshots(workspace) == []

    autosave.on_workflow_end(place, "code")
    assert autosave.on_message(place, "x", counts=Counts(630)).trigger is Trigger.PERIODIC
    assert snapshots(workspace) == ["2026-03-05_120000.json"]
    assert autosave.on_message(place, "x", counts=Counts(631, code_blocks=30)).trigger is Trigger.EMERGENCY

    assert snapshots(workspace) == ["2026-03-05_120000-1.json", "2026-03-05_120000.json"]
    first = loaded(workspace.root / ".brain/snapshots/2026-03-05_120000.json")
    assert set(first) == {"timestamp", "session", "brain_summary"}
    assert first["session"]["theirs"] == STATE["theirs"]
    assert first["brain_summary"] == {"project": {"name": "shop"}, "counts": {"features": 1}}
    assert session.exists()


def test_spec_3_4_a_notice_of_a_backup_is_true(place, workspace):
    prefer(workspace, warn_threshold=99)

    first = autosave.on_message(place, "x", counts=Counts(675))
    full = autosave.on_message(place, "x", counts=Counts(676, code_blocks=50))

    assert (first.trigger, first.snapshot) == (Trigger.PERIODIC, None)
    assert (full.trigger, full.notices) == (Trigger.EMERGENCY, ("emergency",))
    assert full.snapshot.exists()


def test_spec_3_4_a_warning_that_could_not_be_saved_comes_again(place, monkeypatch):
    refusing(monkeypatch, 4)

    assert autosave.on_message(place, "x", counts=Counts(700)).notices == ("save_failed",)
    assert autosave.on_message(place, "x", counts=Counts(701)).notices == ("context_warning",)


def test_spec_3_5_old_snapshots_go_but_never_the_newest(place, workspace, clock):
    for day in (1, 9, 17, 40):
        clock.time = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=day)
        autosave.on_workflow_end(place, "code")
        assert len(snapshots(workspace)) == 1

    clock.time += timedelta(days=6, hours=23)
    autosave.on_workflow_end(place, "code")
    assert len(snapshots(workspace)) == 2


def test_spec_3_5_a_broken_file_is_kept_and_the_newest_good_snapshot_goes_on(place, session):
    autosave.on_workflow_end(place, "plan")
    session.write_bytes(b'{"half')

    done = autosave.on_message(place, "bye")

    assert done.notices == ("restored", "user_leaving")
    assert loaded(session)["theirs"] == STATE["theirs"]
    assert (session.parent / "session.json.corrupt-20260305T120000Z").read_bytes() == b'{"half'


def test_spec_3_5_without_a_snapshot_a_broken_file_starts_fresh(place, session):
    session.write_bytes(b"")

    assert autosave.on_message(place, "bye").notices[0] == "session_broken"


@dataclass
class Refusal:
    """Makes writing refuse a number of times."""

    times: int
    code: int = errno.EACCES
    real: object = atomic.write

    def __call__(self, path, data, *, mode=0o644):
        if self.times and ".brain" in str(path):
            self.times -= 1
            problem = OSError(self.code, os.strerror(self.code))
            raise DiskError(f"{path}: {problem.strerror}") from problem
        self.real(path, data, mode=mode)


def refusing(monkeypatch, times, code=errno.EACCES):
    refusal = Refusal(times, code)
    monkeypatch.setattr(autosave_write, "DISK", autosave_write.DISK._replace(write=refusal))
    return refusal


@pytest.mark.parametrize(
    ("times", "notice", "pauses"),
    [(1, "user_leaving", [1]), (3, "user_leaving", [1, 2, 4]), (4, "save_failed", [1, 2, 4])],
)
def test_spec_3_7_three_retries_with_exponential_pauses(
    place,
    clock,
    monkeypatch,
    *,
    times,
    notice,
    pauses,
):
    refusing(monkeypatch, times)

    done = autosave.on_message(place, "bye")

    assert (done.notices, clock.pauses) == ((notice,), pauses)
    assert done.is_saved is (notice == "user_leaving")


def test_spec_3_7_a_read_only_folder_fails_and_loses_nothing(place, session, monkeypatch):
    refusing(monkeypatch, 99, errno.EROFS)
    before = session.read_bytes()

    done = autosave.on_message(place, "bye")

    assert "Read-only file system" in done.failure.message
    assert session.read_bytes() == before
    assert list(session.parent.iterdir()) == [session]


def test_spec_3_7_a_full_disk_costs_the_oldest_snapshots_never_the_newest(
    place, clock, workspace, monkeypatch
):
    for _ in range(4):
        autosave.on_workflow_end(place, "code")
        clock.time += timedelta(minutes=1)
    before = snapshots(workspace)
    refusing(monkeypatch, 2, errno.ENOSPC)

    done = autosave.on_message(place, "bye")

    assert done.is_saved
    assert clock.pauses == []
    assert snapshots(workspace) == before[2:]

    refusing(monkeypatch, 99, errno.ENOSPC)
    assert not autosave.on_message(place, "bye").is_saved
    assert snapshots(workspace) == before[-1:]


def test_spec_3_7_then_the_auto_checkpoints_oldest_go_but_no_sessions_newest(place, workspace, monkeypatch):
    auto = workspace.root / ".brain/snapshots/auto"
    for session, seconds in (("a", (1, 2, 3)), ("b", (0, 4))):
        (auto / session).mkdir(parents=True)
        for second in seconds:
            (auto / session / f"20260305T12000{second}000000Z-x.json").write_text("{}")
    refusing(monkeypatch, 2, errno.ENOSPC)

    assert autosave.on_message(place, "bye").is_saved

    left = sorted(path.relative_to(auto).as_posix()[:18] for path in auto.rglob("*.json"))
    assert left == ["a/20260305T1200020", "a/20260305T1200030", "b/20260305T1200040"]


def test_spec_3_7_a_failed_restore_leaves_the_broken_file_where_it_was(place, session, monkeypatch):
    session.write_bytes(b"{")
    refusing(monkeypatch, 99)

    autosave.on_message(place, "bye")

    assert session.read_bytes() == b"{"
    assert list(session.parent.iterdir()) == [session]


def test_a_crash_between_write_and_rename_leaves_the_old_file_and_no_litter(place, session):
    before = session.read_bytes()
    crash = (
        "import os, sys; from pathlib import Path; from awf_archive.store import atomic\n"
        "Path.replace = lambda *_: os._exit(9)\n"
        "atomic.write(Path(sys.argv[1]), b'new')"
    )
    subprocess.run([sys.executable, "-c", crash, str(session)], check=False)
    litter = [path for path in session.parent.iterdir() if path != session]
    assert (len(litter), session.read_bytes()) == (1, before)

    os.utime(litter[0], (0, 0))
    autosave.on_message(place, "bye")

    assert list(session.parent.iterdir()) == [session]


def test_two_processes_at_once_lose_no_entry(workspace, session):
    script = (
        "import sys; from pathlib import Path; from awf_archive.services import autosave; from awf_archive.store.layout import Layout\n"
        "place = autosave.Place(layout=Layout(root=Path(sys.argv[1])), home=Path(sys.argv[1]))\n"
        "assert all(autosave.on_request(place, window=sys.argv[2]).is_saved for _ in range(12))"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", script, str(workspace.root), name])
        for name in ("a", "b", "c")
    ]

    assert [one.wait(60) for one in running] == [0, 0, 0]
    assert len(loaded(session)["context_checkpoints"]) == 36


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="mounting a small disk takes root"
)
def test_spec_3_7_a_really_full_disk(tmp_path, clock):
    root = tmp_path / "small"
    root.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", str(root)], check=False
    ).returncode:
        pytest.skip("this machine lets nobody mount a tmpfs")
    try:
        (root / ".brain/snapshots").mkdir(parents=True)
        big = json.dumps({"session": {"x": "y" * 50_000}})
        for day in range(1, 5):
            (root / f".brain/snapshots/2026-03-0{day}_000000.json").write_text(big)
        place = Place(layout=Layout(root=root), home=tmp_path, now=clock.now, sleep=clock.sleep)
        (root / ".brain/session.json").write_text(json.dumps({"kept": "z" * 20_000}))
        fill(root / "filler")

        done = autosave.on_request(place)

        assert done.is_saved
        assert loaded(root / ".brain/session.json")["kept"] == "z" * 20_000
        assert "2026-03-04_000000.json" in [path.name for path in (root / ".brain/snapshots").iterdir()]
    finally:
        subprocess.run(["umount", str(root)], check=True)


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="mounting a small disk takes root"
)
def test_spec_3_7_a_really_read_only_disk(tmp_path, clock):
    root = tmp_path / "small"
    root.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(root)], check=False).returncode:
        pytest.skip("this machine lets nobody mount a tmpfs")
    try:
        (root / ".brain").mkdir()
        (root / ".brain/session.json").write_text(json.dumps(STATE))
        subprocess.run(["mount", "-o", "remount,ro", str(root)], check=True)
        place = Place(layout=Layout(root=root), home=tmp_path, now=clock.now, sleep=clock.sleep)

        done = autosave.on_request(place)

        assert done.notices == ("save_failed",)
        assert clock.pauses == [1, 2, 4]
        assert loaded(root / ".brain/session.json") == STATE
    finally:
        subprocess.run(["umount", str(root)], check=True)


def fill(path):
    """Take what is left of a disk, but for a few pages that the lock needs."""
    with path.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while file.write(b"x" * 4096):
            pass
    os.truncate(path, path.stat().st_size - 3 * 4096)
