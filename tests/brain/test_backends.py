"""One suite for every backend (SPEC 5)."""

import threading
import time
from datetime import UTC, datetime, timedelta

import pytest

from awf_archive.brain.backends import BackendError, open_backend
from awf_archive.brain.folder import Disk
from awf_archive.brain.record import ArchivePlace, Snapshot, snapshot_id
from awf_archive.services.auto_checkpoint import AutoCheckpointSettings, clean

START = datetime(2026, 3, 5, 12, tzinfo=UTC)
NASTY = 'NUL \0, surrogate \ud800, "quotes", Đăng nhập 数据库 👩‍💻\r\n'


def snapshot(number=0, session="s-1", state=None, unique=None):
    at = START + timedelta(seconds=number)
    return Snapshot(
        id=snapshot_id(at, unique or f"{number:08x}"),
        session_id=session,
        trigger="every_n_turns",
        time=at,
        work_state={"n": number} if state is None else state,
        brain_summary={"project": {"name": "shop"}},
        archive=ArchivePlace(feature="login", session="session-001", turn=number),
    )


def test_spec_5_what_is_saved_comes_back(backend):
    saved = snapshot(state={"deep": [1, None, {"x": NASTY}], "float": 0.1, "big": 2**60})

    backend.save(saved)

    assert backend.newest("s-1") == saved
    assert backend.get(saved.id) == saved
    assert backend.listed("s-1") == [saved]


def test_spec_5_newest_and_list_are_by_time_newest_first(backend):
    for number in (2, 0, 3, 1):
        backend.save(snapshot(number))

    assert backend.newest("s-1").work_state == {"n": 3}
    assert [one.work_state["n"] for one in backend.listed("s-1")] == [3, 2, 1, 0]
    assert [one.work_state["n"] for one in backend.listed("s-1", 2)] == [3, 2]


def test_spec_5_sessions_are_apart(backend):
    backend.save(snapshot(1, "s-1"))
    backend.save(snapshot(2, "s-2"))

    assert backend.newest("s-1").work_state == {"n": 1}
    assert backend.sessions() == ["s-1", "s-2"]
    assert backend.newest("s-3") is None
    assert backend.get("20260305T120000000000Z-zz") is None
    assert backend.get("../../etc/passwd") is None


@pytest.mark.parametrize(
    "session", ["../../x", "a/b\\c", ".", "..", "", "đăng nhập 数据库", "x" * 500, "con", "a~b", "%2e"]
)
def test_a_session_id_may_be_any_text(backend, session):
    backend.save(snapshot(1, session))
    backend.save(snapshot(2, session + "!"))

    assert backend.newest(session).session_id == session
    assert len(backend.listed(session)) == 1
    assert sorted(backend.sessions()) == sorted([session, session + "!"])


def test_spec_5_the_same_id_again_replaces(backend):
    backend.save(snapshot(1, state={"a": 1}))
    backend.save(snapshot(1, state={"a": 2}))

    assert [one.work_state for one in backend.listed("s-1")] == [{"a": 2}]


def test_spec_5_delete(backend):
    saved = [snapshot(number) for number in range(3)]
    for one in saved:
        backend.save(one)

    assert backend.delete([saved[0].id, saved[1].id, "20260305T120000000000Z-none"]) == 2
    assert backend.listed("s-1") == [saved[2]]
    assert backend.delete([]) == 0


def test_spec_5_count_and_age_limits(backend):
    for number in range(8):
        backend.save(snapshot(number * 10))
    backend.save(snapshot(0, "old session", unique="ffffffff"))
    settings = AutoCheckpointSettings(max_checkpoints=5, ttl_seconds=45)

    gone = clean(backend, "s-1", START + timedelta(seconds=80), settings)

    assert [one.work_state["n"] for one in backend.listed("s-1")] == [70, 60, 50, 40]
    assert backend.sessions() == ["s-1"]
    assert gone == 5


def plainly(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def test_spec_5_ten_thousand_snapshots(backend):
    if backend.name == "file":
        backend._disk = Disk(write=plainly, move=None)  # 20 000 syncs take a minute and prove nothing here
    ten_thousand = [snapshot(number) for number in range(10_000)]
    for one in ten_thousand:
        backend.save(one)

    began = time.perf_counter()
    assert backend.newest("s-1").work_state == {"n": 9_999}
    assert len(backend.listed("s-1", 20)) == 20
    assert time.perf_counter() - began < 1.0

    now = START + timedelta(seconds=10_000)
    assert clean(backend, "s-1", now, AutoCheckpointSettings(max_checkpoints=50)) == 9_950
    assert len(backend.ages("s-1")) == 50


def test_spec_5_concurrent_writers(backend):
    def work(name):
        for number in range(40):
            backend.save(snapshot(number, name, unique=f"{name}{number:07x}"))
            backend.newest(name)

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcdefgh"]
    for one in threads:
        one.start()
    for one in threads:
        one.join()

    assert {name: len(backend.ages(name)) for name in "abcdefgh"} == dict.fromkeys("abcdefgh", 40)


def test_a_backend_can_be_used_after_it_was_closed(backend):
    backend.save(snapshot(1))
    backend.close()

    backend.save(snapshot(2))

    assert backend.newest("s-1").work_state == {"n": 2}


def test_an_unknown_backend_is_named(setting):
    with pytest.raises(BackendError, match="no such backend"):
        open_backend("etcd", setting)
