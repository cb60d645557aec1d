"""What a file's first bytes say of its JSON: the keys of the first object, without parsing what is not there."""

import re
from functools import lru_cache
from typing import NamedTuple

from awf_archive.readers.base import Source
from awf_archive.readers.shared.jsonl import lines
from awf_archive.readers.shared.values import JsonObject, decode

HEAD = 1 << 18
_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[{}\[\]]', re.DOTALL)
_VALUE = re.compile(rb"\s*:\s*(.)", re.DOTALL)
_BLANK = b"\xef\xbb\xbf \t\r\n\0"


class Head(NamedTuple):
    """The first object of a file, or of the array that the file is."""

    is_array: bool
    keys: dict[str, str]
    """Its keys, as far as they stand in the head, each with the first character of its value."""
    is_lines: bool
    """Something follows the first object: the file is JSON Lines."""


NOTHING = Head(is_array=False, keys={}, is_lines=False)


def head_of(source: Source, *words: bytes) -> Head:
    """Look at a source's first 256 KB; only where all `words` are in it, which is quickly told."""
    data = source.read(0, HEAD)
    return head_in(data) if all(word in data for word in words) else NOTHING


def head_in(data: bytes) -> Head:
    """Look at the beginning of a JSON text.

    >>> head_in(b'[{"a": {"x": 1}, "b": [')
    Head(is_array=True, keys={'a': '{', 'b': '['}, is_lines=False)
    >>> head_in(b'{"kind": 0}' + b'{"kind": 1}').is_lines
    True
    """
    start = data.lstrip(_BLANK)
    if start[:1] not in (b"{", b"["):
        return NOTHING
    is_array = start[:1] == b"["
    level = 2 if is_array else 1
    keys: dict[str, str] = {}
    depth = 0
    for token in _TOKEN.finditer(start):
        mark = token.group()
        if mark in (b"{", b"["):
            depth += 1
        elif mark in (b"}", b"]"):
            depth -= 1
            if depth < level:
                rest = start[token.end() :].strip(_BLANK)
                return Head(is_array, keys, is_lines=not is_array and bool(rest))
        elif depth == level and (value := _VALUE.match(start, token.end())):
            keys.setdefault(mark[1:-1].decode(errors="replace"), value[1].decode("latin-1"))
    return Head(is_array, keys, is_lines=False)


def first_object(source: Source) -> bytes:
    """Return the first line of the head: the first record of JSON Lines."""
    return source.read(0, HEAD).lstrip(_BLANK).split(b"\n", 1)[0]


@lru_cache(maxsize=1)
def objects_in(head: bytes) -> tuple[JsonObject, ...]:
    """Return the objects on the lines of a file's first bytes; they are not to be changed.

    Every format is asked in turn whether a file is its own: three of them need this, 2.5 ms of CPU each.
    """
    found = (record_on(line.data) for line in lines(iter([head])))
    return tuple(record for record in found if record is not None)


def record_on(line: bytes) -> JsonObject | None:
    """Return the object that a line is; None for anything else."""
    try:
        record, _ = decode(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None
