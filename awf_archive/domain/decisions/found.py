"""What a harvester gives: a decision as a turn or a document shows it, before it has a number (SPEC 1.8)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import cast

from awf_archive.domain.transcript import Json


class Status(StrEnum):
    """Where a decision stands."""

    PROPOSED = "proposed"
    """Found in what was said, and nobody confirmed it yet."""
    ACCEPTED = "accepted"
    SUPERSEDED = "superseded"
    """Another decision took its place."""
    REJECTED = "rejected"


class Side(StrEnum):
    """Whose words an evidence is in."""

    USER = "user"
    ASSISTANT = "assistant"
    DOCUMENT = "document"
    """A file of the workspace: `Place.path`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where the words of an evidence stand, so that they can be looked up."""

    side: Side = Side.ASSISTANT
    offset: int = 0
    """Characters into that side's words: `prompt_text(blocks)` of a side, the text of a document.

    Where `call_id` names a tool call it is 0.
    """
    turns_back: int = 0
    """How many turns before the one that was harvested: 1 where an "ok" points at the proposal before it.

    Counts `Context.before` from its end; the joiner turns it into a global number.
    """
    call_id: str = ""
    """The tool call that holds them; "" for words that were said."""
    path: str = ""
    """The document, relative to the workspace, with `/`."""

    def to_json(self, turn: int) -> dict[str, Json]:
        """Return the object that `decisions.json` holds; `turn` is the global number of the harvested turn."""
        return {
            "turn": max(turn - self.turns_back, 0),
            "side": self.side.value,
            "offset": self.offset,
            **({"callId": self.call_id} if self.call_id else {}),
            **({"path": self.path} if self.path else {}),
        }

    @classmethod
    def from_json(cls, entry: Mapping[str, Json], turn: int) -> "Place":
        """Return what `to_json` wrote. Raises KeyError, TypeError or ValueError otherwise."""
        return cls(
            side=Side(str(entry["side"])),
            offset=int(cast("int", entry["offset"])),
            turns_back=turn - int(cast("int", entry["turn"])),
            call_id=str(entry.get("callId") or ""),
            path=str(entry.get("path") or ""),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A decision as a turn or a document shows it, before it has a number."""

    text: str
    """What was decided, on one line of at most 300 characters."""
    by: str
    """`user` or `assistant`: who decided."""
    found_by: str
    """The harvester's word: `question`, `plan`, `heading`, `text` …; stable, for programs."""
    evidence: str
    """The exact words, on one line, or their beginning (500 characters)."""
    place: Place = Place()
    """Where `evidence` stands."""
    reason: str = ""
    """Why, or what the question was."""
    options: tuple[str, ...] = ()
    """What was considered, the chosen ones too."""
    call_id: str = ""
    """The tool call that shows it: a copy of the chat in another window repeats it under the same id."""
    status: Status = Status.ACCEPTED
    """`accepted` from structure or where the user's own words confirm, else `proposed`."""
    confidence: float = 1.0
    """0 to 1; 1 for structure."""
    matter: str = ""
    """What it is about, such as the header of the question, in any words and case; "" when unknown.

    Of two decisions on one matter with different texts the later one is proposed as superseding the other.
    """
    files: tuple[str, ...] = ()
    """Paths that the decision names, else those that its turn changed."""
    supersedes: tuple[str, ...] = ()
    """Ids that the words themselves say it replaces, such as `D-003`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """The words of one earlier turn."""

    user: str
    assistant: str
    """`prompt_text` of each side: what was said, without tool calls, thinking and notes."""


TURNS_BEFORE = 2
"""How many turns back a harvester may look."""


class Context:
    """What a harvester may know besides the turn.

    >>> Context.of(Exchange(user="which store?", assistant="I propose SQLite.")).before[-1].assistant
    'I propose SQLite.'
    """

    def __init__(self, look: Callable[[], tuple[Exchange, ...]] = tuple) -> None:
        self._look = look

    @classmethod
    def of(cls, *before: Exchange) -> "Context":
        """Return the context of a turn before which these were said, oldest first."""
        return cls(lambda: before)

    @cached_property
    def before(self) -> tuple[Exchange, ...]:
        """The turns before it in the same conversation, oldest first, at most `TURNS_BEFORE`; none for the first.

        They are read from the disk when this is asked for: ask only when the turn itself gives a cue.
        """
        return self._look()


NO_CONTEXT = Context()
