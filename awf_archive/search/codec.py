"""How terms lie on disk: Whoosh's own layout with posting blocks of ours.

Whoosh pickles each block as tuples of small objects. Plain arrays are smaller and many times faster to read, and a
search that needs no positions does not unpack them. Figures: docs/search.md.
"""

import struct
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple, Protocol

from awf_archive.search.engine import Format, LeafMatcher, W3Codec, W3FieldWriter, W3TermInfo
from awf_archive.search.zero_copy import ViewSegment

_HEADER = struct.Struct("<iIIIcccB")
"""Postings (negative: the last block), last document, bytes of ids, bytes of positions, three array types, flags."""

_WEIGHTED = 1
"""Weights differ from counts, so they are written."""
_IDS_PACKED = 2
_POSITIONS_PACKED = 4

_BLOCK = 1024
"""Postings in a block. Larger packs better, smaller skips finer; 128 (Whoosh's) gave 12 % more bytes."""

_PACK_FROM = 48
"""Fewer bytes than this only grow when packed."""


class Postings(Protocol):
    """What is written of a term, see `inverter.TermPostings`."""

    @property
    def ids(self) -> "array[int]":
        """Documents, rising."""

    @property
    def counts(self) -> "array[int]":
        """How often the term stands in each."""

    @property
    def steps(self) -> "array[int]":
        """Where it stands."""

    @property
    def extra(self) -> Mapping[int, float]:
        """Weight beyond the count, by document."""


class Block(NamedTuple):
    """Postings of one term in one run of documents."""

    ids: Sequence[int]
    counts: Sequence[int]
    weights: Sequence[float]
    """How much the term counts in each document: its count, more where it stands in the title."""
    packed_positions: bytes
    position_types: tuple[str, bool]

    def steps(self) -> "array[int]":
        """Return the positions of all documents in a row, see `Postings.steps`."""
        code, is_packed = self.position_types
        return array(code, zlib.decompress(self.packed_positions) if is_packed else self.packed_positions)

    def positions(self, chosen: Iterable[int]) -> list[Sequence[int]]:
        """Return where the term stands in the documents at these places of `ids`."""
        steps = self.steps()
        counts, ends = self.counts, list(accumulate(self.counts))
        return [  # most words stand once in a document
            steps[ends[at] - 1 : ends[at]]
            if counts[at] == 1
            else list(accumulate(steps[ends[at] - counts[at] : ends[at]]))
            for at in chosen
        ]


def _smallest(values: Sequence[int]) -> "array[int]":
    """Return the values in the smallest type that holds them."""
    largest = max(values, default=0)
    return array("B" if largest <= 0xFF else "H" if largest <= 0xFFFF else "I", values)  # noqa: PLR2004


def _pack(data: bytes) -> tuple[bytes, bool]:
    if len(data) < _PACK_FROM:
        return data, False
    packed = zlib.compress(data, 3)
    return (packed, True) if len(packed) < len(data) else (data, False)


def _encode_block(postings: Postings, low: int, steps: "array[int]", *, is_last: bool) -> bytes:
    ids = postings.ids[low : low + _BLOCK]
    counts = _smallest(postings.counts[low : low + _BLOCK])
    small_ids = _smallest([ids[0], *(after - before for before, after in pairwise(ids))])
    positions = _smallest(steps)
    body = small_ids.tobytes() + counts.tobytes()
    if postings.extra:
        extra = postings.extra
        weights = [count + extra.get(doc, 0.0) for doc, count in zip(ids, counts, strict=True)]
        body += array("f", weights).tobytes()
    id_bytes, ids_packed = _pack(body)
    position_bytes, positions_packed = _pack(positions.tobytes())
    header = _HEADER.pack(
        -len(ids) if is_last else len(ids),
        ids[-1],
        len(id_bytes),
        len(position_bytes),
        small_ids.typecode.encode(),
        counts.typecode.encode(),
        positions.typecode.encode(),
        _WEIGHTED * bool(postings.extra) | _IDS_PACKED * ids_packed | _POSITIONS_PACKED * positions_packed,
    )
    return header + id_bytes + position_bytes


class PositionsFormat(Format):  # type: ignore[misc]  # Whoosh has no types
    """Says what a posting's value is; our field writes it itself."""

    def fixed_value_size(self) -> int:
        """Keep Whoosh from guessing."""
        return -1


