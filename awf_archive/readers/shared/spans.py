"""Places of records in a file, and what each is to the turn that holds it."""

from array import array
from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

from awf_archive.domain.transcript import prompt_digest
from awf_archive.readers.shared.jsonl import Line

NOTHING_TYPED = prompt_digest(())


class Role(IntEnum):
    """What a record is to the turn that holds it."""

    BODY = 0
    START = 1
    """Its typed words are the user side."""
    COMMAND = 2
    """A command that started no turn: a note."""
    RESULTS = 3
    """Only its tool results belong here; its other words are in another turn."""
    EXTRA = 4
    """Repeats a queued prompt, with the images that the first record lacks."""
    SIDECHAIN = 5
    """A sub-agent's record that an old version wrote into the main file."""


class Span(NamedTuple):
    """One record's place in a file."""

    offset: int
    length: int
    line: int
    role: Role


class Spans:
    """Places of records, four machine words each: a long session has a hundred thousand."""

    def __init__(self) -> None:
        self._words = array("q")

    def __len__(self) -> int:
        return len(self._words) // 4

    def add(self, line: Line, role: Role) -> None:
        """Take a record in."""
        self._words.extend((line.offset, line.length, line.number, role))

    def promote(self, place: int) -> None:
        """Make the record at `place` the one that starts the turn."""
        self._words[place * 4 + 3] = Role.START

    def __iter__(self) -> Iterator[Span]:
        words = self._words
        for at in range(0, len(words), 4):
            yield Span(words[at], words[at + 1], words[at + 2], Role(words[at + 3]))
