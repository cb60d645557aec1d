"""Postings of a segment being written, by term, in plain arrays.

Whoosh keeps a tuple per posting, sorts millions of them and spills pickles to disk. By term there is nothing to sort
but the terms, and a posting takes 12 bytes where it took 250. Figures: docs/search.md.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, cast

from awf_archive.search.codec import Block


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


_PLACES_TO_A_POSTING = 8
"""A place takes eight bytes, a posting some sixty. Without it a 200 MB export took 399 MB, with it 168 MB."""


class Inverter:
    """Takes the place of Whoosh's posting pool."""

    def __init__(self) -> None:
        self.size = 0
        """Postings held, and their places for what they weigh."""
        self._fields: dict[str, dict[str, TermPostings]] = {"facet": {}, "text": {}}

    def add_document(self, doc: int, positions: Mapping[str, Sequence[int]], facets: Iterable[str]) -> None:
        """Add what a document's text and facets say."""
        text, facet = self._fields["text"], self._fields["facet"]
        for term, places in positions.items():
            known = text.get(term)
            if known is None:
                text[term] = known = _empty()
            known.add(doc, places)
        self.size += len(positions) + sum(map(len, positions.values())) // _PLACES_TO_A_POSTING
        for value in facets:
            facet.setdefault(value, _empty()).add(doc, ())

    def add_weight(self, doc: int, term: str, extra: float) -> None:
        """Let a term count for more in a document that was added."""
        self._fields["text"][term].extra[doc] = extra

    def add_block(self, field: str, term: str, block: Block, new_ids: Sequence[int | None]) -> None:
        """Add a block of a segment that is being merged; where `new_ids` is None the document is gone."""
        terms = self._fields[field]
        known = terms.get(term)
        if known is None:
            terms[term] = known = _empty()
        if None in new_ids:
            places = [at for at, doc in enumerate(new_ids) if doc is not None]
            for at, positions in zip(places, block.positions(places), strict=True):
                known.add(cast("int", new_ids[at]), positions)
        else:
            known.ids.extend(cast("Sequence[int]", new_ids))
            known.counts.extend(array("I", block.counts))
            known.steps.extend(array("I", block.steps()))
        for doc, weight, count in zip(new_ids, block.weights, block.counts, strict=True):
            if weight > count > 0 and doc is not None:
                known.extra[doc] = weight - count
        self.size += len(block.ids)

    def iter_postings(self) -> Iterator[tuple[str, bytes, TermPostings]]:
        """Give every term's postings in the order of the index; Whoosh calls it and hands it to our codec."""
        for field, terms in sorted(self._fields.items()):
            for encoded, term in sorted((term.encode(errors="replace"), term) for term in terms):
                if terms[term].ids:  # in a merge all of its documents may be gone
                    yield field, encoded, terms[term]

    def cleanup(self) -> None:
        """Let go of everything; Whoosh calls it."""
        self._fields = {"facet": {}, "text": {}}


def _empty() -> TermPostings:
    return TermPostings(array("I"), array("I"), array("I"), {})
