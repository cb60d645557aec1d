"""Saving the work state by itself: on a message, at a workflow's end, on request (SPEC 3)."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from awf_archive.brain.folder import Brain, read
from awf_archive.brain.preferences import auto_save_config
from awf_archive.brain.snapshots import free_name, remove_expired, snapshot_bytes
from awf_archive.domain.escape import json_pages
from awf_archive.domain.triggers import (
    Config,
    Counts,
    Level,
    Message,
    Trigger,
    code_blocks_in,
    detect,
    estimate,
    has_risen,
    level_of,
)
from awf_archive.domain.work_state import Fields, brain_summary, save_points
from awf_archive.errors import DiskError, LockedError
from awf_archive.services import autosave_windows as counters
from awf_archive.services.autosave_disk import DISK, persistently, room_maker, sweep
from awf_archive.services.autosave_state import Saving, saved_state
from awf_archive.services.autosave_transcript import Read, read_transcript
from awf_archive.services.autosave_windows import Window
from awf_archive.services.recap_archive import feature_in_work
from awf_archive.services.recap_state import (
    Note,
    knowledge_of,
    read_twice,
    replace_broken,
    restorable,
    tasks_progress,
)
from awf_archive.store.archive import Archive
from awf_archive.store.layout import Layout
from awf_archive.store.lock import holding

DEFAULT_WINDOW = "default"
_WAIT = 20.0
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


def on_message(
    place: Place,
    text: str,
    *,
    window: str = DEFAULT_WINDOW,
    counts: Counts | None = None,
    transcript: Path | None = None,
) -> Saved:
    """Look at a user's message and save when it calls for it.

    `counts` is what the window holds with this message, where the caller knows; else it is counted along.
    Never raises for a disk that refuses: that is told in `failure`.
    """
    config = place.config()
    if not config.enabled:
        return Saved()
    try:
        window_now, before = _counted(place, window, counts, Counts(1, code_blocks_in(text)))
    except (DiskError, LockedError) as problem:
        return _failed(Saved(), problem)
    held = window_now.counts
    trigger = detect(Message(text, held, before), config)
    tokens = estimate(held)
    level = level_of(tokens, config)
    is_risen = has_risen(level, window_now.shown)
    looked = Saved(trigger=trigger, level=level, tokens=tokens, message_count=held.messages)
    if trigger is None:
        done = looked
    else:
        done = _save(place, looked, config, shown=read_transcript(transcript, place.layout.root))
    return replace(
        done, notices=_notices(place, done, config, window=window, risen=level if is_risen else None)
    )


_ON_LEVEL: Mapping[Level, str] = {Level.WARNING: "context_warning", Level.CRITICAL: "emergency"}
"""What a level says when it is first reached."""

_ON_TRIGGER: Mapping[Trigger, str] = {
    Trigger.USER_LEAVING: "user_leaving",
    Trigger.WORKFLOW_END: "workflow_end",
}
"""What a save says; the other triggers are silent, and an emergency speaks through its level."""


def _notices(
    place: Place, done: Saved, config: Config, *, window: str, risen: Level | None
) -> tuple[str, ...]:
    """Return what to tell; `notify_on_save: false` silences all but warnings and failures."""
    told = list(done.notices)
    if done.is_saved and done.trigger and config.notify_on_save and done.trigger in _ON_TRIGGER:
        told.append(_ON_TRIGGER[done.trigger])
    if risen and (warning := _ON_LEVEL.get(risen)) and not done.failure:
        told.append(warning)
    if risen:
        _remember_level(place, window, risen)
    return tuple(dict.fromkeys(told))


def on_reply(
    place: Place, text: str, *, window: str = DEFAULT_WINDOW, error_dumps: int = 0, messages: int = 1
) -> Saved:
    """Count what the assistant said; a reply triggers nothing (the seed looks at the user's messages)."""
    more = Counts(messages, code_blocks_in(text), error_dumps)
    try:
        with holding(_lock(place), _WAIT):
            windows = counters.load(place.layout)
            now = windows.get(window, Window())
            windows[window] = now._replace(counts=now.counts + more)
            counters.save(place.layout, windows, window)
    except (DiskError, LockedError) as problem:
        return _failed(Saved(), problem)
    return Saved(message_count=windows[window].counts.messages)


def on_cleared(place: Place, *, window: str = DEFAULT_WINDOW) -> Saved:
    """Start counting anew: the window was cleared or compacted."""
    try:
        with holding(_lock(place), _WAIT):
            windows = counters.load(place.layout)
            windows[window] = Window()
            counters.save(place.layout, windows, window)
    except (DiskError, LockedError) as problem:
        return _failed(Saved(), problem)
    return Saved()


def on_workflow_end(
    place: Place, workflow: str, *, window: str = DEFAULT_WINDOW, transcript: Path | None = None
) -> Saved:
    """Save what a workflow leaves, with a snapshot. `workflow` is `plan`, `code`, `debug`, `test` or `deploy`."""
    config = place.config()
    if not config.enabled:
        return Saved()
    shown = read_transcript(transcript, place.layout.root, workflow, _last_save(place))
    asked = _asked(place, Trigger.WORKFLOW_END, window)
    done = _save(place, asked, config, shown=shown, workflow=workflow)
    return replace(done, notices=_notices(place, done, config, window=window, risen=None))


def _last_save(place: Place) -> str:
    """Return when the last save was, to the second and without its zone; an empty text when there was none."""
    try:
        points = save_points(read(place.brain.session).value or {})
    except DiskError:
        return ""
    return points[-1].time[:19] if points else ""


def on_request(
    place: Place,
    *,
    trigger: Trigger = Trigger.MANUAL,
    window: str = DEFAULT_WINDOW,
    transcript: Path | None = None,
) -> Saved:
    """Save because someone asked, also where auto-save is switched off; an emergency leaves a snapshot."""
    shown = read_transcript(transcript, place.layout.root)
    done = _save(place, _asked(place, trigger, window), place.config(), shown=shown)
    is_told = trigger is Trigger.EMERGENCY and done.is_saved
    return replace(done, notices=(*done.notices, *(("emergency",) if is_told else ())))


def _asked(place: Place, trigger: Trigger, window: str) -> Saved:
    held = counters.load(place.layout).get(window, Window()).counts
    tokens = estimate(held)
    level = level_of(tokens, place.config())
    return Saved(trigger=trigger, tokens=tokens, level=level, message_count=held.messages)


def _counted(place: Place, window: str, given: Counts | None, more: Counts) -> tuple[Window, int]:
    """Count a user's message; return the window with it, and how many messages there were at the one before."""
    with holding(_lock(place), _WAIT):
        windows = counters.load(place.layout)
        old = windows.get(window, Window())
        counts = old.counts + more if given is None else given
        # fewer than before: the window was cleared or compacted, so its levels may be shown again
        is_new = counts.messages < old.looked_at
        before = 0 if is_new else old.looked_at
        windows[window] = Window(counts, counts.messages, Level.SAFE if is_new else old.shown)
        counters.save(place.layout, windows, window)
    return windows[window], before


def _remember_level(place: Place, window: str, level: Level) -> None:
    try:
        with holding(_lock(place), _WAIT):
            windows = counters.load(place.layout)
            windows[window] = windows.get(window, Window())._replace(shown=level)
            counters.save(place.layout, windows, window)
    except (DiskError, LockedError):
        return  # at worst the same warning comes once more


def _lock(place: Place) -> Path:
    return place.layout.private / "brain-lock"


def _failed(done: Saved, problem: DiskError | LockedError) -> Saved:
    return replace(done, failure=problem, notices=(*done.notices, "save_failed"))


_WITH_SNAPSHOT = frozenset({Trigger.WORKFLOW_END, Trigger.EMERGENCY})


def _save(place: Place, asked: Saved, config: Config, *, shown: Read, workflow: str = "") -> Saved:
    """Write the work state, then a snapshot where one is due; then delete what is too old."""
    if asked.trigger is None:
        return asked
    now, brain = place.now(), place.brain
    knowledge = knowledge_of(brain)
    saving = Saving(
        trigger=asked.trigger,
        now=now,
        message_count=asked.message_count,
        folder=place.layout.root.name,
        brain=knowledge,
        workflow=workflow,
        found=shown.found,
        feature=feature_in_work(Archive(layout=place.layout), ""),
    )
    make_room = room_maker(brain)
    problems = (shown.problem,) if shown.problem else ()
    try:
        state, note = persistently(lambda: _write(place, saving), place.sleep, make_room)
    except (DiskError, LockedError) as problem:
        return _failed(replace(asked, problems=problems), problem)
    told = ("restored",) if note is Note.RESTORED else ("session_broken",) if note is Note.BROKEN else ()
    done = replace(asked, is_saved=True, notices=told, problems=problems)
    if asked.trigger not in _WITH_SNAPSHOT:
        return done
    try:
        path = persistently(lambda: _snapshot(place, state, knowledge, now), place.sleep, make_room)
    except (DiskError, LockedError) as problem:
        return replace(done, problems=(*problems, problem.message))
    remove_expired(brain, now, config.snapshot_retention_days)
    return replace(done, snapshot=path)


def _write(place: Place, saving: Saving) -> tuple[Fields, Note]:
    """Read, change and replace the work state while nobody else of ours does. Raises DiskError or LockedError."""
    brain = place.brain
    with holding(_lock(place), _WAIT) as lock:
        sweep(brain.folder)
        found = read_twice(brain.session, place.sleep)
        old: Fields = found.value or {}
        note = Note.NONE
        if found.is_broken:
            old, note = restorable(brain)
        progress = tasks_progress(place.layout.root, place.layout.archive_dir, old)
        state = saved_state(old, replace(saving, progress=progress))
        lock.check()
        if found.is_broken:
            replace_broken(DISK, brain.session, json_pages(state), saving.now)
        else:
            DISK.write(brain.session, json_pages(state))
    return state, note


def _snapshot(place: Place, state: Fields, knowledge: Fields, now: datetime) -> Path:
    with holding(_lock(place), _WAIT):
        path = free_name(place.brain.snapshots, now)
        DISK.write(path, snapshot_bytes(state, brain_summary(knowledge), now))
    return path
