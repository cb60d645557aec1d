"""The index follows the archive, notices when it is broken, and shares."""

import multiprocessing
import os
import pickle
import shutil
import stat
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_archives import FIRST, SECOND, said, search, sync, turns

from awf_archive.errors import DiskError, LockedError
from awf_archive.search.documents import DamagedIndexError, Document, Health, Key, Kind, Request
from awf_archive.search.whoosh_index import WhooshIndex

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

ARCHIVE = {FIRST: [said(1, "alpha beta"), said(2, "alpha gamma")], SECOND: [said(3, "alpha delta")]}


def folder_of(index: WhooshIndex) -> Path:
    return Path(index.status().path)


def test_only_what_changed_is_read(index):
    read: list[Key] = []
    archive = dict(ARCHIVE)
    sync(index, archive)
    archive[SECOND] = [said(3, "alpha epsilon")]

    wanted = {key: str(hash(tuple(documents))) for key, documents in archive.items()}
    done = index.sync(wanted, lambda key: (read.append(key), archive[key])[1])

    assert read == [SECOND]
    assert (done.added, done.removed, done.rebuilt) == (1, 0, "")
    assert turns(search(index, "epsilon")) == [3]
    assert turns(search(index, "delta")) == []


def test_nothing_to_do_writes_nothing(index):
    sync(index, ARCHIVE)
    before = {path: path.stat().st_mtime_ns for path in folder_of(index).iterdir()}

    done = sync(index, ARCHIVE)

    assert (done.added, done.removed, done.rebuilt) == (0, 0, "")
    assert {path: path.stat().st_mtime_ns for path in folder_of(index).iterdir()} == before


LONG = {FIRST: [said(number, f"alpha word{number}") for number in range(1, 8)], SECOND: [said(9, "delta")]}


def test_a_session_that_weighs_too_much_for_one_commit_is_written_in_several(index, monkeypatch):
    monkeypatch.setattr("awf_archive.search.writer._BATCH", 4)

    done = sync(index, LONG)

    assert (done.added, done.documents) == (2, 8)
    assert sorted(turns(search(index, "alpha"))) == [1, 2, 3, 4, 5, 6, 7]
    again = sync(index, LONG)
    assert (again.added, again.removed) == (0, 0)


def test_a_session_that_was_stopped_between_its_commits_is_made_anew(index, monkeypatch):
    monkeypatch.setattr("awf_archive.search.writer._BATCH", 4)

    def load(key):
        yield from LONG[key][:5]
        raise DiskError("gone", "")

    with pytest.raises(DiskError):
        index.sync({FIRST: "whole"}, load)
    sync(index, LONG)

    assert sorted(turns(search(index, "alpha"))) == [1, 2, 3, 4, 5, 6, 7]


def test_what_is_gone_from_the_archive_is_not_found(index):
    sync(index, ARCHIVE)

    done = sync(index, {SECOND: ARCHIVE[SECOND]})

    assert done.removed == 1
    assert turns(search(index, "alpha")) == [3]


KEYS = st.sampled_from([FIRST, SECOND, Key("x", "chunk-001"), Key("", "state")])
WORDS = st.lists(st.sampled_from(["alpha", "beta", "数据库", "quyết", "getUserName"]), min_size=1, max_size=5)
STEPS = st.lists(st.dictionaries(KEYS, st.lists(WORDS, max_size=3), max_size=4), min_size=1, max_size=4)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(STEPS)
def test_step_by_step_is_the_same_as_from_scratch(tmp_path_factory, steps):
    archives = [
        {
            key: [
                Document(
                    kind=Kind.TURN,
                    feature=key.feature,
                    turn=at * 10 + list(step).index(key),
                    text=" ".join(words),
                )
                for at, words in enumerate(texts)
            ]
            for key, texts in step.items()
        }
        for step in steps
    ]
    followed = WhooshIndex(tmp_path_factory.mktemp("followed") / "index")
    fresh = WhooshIndex(tmp_path_factory.mktemp("fresh") / "index")

    for number, archive in enumerate(archives):
        assert sync(followed, archive).rebuilt in ("", "missing" if number == 0 else "")
    sync(fresh, archives[-1])

    for topic in ["alpha", "beta alpha", "数据库", "quyet", "getusername", "alp*"]:
        one, other = search(followed, topic, limit=50), search(fresh, topic, limit=50)
        assert sorted((hit.feature, hit.turn) for hit in one.hits) == sorted(
            (hit.feature, hit.turn) for hit in other.hits
        )
    followed.close()
    fresh.close()


