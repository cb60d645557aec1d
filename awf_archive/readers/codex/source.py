"""Where a Codex file's records lie: in lines, in one JSON object of early 2025, or within zstd."""

import re
from collections.abc import Iterator

from awf_archive.readers.base import Source
from awf_archive.readers.shared.jsonl import Line, chunks, lines
from awf_archive.readers.shared.members import members
from awf_archive.readers.shared.zstd_source import decompressed, head_of, is_compressed

_HEAD = 1 << 18
_OBJECT = re.compile(rb'\s*\{\s*"session"\s*:\s*\{')
"""How `rollout-….json` of the first Codex CLI begins: `{"session": {…}, "items": […]}`."""
_SESSION, _ITEMS = "session", "items"


def plain(source: Source) -> Source:
    """Return a source of plain text."""
    return decompressed(source) if is_compressed(source) else source


def head_lines(source: Source) -> list[Line]:
    """Return the records of the first 256 KB; the last may be cut."""
    head = head_of(source, _HEAD) if is_compressed(source) else source.read(0, _HEAD)
    return list(_split(head))


def records_of(source: Source) -> Iterator[Line]:
    """Return all records. Only the object of early 2025 is held in memory."""
    if _OBJECT.match(source.read(0, _HEAD).removeprefix(b"\xef\xbb\xbf")):
        return _split(source.read(0, source.size))
    return lines(chunks(source))


def _split(data: bytes) -> Iterator[Line]:
    if _OBJECT.match(data.removeprefix(b"\xef\xbb\xbf")):
        return (line for key, line in members(data) if key in {_SESSION, _ITEMS})
    return lines(iter([data]))
