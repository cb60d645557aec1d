"""Dated copies of the work state in `.brain/snapshots`, and the way back to one (SPEC 3.5)."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from awf_archive.brain.folder import Brain, read
from awf_archive.domain.escape import json_pages
from awf_archive.domain.retention import Aged, expired
from awf_archive.errors import DiskError

_NAME = re.compile(r"(?P<date>\d{4}-\d\d-\d\d)_(?P<time>\d{4,6})(?:-(?P<count>\d+))?\.json")


class SnapshotFile(NamedTuple):
    """One snapshot on disk; they sort by age, oldest first."""

    time: datetime
    place: int
    """0 for the first of its second."""
    path: Path


class Restored(NamedTuple):
    """A work state that came back."""

    state: Mapping[str, object]
    path: Path


def files(folder: Path) -> list[SnapshotFile]:
    """Return the snapshots of a folder, oldest first; files with other names are none of ours."""
    if not folder.is_dir():
        return []
    return sorted(filter(None, map(_file, folder.glob("*.json"))))


def _file(path: Path) -> SnapshotFile | None:
    match = _NAME.fullmatch(path.name)
    if not match:
        return None
    digits = match["time"].ljust(6, "0")
    try:
        time = datetime.strptime(f"{match['date']} {digits}", "%Y-%m-%d %H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return None
    return SnapshotFile(time, int(match["count"] or 0), path)


def free_name(folder: Path, now: datetime) -> Path:
    """Return a name for a snapshot of this second; a counter is added when two fall in one."""
    stem = now.astimezone(UTC).strftime("%Y-%m-%d_%H%M%S")
    taken = [one.place for one in files(folder) if one.path.name.startswith(stem)]
    return folder / (f"{stem}-{max(taken) + 1}.json" if taken else f"{stem}.json")


def newest_good(brain: Brain) -> Restored | None:
    """Return the newest snapshot that holds a work state; damaged ones are passed over."""
    return next(_good(brain), None)


def _good(brain: Brain) -> Iterator[Restored]:
    for one in reversed(files(brain.snapshots)):
        try:
            snapshot = read(one.path).value
        except DiskError:
            continue  # an older one may still be readable; that beats starting afresh
        state = snapshot.get("session") if snapshot else None
        if isinstance(state, dict) and state:
            yield Restored(state, one.path)


def snapshot_bytes(state: Mapping[str, object], summary: Mapping[str, object], now: datetime) -> bytes:
    """Return what a snapshot's file holds (awf-schemas.md)."""
    return json_pages(
        {
            "timestamp": now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "session": dict(state),
            "brain_summary": dict(summary),
        }
    )


def remove_expired(brain: Brain, now: datetime, days: int) -> list[Path]:
    """Delete the snapshots that are older than `days`; return them. Never the newest."""
    found = {str(one.path): one for one in files(brain.snapshots)}
    gone = expired([Aged(name, one.time) for name, one in found.items()], now, days)
    return [path for one in gone if _delete(path := found[one.id].path)]


def make_room(brain: Brain) -> bool:
    """Delete the oldest snapshot to free space, those of 3.5 first, then the auto-checkpoint's; never a newest.

    False when there is none to spare.
    """
    dated = [one.path for one in files(brain.snapshots)[:-1]]
    return any(map(_delete, (*dated, *_spare(brain.auto))))


def _spare(folder: Path) -> list[Path]:
    """Return the auto-checkpoint's files but each session's newest; oldest first, as their names begin."""
    if not folder.is_dir():
        return []
    sessions = (sorted(one.glob("*.json")) for one in folder.iterdir() if one.is_dir())
    return sorted((path for paths in sessions for path in paths[:-1]), key=lambda path: path.name)


def _delete(path: Path) -> bool:
    """Delete a file; False when it is gone already or may not be deleted."""
    try:
        path.unlink()
    except OSError:
        return False
    return True
