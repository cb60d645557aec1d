"""What `status` prints: one screen for a person, an object for a program."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from awf_archive.cli import damage_note
from awf_archive.domain import work_state
from awf_archive.domain.recap import WORDS, ago, moment, status
from awf_archive.domain.triggers import Level
from awf_archive.domain.wording.counted import counted
from awf_archive.domain.wording.damage_words import DAMAGE_WORDS
from awf_archive.domain.wording.recap_words import STATUS_WORDS, StatusWords
from awf_archive.integrations.unsaved import Unsaved
from awf_archive.services.status import Status, last_saved

_WIDTH = 160


def screen(found: Status, language: str, now: datetime, lost: Sequence[Unsaved] = ()) -> str:
    """Return the screen; what is not known is left out."""
    return "\n".join(f"{name}: {value}" for name, value in _rows(found, language, now, lost) if value)


def _rows(found: Status, language: str, now: datetime, lost: Sequence[Unsaved]) -> Iterator[tuple[str, str]]:
    words, summary = STATUS_WORDS[language], found.work.summary
    yield f"📍 {words.project}", summary.project
    yield f"📍 {words.feature}", summary.feature
    yield f"   └─ {words.task}", summary.task
    yield f"   └─ {words.status}", status(summary, _WIDTH)
    yield f"🚧 {words.blocked}", "; ".join(work_state.blockers(found.work.state))
    yield f"⏭️ {words.next_step}", summary.next_step
    yield f"🕐 {words.last_save}", _last(found, words, language, now, lost)
    yield f"🗄️ {words.archive}", _archived(found, words)
    yield f"📥 {words.waiting}", _waiting(found, words)
    for one in lost:
        first, *more = damage_note.unsaved_lines(one, language)
        yield "❌" if one.is_given_up else "⏳", "\n   ".join((first, *more))
    yield (
        f"📊 {words.context}",
        words.context_value.format(tokens=found.tokens, level=words.levels[found.level]),
    )
    yield f"💡 {words.advice}", advice(found, words)


def _last(found: Status, words: StatusWords, language: str, now: datetime, lost: Sequence[Unsaved]) -> str:
    time, trigger = last_saved(found)
    told = ago(moment(time), now, WORDS[language])
    if not told:
        return words.never
    if is_half_saved(found, lost):
        return f"{told} ({DAMAGE_WORDS[language].state_only})"
    return f"{told} ({words.by.format(trigger=trigger)})" if trigger else told


def is_half_saved(found: Status, lost: Sequence[Unsaved]) -> bool:
    """Whether the last save is one of which only the work state came through."""
    saved = last_saved(found)
    return any(one.lacks_conversation and (one.time, one.trigger) == saved for one in lost)


def _archived(found: Status, words: StatusWords) -> str:
    held = found.archived
    if not held.features:
        return words.never
    return counted(words.archived, turns=held.turns, sessions=held.sessions, features=held.features)


def _waiting(found: Status, words: StatusWords) -> str:
    turns = sum(one.turns + one.updated for one in found.waiting)
    if not turns:
        return words.nothing_waiting
    return counted(words.waiting_value, turns=turns, windows=len(found.waiting))


def advice(found: Status, words: StatusWords) -> str:
    """Return the one thing to do next."""
    if found.level in {Level.WARNING, Level.CRITICAL}:
        return words.advice_new_window
    if found.waiting:
        return words.advice_checkpoint
    if found.work.summary.next_step:
        return words.advice_go_on.format(step=found.work.summary.next_step)
    return words.advice_start


def as_json(found: Status, words: StatusWords, lost: Sequence[Unsaved] = ()) -> dict[str, object]:
    """Return the object of `--json`."""
    time, trigger = last_saved(found)
    return {
        "summary": found.work.summary.to_json(),
        "blockers": work_state.blockers(found.work.state),
        "lastSave": {
            "time": time or None,
            "trigger": trigger or None,
            "stateOnly": is_half_saved(found, lost),
        },
        "archive": {
            "turns": found.archived.turns,
            "sessions": found.archived.sessions,
            "features": found.archived.features,
        },
        "waiting": [
            {"path": str(one.path), "turns": one.turns, "updatedTurns": one.updated} for one in found.waiting
        ],
        "unsaved": [damage_note.unsaved_json(one) for one in lost],
        "tokens": found.tokens,
        "level": found.level.value,
        "advice": advice(found, words),
        "problems": list(found.problems),
    }
