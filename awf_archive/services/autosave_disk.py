"""Saving on a disk that may refuse: three more tries with growing pauses, room made when it is full (SPEC 3.7)."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from awf_archive.brain.folder import Brain, Disk
from awf_archive.brain.snapshots import make_room
from awf_archive.errors import DiskError, LockedError
from awf_archive.store import atomic

PAUSES = (1.0, 2.0, 4.0)
"""Seconds before each of the three further tries."""

DISK = Disk(write=atomic.write, move=atomic.move)

_FULL = frozenset({28, 122})
"""ENOSPC and EDQUOT."""

_LEFT_OVER = 3_600.0
"""Seconds after which a temporary file is a crash's, not a neighbour's."""

_Result = TypeVar("_Result")


def persistently(
    action: Callable[[], _Result], sleep: Callable[[float], None], free: Callable[[], bool]
) -> _Result:
    """Do it, and up to three times again. A full disk is given room first, which costs no try.

    Raises the last DiskError or LockedError.
    """
    pauses = list(PAUSES)
    while True:
        try:
            return action()
        except (DiskError, LockedError) as problem:
            if is_full(problem) and free():
                continue
            if not pauses:
                raise
            sleep(pauses.pop(0))


def is_full(problem: Exception) -> bool:
    """Whether an error says that there is no space left."""
    return isinstance(problem.__cause__, OSError) and problem.__cause__.errno in _FULL


def room_maker(brain: Brain) -> Callable[[], bool]:
    """Return what deletes the oldest snapshot, and says whether there was one to spare."""
    return lambda: make_room(brain)


def sweep(folder: Path, now: float | None = None) -> None:
    """Remove temporary files that a crash left in `.brain`; a neighbour's, still being written, are let be."""
    bound = (time.time() if now is None else now) - _LEFT_OVER
    for path in folder.glob(f"{atomic.TEMPORARY}*"):
        try:
            if path.stat().st_mtime < bound:
                path.unlink()
        except OSError:
            continue  # gone meanwhile, or not ours to delete: it harms nobody
