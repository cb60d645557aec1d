"""Levels 2 and 3 of `recap`: sections under a rule, as many entries as the budget allows (SPEC 4)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from awf_archive.domain import work_state
from awf_archive.domain.recap import WIDTHS, estimate_tokens, moment, shorten
from awf_archive.domain.wording.recap_words import RecapWords
from awf_archive.domain.work_state import Fields, Pair

RULE = "─" * 29
MOST_DECISIONS, _TASKS = 5, 5
_DAYS = timedelta(days=7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One turn of the latest conversation."""

    turn: int
    user: str
    assistant: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What the deeper levels are made of, besides level 1."""

    state: Fields
    now: datetime
    zone: tzinfo
    """In which zone times are shown."""
    words: RecapWords
    archived_decisions: Sequence[Pair] = ()
    """Those of the archive, oldest first; shown where the work state has none."""
    conversation: Sequence[Said] = ()
    """The latest turns, oldest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Section:
    title: str
    entries: Sequence[Callable[[int], str]]
    """Each makes its line for a width of values."""


def with_levels(first: str, levels: Sequence[str], context: Context, budget: int) -> str:
    """Return level 1 with deeper levels below it, the whole within the budget.

    Each level has its share; what one leaves goes to the next. Entries that do not fit are counted in a line.
    """
    whole = first
    for place, level in enumerate(levels):
        share = _share(level, budget) if place + 1 < len(levels) else budget
        part = _level(LEVELS[level](context), context.words, share - estimate_tokens(whole) - 2)
        whole = f"{whole}\n{part}" if part else whole
    if "deep" in levels:
        whole = with_conversation(whole, context, budget)
    return whole


def _share(level: str, budget: int) -> int:
    """Return how far a level may reach when a deeper one follows: full has 800 of deep's 2 000."""
    return budget * 2 // 5 if level == "full" else budget


def _level(sections: Iterable[_Section], words: RecapWords, budget: int) -> str:
    """Return one level: first at shrinking widths, then with fewer entries; nothing when there is no room at all."""
    there = [section for section in sections if section.entries]
    if not there:
        return ""
    for most in (99, 5, 4, 3, 2, 1):
        for width in WIDTHS[:8]:
            text = f"{RULE}\n" + "\n\n".join(_section(one, width, most, words) for one in there)
            if estimate_tokens(text) <= budget:
                return text
    return ""


def _section(section: _Section, width: int, most: int, words: RecapWords) -> str:
    lines = [entry(width) for entry in section.entries[:most]]
    left = len(section.entries) - len(lines)
    more = [f"  {words.more.format(n=left)}"] if left else []
    return "\n".join((section.title, *lines, *more))


def _full(context: Context) -> Iterator[_Section]:
    state, words = context.state, context.words
    decided = work_state.decisions(state) or list(context.archived_decisions)
    yield _Section(
        title=f"📋 {words.decisions}:",
        entries=[
            _bullet(one.text, f" ({one.more})" if one.more else "") for one in decided[-MOST_DECISIONS:]
        ],
    )
    yield _Section(
        title=f"📝 {words.tasks}:",
        entries=[_numbered(place, one) for place, one in enumerate(work_state.tasks(state)[:_TASKS], 1)],
    )
    yield _Section(title=f"📁 {words.files}:", entries=[_bullet(path) for path in work_state.files(state)])
    yield _Section(
        title=f"⏸️ {words.skipped_tests}:",
        entries=[
            _bullet(one.text, f" ({one.more})" if one.more else "") for one in work_state.skipped_tests(state)
        ],
    )


def _deep(context: Context) -> Iterator[_Section]:
    state, words = context.state, context.words
    yield _Section(
        title=f"🐛 {words.errors}:",
        entries=[_bullet(one.text, _fix(one)) for one in work_state.errors(state)],
    )
    yield _Section(title=f"💾 {words.save_points}:", entries=[*_save_points(context)])
    yield _Section(
        title=f"📜 {words.changes}:",
        entries=[
            _bullet(f"[{one.more}] {one.text}" if one.more else one.text) for one in work_state.changes(state)
        ],
    )


LEVELS: Mapping[str, Callable[[Context], Iterator[_Section]]] = {"full": _full, "deep": _deep}
"""What each level adds."""


def _bullet(text: str, tail: str = "") -> Callable[[int], str]:
    return lambda width: f"  • {shorten(text, width)}{_tail(tail, width)}"


def _tail(tail: str, width: int) -> str:
    """Shorten what stands in brackets within its brackets."""
    if len(tail) <= width or not tail.endswith(")"):
        return shorten(tail, width)
    return shorten(tail[:-1], width - 1) + ")"


def _numbered(place: int, task: work_state.Task) -> Callable[[int], str]:
    label = f"[{task.label}] " if task.label else ""
    return lambda width: f"  {place}. {label}{shorten(task.text, width)}"


def _fix(one: Pair) -> str:
    """`→ Fixed: …` for what is done, `→ …` for what is still open; nothing when nobody knows a way."""
    if not one.more:
        return ""
    return f" → Fixed: {one.more}" if one.is_resolved else f" → {one.more}"


def _save_points(context: Context) -> Iterator[Callable[[int], str]]:
    """The saves of the last seven days; of many, the newest are kept."""
    recent = [
        (then, one.trigger)
        for one in work_state.save_points(context.state)
        if (then := moment(one.time)) and context.now - then <= _DAYS
    ]
    for then, trigger in recent[-10:]:
        yield _bullet(f"{then.astimezone(context.zone):%Y-%m-%d %H:%M} - {trigger}")


_SAID_WIDTHS = (1_200, 700, 400, 240, 140, 80)


def with_conversation(whole: str, context: Context, budget: int) -> str:
    """Add the latest turns, the newest first in line for the room that is left; printed oldest first."""
    head = f"\n\n💬 {context.words.conversation}:"
    room = budget - estimate_tokens(whole + head)
    kept: list[str] = []
    for said in reversed(context.conversation):
        text = next(
            (
                made
                for width in _SAID_WIDTHS[len(kept) :] or _SAID_WIDTHS[-1:]
                if estimate_tokens(made := _said(said, width, context.words)) + 1 <= room
            ),
            "",
        )
        if not text:
            break
        room -= estimate_tokens(text) + 1
        kept.insert(0, text)
    return "\n".join((whole + head, *kept)) if kept else whole


def _said(said: Said, width: int, words: RecapWords) -> str:
    sides = [
        f"    {name}: {shorten(' '.join(text.split()), width)}"
        for name, text in ((words.user, said.user), (words.assistant, said.assistant))
        if text.strip()
    ]
    return "\n".join((f"  #{said.turn}", *sides))
