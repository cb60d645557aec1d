"""What pass 1 knows of a turn: which bytes of the file it is made of, without their text."""

import hashlib
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple

from awf_archive.domain.ids import Digest, TurnId
from awf_archive.domain.transcript import Start, prompt_digest
from awf_archive.readers.claude_tree import NOWHERE
from awf_archive.readers.jsonl import Line


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What is known of a turn from the record that starts it."""

    start: Start
    id: str
    time: str
    digest: Digest
    size: int = 0
    """Characters of what was typed."""
    session: int = 0
    """Number of the session id that the record bears."""
    node: int = NOWHERE
    line: int = 0
    command: str = ""
    """A slash command typed without wrapper: its wrapped copy may follow."""


NOTHING_TYPED = prompt_digest(())


@dataclass(slots=True)
class TurnPlan:
    """A turn while pass 1 collects its records; before it has begun, what waits for a start."""

    opening: Opening
    spans: Spans = field(default_factory=Spans)
    hasher: "hashlib._Hash" = field(default_factory=hashlib.sha256)
    candidate: Opening | None = None
    """The command that starts this turn if an answer or output follows."""
    candidate_place: int = 0
    answered: bool = False
    orphans: set[str] = field(default_factory=set)
    """Calls that are nowhere, whose results stand here."""
    agents: list[int] = field(default_factory=list)
    """Sub-agents' files that belong here, by their number."""

    @property
    def id(self) -> TurnId:
        """The source's id of the starting record."""
        return TurnId(self.opening.id)

    def add(self, line: Line, role: Role = Role.BODY) -> None:
        """Take a record in."""
        self.spans.add(line, role)
        self.hasher.update(line.data)

    def offer(self, opening: Opening, line: Line) -> None:
        """Take in a command, which starts the turn if something follows it."""
        self.candidate, self.candidate_place = opening, len(self.spans)
        self.add(line, Role.COMMAND)

    def settle(self) -> None:
        """Begin with the last command that was offered, if any was."""
        if self.candidate is not None:
            self.opening = self.candidate
            self.spans.promote(self.candidate_place)
            self.candidate = None

    def fingerprint(self) -> Digest:
        """Return the digest over all bytes taken in."""
        return Digest(self.hasher.hexdigest())
