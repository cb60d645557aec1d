"""What makes a save happen by itself, and how full the context is (SPEC 3.1, 3.2)."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from awf_archive.domain.fold import fold
from awf_archive.domain.trigger_patterns import PATTERNS, Patterns


class Trigger(StrEnum):
    """Why something was saved, as the seed names it."""

    USER_LEAVING = "user_leaving"
    DECISION_MADE = "decision_made"
    PERIODIC = "periodic"
    EMERGENCY = "emergency"
    WORKFLOW_END = "workflow_end"
    MANUAL = "manual"


class Level(StrEnum):
    """How full the context is by the estimate."""

    SAFE = "safe"
    INFO = "info"
    WARNING = "warning"
    CRITICAL = "critical"


class Counts(NamedTuple):
    """What a window holds since it began or was last cleared or compacted."""

    messages: int = 0
    """Of both sides."""
    code_blocks: int = 0
    error_dumps: int = 0

    def __add__(self, other: object) -> "Counts":
        if not isinstance(other, Counts):
            return NotImplemented
        return Counts(*(one + more for one, more in zip(self, other, strict=True)))


class Config(NamedTuple):
    """The seed's `auto_save_config`, and what the settings add."""

    enabled: bool = True
    notify_on_save: bool = True
    checkpoint_interval: int = 15
    warn_threshold: int = 80
    """Percent of 125 000 tokens."""
    snapshot_retention_days: int = 7
    leaving_phrases: tuple[str, ...] = ()
    decision_phrases: tuple[str, ...] = ()


class Message(NamedTuple):
    """One message of a user, and the window around it."""

    text: str
    counts: Counts
    """With this message."""
    before: int = 0
    """Messages when the last one of the user's was looked at."""


TOKENS_PER_MESSAGE, TOKENS_PER_CODE_BLOCK, TOKENS_PER_ERROR = 150, 300, 200
_TOKENS_PER_PERCENT = 1_250
_INFO, _CRITICAL = 80_000, 115_000


def estimate(counts: Counts) -> int:
    """Return the tokens of a window by the seed's heuristic.

    >>> estimate(Counts(messages=10, code_blocks=2, error_dumps=1))
    2300
    """
    return (
        counts.messages * TOKENS_PER_MESSAGE
        + counts.code_blocks * TOKENS_PER_CODE_BLOCK
        + counts.error_dumps * TOKENS_PER_ERROR
    )


def warning_bound(config: Config) -> int:
    """Return the tokens from which the warning comes: 100 000, moved by `warn_threshold`."""
    return _TOKENS_PER_PERCENT * config.warn_threshold


def level_of(tokens: int, config: Config) -> Level:
    """Return how full the context is.

    >>> [level_of(tokens, Config()).value for tokens in (80_000, 80_001, 100_001, 115_001)]
    ['safe', 'info', 'warning', 'critical']
    """
    bounds = ((_CRITICAL, Level.CRITICAL), (warning_bound(config), Level.WARNING), (_INFO, Level.INFO))
    return next((level for bound, level in bounds if tokens > bound), Level.SAFE)


def has_risen(level: Level, shown: Level) -> bool:
    """Whether a level is above the highest that was shown in this window."""
    order = list(Level)
    return order.index(level) > order.index(shown)


_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)


def code_blocks_in(text: str) -> int:
    """Return how many fenced blocks a message holds; one left open counts.

    >>> code_blocks_in("a\\n```py\\nx\\n```\\nb\\n~~~\\ny\\n~~~"), code_blocks_in("```\\nopen")
    (2, 1)
    """
    return (len(_FENCE.findall(text)) + 1) // 2


_TRACE = re.compile(
    r"^Traceback \(most recent call last\):|^\s+at .+\(.+:\d+(?::\d+)?\)$|^thread '.+' panicked at|"
    r"^panic: |^Caused by: |^Unhandled exception",
    re.MULTILINE,
)


def is_stack_trace(text: str) -> bool:
    """Whether a tool's answer holds a stack trace."""
    return bool(_TRACE.search(text))


def detect(message: Message, config: Config) -> Trigger | None:
    """Return the trigger of a user's message: the first of the seed's order that matches, or None.

    >>> detect(Message("tạm biệt nhé", Counts(messages=15)), Config())
    <Trigger.USER_LEAVING: 'user_leaving'>
    """
    return next((trigger for trigger, matches in TRIGGERS if matches(message, config)), None)


def _is_due(message: Message, config: Config) -> bool:
    """Whether the count has passed a multiple of the interval since the user's last message."""
    interval = max(1, config.checkpoint_interval)
    return message.counts.messages // interval > message.before // interval


