"""What the index is fed, what it is asked, and what it answers: the values between services and search.

Light on purpose: importing this module loads no engine.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol, TypeAlias


class Kind(StrEnum):
    """What a hit is (SPEC 9)."""

    TURN = "turn"
    CHUNK = "chunk"
    DECISION = "decision"
    STATE = "state"
    BRAIN = "brain"


class Part(StrEnum):
    """Which side of a turn a document holds; everything that is no turn is `SAID`."""

    SAID = "said"
    """What the user and the assistant said, and the title."""
    TOOLS = "tools"
    """Inputs and outputs of tools."""
    THINKING = "thinking"
    SUMMARY = "summary"
    """What the chat tool's own summary says of the conversation before it: a machine's words, nobody's."""


class Role(StrEnum):
    """Whose words a passage is."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    """A tool's output."""
    NONE = ""


class Note(StrEnum):
    """Why the answer is not simply "these contain every word"; the empty one says that it is."""

    NONE = ""
    LOOSE = "loose"
    """Every word is there, but those that were typed as one (`a/b.c`, 数据库) stand apart."""
    MOST_WORDS = "most-words"
    """Nothing holds every word; these hold the most."""
    FILTERS_AS_TEXT = "filters-as-text"
    """The typed `name:value` found nothing as a filter, so it was searched as words."""
    NO_WORDS = "no-words"
    """The topic holds only punctuation or signs that are no words."""


class Key(NamedTuple):
    """What is indexed, deleted and indexed again as one: a session, a chunk, a feature's decisions."""

    feature: str
    """Empty for what belongs to the workspace: work state and brain."""
    unit: str
    """`session-001`, `chunk-001`, `decisions`, `state`, `brain` …"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One thing that can be found. A turn is up to four: said, tools, thinking, summary."""

    kind: Kind
    part: Part = Part.SAID
    feature: str = ""
    session: str = ""
    turn: int = 0
    """Global number; 0 where there is none. The parts of a turn are grouped by feature and this."""
    id: str = ""
    """Names it within its feature and kind where `turn` does not: a decision's id, `chunk-002`."""
    time: str = ""
    """ISO 8601; "" when unknown (then no `since:` or `until:` finds it)."""
    title: str = ""
    """Its own title, indexed with more weight. Only on the `SAID` part; never the session's on every turn."""
    path: str = ""
    """File to open, relative to the workspace."""
    user: str = ""
    """The user's words; only on a turn's `SAID` part."""
    text: str = ""
    """Everything else: the assistant's words, tool inputs and outputs, a decision …"""
    files: tuple[str, ...] = ()
    """Paths touched, for `file:`; put the turn's on each of its parts."""
    tools: tuple[str, ...] = ()
    """Names of tools used, for `tool:`; put the turn's on each of its parts."""
    about: "About | None" = None
    """What an index keeps that others than its archive's owner read; the index of a workspace needs none of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a reader without the archive's files is told of a turn."""

    author: str = ""
    session_title: str = ""
    local: int = 0
    """Its number in the session."""
    revision: int = 0
    """How often it grew: an older copy of a turn never takes a newer one's place."""
    is_abandoned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is asked. Filters typed in the topic (`kind:decision`) and these hold together."""

    topic: str
    feature: str = ""
    kind: str = ""
    """A `Kind`, or `said`, `tool`, `thinking`, `summary` for a part of a turn."""
    role: str = ""
    tool: str = ""
    file: str = ""
    session: str = ""
    since: str = ""
    """`2026`, `2026-03`, `2026-03-02`, a full ISO time, or `7d`, `3w`, `2m`, `1y` before `now`."""
    until: str = ""
    """As `since`; a day, month or year is meant to its end."""
    now: str = ""
    """ISO 8601, handed in because search has no clock; needed only for `7d` and the like."""
    limit: int = 10
    offset: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One answer: where it is. The snippet is cut from the archive's own text, see `snippets`."""

    kind: Kind
    part: Part
    """Which part matched best."""
    feature: str
    session: str
    turn: int
    id: str
    time: str
    title: str
    role: Role
    """Set when the document holds one side only; the best passage's side comes with its snippet."""
    path: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The answer to a `Request`."""

    query: str
    total: int
    """Hits in all, a turn counted once."""
    took_ms: float
    note: Note = Note.NONE
    did_you_mean: str = ""
    """A topic that would find more; only when this one found nothing that holds every word."""
    terms: tuple[str, ...] = ()
    """What to mark, as `snippets.snippet` wants it."""
    hits: tuple[Hit, ...] = ()


class Health(StrEnum):
    """In what state an index is."""

    READY = "ready"
    MISSING = "missing"
    OUTDATED = "outdated"
    """Of another version of ours."""
    DAMAGED = "damaged"
    UNSAFE = "unsafe"
    """Others may write the folder, so its pickles are not opened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What `index status` tells."""

    health: Health
    reason: str = ""
    keys: int = 0
    documents: int = 0
    segments: int = 0
    size: int = 0
    """Bytes on disk."""
    path: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Synced:
    """What a `sync` did."""

    added: int = 0
    """Keys indexed, new or again."""
    removed: int = 0
    documents: int = 0
    rebuilt: str = ""
    """Why the index was made anew: a `Health`; "" when it was not."""


Wanted: TypeAlias = Mapping[Key, str]
"""What the archive holds: each key with the digest of its content."""
Load: TypeAlias = Callable[[Key], Iterable[Document]]
"""Reads the documents of a key from the archive."""
Progress: TypeAlias = Callable[[int, int], None]
"""Called with (keys done, keys to do)."""


def no_progress(_done: int, _total: int) -> None:
    """Report nothing."""


class SearchBackend(Protocol):
    """An index that can be thrown away: everything in it comes from the archive."""

    def status(self) -> Status:
        """Tell what state the index is in, without changing anything."""

    def is_current(self, wanted: Wanted) -> bool:
        """Whether a `sync` with `wanted` would have nothing to do."""

    def sync(self, wanted: Wanted, load: Load, progress: Progress = no_progress) -> Synced:
        """Make the index hold exactly `wanted`, reading only what is new or changed; heal it if need be."""

    def rebuild(self, wanted: Wanted, load: Load, progress: Progress = no_progress) -> Synced:
        """Make the index anew."""

    def optimize(self) -> None:
        """Merge the index into one segment."""

    def verify(self) -> tuple[str, ...]:
        """Return the names of files that are not as they were written."""

    def search(self, request: Request) -> Result:
        """Answer a request; raises `DamagedIndexError` rather than answering from a broken index."""


class DamagedIndexError(Exception):
    """The index cannot be read: `sync` (which rebuilds it) and ask again; nothing of the archive is lost."""

    def __init__(self, health: Health, reason: str) -> None:
        super().__init__(f"{health}: {reason}")
        self.health = health
        self.reason = reason
