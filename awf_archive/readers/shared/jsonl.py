"""Lines of a JSON Lines file as byte spans: what every format that writes one record per line shares."""

from collections.abc import Iterator
from typing import NamedTuple

from awf_archive.readers.base import Source

CHUNK = 1 << 18
"""Bytes per read: larger ones cost memory and gain nothing measurable."""

_BOM = b"\xef\xbb\xbf"


class Line(NamedTuple):
    """One record's bytes and where they lie.

    A plain tuple, because pass 1 makes one per record of the file.
    """

    number: int
    """Physical line, from 1; lines end at byte 0x0A and nowhere else."""
    offset: int
    length: int
    """Bytes from `offset` that hold the record, padding included, line end excluded."""
    data: bytes
    """The record without byte-order mark, carriage return and NUL padding; may be empty."""
    padded: bool = False
    """NUL bytes stood around the record, as a crash leaves them."""
    complete: bool = True
    """False when the file ends before the line does."""


def chunks(source: Source, limit: int | None = None) -> Iterator[bytes]:
    """Read a source in large pieces, up to `limit` bytes."""
    end = source.size if limit is None else min(limit, source.size)
    offset = 0
    while offset < end:
        chunk = source.read(offset, min(CHUNK, end - offset))
        if not chunk:
            return
        offset += len(chunk)
        yield chunk


def lines(pieces: Iterator[bytes]) -> Iterator[Line]:
    r"""Split bytes at 0x0A, whatever the chunks; U+2028 and lone carriage returns end no line.

    >>> [(line.number, line.data, line.complete) for line in lines(iter([b'{"a', b'":1}\r\n\n{"b"']))]
    [(1, b'{"a":1}', True), (2, b'', True), (3, b'{"b"', False)]
    """
    number, offset = 1, 0
    rest: list[bytes] = []
    for piece in pieces:
        *ended, tail = piece.split(b"\n")
        for part in ended:
            raw = b"".join([*rest, part]) if rest else part
            rest = []
            yield _line(number, offset, raw, complete=True)
            number += 1
            offset += len(raw) + 1
        if tail:
            rest.append(tail)
    if rest:
        yield _line(number, offset, b"".join(rest), complete=False)


def clean(raw: bytes) -> bytes:
    r"""Return a record's own bytes: no carriage return at its end, no NUL padding around it.

    >>> clean(b'\x00\x00{}\r\x00')
    b'{}'
    """
    return raw.strip(b"\0").rstrip(b"\r").strip(b"\0")


def _line(number: int, offset: int, raw: bytes, *, complete: bool) -> Line:
    length = len(raw)
    if number == 1 and raw.startswith(_BOM):
        raw = raw[len(_BOM) :]
        offset += len(_BOM)
        length -= len(_BOM)
    padded = raw[:1] == b"\0" or raw[-2:].rstrip(b"\r")[-1:] == b"\0"
    return Line(number, offset, length, clean(raw), padded, complete)
