"""What `status` prints: one screen for a person, an object for a program."""

from collections.abc import Iterator
from datetime import datetime

from awf_archive.domain import work_state
from awf_archive.domain.recap import WORDS, ago, moment, status
from awf_archive.domain.triggers import Level
from awf_archive.domain.wording.counted import counted
from awf_archive.domain.wording.recap_words import STATUS_WORDS, StatusWords
from awf_archive.services.status import Status, last_saved

_WIDTH = 160


def screen(found: Status, language: str, now: datetime) -> str:
    """Return the screen; what is not known is left out."""
    return "\n".join(f"{name}: {value}" for name, value in _rows(found, language, now) if value)


def _rows(found: Status, language: str, now: datetime) -> Iterator[tuple[str, str]]:
    words, summary = STATUS_WORDS[language], found.work.summary
    yield f"📍 {words.project}", summary.project
    yield f"📍 {words.feature}", summary.feature
    yield f"   └─ {words.task}", summary.task
    yield f"   └─ {words.status}", status(summary, _WIDTH)
    yield f"🚧 {words.blocked}", "; ".join(work_state.blockers(found.work.state))
    yield f"⏭️ {words.next_step}", summary.next_step
    yield f"🕐 {words.last_save}", _last(found, words, language, now)
    yield f"🗄️ {words.archive}", _archived(found, words)
    yield f"📥 {words.waiting}", _waiting(found, words)
    yield (
        f"📊 {words.context}",
        words.context_value.format(tokens=found.tokens, level=words.levels[found.level]),
    )
    yield f"💡 {words.advice}", advice(found, words)


def _last(found: Status, words: StatusWords, language: str, now: datetime) -> str:
    time, trigger = last_saved(found)
    told = ago(moment(time), now, WORDS[language])
    if not told:
        return words.never
    return f"{told} ({words.by.format(trigger=trigger)})" if trigger else told


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


def as_json(found: Status, words: StatusWords) -> dict[str, object]:
    """Return the object of `--json`."""
    time, trigger = last_saved(found)
    return {
        "summary": found.work.summary.to_json(),
        "blockers": work_state.blockers(found.work.state),
        "lastSave": {"time": time or None, "trigger": trigger or None},
        "archive": {
            "turns": found.archived.turns,
            "sessions": found.archived.sessions,
            "features": found.archived.features,
        },
        "waiting": [
            {"path": str(one.path), "turns": one.turns, "updatedTurns": one.updated} for one in found.waiting
        ],
        "tokens": found.tokens,
        "level": found.level.value,
        "advice": advice(found, words),
        "problems": list(found.problems),
    }
