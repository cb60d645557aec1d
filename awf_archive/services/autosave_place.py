"""Where auto-save works and what it reports: the values that looking at a message and saving share (SPEC 3)."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from awf_archive.brain.folder import Brain
from awf_archive.brain.preferences import auto_save_config
from awf_archive.domain.triggers import Config, Level, Trigger
from awf_archive.errors import DiskError, LockedError
from awf_archive.store.layout import Layout

DEFAULT_WINDOW = "default"
WAIT = 20.0
"""Seconds to wait for a neighbour's save."""


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where and how to save: the workspace, and the clock, which tests replace."""

    layout: Layout
    home: Path = field(default_factory=Path.home)
    leaving_phrases: tuple[str, ...] = ()
    decision_phrases: tuple[str, ...] = ()
    now: Callable[[], datetime] = _now
    sleep: Callable[[float], None] = time.sleep

    @property
    def brain(self) -> Brain:
        """The workspace's `.brain`."""
        return Brain(self.layout.root)

    def config(self) -> Config:
        """Return the settings that hold now."""
        config = auto_save_config(self.brain, self.home)
        return config._replace(leaving_phrases=self.leaving_phrases, decision_phrases=self.decision_phrases)


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """What an auto-save did."""

    trigger: Trigger | None = None
    """Why something was saved; None when nothing was due."""
    is_saved: bool = False
    notices: tuple[str, ...] = ()
    """Ids of what to tell the user: fields of `NoticeWords`."""
    level: Level = Level.SAFE
    tokens: int = 0
    message_count: int = 0
    snapshot: Path | None = None
    failure: DiskError | LockedError | None = None
    """Why nothing could be saved, after every try."""
    problems: tuple[str, ...] = ()
    """What went wrong beside the save."""


def lock_of(place: Place) -> Path:
    """Return the lock of the work state and the counters."""
    return place.layout.private / "brain-lock"


def failed(done: Saved, problem: DiskError | LockedError) -> Saved:
    """Return what is told when nothing could be saved."""
    return replace(done, failure=problem, notices=(*done.notices, "save_failed"))
