"""What only one backend can meet."""

import contextlib
import sqlite3
import subprocess
import sys
import threading

import pytest
from test_backends import snapshot

from awf_archive.brain.backends import BackendError, open_backend
from awf_archive.brain.backends import sqlite as sqlite_module


@pytest.fixture
def opened():
    """Open a backend that is closed at the end, whatever happens."""
    with contextlib.ExitStack() as stack:

        def open_one(name, setting):
            backend = open_backend(name, setting)
            stack.callback(backend.close)
            return backend

        yield open_one


def version_of(path):
    with contextlib.closing(sqlite3.connect(path)) as db:
        return db.execute("PRAGMA user_version").fetchone()[0]


def test_file_a_damaged_snapshot_does_not_hide_the_one_before(setting, opened):
    backend = opened("file", setting)
    for number in (1, 2):
        backend.save(snapshot(number))
    newest = next(setting.brain.auto.glob(f"*/{snapshot(2).id}.json"))
    newest.write_bytes(b'{"half')

    assert backend.newest("s-1") == snapshot(1)
    assert backend.listed("s-1") == [snapshot(1)]
    with pytest.raises(BackendError, match="does not read"):
        backend.get(snapshot(2).id)


def test_file_snapshots_lie_apart_from_those_of_3_5(setting, opened):
    opened("file", setting).save(snapshot(1))

    assert list(setting.brain.snapshots.glob("*.json")) == []
    assert len(list(setting.brain.auto.rglob("*.json"))) == 1


def test_sqlite_an_old_schema_is_upgraded_with_its_data(setting, monkeypatch, opened):
    with monkeypatch.context() as old:
        old.setattr(sqlite_module, "MIGRATIONS", sqlite_module.MIGRATIONS[:1])
        opened("sqlite", setting).save(snapshot(1))
    assert version_of(setting.database) == 1

    assert opened("sqlite", setting).newest("s-1") == snapshot(1)
    assert version_of(setting.database) == 2


def test_sqlite_a_later_schema_is_refused(setting, opened):
    opened("sqlite", setting).save(snapshot(1))
    with contextlib.closing(sqlite3.connect(setting.database)) as db:
        db.execute("PRAGMA user_version = 99")

    with pytest.raises(BackendError, match="later awf-archive"):
        opened("sqlite", setting).newest("s-1")


def test_sqlite_a_file_that_is_none_is_refused_and_named(setting, opened):
    setting.database.parent.mkdir(parents=True)
    setting.database.write_bytes(b"not a database at all" * 100)

    with pytest.raises(BackendError, match=r"auto\.sqlite"):
        opened("sqlite", setting).save(snapshot(1))


@pytest.mark.parametrize("name", ["file", "sqlite"])
def test_several_processes_write_at_once(setting, name, opened):
    script = (
        "import sys; sys.path.insert(0, sys.argv[3]); from pathlib import Path; from test_backends import snapshot\n"
        "from awf_archive.brain.backends import Setting, open_backend; from awf_archive.brain.folder import Brain, Disk\n"
        "from awf_archive.store import atomic\n"
        "backend = open_backend(sys.argv[1], Setting(Brain(Path(sys.argv[2])), Disk(atomic.write, atomic.move)))\n"
        "for n in range(30): backend.save(snapshot(n, unique=f'{sys.argv[4]}{n:07x}'))"
    )
    here = __file__.rpartition("/")[0]
    running = [
        subprocess.Popen([sys.executable, "-c", script, name, str(setting.brain.root), here, process])
        for process in "abc"
    ]

    assert [one.wait(60) for one in running] == [0, 0, 0]
    assert len(opened(name, setting).ages("s-1")) == 90


@pytest.fixture
def fresh(postgres):
    """An empty database on a server that runs."""
    import psycopg

    with psycopg.connect(postgres.dsn, autocommit=True) as db:
        db.execute("DROP TABLE IF EXISTS awf_snapshots, awf_snapshots_version")
    return postgres


def test_postgres_a_server_that_goes_away_and_comes_back(fresh, setting, opened):
    backend = opened("postgres", setting._replace(dsn=fresh.dsn))
    backend.save(snapshot(1))

    fresh.stop()
    with pytest.raises(BackendError, match="PostgreSQL"):
        backend.save(snapshot(2))
    fresh.start()

    backend.save(snapshot(3))
    assert [one.work_state["n"] for one in backend.listed("s-1")] == [3, 1]


def test_postgres_a_server_that_restarted_between_two_saves_is_not_noticed(fresh, setting, opened):
    backend = opened("postgres", setting._replace(dsn=fresh.dsn))
    backend.save(snapshot(1))

    fresh.stop()
    fresh.start()
    backend.save(snapshot(2))

    assert len(backend.ages("s-1")) == 2


def test_postgres_an_old_schema_is_upgraded_with_its_data(fresh, setting, monkeypatch, opened):
    from awf_archive.brain.backends import postgres as module

    with monkeypatch.context() as old:
        old.setattr(module, "MIGRATIONS", module.MIGRATIONS[:1])
        first = opened("postgres", setting._replace(dsn=fresh.dsn))
        first.save(snapshot(1))
        first.close()

    later = opened("postgres", setting._replace(dsn=fresh.dsn))
    assert later.newest("s-1") == snapshot(1)
    assert later._rows("SELECT max(version) FROM awf_snapshots_version", ()) == [(2,)]
    assert later._rows("SELECT to_regclass('awf_snapshots_by_time')::text", ()) == [
        ("awf_snapshots_by_time",)
    ]
    later.close()


def test_postgres_many_programs_make_the_schema_once(fresh, setting, opened):
    backends = [opened("postgres", setting._replace(dsn=fresh.dsn)) for _ in range(6)]
    threads = [
        threading.Thread(target=one.save, args=(snapshot(place),)) for place, one in enumerate(backends)
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()

    assert len(backends[0].ages("s-1")) == 6
    for one in backends:
        one.close()


def test_postgres_a_later_schema_is_refused(fresh, setting, opened):
    import psycopg

    opened("postgres", setting._replace(dsn=fresh.dsn)).save(snapshot(1))
    with psycopg.connect(fresh.dsn, autocommit=True) as db:
        db.execute("INSERT INTO awf_snapshots_version VALUES (99)")

    with pytest.raises(BackendError, match="later awf-archive"):
        opened("postgres", setting._replace(dsn=fresh.dsn)).newest("s-1")


def test_postgres_without_a_place_says_what_to_set(setting, opened):
    pytest.importorskip("psycopg")

    with pytest.raises(BackendError) as problem:
        opened("postgres", setting)

    assert "AWF_ARCHIVE_POSTGRES_DSN" in problem.value.hint
