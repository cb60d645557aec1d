"""What pass 1 knows of a turn of Codex's: its records' places, and how it began."""

import hashlib
from dataclasses import dataclass, field

from awf_archive.domain.ids import Digest
from awf_archive.domain.transcript import Start
from awf_archive.readers.shared.jsonl import Line
from awf_archive.readers.shared.spans import NOTHING_TYPED, Role, Spans


@dataclass(slots=True)
class TurnPlan:
    """A turn while pass 1 collects its records; before it has begun, what waits for a start."""

    start: Start = Start.MACHINE
    name: str = ""
    """The source's id for it; "" when it gives none."""
    time: str = ""
    digest: Digest = NOTHING_TYPED
    prompt_size: int = 0
    line: int = 0
    is_abandoned: bool = False
    counted: str = ""
    """The token count that stood when the turn began: repeats of it count nothing."""
    spans: Spans = field(default_factory=Spans)
    hasher: "hashlib._Hash" = field(default_factory=hashlib.sha256)
    agents: dict[str, str] = field(default_factory=dict)
    """Sub-agents started here: thread id to call id."""

    def add(self, line: Line, role: Role = Role.BODY) -> None:
        """Take a record in."""
        self.spans.add(line, role)
        self.hasher.update(line.data)

    def fingerprint(self) -> Digest:
        """Return the digest over all bytes taken in."""
        return Digest(self.hasher.hexdigest())