class _FieldWriter(W3FieldWriter):  # type: ignore[misc]
    """Writes whole terms; Whoosh's own goes through five calls and a dozen checks per posting."""

    def add_postings(
        self, _schema: object, _lengths: object, items: Iterable[tuple[str, bytes, Postings]]
    ) -> None:
        """Write all terms, which come sorted by field and term."""
        for field, term, postings in items:
            self._write_term(field, term, postings)

    def _write_term(self, field: str, term: bytes, postings: Postings) -> None:
        start = self._postfile.tell()
        count = len(postings.ids)
        at = 0
        for low in range(0, count, _BLOCK):
            end = at + sum(postings.counts[low : low + _BLOCK])
            steps, at = postings.steps[at:end], end
            self._postfile.write(_encode_block(postings, low, steps, is_last=low + _BLOCK >= count))
        info = W3TermInfo(weight=len(postings.steps), df=count, minid=postings.ids[0], maxid=postings.ids[-1])
        info.set_extent(start, self._postfile.tell() - start)
        number = self._fieldmap.setdefault(field, len(self._fieldmap))
        self._tindex.add(_FIELD_NUMBER.pack(number) + term, info.to_bytes())


_FIELD_NUMBER = struct.Struct("!H")


class _Matcher(LeafMatcher):  # type: ignore[misc]
    """A term's blocks. Nothing walks posting by posting: not our search, not our merge."""

    def __init__(self, postfile: Any, offset: int) -> None:  # noqa: ANN401 - Whoosh has no types
        self._postfile = postfile
        self._offset = offset

    def is_active(self) -> bool:
        """Say that there is nothing to walk; Whoosh asks when it hides deleted documents."""
        return False

    def blocks(self, wanted: Sequence[int] | None = None) -> Iterator[Block]:
        """Give the blocks in order; only those that can hold one of the rising `wanted`, if given."""
        offset, is_last, low = self._offset, False, 0
        while not is_last:
            head = self._postfile.get(offset, _HEADER.size)
            count, last_id, id_size, position_size, *types, flags = _HEADER.unpack(head)
            is_last = count < 0
            offset += _HEADER.size
            if wanted is None or any(low <= doc <= last_id for doc in _around(wanted, low)):
                id_bytes = self._postfile.get(offset, id_size)
                position_bytes = self._postfile.get(offset + id_size, position_size)
                yield _read_block(abs(count), [t.decode() for t in types], flags, (id_bytes, position_bytes))
            low = last_id + 1
            offset += id_size + position_size


def _around(wanted: Sequence[int], low: int) -> Collection[int]:
    """Return the first of the rising `wanted` that is not below `low`, if any."""
    at = bisect_left(wanted, low)
    return wanted[at : at + 1]


def _read_block(count: int, types: Sequence[str], flags: int, data: tuple[bytes, bytes]) -> Block:
    id_type, count_type, position_type = types
    body = zlib.decompress(data[0]) if flags & _IDS_PACKED else data[0]
    ids_end = count * array(id_type).itemsize
    counts_end = ids_end + count * array(count_type).itemsize
    counts = array(count_type, body[ids_end:counts_end])
    weights: Sequence[float] = array("f", body[counts_end:]) if flags & _WEIGHTED else counts
    ids = list(accumulate(array(id_type, body[:ids_end])))
    if not len(ids) == len(counts) == len(weights) == count:
        raise ValueError("a posting block is cut")
    return Block(ids, counts, weights, data[1], (position_type, bool(flags & _POSITIONS_PACKED)))


class Codec(W3Codec):  # type: ignore[misc]
    """Whoosh's layout, our posting blocks, our zero-copy segments. Its name is in every segment list."""

    length_stats = False
    """The lengths of the texts are a column of their own; asking for them again per posting cost 9 % of the time."""

    def field_writer(self, storage: object, segment: object) -> _FieldWriter:
        """Return the writer of terms and their postings."""
        return _FieldWriter(self, storage, segment)

    def postings_reader(self, dbfile: object, terminfo: Any, *_: object, **__: object) -> _Matcher:  # noqa: ANN401
        """Return the reader of a term's posting blocks."""
        return _Matcher(dbfile, terminfo.extent()[0])

    def new_segment(self, _storage: object, indexname: str) -> ViewSegment:
        """Return an empty segment."""
        return ViewSegment(self, indexname)
