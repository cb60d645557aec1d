"""“Did you mean”: one typing mistake away from a word that the index knows."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from string import ascii_lowercase
from typing import TypeAlias

from awf_archive.search.analysis import tokens
from awf_archive.search.query import Query, Term

_WORD = re.compile(r"[A-Za-z]{4,24}")
_MAX_WORDS = 4
"""Words looked at; each costs about 500 look-ups, 5 ms."""


Frequencies: TypeAlias = Callable[[Collection[str]], Mapping[str, int]]
"""Tells in how many documents each of some terms stands; asked for hundreds at once, a cluster answers once."""


def suggestion(topic: str, query: Query, frequencies: Frequencies) -> str:
    """Return the topic with unknown words put right, or "" where nothing better is known.

    The typed word is varied, not its stem, so what comes out is a word.
    """
    terms = {clause.strict.text for clause in query.clauses if isinstance(clause.strict, Term)}
    known = frequencies(terms)
    unknown = {term for term in terms if not known[term]}
    fixed = topic
    for word in _typed(topic, unknown):
        better = _best(word, frequencies)
        if not better:
            return ""
        fixed = re.sub(rf"\b{re.escape(word)}\b", better, fixed)
    return fixed if fixed != topic else ""


def _typed(topic: str, unknown: set[str]) -> list[str]:
    words = dict.fromkeys(match[0] for match in _WORD.finditer(topic) if _term(match[0]) in unknown)
    return list(words)[:_MAX_WORDS]


def _best(word: str, frequencies: Frequencies) -> str:
    lower = word.lower()
    terms = {variant: _term(variant) for variant in _variants(lower)}
    known = frequencies(frozenset(terms.values()))
    best = max(terms, key=lambda variant: (known[terms[variant]], variant > lower), default="")
    return best if best and known[terms[best]] else ""


def _term(word: str) -> str:
    return next((token.text for token in tokens(word, mode="query")), "")


def _variants(word: str) -> Iterator[str]:
    """Give everything one slip away; the first letter is nearly always right."""
    for at in range(1, len(word) + 1):
        head, tail = word[:at], word[at:]
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]
        if tail:
            yield head + tail[1:]
        for letter in ascii_lowercase:
            yield head + letter + tail
            if tail:
                yield head + letter + tail[1:]
