"""What pass 1 knows of a turn: which bytes of the file it is made of, without their text."""

import hashlib
from dataclasses import dataclass, field

from awf_archive.domain.ids import Digest, TurnId
from awf_archive.domain.transcript import Start
from awf_archive.readers.claude_code.tree import NOWHERE
from awf_archive.readers.shared.jsonl import Line
from awf_archive.readers.shared.spans import Role, Spans


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
