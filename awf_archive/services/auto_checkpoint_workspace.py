"""An auto-checkpoint of a workspace: its settings, its backend, its events, and its archive saved along (SPEC 5)."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from awf_archive import config
from awf_archive.brain.backends import Backend, Setting, open_backend
from awf_archive.brain.events import append
from awf_archive.brain.folder import Brain, read
from awf_archive.brain.record import ArchivePlace
from awf_archive.domain.work_state import brain_summary
from awf_archive.errors import ArchiveError
from awf_archive.services.auto_checkpoint import AutoCheckpoint, AutoCheckpointSettings, Captured
from awf_archive.services.auto_checkpoint_worker import LOG, Worker
from awf_archive.services.autosave_disk import DISK
from awf_archive.services.autosave_state import time_of
from awf_archive.services.checkpoint import Request, checkpoint
from awf_archive.services.recap_archive import feature_in_work
from awf_archive.store.archive import Archive
from awf_archive.store.layout import Layout


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """Which conversation is saved along."""

    session_id: str
    transcript: Path | None = None
    """Its file; None saves the work state alone."""
    feature: str | None = None
    language: str = "en"


def settings_of(settings: config.Settings) -> AutoCheckpointSettings:
    """Return the settings that hold in a workspace."""
    return AutoCheckpointSettings(
        every_n_turns=settings.every_n_turns or None,
        on_tools=settings.on_tools,
        on_events=settings.on_events,
        max_checkpoints=settings.max_checkpoints,
        ttl_seconds=settings.ttl_seconds,
    )


def backend_of(layout: Layout, settings: config.Settings) -> Backend:
    """Return the backend that the settings name. Raises BackendError when it cannot be opened."""
    setting = Setting(brain=Brain(layout.root), disk=DISK, dsn=settings.postgres_dsn)
    return open_backend(settings.checkpoint_backend, setting)


def auto_checkpoint(
    layout: Layout,
    session: Session,
    settings: config.Settings,
    *,
    backend: Backend | None = None,
    worker: Worker | None = None,
) -> AutoCheckpoint:
    """Return an auto-checkpoint for a conversation of a workspace, by its settings.

    Each save makes a checkpoint of the archive too, extends the conversation's open session, and adds an event to
    `.brain/events.jsonl`. Raises BackendError when the backend cannot be opened.
    """
    auto = AutoCheckpoint(
        backend or backend_of(layout, settings),
        session.session_id,
        capture_of(layout, session, settings),
        settings_of(settings),
        worker=worker,
    )
    events = Brain(layout.root).events
    auto.subscribe(lambda event: append(events, event))
    return auto


def capture_of(layout: Layout, session: Session, settings: config.Settings) -> Callable[[], Captured]:
    """Return what captures a workspace: saves what is new to the archive, then reads the work state."""

    def capture() -> Captured:
        place = _saved_place(layout, session, settings)
        brain = Brain(layout.root)
        return Captured(
            work_state=read(brain.session).value or {},
            brain_summary=brain_summary(read(brain.knowledge).value or {}),
            archive=place,
        )

    return capture


def _saved_place(layout: Layout, session: Session, settings: config.Settings) -> ArchivePlace | None:
    """Save the conversation as auto-save does (SPEC 1.4); return where the archive stands then.

    When that fails the snapshot is made all the same, with where the archive stood before.
    """
    feature = session.feature
    if session.transcript is not None:
        request = Request(
            transcript=session.transcript,
            now=time_of(datetime.now(UTC)),
            feature=session.feature,
            language=session.language,
            threshold=settings.chunk_threshold,
            redact=settings.redact,
            extend=True,
        )
        try:
            feature = checkpoint(layout, request).feature or feature
        except ArchiveError as problem:
            LOG.warning("auto-checkpoint: the archive was not saved: %s", problem.message)
    return place_of(Archive(layout=layout), feature or "")


def place_of(archive: Archive, feature: str) -> ArchivePlace | None:
    """Return where the archive of a feature stands; that of the feature saved last when none is named."""
    name = feature_in_work(archive, feature)
    try:
        manifest = archive.manifest(name) if name else None
    except ArchiveError:
        return None
    if manifest is None or not manifest.sessions:
        return None
    return ArchivePlace(feature=name, session=manifest.sessions[-1].session_id, turn=manifest.last_end)
