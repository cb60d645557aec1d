"""Snapshots as files, `.brain/snapshots/auto/<session>/<id>.json`: the default."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import ClassVar

from awf_archive.brain.backends import Setting
from awf_archive.brain.backends.base import BackendError
from awf_archive.brain.folder import Disk, read
from awf_archive.brain.record import Snapshot, time_of_id
from awf_archive.domain.escape import json_pages
from awf_archive.domain.retention import Aged

_SAFE = re.compile(r"[a-z0-9][a-z0-9_-]{0,99}")
"""Ids that name their folder themselves; lower case only, because some disks take `A` for `a`."""

_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))]
)


class FileBackend:
    """One file a snapshot; the time stands in its name, so nothing is read to clean up."""

    name: ClassVar[str] = "file"

    def __init__(self, folder: Path, disk: Disk) -> None:
        self._folder = folder
        self._disk = disk

    def save(self, snapshot: Snapshot) -> None:
        """Keep a snapshot. Raises DiskError; ValueError for an id that is none of ours."""
        if time_of_id(snapshot.id) is None or "/" in snapshot.id or "\\" in snapshot.id:
            raise ValueError(f"{snapshot.id!a}: not an id of a snapshot")
        path = self._of_session(snapshot.session_id) / f"{snapshot.id}.json"
        self._disk.write(path, json_pages(snapshot.to_json()))

    def newest(self, session_id: str) -> Snapshot | None:
        """Return a session's newest snapshot that reads: a damaged one must not hide the one before."""
        for path in self._paths(session_id):
            try:
                if found := _read(path):
                    return found
            except BackendError:
                continue
        return None

    def get(self, snapshot_id: str) -> Snapshot | None:
        """Return a snapshot by its id. Raises BackendError when its file does not read."""
        if time_of_id(snapshot_id) is None:
            return None
        paths = (folder / f"{snapshot_id}.json" for folder in self._folders())
        return next(filter(None, map(_read, paths)), None)

    def listed(self, session_id: str, limit: int | None = None) -> list[Snapshot]:
        """Return a session's snapshots, newest first; damaged files are passed over."""
        found: list[Snapshot] = []
        for path in self._paths(session_id):
            if limit is not None and len(found) >= limit:
                break
            try:
                snapshot = _read(path)
            except BackendError:
                continue
            if snapshot:
                found.append(snapshot)
        return found

    def ages(self, session_id: str) -> list[Aged]:
        """Return ids and times, from the files' names."""
        return [Aged(path.stem, time) for path in self._paths(session_id) if (time := time_of_id(path.stem))]

    def sessions(self) -> list[str]:
        """Return the sessions; the id of a long one is read from a snapshot."""
        return sorted(one for one in map(self._session_of, self._folders()) if one is not None)

    def delete(self, snapshot_ids: Sequence[str]) -> int:
        """Delete snapshots."""
        folders = list(self._folders())
        ours = [one for one in snapshot_ids if time_of_id(one)]
        return sum(_delete(folder / f"{one}.json") for one in ours for folder in folders)

    def delete_before(self, time: datetime) -> int:
        """Delete what is older, in every session."""
        old = (
            path
            for folder in self._folders()
            for path in folder.glob("*.json")
            if (made := time_of_id(path.stem)) and made < time
        )
        return sum(map(_delete, old))

    def close(self) -> None:
        """Nothing is open."""

    def _of_session(self, session_id: str) -> Path:
        """Return a session's folder: its id where that is a safe name everywhere, else a digest tells it apart."""
        if _SAFE.fullmatch(session_id) and session_id not in _DEVICES:
            return self._folder / session_id
        plain = re.sub(r"[^a-z0-9_-]+", "-", session_id.lower())[:60].strip("-")
        return self._folder / f"{plain}~{sha256(session_id.encode(errors='replace')).hexdigest()[:24]}"

    def _session_of(self, folder: Path) -> str | None:
        paths = (path for path in folder.glob("*.json") if time_of_id(path.stem))
        if "~" not in folder.name:
            return folder.name if next(paths, None) else None
        return next((found for path in paths if (found := _session_in(path)) is not None), None)

    def _folders(self) -> Iterator[Path]:
        if self._folder.is_dir():
            yield from (one for one in self._folder.iterdir() if one.is_dir())

    def _paths(self, session_id: str) -> list[Path]:
        """Return a session's files, newest first."""
        folder = self._of_session(session_id)
        ours = (path for path in folder.glob("*.json") if time_of_id(path.stem))
        return sorted(ours, key=lambda path: path.name, reverse=True)


def _read(path: Path) -> Snapshot | None:
    """Return the snapshot of a file, None when there is none. Raises BackendError when it does not read."""
    found = read(path)
    if not found.is_there:
        return None
    try:
        return Snapshot.from_json(found.value or {})
    except (KeyError, TypeError, ValueError) as problem:
        raise BackendError(f"{path}: does not read ({problem}).", "Delete it; others are there.") from problem


def _session_in(path: Path) -> str | None:
    try:
        snapshot = _read(path)
    except BackendError:
        return None
    return snapshot.session_id if snapshot else None


def _delete(path: Path) -> bool:
    try:
        path.unlink()
    except OSError:
        return False
    return True


def open_backend(setting: Setting) -> FileBackend:
    """Return the files of a workspace."""
    return FileBackend(setting.brain.auto, setting.disk)
