"""What every backend is: it keeps snapshots and gives them back; one test suite for all."""

from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar, Protocol

from awf_archive.brain.record import Snapshot
from awf_archive.domain.retention import Aged
from awf_archive.errors import DiskError


class BackendError(DiskError):
    """A backend cannot be reached, or what it holds does not read."""

    kind = "backend"


class Backend(Protocol):
    """Keeps snapshots. Safe to use from several threads and processes at once; raises DiskError."""

    name: ClassVar[str]

    def save(self, snapshot: Snapshot) -> None:
        """Keep a snapshot, all of it or nothing; the same id again replaces it."""

    def newest(self, session_id: str) -> Snapshot | None:
        """Return a session's newest snapshot."""

    def get(self, snapshot_id: str) -> Snapshot | None:
        """Return a snapshot by its id."""

    def listed(self, session_id: str, limit: int | None = None) -> list[Snapshot]:
        """Return a session's snapshots, newest first, at most `limit`."""

    def ages(self, session_id: str) -> list[Aged]:
        """Return ids and times of a session's snapshots, without reading them."""

    def sessions(self) -> list[str]:
        """Return the sessions that have snapshots, sorted."""

    def delete(self, snapshot_ids: Sequence[str]) -> int:
        """Delete snapshots; return how many there were."""

    def delete_before(self, time: datetime) -> int:
        """Delete every session's snapshots that are older; return how many there were."""

    def close(self) -> None:
        """Let go of connections; the backend opens them anew when it is used again."""