def _is_full(message: Message, config: Config) -> bool:
    return estimate(message.counts) > warning_bound(config)


TRIGGERS: Sequence[tuple[Trigger, Callable[[Message, Config], bool]]] = (
    (Trigger.USER_LEAVING, lambda message, config: is_leaving(message.text, config.leaving_phrases)),
    (Trigger.DECISION_MADE, lambda message, config: is_deciding(message.text, config.decision_phrases)),
    (Trigger.PERIODIC, _is_due),
    (Trigger.EMERGENCY, _is_full),
)
"""On each message, in this order."""


_LONG = 1_500
"""Characters; a longer message is mostly pasted, so only its last line says what its writer does."""


def is_leaving(text: str, more: tuple[str, ...] = ()) -> bool:
    """Whether a message says that its writer leaves.

    >>> is_leaving("Thôi mai làm tiếp nhé"), is_leaving("save the file to disk")
    (True, False)
    """
    sentences = _sentences(text)
    if not sentences:
        return False
    own = frozenset(map(fold, more))
    return any(
        clause in own or _leaves(clause, sentence) for sentence in sentences for clause in sentence.clauses
    )


def is_deciding(text: str, more: tuple[str, ...] = ()) -> bool:
    """Whether a message decides something; a question, and an `ok` before a new request, decide nothing.

    >>> is_deciding("OK, làm vậy đi"), is_deciding("is this ok?"), is_deciding("ok, now add a test")
    (True, False, False)
    """
    sentences = _sentences(text)
    own = frozenset(map(fold, more))
    clauses = [(clause, sentence) for sentence in sentences for clause in sentence.clauses]
    if any(clause in own or _decides(clause, sentence) for clause, sentence in clauses):
        return True
    return any(_agrees(clause) for clause, _ in clauses) and all(
        not sentence.is_question and _asks_nothing(clause, sentence) for clause, sentence in clauses
    )


class Consent(StrEnum):
    """How sure a message begins that agrees."""

    WEAK = "weak"
    """`ok`: it may only mean that it was read."""
    STRONG = "strong"
    """`agreed`, `làm vậy đi`, `就这样`."""


def consent_in(text: str) -> Consent | None:
    """Return whether the first sentence of a message agrees to something; anything may follow it.

    >>> consent_in("ok, and add a test"), consent_in("ok, go ahead. Then test it"), consent_in("is this ok?")
    (<Consent.WEAK: 'weak'>, <Consent.STRONG: 'strong'>, None)
    """
    first = next(iter(_sentences(text)), None)
    if first is None or not first.clauses or (first.is_question and len(first.clauses) == 1):
        return None
    if any(_decides(clause, first) for clause in first.clauses):
        return Consent.STRONG
    return Consent.WEAK if _agrees(first.clauses[0]) else None


class _Sentence(NamedTuple):
    text: str
    is_question: bool
    clauses: tuple[str, ...]


