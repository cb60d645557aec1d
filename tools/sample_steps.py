"""The words a sample story is told in: one small value per thing that happens in a conversation."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the person typed; `image` is a pasted PNG."""

    text: str
    image: bytes | None = None
    pause: int = 90
    """Seconds since the step before."""


@dataclass(frozen=True, slots=True)
class Think:
    """The assistant's thinking."""

    text: str


@dataclass(frozen=True, slots=True)
class Say:
    """The assistant's words."""

    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call with its result, as the model saw it (`output`) and as the tool kept it (`kept`)."""

    name: str
    given: dict[str, Any]
    output: str | list[dict[str, Any]]
    kept: Any = None
    is_error: bool = False
    seconds: int = 3


@dataclass(frozen=True, slots=True)
class Together:
    """Calls that the assistant made in one message."""

    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class SubAgent:
    """A sub-agent's whole conversation, kept in a file of its own."""

    kind: str
    description: str
    prompt: str
    steps: tuple[Any, ...]
    report: str
    seconds: int = 40


@dataclass(frozen=True, slots=True)
class Queued:
    """A prompt typed while the assistant worked, taken up in the middle of its turn."""

    text: str


@dataclass(frozen=True, slots=True)
class Slash:
    """A slash command of the project; `expansion` is the text it stands for. No expansion: a built-in one."""

    name: str
    arguments: str = ""
    expansion: str | None = None
    pause: int = 45


@dataclass(frozen=True, slots=True)
class Shell:
    """A `!` command that the person ran."""

    command: str
    stdout: str
    stderr: str = ""


@dataclass(frozen=True, slots=True)
class Compacted:
    """The window was full: the tool put a summary in place of what came before."""

    summary: str
    tokens: int = 155_210


@dataclass(frozen=True, slots=True)
class Mark:
    """A place to rewind to."""

    name: str


@dataclass(frozen=True, slots=True)
class Rewound:
    """The person went back to a mark; what came since is an abandoned branch."""

    name: str


@dataclass(frozen=True, slots=True)
class Title:
    """The title the tool gave the conversation."""

    text: str


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """The assistant is done and waits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Where and with what a story takes place."""

    session: str
    cwd: str
    branch: str
    version: str
    model: str
    slug: str
    begins: str
    """ISO time of the first record."""
    steps: tuple[Any, ...] = field(default=())
