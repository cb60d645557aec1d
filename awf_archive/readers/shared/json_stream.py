"""A huge JSON array, or a single object, read value by value: memory holds one value, and damage costs one."""

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from awf_archive.domain.transcript import Json
from awf_archive.readers.shared.salvage import salvage

_FIRST = 1 << 18
_LARGEST = 1 << 27
"""Characters of one conversation; a longer one is damage: a quotation mark or bracket got lost."""
_NEAR_END = 16
"""A parse that fails this close to the end of what was read may only lack the rest."""
_BETWEEN = re.compile(r"[\s,\0\ufeff]*")


class Item(NamedTuple):
    """One value of the array."""

    line: int
    value: Json
    """None where nothing of it can be read."""
    is_damaged: bool = False
    """What stands after the damage is not in `value`."""
    raw: bytes = b""
    """The value's own bytes; empty where it is damaged."""


@dataclass(slots=True)
class _Text:
    """What was read and not yet taken."""

    pieces: Iterator[bytes]
    text: str = ""
    line: int = 1
    is_whole: bool = False
    """There is nothing more to read."""
    _decoder: codecs.IncrementalDecoder = field(
        default_factory=lambda: codecs.getincrementaldecoder("utf-8")("surrogateescape")
    )

    def fill(self, wanted: int) -> None:
        """Read until `wanted` characters are there, or all."""
        parts, size = [self.text], len(self.text)
        while size < wanted and not self.is_whole:
            piece = next(self.pieces, b"")
            self.is_whole = not piece
            parts.append(self._decoder.decode(piece, final=not piece))
            size += len(parts[-1])
        self.text = "".join(parts)

    def drop(self, count: int) -> None:
        """Take characters off the front."""
        self.line += self.text.count("\n", 0, count)
        self.text = self.text[count:]

    def skip_between(self) -> None:
        """Take off blanks, commas and padding."""
        while True:
            self.fill(_FIRST)
            end = _between(self.text)
            self.drop(end)
            if self.text or self.is_whole:
                return


def _between(text: str) -> int:
    match = _BETWEEN.match(text)
    return match.end() if match else 0


def values(pieces: Iterator[bytes], starts: re.Pattern[str]) -> Iterator[Item]:
    """Yield the elements of an array, or the objects that follow one another in a file.

    `starts` recognises the beginning of an element: where reading goes on after damage.

    >>> [item.value for item in values(iter([b'[{"a": 1}, {"a": ', b'2}]']), re.compile('{"a"'))]
    [{'a': 1}, {'a': 2}]
    >>> [item.value for item in values(iter([b'[{"a": 1, "b": x}, {"a": 2}]']), re.compile('{"a"'))]
    [{'a': 1}, {'a': 2}]
    """
    text = _Text(pieces)
    text.skip_between()
    if text.text.startswith("["):
        text.drop(1)
    decoder = json.JSONDecoder(strict=False)
    while True:
        text.skip_between()
        if not text.text:
            return
        if text.text[0] in "]}":
            text.drop(1)
            continue
        line = text.line
        value, end = _next_value(text, decoder, starts)
        if end >= 0:
            raw = text.text[:end].encode("utf-8", "surrogateescape")
            text.drop(end)
            yield Item(line, value, raw=raw)
        else:
            yield Item(line, value, is_damaged=True)


def _next_value(text: _Text, decoder: json.JSONDecoder, starts: re.Pattern[str]) -> tuple[Json, int]:
    """Return the value at the front with its length; -1 where it is damaged and already taken off."""
    while True:
        try:
            return decoder.raw_decode(text.text)
        except json.JSONDecodeError as error:
            is_cut = error.msg.startswith("Unterminated") or error.pos > len(text.text) - _NEAR_END
            if is_cut and not text.is_whole and len(text.text) < _LARGEST:
                text.fill(2 * len(text.text))
                continue
            end = len(text.text) if error.msg.startswith("Unterminated") else error.pos
        except RecursionError:
            end = 1
        return _damaged(text, end, starts), -1


def _damaged(text: _Text, end: int, starts: re.Pattern[str]) -> Json:
    """Return what stands before the damage, and go on at the next element."""
    following = starts.search(text.text, 1)
    value = salvage(text.text[: following.start()] if following else text.text[: end + 1])
    while following is None and not text.is_whole:
        text.drop(max(1, len(text.text) - _FIRST))
        text.fill(2 * _FIRST)
        following = starts.search(text.text)
    text.drop(following.start() if following else len(text.text))
    return value