def test_many_small_commits_merge_and_keep_everything(index):
    archive = {}
    for number in range(1, 40):
        archive[Key("demo", f"session-{number:03}")] = [
            said(number, f"alpha word{number}", title="the title")
        ]
        if number % 5 == 0:
            del archive[Key("demo", f"session-{number - 1:03}")]
        assert sync(index, archive).rebuilt == ("missing" if number == 1 else "")

    assert index.status().segments < 20
    assert search(index, '"alpha word33"', limit=100).total == 1
    assert search(index, "alpha title", limit=100).total == len(archive) == 32
    before = set(turns(search(index, "title alpha", limit=100)))
    index.optimize()
    assert index.status().segments == 1
    assert set(turns(search(index, "title alpha", limit=100))) == before
    assert index.verify() == ()


def test_everything_can_go_and_come_back(index):
    for count in range(1, 12):
        sync(index, {Key("demo", f"session-{number:03}"): [said(number, "alpha")] for number in range(count)})

    for archive in ({}, {}, ARCHIVE, {}, ARCHIVE):
        done = sync(index, archive)
        assert done.rebuilt == ""
        assert search(index, "alpha").total == (3 if archive else 0)


def cut_half(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def empty(path: Path) -> None:
    os.truncate(path, 0)


def zero(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


DAMAGE = [
    pytest.param(pattern, harm, id=f"{pattern}-{harm.__name__}")
    for pattern in ("*.toc", "*.seg", "state-*.json")
    for harm in (cut_half, empty, zero, Path.unlink)
]


@pytest.mark.parametrize(("pattern", "harm"), DAMAGE)
def test_damage_is_noticed_and_rebuilt(index, pattern, harm):
    sync(index, ARCHIVE)
    index.close()
    for path in folder_of(index).glob(pattern):
        if path.name != "state-0.json":
            harm(path)

    with pytest.raises(DamagedIndexError):
        search(index, "alpha")
    done = sync(index, ARCHIVE)

    assert done.rebuilt == Health.DAMAGED
    assert sorted(turns(search(index, "alpha"))) == [1, 2, 3]


def test_a_changed_byte_never_becomes_an_error_of_pythons(index):
    sync(index, ARCHIVE)
    index.close()
    (segment,) = folder_of(index).glob("*.seg")
    good = segment.read_bytes()

    for at in range(0, len(good), 31):
        segment.write_bytes(good[:at] + bytes([good[at] ^ 0xFF]) + good[at + 1 :])
        assert index.verify()
        try:
            search(index, "alpha beta")
        except DamagedIndexError:
            assert index.status().health is Health.DAMAGED
        index = WhooshIndex(folder_of(index).parent)

    assert index.status().health is Health.READY


def test_only_a_lock_file_is_no_index(index):
    sync(index, ARCHIVE)
    for path in folder_of(index).iterdir():
        if "LOCK" not in path.name:
            path.unlink()

    assert sync(index, ARCHIVE).rebuilt == Health.DAMAGED
    assert search(index, "alpha").total == 3


def test_a_missing_index_is_built_and_says_why(index):
    with pytest.raises(DamagedIndexError) as missing:
        search(index, "alpha")

    assert missing.value.health is Health.MISSING
    assert sync(index, ARCHIVE).rebuilt == Health.MISSING
    shutil.rmtree(folder_of(index))
    assert search_after_sync(index) == 3


def search_after_sync(index: WhooshIndex) -> int:
    sync(index, ARCHIVE)
    return search(index, "alpha").total


def test_an_index_of_another_version_is_replaced(index):
    sync(index, ARCHIVE)
    index.close()
    folder_of(index).rename(folder_of(index).with_name("v0-1"))

    assert index.status().health is Health.OUTDATED
    assert sync(index, ARCHIVE).rebuilt == Health.OUTDATED
    assert [path.name for path in folder_of(index).parent.glob("v*")] == [folder_of(index).name]


def test_a_foreign_index_is_rebuilt(index):
    from whoosh.fields import TEXT, Schema
    from whoosh.index import create_in

    sync(index, ARCHIVE)
    shutil.rmtree(folder_of(index))
    folder_of(index).mkdir(mode=0o700)
    create_in(str(folder_of(index)), Schema(other=TEXT))

    assert sync(index, ARCHIVE).rebuilt == Health.DAMAGED
    assert search(index, "alpha").total == 3


class Bomb:
    def __reduce__(self):
        return (os.mkdir, (str(Path(os.environ["BOMB"])),))


def test_a_folder_that_others_can_write_is_never_opened(index, tmp_path, monkeypatch):
    monkeypatch.setenv("BOMB", str(tmp_path / "exploded"))
    sync(index, ARCHIVE)
    index.close()
    for path in folder_of(index).glob("*.toc"):
        path.write_bytes(path.read_bytes() + pickle.dumps(Bomb()))
    folder_of(index).chmod(0o777)

    assert index.status().health is Health.UNSAFE
    with pytest.raises(DamagedIndexError):
        search(index, "alpha")
    assert sync(index, ARCHIVE).rebuilt == Health.UNSAFE
    assert search(index, "alpha").total == 3
    assert not (tmp_path / "exploded").exists()


def test_the_folder_is_ours_alone(index):
    sync(index, ARCHIVE)

    assert stat.S_IMODE(folder_of(index).stat().st_mode) == 0o700


def test_an_open_index_notices_that_another_process_rebuilt_it(index):
    sync(index, ARCHIVE)
    search(index, "alpha")
    other = WhooshIndex(folder_of(index).parent)

    other.rebuild({FIRST: "new"}, lambda _key: [said(8, "alpha")])

    assert turns(search(index, "alpha")) == [8]


def test_a_failure_while_building_leaves_the_old_index(index):
    sync(index, ARCHIVE)

    def broken(_key):
        raise ValueError("the archive cannot be read")

    with pytest.raises(ValueError, match="archive"):
        index.rebuild({FIRST: "new"}, broken)

    assert search(index, "alpha").total == 3
    assert not list(folder_of(index).parent.glob(".new-*"))


def test_a_failure_while_updating_leaves_the_old_index_and_no_lock(index):
    sync(index, ARCHIVE)

    def broken(_key):
        yield said(9, "alpha")
        raise ValueError("the archive cannot be read")

    with pytest.raises(ValueError, match="archive") as kept:
        index.sync({FIRST: "new"}, broken)

    assert kept.value.__traceback__
    assert search(index, "alpha").total == 3
    sync(index, {**ARCHIVE, Key("demo", "session-009"): [said(9, "alpha")]})
    assert search(index, "alpha").total == 4


def test_a_full_disk_says_so_and_keeps_the_old_index(index, monkeypatch):
    sync(index, ARCHIVE)

    def full(*_args, **_kwargs):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("awf_archive.search.state.write", full)
        with pytest.raises(DiskError):
            sync(index, {FIRST: [said(1, "new")]})

    assert search(index, "alpha").total == 3


def hold_lock(folder: str, ready, go_on) -> None:
    index = WhooshIndex(Path(folder))

    def slow(_key):
        ready.set()
        go_on.wait(20)
        return [said(7, "alpha slow")]

    index.sync({FIRST: "other"}, slow)


def test_a_reader_works_while_another_process_writes_and_a_writer_waits(index):
    sync(index, ARCHIVE)
    context = multiprocessing.get_context("spawn")
    ready, go_on = context.Event(), context.Event()
    process = context.Process(target=hold_lock, args=(str(folder_of(index).parent), ready, go_on))
    process.start()
    assert ready.wait(20)

    assert search(index, "alpha").total == 3
    with pytest.raises(LockedError):
        sync(index, {FIRST: [said(1, "mine")]})
    go_on.set()
    process.join(20)

    assert turns(search(index, "alpha")) == [7]


def write_often(folder: str, name: int) -> None:
    index = WhooshIndex(Path(folder))
    for number in range(8):
        held = {Key("demo", f"session-{other:03}"): str(number) for other in range(3)}
        index.sync(held, lambda key: [said(int(key.unit[-3:]) + 1, f"alpha from {name}")])


def test_two_processes_write_at_once_and_the_index_stays_whole(index):
    sync(index, ARCHIVE)
    context = multiprocessing.get_context("spawn")
    folder = str(folder_of(index).parent)
    processes = [context.Process(target=write_often, args=(folder, name)) for name in range(2)]
    for process in processes:
        process.start()
    while any(process.is_alive() for process in processes):
        assert search(index, "alpha").total >= 1
        time.sleep(0.01)
    for process in processes:
        process.join()

    assert [process.exitcode for process in processes] == [0, 0]
    assert sorted(turns(search(index, "alpha"))) == [1, 2, 3]
    assert index.verify() == ()


def killed(folder: str) -> None:
    index = WhooshIndex(Path(folder))
    import awf_archive.search.writer as writing

    writing.commit = lambda *_args, **_options: os._exit(9)
    index.sync({FIRST: "other"}, lambda _key: [said(1, "alpha")])


def test_a_process_killed_before_its_commit_loses_nothing(index):
    sync(index, ARCHIVE)
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=killed, args=(str(folder_of(index).parent),))
    process.start()
    process.join(30)

    assert process.exitcode == 9
    assert search(index, "alpha").total == 3
    assert sync(index, ARCHIVE).rebuilt == ""


def write_for_ever(folder: str, started) -> None:
    index = WhooshIndex(Path(folder))
    number = 0
    while True:
        number += 1
        held = {Key("demo", f"session-{other:03}"): str(number) for other in range(3)}
        index.sync(held, lambda key: [said(int(key.unit[-3:]) + 1, "alpha " * 50)])
        started.set()


@pytest.mark.parametrize("after", [0.0, 0.003, 0.007, 0.012, 0.02, 0.035])
def test_a_process_killed_at_any_moment_leaves_a_whole_index(index, after):
    sync(index, ARCHIVE)
    context = multiprocessing.get_context("spawn")
    started = context.Event()
    process = context.Process(target=write_for_ever, args=(str(folder_of(index).parent), started))
    process.start()
    assert started.wait(20)
    time.sleep(after)
    process.kill()
    process.join()

    assert search(index, "alpha").total == 3
    assert index.verify() == ()
    assert sync(index, ARCHIVE).rebuilt == ""
    assert not list(folder_of(index).glob("_MAIN_*.toc.*"))


def as_nobody(folder: str, queue) -> None:
    os.setuid(65534)
    index = WhooshIndex(Path(folder))
    queue.put(len(index.search(Request(topic="alpha")).hits))
    try:
        index.sync({FIRST: "other"}, lambda _key: [])
    except DiskError as error:
        queue.put(str(error))


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root to become another user"
)
def test_a_read_only_index_can_be_searched():
    with tempfile.TemporaryDirectory() as outer:
        Path(outer).chmod(0o755)
        root = Path(outer) / "index"
        index = WhooshIndex(root)
        sync(index, ARCHIVE)
        for path in (root, *root.rglob("*")):
            os.chown(path, 65534, 65534)
            if path.is_dir():
                path.chmod(0o555)
        context = multiprocessing.get_context("fork")
        queue = context.Queue()
        process = context.Process(target=as_nobody, args=(str(root), queue))
        process.start()

        assert queue.get(timeout=20) == 3
        assert "cannot be written" in queue.get(timeout=20)
        process.join(20)
        index.close()
