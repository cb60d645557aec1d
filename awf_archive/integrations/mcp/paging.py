"""Answers a page at a time: cursors, and the part of a long text that fits."""

import re
from typing import NamedTuple

from awf_archive.errors import UsageError

_CURSOR = re.compile(r"(?P<place>[0-9]{1,9})(?::(?P<offset>[0-9]{1,12}))?")


class Cursor(NamedTuple):
    """Where a page begins: an item, and for a turn that was cut the character in it."""

    place: int = 0
    offset: int = 0

    def __str__(self) -> str:
        return f"{self.place}:{self.offset}" if self.offset else str(self.place)


def cursor_of(text: str) -> Cursor:
    """Return the cursor that an answer gave. Raises UsageError for one that none gave.

    >>> cursor_of(""), cursor_of("16:6000")
    (Cursor(place=0, offset=0), Cursor(place=16, offset=6000))
    """
    if not text:
        return Cursor()
    match = _CURSOR.fullmatch(text.strip())
    if not match:
        raise UsageError(
            f"cursor {text[:40]!a}: no answer gave this one.",
            "Pass nextCursor of the last answer as it stands, or leave cursor out to begin again.",
        )
    return Cursor(int(match["place"]), int(match["offset"] or 0))


class Piece(NamedTuple):
    """A part of a turn's two sides."""

    user: str
    assistant: str
    left: int
    """Characters that come after it."""


def piece_of(user: str, assistant: str, offset: int, room: int) -> Piece:
    """Return at most `room` characters of two texts read one after the other, from `offset` on.

    >>> piece_of("abc", "defg", 1, 4)
    Piece(user='bc', assistant='de', left=2)
    """
    end = offset + room
    left = max(0, len(user) + len(assistant) - end)
    after = len(user)
    return Piece(user[offset:end], assistant[max(0, offset - after) : max(0, end - after)], left)
