"""Looking at a user's message in a hook: triggers, level, and the job that saves (SPEC 3.1 to 3.4)."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from awf_archive.brain.folder import Brain
from awf_archive.brain.preferences import auto_save_config
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
from awf_archive.integrations.hook_events import Call, counts_in, workflow_in
from awf_archive.integrations.hook_window import Window, counting

_ON_LEVEL: Mapping[Level, str] = {Level.WARNING: "context_warning", Level.CRITICAL: "emergency"}
"""What a level says when it is first reached; it says that a backup was saved, so one is."""


def preferences(call: Call) -> Config:
    """Return how auto-save is set."""
    found = auto_save_config(Brain(call.private.root), Path.home())
    settings = call.settings
    return found._replace(
        leaving_phrases=settings.leaving_phrases, decision_phrases=settings.decision_phrases
    )


def look(call: Call) -> tuple[str, ...]:
    """Count a message and hand in what it makes due; return the ids of what to tell. Raises OSError."""
    event, prompt = call.event, call.event.text("prompt")
    if event.is_of_agent or not prompt.strip():
        return ()
    wanted = preferences(call)
    with counting(call.private, event.window) as counter:
        mark = event.text("prompt_id")
        if mark and mark == counter.now.prompt:
            return ()  # the same hook is registered twice
        before = counter.now.looked_at
        counted = _counted(counter.now, prompt, mark)
        seen = _seen(counted, prompt, before, wanted)
        counter.now = counted._replace(shown=seen.level.value if seen.is_risen else counted.shown)
    if not wanted.enabled or seen.trigger is None:
        return ()
    is_urgent = seen.is_risen and seen.level in _ON_LEVEL
    call.add("save", seen.trigger.value, urgent=is_urgent, counts=counts_in(counter.now))
    told = [_ON_LEVEL[seen.level]] if is_urgent else []
    if seen.trigger is Trigger.USER_LEAVING and wanted.notify_on_save:
        told.insert(0, "user_leaving")
    return tuple(told)


def _counted(window: Window, prompt: str, mark: str) -> Window:
    messages = window.messages + 1
    return window._replace(
        messages=messages,
        code_blocks=window.code_blocks + code_blocks_in(prompt),
        looked_at=messages,
        workflow=workflow_in(prompt),
        prompt=mark,
    )


class _Seen(NamedTuple):
    """What a message makes due."""

    trigger: Trigger | None
    level: Level
    is_risen: bool
    """Whether the level is above the highest that was shown."""


def _seen(window: Window, prompt: str, before: int, wanted: Config) -> _Seen:
    counts = Counts(*counts_in(window))
    level = level_of(estimate(counts), wanted)
    shown = Level(window.shown) if window.shown in set(Level) else Level.SAFE
    is_risen = has_risen(level, shown)
    trigger = detect(Message(prompt, counts, before), wanted)
    if trigger is None and is_risen and level in _ON_LEVEL:
        trigger = Trigger.EMERGENCY
    return _Seen(trigger, level, is_risen)
