"""The passage of a text that best shows why it was found: one clean line, with the words to mark."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from awf_archive.search.analysis import ESCAPE_SEQUENCE, tokens

WIDTH = 160

MAX_TEXT = 400_000
"""Characters looked through for the best passage: a tenth of a second."""

ELLIPSIS = "…"

_REACH = 24
"""How far a cut may move to fall between words."""

_SENTENCE_ENDS = "。！？；.!?\n"
_BREAKS = re.compile(rf"[\s{re.escape(_SENTENCE_ENDS)}，、,;]")


@dataclass(frozen=True, slots=True)
class Snippet:
    """A passage and the ranges of it to mark."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()
    quality: float = 0.0
    """How much of the query it shows; for choosing between texts."""


_WORDS_AROUND = 6
"""Words by which a passage is known again in a file, where it may be written over several lines."""

_Side = TypeVar("_Side")


class _Found(NamedTuple):
    start: int
    end: int
    term: str


def snippet(text: str, terms: Iterable[str], width: int = WIDTH) -> Snippet:
    """Return the best passage of at most `width` characters; its beginning where no term stands in it.

    >>> snippet("Hôm qua: chúng ta đã quyết định.", ["quyet", "dinh"])
    Snippet(text='Hôm qua: chúng ta đã quyết định.', marks=((21, 26), (27, 31)), quality=3.45)
    """
    found = list(_find(text[:MAX_TEXT], terms))
    first, last, quality = _best_window(found, max(1, width * 2 // 3))
    if not found:
        start, end = _cut(text, 0, 0, width)
        return _cleaned(text, start, end, ())
    start, end = _cut(text, found[first].start, found[last].end, width)
    return _cleaned(text, start, end, [(each.start, each.end) for each in found], quality)


def best(
    sides: Sequence[tuple[_Side, str]], terms: Iterable[str], none: _Side, width: int = WIDTH
) -> tuple[_Side, Snippet]:
    """Return the best passage among texts, and which text it is from: the first among equals, `none` without any."""
    chosen = tuple(terms)
    passages = [(side, snippet(text, chosen, width)) for side, text in sides if text]
    return max(passages, key=lambda passage: passage[1].quality, default=(none, Snippet("")))


def place(text: str, passage: Snippet, terms: Iterable[str]) -> int:
    """Return where in a file's text a passage stands, or else the best one like it: for opening it there.

    >>> place("one\\ntwo  three\\n", snippet("two three", ["three"]), ["three"])
    9
    """
    if passage.marks:
        first = passage.marks[0][0]
        around = passage.text[first:].strip(ELLIPSIS).split()[:_WORDS_AROUND]
        if found := re.search(r"\s+".join(map(re.escape, around)), text):
            return found.start()
    places = list(_find(text[:MAX_TEXT], tuple(terms)))
    return places[_best_window(places, WIDTH)[0]].start if places else 0


def _find(text: str, terms: Iterable[str]) -> Iterator[_Found]:
    exact = {term for term in terms if not term.endswith("*")}
    beginnings = tuple(term[:-1] for term in terms if term.endswith("*") and len(term) > 1)
    for token in tokens(text):
        if token.text in exact:
            yield _Found(token.start, token.end, token.text)
        elif beginnings and token.text.startswith(beginnings):
            yield _Found(
                token.start, token.end, next(each for each in beginnings if token.text.startswith(each))
            )


def _best_window(found: Sequence[_Found], width: int) -> tuple[int, int, float]:
    """Return the first and last of the found that lie within `width` and show the most."""
    best_window = (0, 0, 0.0)
    counts: dict[str, int] = {}
    left = 0
    neighbours = 0
    for right, each in enumerate(found):
        counts[each.term] = counts.get(each.term, 0) + 1
        neighbours += right > left and _are_neighbours(found[right - 1], each)
        while left < right and each.end - found[left].start > width:
            _forget(counts, found[left].term)
            neighbours -= _are_neighbours(found[left], found[left + 1])
            left += 1
        quality = sum(1.0 if len(term) > 1 else 0.3 for term in counts) + _extra(neighbours, right - left)
        if quality > best_window[2]:
            best_window = (left, right, quality)
    return best_window


def _extra(neighbours: int, more: int) -> float:
    return min(neighbours, 8) * 1.4 + min(more, 10) * 0.05


def _are_neighbours(one: _Found, other: _Found) -> bool:
    return one.term != other.term and 0 <= other.start - one.end <= 1


def _forget(counts: dict[str, int], term: str) -> None:
    counts[term] -= 1
    if not counts[term]:
        del counts[term]


def _cut(text: str, first: int, last: int, width: int) -> tuple[int, int]:
    """Return where the passage around `first` to `last` begins and ends: between words or sentences."""
    last = min(last, first + width)
    spare = max(0, width - (last - first))
    start = max(0, first - spare // 3)
    end = min(len(text), start + width)
    start = max(0, min(start, end - width))
    if start > 0:
        start = _later_break(text, start, min(first, start + _REACH))
    if end < len(text):
        end = _earlier_break(text, max(last, end - _REACH), end)
    return start, end


def _later_break(text: str, at: int, limit: int) -> int:
    if not _BREAKS.match(text[at - 1]) and (match := _BREAKS.search(text, at, limit)):
        at = match.end()
    while at < limit and (text[at].isspace() or unicodedata.combining(text[at])):
        at += 1
    return at


def _earlier_break(text: str, limit: int, at: int) -> int:
    if _BREAKS.match(text[at]):
        return at
    for end in range(at, limit, -1):
        if _BREAKS.match(text[end - 1]):
            return end
    while at < len(text) and unicodedata.combining(text[at]):
        at += 1
    return at


_INVISIBLE = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
"""Signs that turn the direction of a line or hide in it."""


def _cleaned(
    text: str, start: int, end: int, marks: Iterable[tuple[int, int]], quality: float = 0.0
) -> Snippet:
    """Return the slice on one line, without control characters, its marks moved along."""
    line: list[str] = [ELLIPSIS] if text[:start].strip() else []
    places: list[int] = []
    for char in _plain_characters(text[start:end]):
        places.append(len(line))
        if char == " " and (not line or line[-1] in (" ", ELLIPSIS)):
            continue
        if char:
            line.append(char)
    places.append(len(line))
    inside = [
        (places[max(a, start) - start], places[min(b, end) - start])
        for a, b in marks
        if a < end and b > start
    ]
    if text[end:].strip():
        line.append(ELLIPSIS)
    return Snippet("".join(line).rstrip(), tuple(_joined(inside)), round(quality, 3))


def _plain_characters(piece: str) -> Iterator[str]:
    """Give, for each character of the piece, what is shown of it: itself, a blank, or nothing."""
    hidden = {at for match in ESCAPE_SEQUENCE.finditer(piece) for at in range(*match.span())}
    for at, char in enumerate(piece):
        if at in hidden or _INVISIBLE.match(char):
            yield ""
        elif char.isspace():
            yield " "
        elif char.isprintable() or unicodedata.category(char) == "Mn":
            yield char
        else:
            yield "\ufffd" if unicodedata.category(char) == "Cs" else ""


def _joined(marks: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join marks that overlap or touch; pairs of characters become the whole run."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(mark for mark in marks if mark[0] < mark[1]):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found
