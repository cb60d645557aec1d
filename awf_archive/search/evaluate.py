"""Turns a query's nodes into documents with scores, over anything that can list a term's postings.

Term at a time, in plain dictionaries: in Python that is several times faster than walking document by document,
and it gives exact totals.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol, TypeAlias

from awf_archive.search.query import AllOf, AnyOf, Node, Phrase, Prefix, Term

Scores: TypeAlias = dict[int, float]
"""Score by document number."""

PHRASE_BOOST = 1.3
"""What stands together as typed is worth more than its words alone."""

MAX_EXPANSIONS = 200
"""Terms that one prefix may stand for, the most frequent first."""

_MANY_POSTINGS = 100_000
"""More than this are not scored one by one: 0.3 s."""


class Postings(Protocol):
    """A searchable index, seen from here."""

    def frequency(self, term: str) -> int:
        """Return in how many documents a term stands."""

    def scores(self, term: str, within: Collection[int] | None = None) -> Scores:
        """Return the documents of a term, only those `within` if given."""

    def positions(self, term: str, within: Collection[int]) -> Mapping[int, Sequence[int]]:
        """Return where a term stands in those of the documents that hold it."""

    def holders(self, term: str) -> Iterable[int]:
        """Return the documents of a term without scoring them."""

    def expand(self, prefix: str) -> Sequence[str]:
        """Return terms that begin with `prefix`."""


def evaluate(node: Node, postings: Postings, within: Collection[int] | None = None) -> Scores:
    """Return the documents that match a node."""
    match node:
        case Term(text):
            return postings.scores(text, within)
        case Phrase(texts):
            return _phrase(texts, postings, within)
        case Prefix(text):
            return _beginning(text, postings, within)
        case AnyOf(nodes):
            return _sum(evaluate(each, postings, within) for each in nodes)
        case AllOf(nodes):
            return every(nodes, postings, within)


def every(nodes: Iterable[Node], postings: Postings, within: Collection[int] | None = None) -> Scores:
    """Return the documents that match all nodes, rarest first so that the rest has little to do."""
    found: Scores | None = None
    for node in sorted(nodes, key=lambda each: at_most(each, postings)):
        more = evaluate(node, postings, within if found is None else found.keys())
        found = more if found is None else {doc: found[doc] + score for doc, score in more.items()}
        if not found:
            return {}
    return found or {}


def at_most(node: Node, postings: Postings) -> int:
    """Return how many documents a node can match, without evaluating it."""
    match node:
        case Term(text):
            return postings.frequency(text)
        case Phrase(texts):
            return min(map(postings.frequency, texts))
        case Prefix(text):
            return sum(map(postings.frequency, postings.expand(text)[:MAX_EXPANSIONS]))
        case AnyOf(nodes):
            return sum(at_most(each, postings) for each in nodes)
        case AllOf(nodes):
            return min(at_most(each, postings) for each in nodes)


def nearness(pairs: Sequence[tuple[str, str]], postings: Postings, docs: Collection[int]) -> dict[int, float]:
    """Return, by document, what share of the typed neighbours stand together there: 1 for side by side in order."""
    if not pairs:
        return {}
    places = {term: postings.positions(term, docs) for pair in pairs for term in pair}
    return {
        doc: sum(_closeness(places[a].get(doc, ()), places[b].get(doc, ())) for a, b in pairs) / len(pairs)
        for doc in docs
    }


def _closeness(before: Sequence[int], after: Sequence[int]) -> float:
    there = set(after)
    if any(place + 1 in there for place in before):
        return 1.0
    return (
        0.4
        if any(there.intersection((place + 2, place + 3, place - 1, place - 2)) for place in before)
        else 0.0
    )


def _sum(many: Iterable[Scores]) -> Scores:
    total: Scores = {}
    for scores in many:
        if total:
            for doc, score in scores.items():
                total[doc] = total.get(doc, 0.0) + score
        else:
            total = dict(scores)
    return total


def _beginning(prefix: str, postings: Postings, within: Collection[int] | None) -> Scores:
    """Return the documents of a prefix; scored where there are few, since `co*` may stand for a million postings."""
    terms = postings.expand(prefix)[:MAX_EXPANSIONS]
    if sum(map(postings.frequency, terms)) <= _MANY_POSTINGS:
        return _sum(postings.scores(term, within) for term in terms)
    found: set[int] = set()
    for term in terms:
        found.update(postings.holders(term))
    return dict.fromkeys(found if within is None else found.intersection(within), 1.0)


def _phrase(texts: Sequence[str], postings: Postings, within: Collection[int] | None) -> Scores:
    candidates: Scores | None = None
    for text in sorted(set(texts), key=postings.frequency):
        more = postings.scores(text, within if candidates is None else candidates.keys())
        candidates = (
            more if candidates is None else {doc: candidates[doc] + score for doc, score in more.items()}
        )
        if not candidates:
            return {}
    if not candidates:
        return {}
    starts = _starts(texts, postings, candidates.keys())
    return {doc: candidates[doc] * PHRASE_BOOST for doc in starts}


_MANY_PLACES = 16
"""In fewer, looking through beats making a set; there are hundreds of thousands of short ones."""


def _starts(texts: Sequence[str], postings: Postings, docs: Collection[int]) -> dict[int, Sequence[int]]:
    """Return where the phrase begins in each document that holds it; rarest term first."""
    first, *rest = sorted(range(len(texts)), key=lambda at: postings.frequency(texts[at]))
    places = postings.positions(texts[first], docs)
    found: dict[int, Sequence[int]] = {
        doc: [place - first for place in where] if first else where for doc, where in places.items()
    }
    for at in rest:
        places = postings.positions(texts[at], found.keys())
        found = {doc: common for doc, where in places.items() if (common := _common(found[doc], where, at))}
    return found


def _common(starts: Sequence[int], where: Sequence[int], at: int) -> list[int]:
    there = where if len(where) < _MANY_PLACES else set(where)
    return [start for start in starts if start + at in there]
