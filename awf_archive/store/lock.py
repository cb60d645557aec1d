"""One writer at a time, also from two machines on a shared disk (SPEC 1.10).

The lock is a file made with O_EXCL that names its owner. Its modification time is the heartbeat: a lock whose
heartbeat is old belongs to nobody and is taken over; an owner whose lock was taken over notices before it
commits.
"""

import contextlib
import json
import os
import socket
import stat
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from awf_archive.errors import LockedError
from awf_archive.store.atomic import disk_errors, temporary
from awf_archive.store.processes import is_alive

HEARTBEAT = 2.0
"""Seconds between two signs of life."""
STALE = 30.0
"""Seconds without a sign of life after which a lock is taken over: many heartbeats, so a busy disk is no death."""
UNCLAIMED = 5.0
"""Seconds after which a lock that names no owner is taken over: its maker died before it could write one."""
WAIT = 60.0
"""Seconds to wait for another's lock before giving up."""
_POLL = 0.05
_ACTIVE: set[str] = set()
"""Tokens of the locks that this process holds."""


class Lock:
    """A held lock. Call `check` right before committing."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._token = uuid4().hex
        self._stop = threading.Event()
        self._beat = threading.Thread(target=self._keep_alive, daemon=True)

    def acquire(self, wait: float) -> None:
        """Wait for the lock. Raises LockedError after `wait` seconds, DiskError when it cannot be made."""
        deadline = time.monotonic() + wait
        while not self._try():
            if time.monotonic() > deadline:
                raise LockedError(
                    f"{self._path}: {self._owner()} is changing this archive, for longer than {wait:.0f} s.",
                    "Wait for it to end and run the command again.",
                )
            time.sleep(_POLL)
        self._beat.start()

    def release(self) -> None:
        """Give the lock back; one that was taken over is left to its new owner."""
        self._stop.set()
        self._beat.join()
        _ACTIVE.discard(self._token)
        if self._holds():
            self._unlink()
            with contextlib.suppress(OSError):
                self._path.parent.rmdir()  # only if nothing was made in it: a run that saves nothing leaves no trace

    def _unlink(self) -> None:
        """Take the file away, at the second try if the disk refuses the first.

        What was done under the lock is done: a file that stays names an owner that is gone, and is taken over.
        """
        for _ in range(2):
            try:
                self._path.unlink(missing_ok=True)
            except OSError:
                continue
            return

    def check(self) -> None:
        """Raise LockedError if another process took the lock over meanwhile."""
        if not self._holds():
            raise LockedError(
                f"{self._path}: taken over by {self._owner()} while this process was stopped.",
                "Nothing was committed. Run the command again.",
            )

    def _try(self) -> bool:
        with disk_errors(self._path):
            if not _is_folder_made(self._path.parent):
                return False
            try:
                descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
            except FileExistsError:
                self._take_over_if_stale()
                return False
            except FileNotFoundError:
                return False  # another process gave its lock back and took the empty folder with it
            try:
                with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                    json.dump(self._claim(), file)
            except BaseException:
                self._unlink()
                raise
        _ACTIVE.add(self._token)
        return True

    def _claim(self) -> dict[str, str | int]:
        started = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        claim: dict[str, str | int] = {
            "token": self._token,
            "host": socket.gethostname(),
            "pid": os.getpid(),
            "since": started,
        }
        return claim | {"where": _where()}

    def _take_over_if_stale(self) -> None:
        """Move a dead owner's lock away; of several that try, one rename succeeds and all start over."""
        try:
            owner = self._read()
            age = time.time() - self._path.stat().st_mtime
            if age <= (STALE if owner else UNCLAIMED) and not self._is_owner_dead():
                return
            grave = temporary(self._path)
            self._path.rename(grave)
            if _claim_in(grave) != owner:
                _put_back(grave, self._path)
            grave.unlink()
        except FileNotFoundError:
            return  # someone else took it over, or gave it back

    def _is_owner_dead(self) -> bool:
        """Whether the owner was a process of this machine that is gone: no need to wait for its heartbeat."""
        claim = self._read()
        is_here = claim.get("host") == socket.gethostname() and claim.get("where", "") == _where()
        if not is_here or os.name != "posix":
            return False
        if claim.get("pid") == str(os.getpid()) and claim.get("token") not in _ACTIVE:
            return True  # ours of before: the disk refused to let it go, or another process had our number
        try:
            return not is_alive(int(claim["pid"]))
        except (ValueError, KeyError):
            return False

    def _keep_alive(self) -> None:
        while not self._stop.wait(HEARTBEAT):
            try:
                if not self._holds():
                    return
                os.utime(self._path)
            except OSError:
                return  # taken over or the disk is gone: `check` says so before anything is committed

    def _holds(self) -> bool:
        return self._read().get("token") == self._token

    def _owner(self) -> str:
        claim = self._read()
        if "pid" not in claim:
            return "another process"
        return f"process {claim['pid']} on {claim.get('host')} (since {claim.get('since')})"

    def _read(self) -> dict[str, str]:
        return _claim_in(self._path)


def _is_folder_made(folder: Path) -> bool:
    """Make the lock's folder; False when another process took it away just as it was found there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        with contextlib.suppress(
            FileNotFoundError
        ):  # it gave its lock back, and took the empty folder with it
            if not stat.S_ISDIR(folder.lstat().st_mode):
                raise
        return False
    return True


def _where() -> str:
    """Return what tells apart machines and containers of one name: a process number means something only there."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return ""


def _claim_in(path: Path) -> dict[str, str]:
    """Return what the owner wrote; nothing while it is being written or gone."""
    try:
        claim = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return {str(name): str(value) for name, value in claim.items()} if isinstance(claim, dict) else {}


def _put_back(grave: Path, path: Path) -> None:
    """Give a lock back that was taken over and made anew between the look at its age and the rename."""
    with contextlib.suppress(OSError):
        path.hardlink_to(grave)


@contextmanager
def holding(path: Path, wait: float = WAIT) -> Iterator[Lock]:
    """Hold the lock at `path` for the length of a block. Raises LockedError or DiskError."""
    lock = Lock(path)
    lock.acquire(wait)
    try:
        yield lock
    finally:
        lock.release()
