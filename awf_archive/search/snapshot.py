"""One state of the index, open for reading: postings, scores, columns. Whoosh stays behind this door."""

import math
from array import array
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, NamedTuple

from awf_archive.search.codec import Block
from awf_archive.search.documents import Hit
from awf_archive.search.engine import FileIndex, FileStorage, TermNotFound, W3Codec, byte_to_length
from awf_archive.search.evaluate import MAX_EXPANSIONS, Scores
from awf_archive.search.schema import hit, schema

_K1 = 1.2
_B = 0.6
"""BM25 with a little less length normalisation than usual: long answers are not worse answers."""

_FEW = 64
"""For fewer documents than this, blocks that hold none of them are skipped."""

_REMEMBERED = 200_000
"""Scores kept from one search to the next, 20 MB."""

_SHORTEST_PREFIX = 5
_MAX_CUT = 4
"""A typed prefix may reach past the stem (`configurat*` and the term `configur`): so much is cut to find it."""


class _Leaf(NamedTuple):
    """One segment."""

    reader: Any
    base: int
    deleted: frozenset[int]


def open_index(folder: str) -> Any:  # noqa: ANN401 - Whoosh has no types
    """Open an index with our schema; the pickled one in it is skipped."""
    return FileIndex(FileStorage(folder), schema=schema())


