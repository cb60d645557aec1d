"""The variant where a Claude Code transcript was copied as one JSON array of records (by a Stop hook)."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from awf_archive.readers.shared.jsonl import Line, clean

_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|["{}\[\]]', re.DOTALL)
"""Strings whole, so that brackets in them count for nothing; a lone quote is a string not yet all there."""


class _State(NamedTuple):
    depth: int = 0
    start: int = -1
    """Where the element being read starts, counted from the file's first byte."""


def elements(pieces: Iterator[bytes]) -> Iterator[Line]:
    r"""Split an array's bytes into its elements, holding one element at a time.

    >>> [(line.number, line.data) for line in elements(iter([b'[{"a": "]', b'"},\n {"b": [1]}]']))]
    [(1, b'{"a": "]"}'), (2, b'{"b": [1]}')]
    """
    buffer, base, scanned, newlines = b"", 0, 0, 1
    state = _State()
    for piece in pieces:
        buffer += piece
        for token in _TOKEN.finditer(buffer, scanned):
            if token.group() == b'"':
                scanned = token.start()
                break
            before, state = state, _step(state, token, base)
            if before.depth > 1 and state.depth == 1:
                start = before.start - base
                number = newlines + buffer.count(b"\n", 0, start)
                yield _element(number, before.start, buffer[start : token.end()])
            scanned = token.end()
        else:
            scanned = len(buffer)
        keep = scanned if state.start < 0 else state.start - base
        newlines += buffer.count(b"\n", 0, keep)
        buffer, base, scanned = buffer[keep:], base + keep, scanned - keep
    if state.start >= 0:
        yield _element(newlines, base, buffer)._replace(complete=False)


def _step(state: _State, token: re.Match[bytes], base: int) -> _State:
    """Follow one bracket or string."""
    mark = token.group()[:1]
    if mark in b"{[":
        start = base + token.start() if state.depth == 1 else state.start
        return _State(state.depth + 1, start)
    if mark in b"}]":
        return _State(state.depth - 1, -1 if state.depth == 2 else state.start)  # noqa: PLR2004
    return state


def _element(number: int, offset: int, raw: bytes) -> Line:
    return Line(number, offset, len(raw), clean(raw))
