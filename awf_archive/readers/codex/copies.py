"""The same message on several of Codex's streams, told from a message that was said twice (cases C01, C02)."""

from enum import IntFlag, auto
from typing import NamedTuple


class Stream(IntFlag):
    """Where a record stands: Codex writes most things down on two of them."""

    ITEM = auto()
    """`response_item`: what the model saw."""
    EVENT = auto()
    """`event_msg`: what the screen showed."""
    COMPLETED = auto()
    """`item_completed`: what newer screens show."""
    RECORD = auto()
    """A line of its own."""
    END = auto()
    """The last words, repeated at the end of the turn."""


class Copies:
    """Counts what was said on which stream since the turn began."""

    def __init__(self) -> None:
        self._streams: dict[tuple[str, str], list[Stream]] = {}
        self._ids: dict[str, _Place] = {}

    def is_copy(self, what: str, text: str, stream: Stream, name: str = "") -> bool:
        """Tell whether another stream has said this and this one has not; remember it either way.

        >>> copies = Copies()
        >>> [copies.is_copy("answer", "ok", stream) for stream in (Stream.ITEM, Stream.EVENT, Stream.ITEM)]
        [False, True, False]
        """
        key = (what, text.strip())
        said = self._streams.setdefault(key, [])
        place = self._ids.get(name) if name else None
        if place is not None and not self._streams[place.key][place.number] & stream:
            self._streams[place.key][place.number] |= stream
            if place.key != key:
                said.append(stream)
            return True
        for number, streams in enumerate(said):
            if not streams & stream:
                said[number] |= stream
                return True
        if name:
            self._ids[name] = _Place(key, len(said))
        said.append(stream)
        return False


class _Place(NamedTuple):
    key: tuple[str, str]
    number: int
