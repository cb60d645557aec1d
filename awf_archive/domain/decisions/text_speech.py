"""One language's cues of decision, compiled when a text first needs them (SPEC 1.8)."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from typing import NamedTuple

from awf_archive.domain.decisions.text_cues import CUES, LIKELY, RULE, Cue, Cues
from awf_archive.domain.decisions.text_sentences import (
    HOLE,
    Sentence,
    has_marks,
    plain,
    sentences,
    without_marks,
)

_MOST_OPENERS = 5

_SHORTEST = 8
"""Characters that a decision keeps when its `but` is taken off."""

_BLANK = re.compile(r" (?![*+?{\]])")
"""A blank of the tables stands for any number of them: emphasis leaves blanks behind."""


class Said(NamedTuple):
    """A decision that a sentence says."""

    cue: Cue
    start: int
    """Characters into the sentence: where the decision begins."""
    chosen: str
    """As spoken; "" where the words do not tell."""
    refused: str


class Speech:
    """A language as it is written with its marks, or without."""

    def __init__(self, cues: Cues, *, is_bare: bool) -> None:
        self.cues = cues
        self._is_bare = is_bare
        self._patterns: dict[str, re.Pattern[str]] = {}
        self._of_cues: dict[Cue, re.Pattern[str]] = {}

    def speaks(self, words: str) -> bool:
        """Whether some of the words, in lower case, are of this language."""
        needs = self.cues.needs_in_ascii if words.isascii() else self.cues.needs
        return bool(re.search(needs, words))

    def decides(
        self, sentence: Sentence, by: str, start: int | None = None, least: float = LIKELY
    ) -> Said | None:
        """What the sentence decides in this language: its surest cue, the first of them.

        With `start` a decision begins nowhere else; `least` is the confidence that is asked for.
        """
        words = sentence.spoken.rstrip(" .!。！…")
        starts = tuple(self.clause_starts(words)) if start is None else (start,)
        for cue in self._cues_in(words, by, least):
            pattern = self._of_cue(cue)
            for place in starts:
                if found := pattern.match(words, place):
                    groups = found.groupdict()
                    begin = starts[0] if cue.confidence <= RULE else self._after_break(words, place)
                    return Said(cue, begin, groups.get("chosen") or "", groups.get("refused") or "")
        return None

    def _cues_in(self, words: str, by: str, least: float) -> Iterator[Cue]:
        """Yield one side's cues whose words stand in a sentence, the surest first."""
        for anchors, cue in self._surest:
            if cue.by in {"", by} and cue.confidence >= least and any(anchor in words for anchor in anchors):
                yield cue

    def anchors(self, by: str, least: float) -> Iterator[str]:
        """Yield the words without which one side decides nothing as surely as `least`."""
        for anchors, cue in self._surest:
            if cue.by in {"", by} and cue.confidence >= least:
                yield from anchors

    def _after_break(self, words: str, start: int) -> int:
        """Return where a decision begins behind the `but` or `and` that it began with."""
        found = self._break.match(words, start)
        return found.end() if found and len(words) - found.end() > _SHORTEST else start

    def reason(self, sentence: Sentence, start: int) -> tuple[str, int] | None:
        """Return why, and where a decision that begins at `start` ends within its sentence; None without a reason."""
        words = sentence.spoken
        if (found := self.pattern("because").search(words, start + 1)) and plain(
            words[start : found.start()]
        ):
            return plain(sentence.text[found.end() :]), found.start()
        if found := self.find("because_first", sentence):
            return plain(sentence.text[found.start("reason") : found.end("reason")]), len(words)
        after = next(sentences(sentence.following), None) if sentence.following else None
        if after and self.find("explains", after):
            return plain(after.text), len(words)
        return None

    def clause_starts(self, words: str) -> Iterator[int]:
        """Yield where a cue may begin: at the beginning of each clause, and after each opener there."""
        for found in self._clause.finditer(words):
            place = found.end()
            yield place
            for _ in range(_MOST_OPENERS):
                opener = self._opener.match(words, place)
                if not opener or opener.end() == place:
                    break
                place = opener.end()
                yield place

    def find(self, field: str, sentence: Sentence) -> "re.Match[str] | None":
        """Search a sentence for one of the language's patterns, named by its field in `Cues`."""
        return self.pattern(field).search(sentence.spoken)

    def pattern(self, field: str) -> re.Pattern[str]:
        """One of the language's patterns, by its field."""
        if field not in self._patterns:
            self._patterns[field] = re.compile(self._written(getattr(self.cues, field)))
        return self._patterns[field]

    def _written(self, pattern: str) -> str:
        """A pattern of the tables as this speech writes it."""
        loose = _BLANK.sub(" +", pattern.replace(" ?", " *")).replace(r"^\W*", rf"^[^\w{HOLE}]*")
        return self._spelled(loose)

    @cached_property
    def ordinals(self) -> dict[str, int]:
        """Words for places in a list, as they are spoken."""
        return {without_marks(word) if self._is_bare else word: at for word, at in self.cues.ordinals.items()}

    @cached_property
    def _clause(self) -> re.Pattern[str]:
        breaks = self._written(self.cues.breaks)
        head = r"\b" if self.cues.joint.endswith(" ") else ""
        first = rf"^(?:/[\w:.-]+\s+)?[^\w{HOLE}]*(?:[\da-h]{{1,2}}[.)]\s+)?"
        return re.compile(rf"{first}|[,;:(、] ?| [-–—]+ |{head}(?:{breaks}){self.cues.joint}")

    @cached_property
    def _break(self) -> re.Pattern[str]:
        return re.compile(f"(?:(?:{self._written(self.cues.breaks)}){self._written(self.cues.joint)}){{1,2}}")

    @cached_property
    def _opener(self) -> re.Pattern[str]:
        return re.compile(f"(?:{self._written(self.cues.openers)}){self.cues.joint}")

    @cached_property
    def _surest(self) -> tuple[tuple[tuple[str, ...], Cue], ...]:
        """Each cue with its words."""
        surest = sorted(self.cues.cues, key=lambda cue: -cue.confidence)
        return tuple(
            (tuple(dict.fromkeys(self._spelled(cue.words).split("|"))), cue)
            for cue in surest
            if not (self._is_bare and cue.is_marked)
        )

    def _spelled(self, words: str) -> str:
        return without_marks(words) if self._is_bare else words

    def _of_cue(self, cue: Cue) -> re.Pattern[str]:
        if cue not in self._of_cues:
            pattern = cue.pattern.replace("<>", f"(?:{cue.words})")
            self._of_cues[cue] = re.compile(self._written(pattern))
        return self._of_cues[cue]


@cache
def _speeches(*, is_bare: bool) -> tuple[Speech, ...]:
    return tuple(Speech(cues, is_bare=is_bare) for cues in CUES)


def speeches(text: str) -> tuple[Speech, ...]:
    """Return the languages that a text is written in, with their marks or without: people mix them."""
    written = unicodedata.normalize("NFC", text[:_LOOKED_AT]).lower()
    return tuple(one for one in _speeches(is_bare=not has_marks(written)) if one.speaks(written))


_LOOKED_AT = 20_000
"""Characters of a text that tell its languages."""


def reason(sentence: Sentence, start: int, languages: Iterable[Speech]) -> tuple[str, int]:
    """Return the reason that any language finds, and where the decision that begins at `start` ends."""
    found = (speech.reason(sentence, start) for speech in languages)
    return next((one for one in found if one), ("", len(sentence.text)))


def seeds(languages: Iterable[Speech], by: str, least: float = LIKELY) -> tuple[str, ...]:
    """Return the words, one of which a side's decision in a long text must hold."""
    return tuple(dict.fromkeys(anchor for speech in languages for anchor in speech.anchors(by, least)))
