"""Postings of a segment being written, by term, in plain arrays.

Whoosh keeps a tuple per posting, sorts millions of them and spills pickles to disk. By term there is nothing to sort
but the terms, and a posting takes 12 bytes where it took 250. Figures: docs/search.md.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from awf_archive.search.codec import decode_value


class TermPostings(NamedTuple):
    """All postings of one term, documents rising."""

    ids: "array[int]"
    counts: "array[int]"
    steps: "array[int]"
    """Positions of all documents in a row: in each the first, then the distances."""
    extra: dict[int, float]
    """Weight beyond the count, by document; only where the term stands in a title."""

    def add(self, doc: int, positions: Sequence[int]) -> None:
        """Add a document."""
        self.ids.append(doc)
        self.counts.append(len(positions))
        if len(positions) == 1:
            self.steps.append(positions[0])
        elif positions:
            self.steps.append(positions[0])
            self.steps.extend([after - before for before, after in pairwise(positions)])


class Inverter:
    """Takes the place of Whoosh's posting pool."""

    def __init__(self) -> None:
        self.size = 0
        """Postings held."""
        self._fields: dict[str, dict[str | bytes, TermPostings]] = {"facet": {}, "text": {}}

    def add_document(self, doc: int, positions: Mapping[str, Sequence[int]], facets: Iterable[str]) -> None:
        """Add what a document's text and facets say."""
        text, facet = self._fields["text"], self._fields["facet"]
        for term, places in positions.items():
            known = text.get(term)
            if known is None:
                text[term] = known = _empty()
            known.add(doc, places)
        self.size += len(positions)
        for value in facets:
            facet.setdefault(value, _empty()).add(doc, ())

    def add_weight(self, doc: int, term: str, extra: float) -> None:
        """Let a term count for more in a document that was added."""
        self._fields["text"][term].extra[doc] = extra

    def add(self, item: tuple[str, bytes, int, float, bytes]) -> None:
        """Add one posting of a segment that is being merged; Whoosh calls it."""
        field, term, doc, weight, value = item
        steps = decode_value(value)
        terms = self._fields[field]
        known = terms.get(term)
        if known is None:
            terms[term] = known = _empty()
        known.ids.append(doc)
        known.counts.append(len(steps))
        known.steps.extend(steps)
        if steps and weight != len(steps):
            known.extra[doc] = weight - len(steps)
        self.size += 1

    def iter_postings(self) -> Iterator[tuple[str, bytes, TermPostings]]:
        """Give every term's postings in the order of the index; Whoosh calls it and hands it to our codec."""
        for field, terms in sorted(self._fields.items()):
            for term in sorted(terms, key=_encoded):
                yield field, _encoded(term), terms[term]

    def cleanup(self) -> None:
        """Let go of everything; Whoosh calls it."""
        self._fields = {"facet": {}, "text": {}}


def _empty() -> TermPostings:
    return TermPostings(array("I"), array("I"), array("I"), {})


def _encoded(term: str | bytes) -> bytes:
    return term if isinstance(term, bytes) else term.encode(errors="replace")
