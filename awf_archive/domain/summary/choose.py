"""Which sentences stand for a range of turns: weighed by the words that turns share, spread over the range.

A word weighs more the more turns use it, twice as much when the user does, and more when it is a name of code. A
sentence weighs as much as its words, by its length; sentences that open a prompt or a report, and those that report
a result, weigh more. Of what says the same again only one is taken (maximal marginal relevance). Linear in the text.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from awf_archive.domain.summary.cues import FIX, ID, RESULT, leans
from awf_archive.domain.summary.gist import Gist
from awf_archive.domain.summary.sentences import reading_words
from awf_archive.domain.summary.terms import is_identifier, is_same, overlap, terms
from awf_archive.domain.summary.work import Failure

_WORTH = 0.4
"""What weighs less beside the heaviest of its turn is not worth a line when that was said elsewhere."""

_FEW = 4
"""Up to so many turns two sentences tell how it went."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence that may stand for its turn."""

    turn: int
    text: str
    is_outcome: bool
    words: frozenset[str]
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What was chosen of one turn: what was asked, what came of it, or one of the two."""

    turn: int
    request: str
    outcome: str
    weight: float
    is_abandoned: bool = False


class Chooser:
    """Weighs the sentences of a range of turns, and takes those that stand for it."""

    def __init__(self, gists: Sequence[Gist]) -> None:
        self._weights = _weights(gists)
        self._asked: list[frozenset[str]] = []
        self._told: list[frozenset[str]] = []
        typed_again = _typed_again(text for one in gists for text in one.request)
        self._requests = {
            one.turn: self._sentences(
                one, (text for text in one.request if text not in typed_again), is_outcome=False
            )
            for one in gists
        }
        self._outcomes = {one.turn: self._sentences(one, one.outcome, is_outcome=True) for one in gists}
        self._gists = gists

    def _sentences(self, gist: Gist, texts: Iterable[str], *, is_outcome: bool) -> list[Sentence]:
        return [
            Sentence(
                turn=gist.turn,
                text=text,
                is_outcome=is_outcome,
                words=(found := terms(text)),
                weight=self._weight(text, found, place, is_outcome=is_outcome),
            )
            for place, text in enumerate(texts)
        ]

    def _weight(self, text: str, found: frozenset[str], place: int, *, is_outcome: bool) -> float:
        told = sum(self._weights.get(word, 0) for word in found) / math.sqrt(4 + reading_words(text))
        position = 1 / (1 + place)
        result = 1.4 if is_outcome and RESULT.search(text) else 1
        return told * (0.2 + position) * result * _readability(text, is_outcome=is_outcome)

    def overview(self, most: int = 3) -> list[Sentence]:
        """Return what the range began with, what followed and what came of it, of different turns."""
        telling = [one for one in self._gists if self._requests[one.turn] or self._outcomes[one.turn]]
        kept = [one for one in telling if not one.is_abandoned] or telling
        count = min(most, len(kept)) if len(kept) > _FEW else min(2, len(kept))
        chosen: list[Sentence] = []
        for place in range(count):
            part = kept[len(kept) * place // count : len(kept) * (place + 1) // count]
            is_first, is_last = place == 0, place == count - 1
            if best := self._best(part, prefers_outcome=not is_first, is_last=is_last):
                chosen.append(best)
                self._take(best.text, is_outcome=best.is_outcome)
        return chosen

    def _best(self, part: Sequence[Gist], *, prefers_outcome: bool, is_last: bool) -> Sentence | None:
        found: list[tuple[float, Sentence]] = []
        for place, gist in enumerate(part):
            near = len(part) - 1 - place if is_last else place
            edge = 1 / (1 + 0.2 * near)
            for one in (*self._requests[gist.turn], *self._outcomes[gist.turn]):
                if reading_words(one.text) < _SHORT or self._is_said(one):
                    continue
                preferred = 2 if one.is_outcome is prefers_outcome else 0.5
                preferred *= 2 if prefers_outcome and one.is_outcome and RESULT.search(one.text) else 1
                preferred *= 0.3 if leans(one.text) else 1
                found.append((one.weight * edge * preferred, one))
        return max(found, key=lambda pair: pair[0])[1] if found else None

    def points(self, most: int) -> list[Chosen]:
        """Return at most `most` turns that together cover the range, in order, each by its best words.

        May be asked again for another number: only what was said before the first time counts as said.
        """
        asked, told = len(self._asked), len(self._told)
        chosen = self._spread(most)
        del self._asked[asked:], self._told[told:]
        return chosen

    def _spread(self, most: int) -> list[Chosen]:
        telling = [one for gist in self._gists if (one := self._point(gist)) is not None]
        count = min(most, len(telling))
        chosen: list[Chosen] = []
        for place in range(count):
            part = telling[len(telling) * place // count : len(telling) * (place + 1) // count]
            for one in sorted(part, key=lambda each: -each.weight):
                if new := self._anew(one):
                    chosen.append(new)
                    self._take(new.request, is_outcome=False)
                    self._take(new.outcome, is_outcome=True)
                    break
        return chosen

    def _point(self, gist: Gist) -> Chosen | None:
        request, outcome = _heaviest(self._requests[gist.turn]), _heaviest(self._outcomes[gist.turn])
        if request is None and outcome is None:
            return None
        weights = [one.weight for one in (request, outcome) if one]
        return Chosen(
            turn=gist.turn,
            request=request.text if request else "",
            outcome=outcome.text if outcome else "",
            weight=(max(weights) + 0.5 * min(weights))
            * (0.5 if gist.is_abandoned else 1)
            * (1.2 if gist.changed else 1),
            is_abandoned=gist.is_abandoned,
        )

    def _anew(self, one: Chosen) -> Chosen | None:
        """Return a point without what was said already; None when nothing is left that stands by itself."""
        outcome = self._news(self._outcomes[one.turn], _WORTH)
        request = self._news(self._requests[one.turn], _WORTH / 2)
        if request and outcome and is_same(terms(request), terms(outcome)):
            request = ""
        if not outcome and (not request or leans(request)):
            return None
        return Chosen(
            turn=one.turn, request=request, outcome=outcome, weight=one.weight, is_abandoned=one.is_abandoned
        )

    def _news(self, found: Sequence[Sentence], worth: float) -> str:
        """Return the heaviest of a turn's sentences that was not said yet, if it weighs enough beside the others."""
        heaviest = _heaviest(found)
        best = _heaviest(one for one in found if not self._is_said(one))
        return best.text if best and heaviest and best.weight >= worth * heaviest.weight else ""

    def _is_said(self, one: Sentence) -> bool:
        """Whether a sentence was taken already; a report may say again what was asked for: that it is done."""
        if one.is_outcome and one.words in self._asked:
            return True
        return any(is_same(one.words, taken) for taken in (self._told if one.is_outcome else self._asked))

    def say(self, texts: Iterable[str]) -> None:
        """Take in what is said elsewhere: no point says it again."""
        for text in texts:
            self._take(text, is_outcome=True)
            self._take(text, is_outcome=False)

    def _take(self, text: str, *, is_outcome: bool) -> None:
        if text:
            (self._told if is_outcome else self._asked).append(terms(text))


