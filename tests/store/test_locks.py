"""One writer at a time; a dead one's lock is taken over, and it notices (SPEC 1.10)."""

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from awf_archive.errors import DiskError, LockedError
from awf_archive.store import lock
from awf_archive.store.lock import Lock, holding

HOLDER = """
import sys
from pathlib import Path
from awf_archive.store.lock import holding
with holding(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / ".awf-archive/lock"


@pytest.fixture
def holder(path):
    """Another process that holds the lock until it is told to let go."""
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def _claim(path, **claim):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"token": "theirs", "host": "elsewhere", "pid": 1} | claim))
    return path


def _age(path, seconds):
    then = time.time() - seconds
    os.utime(path, (then, then))


def test_while_another_process_holds_it_nobody_else_gets_it(path, holder):
    with pytest.raises(LockedError) as refused, holding(path, wait=0.2):
        pass

    assert f"process {holder.pid} on {socket.gethostname()}" in refused.value.message
    assert refused.value.exit_code == 4
    assert holder.poll() is None


def test_it_is_had_as_soon_as_the_other_lets_go(path, holder):
    holder.stdin.write("\n")
    holder.stdin.flush()

    with holding(path, wait=30) as held:
        held.check()


def test_the_lock_of_a_killed_process_of_this_machine_is_taken_over_at_once(path, holder):
    holder.kill()
    holder.wait()

    started = time.monotonic()
    with holding(path, wait=10):
        assert time.monotonic() - started < 2


def test_a_fresh_lock_of_another_machine_is_waited_for(path):
    _claim(path)

    with pytest.raises(LockedError, match="process 1 on elsewhere"), holding(path, wait=0.1):
        pass


def test_a_lock_without_a_sign_of_life_is_taken_over(path):
    _age(_claim(path), lock.STALE + 1)

    with holding(path, wait=1) as held:
        held.check()


def test_a_lock_that_names_nobody_is_taken_over_after_a_moment(path):
    path.parent.mkdir()
    path.write_bytes(b"")

    with pytest.raises(LockedError, match="another process"), holding(path, wait=0.1):
        pass
    _age(path, lock.UNCLAIMED + 1)
    with holding(path, wait=1):
        pass


def test_an_owner_whose_lock_was_taken_over_notices_before_it_commits(path):
    first = Lock(path)
    first.acquire(1)
    _age(path, lock.STALE + 1)
    second = Lock(path)
    second.acquire(1)

    with pytest.raises(LockedError, match="taken over"):
        first.check()
    second.check()
    first.release()
    second.check()
    second.release()
    assert not path.exists()


def test_the_owner_gives_signs_of_life(path, monkeypatch):
    monkeypatch.setattr(lock, "HEARTBEAT", 0.01)
    with holding(path):
        _age(path, 1000)
        deadline = time.monotonic() + 10
        while time.time() - path.stat().st_mtime > 500:
            assert time.monotonic() < deadline


def test_a_lock_made_anew_while_one_looked_is_given_back(path, monkeypatch):
    """Between the look at its age and the rename another process may have taken over: its lock must stay."""
    _claim(path)

    def is_dead_and_replaced(_self):
        _claim(path, token="new owner")  # noqa: S106 - no secret
        return True

    monkeypatch.setattr(Lock, "_is_owner_dead", is_dead_and_replaced)

    Lock(path)._take_over_if_stale()

    assert "new owner" in path.read_text()
    assert [one.name for one in path.parent.iterdir()] == ["lock"]


def test_it_leaves_nothing_behind(path):
    with holding(path):
        pass

    assert not path.parent.exists()


def test_a_claim_that_cannot_be_written_leaves_no_lock(path, monkeypatch):
    def full(*_arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(json, "dump", full)

    with pytest.raises(DiskError), holding(path):
        pass

    assert not path.exists()


@pytest.mark.parametrize("is_made_again", [False, True], ids=["gone", "made again"])
def test_a_folder_that_another_takes_away_just_then_is_made_anew(path, monkeypatch, is_made_again):
    path.parent.mkdir()
    real, taken = os.mkdir, []

    def taken_away(folder, *arguments):
        try:
            real(folder, *arguments)
        except FileExistsError:
            if not taken:
                Path(folder).rmdir()
                taken.append(folder)
            raise

    is_dir = Path.is_dir

    def looked(folder):
        found = is_dir(folder)
        if taken and is_made_again and not found:
            real(folder)
        return found

    monkeypatch.setattr("os.mkdir", taken_away)
    monkeypatch.setattr(Path, "is_dir", looked)

    with holding(path, wait=5):
        assert path.exists()
    assert taken


def test_a_file_in_the_folders_place_is_said_at_once(path):
    path.parent.write_text("not a folder")

    with pytest.raises(DiskError), holding(path, wait=5):
        pass