class Snapshot:
    """The index at one moment. Implements `evaluate.Postings` and `rank.Corpus`."""

    def __init__(self, folder: str) -> None:
        self._reader = open_index(folder).reader()
        self._leaves = (
            [
                _Leaf(reader, base, frozenset(reader.segment().deleted_docs()))
                for reader, base in self._reader.leaf_readers()
                if reader.segment() is not None
            ]
            if self._reader.doc_count_all()
            else []
        )
        self._scores: dict[str, Scores] = {}
        self._frequencies: dict[str, int] = {}

    def close(self) -> None:
        """Let go of the files."""
        with suppress(Exception):  # closing must never hide what went wrong before
            self._reader.close()

    def forget_large(self) -> None:
        """Drop remembered scores before they grow with every search of a long-lived process."""
        if sum(map(len, self._scores.values())) > _REMEMBERED:
            self._scores.clear()

    @property
    def documents(self) -> int:
        """How many documents can be found."""
        return int(self._reader.doc_count())

    # Postings

    def frequency(self, term: str) -> int:
        """Return in how many documents a term stands."""
        if term not in self._frequencies:
            counts = (leaf.reader.doc_frequency("text", term) for leaf in self._leaves)
            self._frequencies[term] = sum(counts)
        return self._frequencies[term]

    def frequencies(self, terms: Collection[str]) -> dict[str, int]:
        """Return in how many documents each term stands."""
        return {term: self.frequency(term) for term in terms}

    def scores(self, term: str, within: Collection[int] | None = None) -> Scores:
        """Return the BM25 score of each document that holds a term."""
        if term in self._scores:
            found = self._scores[term]
            return found if within is None else {doc: found[doc] for doc in within if doc in found}
        idf = self._idf(term)
        found = {}
        for leaf, block in self._blocks("text", term, within):
            found.update(self._block_scores(leaf, block, idf))
        if within is None or len(within) >= _FEW:
            self._scores[term] = found
        return found if within is None else {doc: found[doc] for doc in within if doc in found}

    def holders(self, term: str) -> Iterator[int]:
        """Give the documents of a term without scoring them."""
        return self._documents("text", term)

    def positions(self, term: str, within: Collection[int]) -> Mapping[int, Sequence[int]]:
        """Return where a term stands in those of the documents that hold it."""
        found: dict[int, Sequence[int]] = {}
        for leaf, block in self._blocks("text", term, within):
            chosen = [at for at, doc in enumerate(block.ids) if leaf.base + doc in within]
            if chosen:
                docs = (leaf.base + block.ids[at] for at in chosen)
                found.update(zip(docs, block.positions(chosen), strict=True))
        return found

    def expand(self, prefix: str) -> Sequence[str]:
        """Return terms that begin with `prefix`, the most frequent first."""
        found = self._beginning_with("text", prefix)
        if not found:
            shorter = (
                prefix[:-cut] for cut in range(1, _MAX_CUT + 1) if len(prefix) - cut >= _SHORTEST_PREFIX
            )
            found = {stem for stem in shorter if self.frequency(stem)}
        return sorted(found, key=lambda term: (-self.frequency(term), term))

    # Corpus

    def facet(self, value: str) -> set[int]:
        """Return the documents with a facet; one that ends in `*` is a beginning."""
        values = self._beginning_with("facet", value[:-1]) if value.endswith("*") else {value}
        return {doc for each in values for doc in self._documents("facet", each)}

    def all_documents(self) -> Iterator[int]:
        """Give every document's number."""
        for leaf in self._leaves:
            for doc in range(leaf.reader.doc_count_all()):
                if doc not in leaf.deleted:
                    yield leaf.base + doc

    @cached_property
    def groups(self) -> Sequence[int]:
        """The group of each document: equal for the parts of a turn."""
        return self._column("group", "q")

    @cached_property
    def times(self) -> Sequence[int]:
        """The time of each document in seconds since 1970; 0 when unknown."""
        return self._column("time", "q")

    @cached_property
    def parts(self) -> Sequence[int]:
        """The number of each document's part, see `schema.PARTS`."""
        return self._column("part", "B")

    def hit(self, doc: int, score: float) -> Hit:
        """Return what is shown of a document."""
        leaf = self._leaf_of(doc)
        stored = leaf.reader.stored_fields(doc - leaf.base)["hit"]
        return hit(stored, self.parts[doc], score)

    # Whoosh

    def _documents(self, name: str, term: str) -> Iterator[int]:
        for leaf, block in self._blocks(name, term, None):
            base = leaf.base
            yield from (base + doc for doc in block.ids if doc not in leaf.deleted)

    def _leaf_of(self, doc: int) -> _Leaf:
        return self._leaves[bisect_right([leaf.base for leaf in self._leaves], doc) - 1]

    def _blocks(self, name: str, term: str, within: Collection[int] | None) -> Iterator[tuple[_Leaf, Block]]:
        wanted = sorted(within) if within is not None and len(within) < _FEW else None
        for leaf in self._leaves:
            try:
                matcher = leaf.reader.postings(name, term)
            except TermNotFound:
                continue
            matcher = getattr(matcher, "child", matcher)  # Whoosh hides deleted documents; so do we, in bulk
            local = None if wanted is None else [doc - leaf.base for doc in wanted if doc >= leaf.base]
            for block in matcher.blocks(local):
                yield leaf, block

    def _block_scores(self, leaf: _Leaf, block: Block, idf: float) -> Scores:
        base, lengths, norms = leaf.base, self._lengths, self._norms
        scores = {
            base + doc: idf * weight / (weight + norms[lengths[base + doc]])
            for doc, weight in zip(block.ids, block.weights, strict=True)
        }
        for doc in leaf.deleted.intersection(block.ids) if leaf.deleted else ():
            del scores[base + doc]
        return scores

    def _idf(self, term: str) -> float:
        count, total = self.frequency(term), self._reader.doc_count_all()
        return (_K1 + 1) * math.log(1 + (total - count + 0.5) / (count + 0.5))

    @cached_property
    def _lengths(self) -> Sequence[int]:
        return self._column("_text_len", "B")

    @cached_property
    def _norms(self) -> Sequence[float]:
        """What BM25 adds below the line, by length byte."""
        mean = self._reader.field_length("text") / max(1, self._reader.doc_count_all()) or 1.0
        return [_K1 * ((1 - _B) + _B * byte_to_length(byte) / mean) for byte in range(256)]

    def _column(self, name: str, code: str) -> Sequence[int]:
        """Read a column of numbers whole: 300 000 documents in 2 ms, where one by one takes 300."""
        values = array(code)
        for leaf in self._leaves:
            filename = W3Codec.column_filename(leaf.reader.segment(), name)
            storage = leaf.reader.storage()
            part = array(code)
            if storage.file_exists(filename):
                file = storage.open_file(filename)
                part.frombytes(file.read())
                file.close()
            part.byteswap()
            part.extend([0] * (leaf.reader.doc_count_all() - len(part)))
            values.extend(part)
        return values

    def _beginning_with(self, name: str, prefix: str) -> set[str]:
        found: set[str] = set()
        for leaf in self._leaves:
            for count, term in enumerate(leaf.reader.expand_prefix(name, prefix)):
                if count >= MAX_EXPANSIONS * 5:
                    break
                found.add(term.decode())
        return found
