"""Secrets in a text: where they stand, and the text with masks in their place (issue 4, point 6).

>>> masked, kinds = mask("mật khẩu: hunter2hunter2")
>>> masked, dict(kinds)
('mật khẩu: [REDACTED:password]', {'password': 1})
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain

from awf_archive.domain.secret_patterns import RULES, Rule
from awf_archive.domain.secret_patterns_library import LIBRARY_RULES, LibraryRule, denylist
from awf_archive.domain.secret_patterns_words import word_secrets

MARK = "[REDACTED:"
"""How every mask begins."""

Allowed = Collection[str]
"""Names of what looks like a secret and is none: `password:3f2a9c1e7b6d5a4f`."""

_NONE: Allowed = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Finding:
    """Where a secret stands; never the secret itself."""

    start: int
    end: int
    kind: str


def name_of(kind: str, secret: str) -> str:
    """Return the name by which a person may allow what was found: its kind and a digest."""
    return f"{kind}:{sha256(secret.encode(errors='surrogatepass')).hexdigest()[:16]}"


_MASK = re.compile(re.escape(MARK) + r"([a-z0-9-]{1,40})\]")


def masks_in(text: str) -> Counter[str]:
    """Return how many masks of each kind stand in a text.

    >>> dict(masks_in("key [REDACTED:jwt] and [REDACTED:jwt]"))
    {'jwt': 2}
    """
    return Counter(_MASK.findall(text)) if MARK in text else Counter()


def mask_of(kind: str) -> str:
    """Return what stands in a secret's place."""
    return f"{MARK}{kind}]"


def findings(text: str, allowed: Allowed = _NONE) -> tuple[Finding, ...]:
    """Return every secret in a text, in order; none overlaps another."""
    found: list[Finding] = []
    for one in _all(text):
        if allowed and name_of(one.kind, text[one.start : one.end]) in allowed:
            continue
        place = bisect_left(found, one)
        is_free = (place == 0 or found[place - 1].end <= one.start) and (
            place == len(found) or one.end <= found[place].start
        )
        if is_free:
            found.insert(place, one)
    return tuple(found)


def mask(text: str, allowed: Allowed = _NONE) -> tuple[str, Counter[str]]:
    """Return a text with masks in place of its secrets, and how many of each kind there were."""
    found = findings(text, allowed)
    if not found:
        return text, Counter()
    parts, place = [], 0
    for one in found:
        parts += [text[place : one.start], mask_of(one.kind)]
        place = one.end
    return "".join([*parts, text[place:]]), Counter(one.kind for one in found)


def _all(text: str) -> Iterator[Finding]:
    present = [anchor for anchor in _ANCHORS if anchor in text]
    if present:
        for rule in RULES:
            if any(anchor in present for anchor in rule.anchors):
                yield from _found(rule, text)
        for library_rule in LIBRARY_RULES:
            if any(anchor in present for anchor in library_rule.anchors):
                yield from _found_by_library(library_rule, text)
    for start, end, kind in word_secrets(text):
        if not text.startswith(MARK, start):
            yield Finding(start=start, end=end, kind=kind)


_ANCHORS = tuple(
    dict.fromkeys(chain(*(rule.anchors for rule in RULES), *(rule.anchors for rule in LIBRARY_RULES)))
)
"""Every literal that a rule needs: most texts hold none of them, and no rule need look."""


def _places(text: str, anchors: tuple[str, ...]) -> Iterator[int]:
    for anchor in anchors:
        place = text.find(anchor)
        while place >= 0:
            yield place
            place = text.find(anchor, place + len(anchor))


def _found(rule: Rule, text: str) -> Iterator[Finding]:
    """Look for the literals, and at what stands there only."""
    for place in _places(text, rule.anchors):
        match = rule.pattern.match(text, max(0, place - rule.lead))
        if match:
            start, end = match.span(match.lastindex or 0)
            if rule.is_secret(text[start:end]):
                yield Finding(start=start, end=end, kind=rule.kind)


_AROUND = 300
"""Characters on both sides of a literal that the library sees: its patterns are not made for long lines."""


def _found_by_library(rule: LibraryRule, text: str) -> Iterator[Finding]:
    for place in _places(text, rule.anchors):
        for pattern in denylist(rule):
            for match in pattern.finditer(text, max(0, place - _AROUND), place + _AROUND):
                start, end = _without_quotes(text, *match.span(match.lastindex or 0))
                if end - start >= rule.least and not text.startswith(MARK, start):
                    yield Finding(start=start, end=end, kind=rule.kind)


def _without_quotes(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out what a pattern takes along around a secret: blanks, quotes and signs of assignment."""
    while start < end and text[start] in " \t\r\n=:\"'":
        start += 1
    while end > start and text[end - 1] in " \t\r\n\"'":
        end -= 1
    return start, end
