"""Saving the work state by itself: on a message, at a workflow's end, on request (SPEC 3)."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

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
from awf_archive.errors import DiskError, LockedError
from awf_archive.services import autosave_windows as counters
from awf_archive.services.autosave_place import DEFAULT_WINDOW, WAIT, Place, Saved, failed, lock_of
from awf_archive.services.autosave_windows import Window
from awf_archive.store.lock import holding

__all__ = [
    "DEFAULT_WINDOW",
    "Place",
    "Saved",
    "on_cleared",
    "on_message",
    "on_reply",
    "on_request",
    "on_workflow_end",
]


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
        return failed(Saved(), problem)
    held = window_now.counts
    tokens = estimate(held)
    level = level_of(tokens, config)
    risen = level if has_risen(level, window_now.shown) else None
    trigger = detect(Message(text, held, before), config) or (
        Trigger.EMERGENCY if risen in _ON_LEVEL else None
    )
    done = Saved(trigger=trigger, level=level, tokens=tokens, message_count=held.messages)
    if trigger is not None:
        done = _saved(place, done, config, transcript, is_urgent=risen in _ON_LEVEL)
    return replace(done, notices=_notices(place, done, config, window=window, risen=risen))


_ON_LEVEL: Mapping[Level, str] = {Level.WARNING: "context_warning", Level.CRITICAL: "emergency"}
"""What a level says when it is first reached; it says that a backup was saved, so one is."""

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
    if risen and not done.failure:
        _remember_level(place, window, risen)
    return tuple(dict.fromkeys(told))


def on_reply(
    place: Place, text: str, *, window: str = DEFAULT_WINDOW, error_dumps: int = 0, messages: int = 1
) -> Saved:
    """Count what the assistant said; a reply triggers nothing (the seed looks at the user's messages)."""
    more = Counts(messages, code_blocks_in(text), error_dumps)
    try:
        with holding(lock_of(place), WAIT):
            windows = counters.load(place.layout)
            now = windows.get(window, Window())
            windows[window] = now._replace(counts=now.counts + more)
            counters.save(place.layout, windows, window)
    except (DiskError, LockedError) as problem:
        return failed(Saved(), problem)
    return Saved(message_count=windows[window].counts.messages)


def on_cleared(place: Place, *, window: str = DEFAULT_WINDOW) -> Saved:
    """Start counting anew: the window was cleared or compacted."""
    try:
        with holding(lock_of(place), WAIT):
            windows = counters.load(place.layout)
            windows[window] = Window()
            counters.save(place.layout, windows, window)
    except (DiskError, LockedError) as problem:
        return failed(Saved(), problem)
    return Saved()


def on_workflow_end(
    place: Place, workflow: str, *, window: str = DEFAULT_WINDOW, transcript: Path | None = None
) -> Saved:
    """Save what a workflow leaves, with a snapshot. `workflow` is `plan`, `code`, `debug`, `test` or `deploy`."""
    config = place.config()
    if not config.enabled:
        return Saved()
    asked = _asked(place, Trigger.WORKFLOW_END, window)
    done = _saved(place, asked, config, transcript, workflow)
    return replace(done, notices=_notices(place, done, config, window=window, risen=None))


def on_request(
    place: Place,
    *,
    trigger: Trigger = Trigger.MANUAL,
    window: str = DEFAULT_WINDOW,
    transcript: Path | None = None,
) -> Saved:
    """Save because someone asked, also where auto-save is switched off; an emergency leaves a snapshot."""
    done = _saved(place, _asked(place, trigger, window), place.config(), transcript)
    is_told = trigger is Trigger.EMERGENCY and done.is_saved
    return replace(done, notices=(*done.notices, *(("emergency",) if is_told else ())))


def _asked(place: Place, trigger: Trigger, window: str) -> Saved:
    held = counters.load(place.layout).get(window, Window()).counts
    tokens = estimate(held)
    level = level_of(tokens, place.config())
    return Saved(trigger=trigger, tokens=tokens, level=level, message_count=held.messages)


def _counted(place: Place, window: str, given: Counts | None, more: Counts) -> tuple[Window, int]:
    """Count a user's message; return the window with it, and how many messages there were at the one before."""
    with holding(lock_of(place), WAIT):
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
        with holding(lock_of(place), WAIT):
            windows = counters.load(place.layout)
            windows[window] = windows.get(window, Window())._replace(shown=level)
            counters.save(place.layout, windows, window)
    except (DiskError, LockedError):
        return  # at worst the same warning comes once more


def _saved(  # noqa: PLR0913 - hands everything on to the module that is loaded only here
    place: Place,
    asked: Saved,
    config: Config,
    transcript: Path | None,
    workflow: str = "",
    *,
    is_urgent: bool = False,
) -> Saved:
    """Save; what that takes is loaded only now."""
    from awf_archive.services.autosave_write import Job, save

    return save(place, asked, config, Job(transcript=transcript, workflow=workflow, is_urgent=is_urgent))
