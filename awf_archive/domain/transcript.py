"""What a reader makes of a chat tool's file: turns, the blocks they are made of, and problems (SPEC 0).

Blocks are plain values. A text is always the source's own text: never trimmed, never re-encoded.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from awf_archive.domain.escape import escape
from awf_archive.domain.ids import Digest, TurnId, WindowId

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


class Start(StrEnum):
    """What began a turn."""

    PROMPT = "prompt"
    QUEUED = "queued"
    """Typed while the assistant was working."""
    COMMAND = "command"
    """A slash command."""
    SHELL = "shell"
    """A `!` command."""
    MACHINE = "machine"
    """Nobody typed anything: a background task reported, or the file begins with the assistant."""


class Branch(StrEnum):
    """Whether the user stayed with a turn."""

    MAIN = "main"
    ABANDONED = "abandoned"
    """The user rewound to before this turn and went on elsewhere."""


class NoteKind(StrEnum):
    """What the harness, not a person and not the model, wrote into the conversation."""

    COMMAND = "command"
    """A command that started no turn of its own, with its output if any."""
    OUTPUT = "output"
    """What a local command printed."""
    COMPACTION = "compaction"
    SUMMARY = "summary"
    """Machine-written summary of what came before a compaction."""
    ERROR = "error"
    """The harness's own failure, such as an API error."""
    INTERRUPT = "interrupt"
    CONTEXT = "context"
    """Text injected beside the prompt: an opened file, a selection, a skill's instructions."""
    NOTICE = "notice"
    """Anything else the harness told the user or the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Leads back to the source's bytes."""

    file: str
    """Companion's name relative to the transcript's folder; "" is the transcript itself."""
    line: int
    """Physical line, from 1; lines end at byte 0x0A and nowhere else."""


PROMPTS_ONLY = "prompts-only"
"""The problem's code that says of a whole transcript that it holds no answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something a reader did not understand; its bytes stay in the source and the vault."""

    code: str
    """Stable word for programs: `unreadable`, `partial`, `padding`, `unknown-type` …"""
    message: str
    """One English sentence, without a stranger's text in it."""
    origin: Origin
    count: int = 1
    """How many times, where one entry stands for all of a kind."""
    turn: int = 0
    """Global number of the saved turn whose text it concerns; 0 for the file as a whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Markdown as it was written."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Thinking:
    """The model's reasoning, where the tool kept it."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """An image or document of the conversation; its bytes are in `Turn.payloads`."""

    file: str
    """Name in `attachments/`: the digest's first 16 characters and an ending we chose."""
    media_type: str
    name: str
    """What the source called it; may be empty."""
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """An image or document that the source only points at; it is never fetched."""

    url: str
    media_type: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Words of the harness."""

    kind: NoteKind
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """A block of a type we have never seen, kept as its JSON."""

    kind: str
    json: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What a tool answered."""

    blocks: "tuple[Block, ...]"
    """Texts, attachments, links and unknown blocks, in order."""
    is_error: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A call of a tool with its answer, also when the answer came much later."""

    id: str
    name: str
    input: Json
    result: ToolResult | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SubAgent:
    """A whole conversation that the assistant had with an agent of its own."""

    id: str
    kind: str
    """The agent's type as the tool names it, such as `Explore`; may be empty."""
    description: str
    call_id: str
    """The tool call that started it; may be empty."""
    blocks: "tuple[Block, ...]"
    """Prompts of the parent are `Prompt` blocks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What a sub-agent was asked; also a queued prompt that the model took in mid-turn."""

    text: str


Block: TypeAlias = (
    Text | Thinking | ToolCall | ToolResult | Attachment | Link | Note | Unknown | SubAgent | Prompt
)


def prompt_text(blocks: Iterable[Block]) -> str:
    """Return the words of a side's texts, a blank line between them, without attachments or notes."""
    return "\n\n".join(block.text for block in blocks if isinstance(block, Text))


def prompt_digest(blocks: Iterable[Block]) -> Digest:
    """Return the SHA-256 of `prompt_text`, escaped so that lone surrogates have bytes too."""
    return Digest(hashlib.sha256(escape(prompt_text(blocks)).encode()).hexdigest())


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens, each message counted once."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            input=self.input + other.input,
            output=self.output + other.output,
            cache_read=self.cache_read + other.cache_read,
            cache_write=self.cache_write + other.cache_write,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """What is known of a turn before its text is read: enough to tell whether it is new or has grown."""

    id: TurnId
    start: Start
    time: str
    """ISO 8601 in UTC as the source gives it; "" when it gives none."""
    prompt_digest: Digest
    """SHA-256 of the user's words alone: `prompt_digest` of the user side."""
    fingerprint: Digest
    """SHA-256 over the source's bytes of this turn, line ends aside: equal means nothing changed."""
    prompt_size: int = 0
    """Characters of the user's words; 0 when not counted."""
    branch: Branch = Branch.MAIN
    foreign: WindowId | None = None
    """Set when the turn was written into this file by another window (case B18)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What a user started and everything the assistant did until the user's next start (SPEC 0)."""

    outline: Outline
    user: tuple[Block, ...]
    assistant: tuple[Block, ...]
    end_time: str = ""
    models: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    payloads: Mapping[str, bytes] = field(default_factory=dict)
    """Bytes of the attachments, by `Attachment.file`."""
    origin: Origin = field(default_factory=lambda: Origin(file="", line=0))
    problems: tuple[Problem, ...] = ()
    """Those met only while this turn's text was read, such as bad base64."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """One window as its reader understands it; texts are read one turn at a time.

    Memory is bounded by the largest turn, not by the file: `outlines` hold no text.
    """

    format: str
    windows: tuple[WindowId, ...]
    """The window's own id first, then others whose records the file holds (cases B01, B18)."""
    outlines: tuple[Outline, ...]
    load: Callable[[Outline], Turn]
    problems: tuple[Problem, ...] = ()
    title: str = ""
    cwd: str = ""
    git_branch: str = ""
    tool_version: str = ""
    records: int = 0
    """Records read and understood."""
    unreadable: int = 0
    """Records that could not be read; each is a problem too."""
    duplicates: int = 0
    """Records that repeat an earlier one's id."""
    companions: tuple[str, ...] = ()
    """Files beside the transcript that belong to it, by name relative to its folder: the vault keeps them too."""
    own_files: Mapping[str, Callable[[], bytes]] = field(default_factory=dict)
    """The conversation's own part of a file that holds many, under "", and the export's files that it shows.

    Reading these bytes gives the same turns; empty for a file that is the conversation's alone.
    """
    agent_of: str = ""
    """The window whose sub-agent's own file this is; "" for a conversation with a person."""

    def turns(self) -> Iterator[Turn]:
        """Read every turn in order."""
        return map(self.load, self.outlines)
