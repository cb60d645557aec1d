"""Where a Codex file's records lie: in lines, in one JSON object of early 2025, or within zstd."""

import re
from collections.abc import Iterator, Sequence

from awf_archive.readers.base import Source
from awf_archive.readers.shared.head import objects_in, record_on
from awf_archive.readers.shared.jsonl import Line, chunks, lines
from awf_archive.readers.shared.members import members
from awf_archive.readers.shared.values import JsonObject
from awf_archive.readers.shared.zstd_source import decompressed, head_of, is_compressed

_HEAD = 1 << 18
_OBJECT = re.compile(rb'\s*\{\s*"session"\s*:\s*\{')
"""How `rollout-….json` of the first Codex CLI begins: `{"session": {…}, "items": […]}`."""
_SESSION, _ITEMS = "session", "items"


def plain(source: Source) -> Source:
    """Return a source of plain text."""
    return decompressed(source) if is_compressed(source) else source


def head_bytes(source: Source) -> bytes:
    """Return the first 256 KB of the text."""
    return head_of(source, _HEAD) if is_compressed(source) else source.read(0, _HEAD)


def head_lines(head: bytes) -> list[Line]:
    """Return the records of the text's first bytes; the last may be cut."""
    return list(_split(head))


def head_records(head: bytes) -> Sequence[JsonObject]:
    """Return the objects among them."""
    if not _is_object(head):
        return objects_in(head)
    found = (record_on(line.data) for line in _split(head))
    return [record for record in found if record is not None]


def records_of(source: Source) -> Iterator[Line]:
    """Return all records. Only the object of early 2025 is held in memory."""
    if _is_object(source.read(0, _HEAD)):
        return _split(source.read(0, source.size))
    return lines(chunks(source))


def _split(data: bytes) -> Iterator[Line]:
    if _is_object(data):
        return (line for key, line in members(data) if key in {_SESSION, _ITEMS})
    return lines(iter([data]))


def _is_object(head: bytes) -> bool:
    return _OBJECT.match(head.removeprefix(b"\xef\xbb\xbf")) is not None
