"""Snapshots by themselves: every so many turns, after chosen tools, on chosen events; whichever comes first (SPEC 5).

Nothing here holds up or fails the caller: saving and cleaning run in a thread, and a failure is one warning.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from awf_archive.brain.backends import Backend
from awf_archive.brain.record import ArchivePlace, Snapshot, snapshot_id, time_text
from awf_archive.domain.retention import surplus
from awf_archive.services.auto_checkpoint_worker import LOG, Worker
from awf_archive.services.show import ShownTurn, turns
from awf_archive.store.archive import Archive

SAVED = "auto_checkpoint_saved"
"""The name of the event that every save emits."""

Event = Mapping[str, object]
Subscriber = Callable[[Event], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoCheckpointSettings:
    """When to save, and how much to keep; the seed's defaults."""

    every_n_turns: int | None = 10
    """None or 0 for never."""
    on_tools: tuple[str, ...] = ()
    on_events: tuple[str, ...] = ("approval_required", "session_end")
    max_checkpoints: int = 50
    ttl_seconds: int = 2_592_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Captured:
    """What a snapshot holds."""

    work_state: Mapping[str, object]
    brain_summary: Mapping[str, object]
    archive: ArchivePlace | None = None


def _now() -> datetime:
    return datetime.now(UTC)


class AutoCheckpoint:
    """Saves snapshots of one session to the backend that is handed in.

    >>> from awf_archive.brain.backends.memory import MemoryBackend
    >>> state = Captured(work_state={"summary": {"project": "shop"}}, brain_summary={})
    >>> auto = AutoCheckpoint(MemoryBackend(), "s-1", lambda: state, AutoCheckpointSettings(every_n_turns=2))
    >>> auto.turn_completed(), auto.turn_completed(), auto.flush()
    (False, True, True)
    >>> resume_session("s-1", auto.backend).snapshot.trigger
    'every_n_turns'
    """

    def __init__(  # noqa: PLR0913 - the clock and the thread are handed in by tests alone
        self,
        backend: Backend,
        session_id: str,
        capture: Callable[[], Captured],
        settings: AutoCheckpointSettings | None = None,
        *,
        now: Callable[[], datetime] = _now,
        worker: Worker | None = None,
    ) -> None:
        """`capture` is called in the thread, so it may be slow: it reads the work state and saves to the archive."""
        self.backend = backend
        self.session_id = session_id
        self._capture = capture
        self._settings = settings or AutoCheckpointSettings()
        self._now = now
        self._worker = worker or Worker()
        self._lock = threading.Lock()
        self._turns = 0
        self._subscribers: list[Subscriber] = []

    def turn_completed(self) -> bool:
        """Tell that a turn ended; True when that makes a save due."""
        every = self._settings.every_n_turns
        with self._lock:
            self._turns += 1
            is_due = bool(every) and self._turns % (every or 1) == 0
        return is_due and self.save("every_n_turns")

    def tool_ran(self, tool: str) -> bool:
        """Tell that a tool has run; True when that makes a save due."""
        return tool in self._settings.on_tools and self.save(f"on_tool:{tool}")

    def happened(self, event: str) -> bool:
        """Tell that something happened, such as `session_end`; True when that makes a save due."""
        return event in self._settings.on_events and self.save(f"on_event:{event}")

    def save(self, trigger: str = "manual") -> bool:
        """Have a snapshot saved in the background; False when it was dropped. Returns at once, never raises."""
        return self._worker.submit(lambda: self._save(trigger))

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Call `subscriber` with the event of each save; what is returned ends that."""
        with self._lock:
            self._subscribers.append(subscriber)

        def unsubscribe() -> None:
            with self._lock:
                if subscriber in self._subscribers:
                    self._subscribers.remove(subscriber)

        return unsubscribe

    def flush(self, timeout: float = 10.0) -> bool:
        """Wait until every save so far is done; False when that takes too long."""
        return self._worker.flush(timeout)

    def close(self, timeout: float = 10.0) -> bool:
        """Finish what waits and let the backend go; a backend that hangs is left behind."""
        is_done = self._worker.close(timeout)
        if is_done:
            self.backend.close()
        return is_done

    def _save(self, trigger: str) -> None:
        """Save, tell, clean up: in the thread, which turns what is raised into one warning."""
        now, captured = self._now(), self._capture()
        snapshot = Snapshot(
            id=snapshot_id(now, uuid4().hex[:8]),
            session_id=self.session_id,
            trigger=trigger,
            time=now,
            work_state=captured.work_state,
            brain_summary=captured.brain_summary,
            archive=captured.archive,
        )
        self.backend.save(snapshot)
        self._tell(snapshot)
        clean(self.backend, self.session_id, now, self._settings)

    def _tell(self, snapshot: Snapshot) -> None:
        event = event_of(snapshot, self.backend.name)
        with self._lock:
            subscribers = tuple(self._subscribers)
        for subscriber in subscribers:
            try:
                subscriber(event)
            except Exception as problem:  # noqa: BLE001 - a subscriber is anybody's code; the others are told
                LOG.warning("auto-checkpoint: a subscriber failed: %s: %s", type(problem).__name__, problem)


def event_of(snapshot: Snapshot, backend: str) -> dict[str, object]:
    """Return the event of a save."""
    return {
        "event": SAVED,
        "checkpoint_id": snapshot.id,
        "session_id": snapshot.session_id,
        "trigger": snapshot.trigger,
        "time": time_text(snapshot.time),
        "backend": backend,
        "archive": snapshot.archive.to_json() if snapshot.archive else None,
    }


def clean(backend: Backend, session_id: str, now: datetime, settings: AutoCheckpointSettings) -> int:
    """Delete what is too much or too old; return how many. Never the session's newest."""
    seconds = settings.ttl_seconds
    gone = surplus(backend.ages(session_id), now, most=settings.max_checkpoints, seconds=seconds)
    deleted = backend.delete([one.id for one in gone]) if gone else 0
    return deleted + backend.delete_before(now - timedelta(seconds=min(seconds, 10**9)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumedSession:
    """A session as it was, and what came after."""

    snapshot: Snapshot
    turns: tuple[ShownTurn, ...] = ()
    """The turns since the snapshot, from the archive."""


def resume_session(
    session_id: str, backend: Backend, archive: Archive | None = None
) -> ResumedSession | None:
    """Return the newest snapshot of a session and the turns since; None when there is no snapshot.

    Raises DiskError when the backend cannot be read, DamagedArchiveError when the archive cannot.
    """
    snapshot = backend.newest(session_id)
    if snapshot is None:
        return None
    place = snapshot.archive
    if archive is None or place is None:
        return ResumedSession(snapshot=snapshot)
    manifest = archive.manifest(place.feature)
    if manifest is None or manifest.last_end <= place.turn:
        return ResumedSession(snapshot=snapshot)
    since = turns(archive, f"{place.feature}#{place.turn + 1}-{manifest.last_end}")
    return ResumedSession(snapshot=snapshot, turns=tuple(since))
