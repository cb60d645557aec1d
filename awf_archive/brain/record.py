"""A snapshot of the auto-checkpoint: the work state at a moment, and where the archive stood (SPEC 5)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from awf_archive.domain.work_state import fields, line


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivePlace:
    """Where the archive stood."""

    feature: str
    session: str
    turn: int
    """Global number of the last saved turn."""

    def to_json(self) -> dict[str, object]:
        """Return the object that a snapshot holds."""
        return {"feature": self.feature, "session": self.session, "lastTurn": self.turn}


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """One snapshot."""

    id: str
    """Sorts by time; unique."""
    session_id: str
    trigger: str
    time: datetime
    work_state: Mapping[str, object]
    brain_summary: Mapping[str, object]
    archive: ArchivePlace | None = None

    def to_json(self) -> dict[str, object]:
        """Return the object that every backend stores."""
        return {
            "id": self.id,
            "session_id": self.session_id,
            "trigger": self.trigger,
            "time": time_text(self.time),
            "work_state": dict(self.work_state),
            "brain_summary": dict(self.brain_summary),
            "archive": self.archive.to_json() if self.archive else None,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, object]) -> "Snapshot":
        """Return the snapshot that `to_json` wrote. Raises KeyError, TypeError or ValueError otherwise."""
        place = fields(value.get("archive"))
        turn = place.get("lastTurn")
        return cls(
            id=str(value["id"]),
            session_id=str(value["session_id"]),
            trigger=str(value["trigger"]),
            time=datetime.fromisoformat(str(value["time"])),
            work_state=fields(value["work_state"]),
            brain_summary=fields(value["brain_summary"]),
            archive=ArchivePlace(feature=line(place["feature"]), session=line(place["session"]), turn=turn)
            if isinstance(turn, int)
            else None,
        )


def time_text(time: datetime) -> str:
    """Return a time to the microsecond; texts sort as times do.

    >>> time_text(datetime(2026, 3, 5, 12, tzinfo=UTC))
    '2026-03-05T12:00:00.000000+00:00'
    """
    return time.astimezone(UTC).isoformat(timespec="microseconds")


def snapshot_id(time: datetime, unique: str) -> str:
    """Return the id of a snapshot: its time, and something that no other of that moment has.

    >>> snapshot_id(datetime(2026, 3, 5, 12, tzinfo=UTC), "1a2b3c4d")
    '20260305T120000000000Z-1a2b3c4d'
    """
    return f"{time.astimezone(UTC):%Y%m%dT%H%M%S%f}Z-{unique}"


def time_of_id(snapshot: str) -> datetime | None:
    """Return the time in a snapshot's id; None for an id that is none of ours."""
    try:
        return datetime.strptime(snapshot.partition("-")[0], "%Y%m%dT%H%M%S%fZ").replace(tzinfo=UTC)
    except ValueError:
        return None
