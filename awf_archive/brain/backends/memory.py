"""Snapshots in memory, for development and tests: gone when the program ends."""

import threading
from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar

from awf_archive.brain.backends import Setting
from awf_archive.brain.record import Snapshot
from awf_archive.domain.retention import Aged


class MemoryBackend:
    """A dictionary under a lock."""

    name: ClassVar[str] = "memory"

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._snapshots: dict[str, Snapshot] = {}

    def save(self, snapshot: Snapshot) -> None:
        """Keep a snapshot."""
        with self._lock:
            self._snapshots[snapshot.id] = snapshot

    def newest(self, session_id: str) -> Snapshot | None:
        """Return a session's newest snapshot."""
        return next(iter(self.listed(session_id, 1)), None)

    def get(self, snapshot_id: str) -> Snapshot | None:
        """Return a snapshot by its id."""
        with self._lock:
            return self._snapshots.get(snapshot_id)

    def listed(self, session_id: str, limit: int | None = None) -> list[Snapshot]:
        """Return a session's snapshots, newest first."""
        with self._lock:
            found = [one for one in self._snapshots.values() if one.session_id == session_id]
        return sorted(found, key=lambda one: (one.time, one.id), reverse=True)[:limit]

    def ages(self, session_id: str) -> list[Aged]:
        """Return ids and times."""
        return [Aged(one.id, one.time) for one in self.listed(session_id)]

    def sessions(self) -> list[str]:
        """Return the sessions."""
        with self._lock:
            return sorted({one.session_id for one in self._snapshots.values()})

    def delete(self, snapshot_ids: Sequence[str]) -> int:
        """Delete snapshots."""
        with self._lock:
            return sum(self._snapshots.pop(one, None) is not None for one in snapshot_ids)

    def delete_before(self, time: datetime) -> int:
        """Delete what is older."""
        with self._lock:
            old = [one.id for one in self._snapshots.values() if one.time < time]
        return self.delete(old)

    def close(self) -> None:
        """Nothing to let go of."""


def open_backend(_setting: Setting) -> MemoryBackend:
    """Return an empty one."""
    return MemoryBackend()
