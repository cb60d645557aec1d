"""One JSON object taken apart into its members without parsing it whole: damage costs only what it hits."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from awf_archive.readers.shared.jsonl import Line, clean

_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|["{}\[\],:]', re.DOTALL)
"""Strings whole, so that brackets in them count for nothing; a lone quote is a string without an end."""
_SPACE = b" \t\r\n\0"
_BOM = b"\xef\xbb\xbf"


class Member(NamedTuple):
    """A member's value, or one element of it where the value is an array."""

    key: str
    line: Line


def members(data: bytes) -> Iterator[Member]:
    r"""Take an object's bytes apart; the last member may be incomplete.

    >>> [(key, line.data, line.number) for key, line in members(b'{"id": "x",\n "items": [{"a": ","}, 2], "n": {}}')]
    [('id', b'"x"', 1), ('items', b'{"a": ","}', 2), ('items', b'2', 2), ('n', b'{}', 2)]
    """
    cutter = _Cutter(data)
    for token in _TOKEN.finditer(data):
        member = cutter.take(token)
        if member is not None:
            yield member
        if cutter.is_over:
            return
    if (rest := cutter.value(len(data))) is not None:
        yield Member(rest.key, rest.line._replace(complete=False))


@dataclass(slots=True)
class _Cutter:
    """Follows the brackets; cuts between members, and between the elements of a member that is an array."""

    data: bytes
    depth: int = 0
    key: str = ""
    start: int = -1
    """Where the value being read starts; -1 between values."""
    in_array: bool = False
    is_over: bool = False
    _number: int = 1
    _counted: int = 0

    def take(self, token: re.Match[bytes]) -> Member | None:
        """Follow one token; return the value that it ends."""
        mark = token.group()[:1]
        if mark in b"{[":
            self._open(mark, token.end())
        elif mark in b"}]":
            return self._close(token)
        elif mark == b"," and self.depth == self._cut_depth():
            return self._cut(token.start(), token.end() if self.in_array else -1)
        elif mark == b":" and self.depth == 1 and self.start < 0:
            self.start = token.end()
        elif mark == b'"' and self.depth == 1 and self.start < 0:
            self.key = token.group()[1:-1].decode(errors="replace")
        return None

    def _cut_depth(self) -> int:
        return 2 if self.in_array else 1

    def _open(self, mark: bytes, end: int) -> None:
        is_value = self.depth == 1 and self.start >= 0 and not self.data[self.start : end - 1].strip(_SPACE)
        self.depth += 1
        if is_value and mark == b"[":
            self.in_array, self.start = True, end

    def _close(self, token: re.Match[bytes]) -> Member | None:
        member = None
        if self.depth == self._cut_depth():
            member = self._cut(token.start(), -1)
            if self.in_array:
                self.in_array = False
        self.depth -= 1
        self.is_over = self.depth <= 0
        return member

    def _cut(self, end: int, following: int) -> Member | None:
        member = self.value(end)
        self.start = following
        return member

    def value(self, end: int) -> Member | None:
        """Return what stands between the last cut and `end`."""
        raw = self.data[self.start : end] if self.start >= 0 else b""
        if not (body := raw.strip(_SPACE)):
            return None
        start = self.start + raw.index(body[:1])
        self._number += self.data.count(b"\n", self._counted, start)
        self._counted = start
        return Member(self.key, Line(self._number, start, len(body), clean(body)))


def is_object(head: bytes) -> bool:
    """Tell whether bytes begin as a JSON object does."""
    return head.removeprefix(_BOM).lstrip(_SPACE).startswith(b"{")