_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`", re.DOTALL)
_QUOTED = re.compile(
    "\"[^\"\n]*\"|“[^”\n]*”|「[^」\n]*」|『[^』\n]*』|«[^»\n]*»|‘[^’\n]*’|(?<!\\w)'[^'\n]*'(?!\\w)"
)
_PLACES = re.compile(r"\bhttps?://\S+|\S*[\\/]\S+|\b\w+\(\)?|<[^>\n]*>")
_SENTENCE_END = re.compile(r"(?<=[!?;。！？；…])(?![!?;。！？；…])|\n|(?<=\.)(?=\s)")
_CLAUSE = re.compile(r"[,，、()（）]|\s[-–—]+\s|(?:\s*[~^]+)")
_HOLE = " \x00 "
"""Stands for what was quoted: the clause still has something there."""


def _sentences(text: str) -> list[_Sentence]:
    """Cut a message into sentences and clauses, folded, without code, quotations, paths and pictures."""
    plain = text.strip()
    if plain.startswith(("/", "!", "<")):
        return []
    if len(plain) > _LONG:
        plain = plain.rsplit("\n", 1)[-1][-_LONG:]
    for pattern in (_CODE, _QUOTED, _PLACES):
        plain = pattern.sub(_HOLE, plain)
    plain = "".join(" " if unicodedata.category(mark) in {"So", "Sk", "Cf"} else mark for mark in plain)
    return [_sentence(one) for one in _SENTENCE_END.split(plain) if one.strip(" .!?;…。！？；")]


def _sentence(text: str) -> _Sentence:
    folded = fold(text)
    words = folded.rstrip(".!?;…。！？； ")
    is_question = "?" in folded[len(words) :]
    clauses = (part.strip(" :.-") for part in _CLAUSE.split(words))
    return _Sentence(words, is_question, tuple(filter(None, clauses)))


class _Speech:
    """One language's patterns, each compiled with its first use: all at once would take 20 ms of every hook."""

    def __init__(self, patterns: Patterns) -> None:
        self._patterns = patterns
        particles = f"{{0,{_MOST_PARTICLES}}}"
        self._before = f"(?:(?:{patterns.openers}){patterns.joint}){particles}"
        self._after = f"(?:{patterns.joint}(?:{patterns.closers})){particles}"

    def may_speak(self, text: str) -> bool:
        """Whether a text holds any letter of the language."""
        return bool(self._needs.search(text))

    def leaves(self, clause: str) -> bool:
        """Whether a clause says that its writer leaves."""
        if self._leaving.fullmatch(clause):
            return True
        return bool(self._leaving_open.fullmatch(clause)) and not self._asking.search(clause)

    def decides(self, clause: str) -> bool:
        """Whether a clause decides something."""
        if self._deciding.fullmatch(clause):
            return True
        return bool(self._deciding_open.fullmatch(clause)) and not self._asking.search(clause)

    def agrees(self, clause: str) -> bool:
        """Whether a clause is a weak word, such as `ok`."""
        return bool(self._agreeing.fullmatch(clause))

    def is_filler(self, clause: str) -> bool:
        """Whether a clause asks for nothing: thanks, praise."""
        return bool(self._filler.fullmatch(clause))

    def speaks_of_a_case(self, sentence: str) -> bool:
        """Whether a sentence begins with `if` or the like."""
        return bool(self._when.match(sentence))

    @cached_property
    def _needs(self) -> re.Pattern[str]:
        return re.compile(self._patterns.needs)

    @cached_property
    def _leaving(self) -> re.Pattern[str]:
        return self._whole(self._patterns.leaving)

    @cached_property
    def _leaving_open(self) -> re.Pattern[str]:
        return self._beginning(self._patterns.leaving_open)

    @cached_property
    def _deciding(self) -> re.Pattern[str]:
        return self._whole(self._patterns.deciding)

    @cached_property
    def _deciding_open(self) -> re.Pattern[str]:
        return self._beginning(self._patterns.deciding_open)

    @cached_property
    def _agreeing(self) -> re.Pattern[str]:
        return self._whole(self._patterns.agreeing)

    @cached_property
    def _filler(self) -> re.Pattern[str]:
        return self._whole(self._patterns.filler)

    @cached_property
    def _asking(self) -> re.Pattern[str]:
        return re.compile(self._patterns.asking)

    @cached_property
    def _when(self) -> re.Pattern[str]:
        return re.compile(self._patterns.when)

    def _whole(self, phrases: tuple[str, ...]) -> re.Pattern[str]:
        return re.compile(f"{self._before}(?:{'|'.join(phrases)}){self._after}")

    def _beginning(self, phrases: tuple[str, ...]) -> re.Pattern[str]:
        return re.compile(f"{self._before}(?:{'|'.join(phrases)}).*" if phrases else _NEVER)


_NEVER = r"(?!)"

_MOST_PARTICLES = 5
"""Openers, and closers, of one clause; without a bound `那我那我那我…` would be tried in 2ⁿ ways."""

_SPEECHES = tuple(map(_Speech, PATTERNS))


def _speeches(text: str) -> Iterator[_Speech]:
    """Yield the languages that a text may be in."""
    return (one for one in _SPEECHES if one.may_speak(text))


def _is_plain(sentence: _Sentence) -> bool:
    """Whether a sentence neither asks nor speaks of a case."""
    return not sentence.is_question and not any(
        one.speaks_of_a_case(sentence.text) for one in _speeches(sentence.text)
    )


def _leaves(clause: str, sentence: _Sentence) -> bool:
    return any(one.leaves(clause) for one in _speeches(clause)) and _is_plain(sentence)


def _decides(clause: str, sentence: _Sentence) -> bool:
    return any(one.decides(clause) for one in _speeches(clause)) and _is_plain(sentence)


def _agrees(clause: str) -> bool:
    return any(one.agrees(clause) for one in _speeches(clause))


def _asks_nothing(clause: str, sentence: _Sentence) -> bool:
    if _agrees(clause) or any(one.is_filler(clause) for one in _speeches(clause)):
        return True
    return _leaves(clause, sentence)