_SHORT, _LONG = 4, 20
"""Reading words of a sentence: below, it says little; above, it is cut."""

_CLOCK = re.compile(r"\d:\d\d:\d\d")
"""A log's time to the second."""
_SIGNS = re.compile(r"[\d{}<>=;|\\$^~]")


def _readability(text: str, *, is_outcome: bool) -> float:
    """Weigh how well a sentence reads aloud: whole, neither long nor clipped, not full of digits and signs."""
    length = reading_words(text)
    whole = 1 if not is_outcome or text[-1:] in ".!?。！？" else 0.75
    short = 0.6 if length < _SHORT else 1 if length <= _LONG else 0.8
    signs = 0.6 if len(_SIGNS.findall(text)) * 8 > len(text) else 1
    ids = 0.3 if _CLOCK.search(text) else 0.8 if ID.search(text) else 1
    code = 0.6 if text[0] in '`"“' else 1
    return whole * short * signs * ids * code * (0.4 if leans(text) else 1)


_TYPED = 6


def _typed_again(texts: Iterable[str]) -> set[str]:
    """Return what a longer text begins with: prompts that were sent before they were finished."""
    ordered = sorted(set(texts))
    return {
        one
        for one, two in pairwise(ordered)
        if len(one) >= _TYPED and two.startswith(one.rstrip("。.!?！？"))
    }


def _heaviest(found: Iterable[Sentence]) -> Sentence | None:
    return max(found, key=lambda one: one.weight, default=None)


def _weights(gists: Sequence[Gist]) -> dict[str, float]:
    """Weigh each word by the turns that say it; what nearly all say tells little."""
    asked: set[str] = set()
    turns: Counter[str] = Counter()
    names: set[str] = set()
    for gist in gists:
        requested = frozenset().union(*map(terms, gist.request))
        asked |= requested
        turns.update(requested | frozenset().union(*map(terms, gist.outcome)))
        names.update(
            word.casefold()
            for text in (*gist.request, *gist.outcome)
            for word in text.split()
            if is_identifier(word)
        )
    often = max(4, 0.7 * len(gists))
    return {
        word: math.log(1 + count)
        * (2 if word in asked else 1)
        * (1.3 if word in names else 1)
        * (0.5 if count > often else 1)
        for word, count in turns.items()
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Mended:
    """Something that went wrong, and how it was mended where that shows."""

    turn: int
    error: str
    fix: str
    fixed_in: int
    """The turn in which it was mended; 0 when no turn of the range shows it."""


_PATIENCE = 4
"""In how many turns after an error its mending is looked for."""


def errors(gists: Sequence[Gist]) -> list[Mended]:
    """Return what went wrong in a range and how it was mended, each error once, in order."""
    found: dict[str, Mended] = {}
    for place, gist in enumerate(gists):
        for failure in gist.failures:
            key = " ".join(sorted(terms(failure.error))) or failure.error
            if key in found and found[key].fixed_in:
                continue
            after = gists[place : place + _PATIENCE]
            fixed = _fixed_in(failure.key, after)
            said = _fix_said(failure, after if not fixed else [one for one in after if one.turn <= fixed])
            turn = found[key].turn if key in found else gist.turn
            found[key] = Mended(
                turn=turn,
                error=failure.error,
                fix=said[1] if said else "",
                fixed_in=fixed or (said[0] if said else 0),
            )
    return list(found.values())


def _fixed_in(key: str, after: Iterable[Gist]) -> int:
    return next((one.turn for one in after if key and key in one.passed), 0)


def _fix_said(failure: Failure, after: Iterable[Gist]) -> tuple[int, str] | None:
    """Return the sentence that tells how an error was mended: in the answer to it, or about the same things."""
    words = terms(failure.error)
    is_answer = not failure.key
    for gist in after:
        fixes = [one for one in gist.outcome if FIX.search(one)]
        if fixes:
            best = max(fixes, key=lambda one: overlap(terms(one), words))
            if is_answer or overlap(terms(best), words) > 0:
                return gist.turn, best
        is_answer = False
    return None
