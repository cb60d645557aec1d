"""opencode's messages and parts, as items that both passes understand."""

import re
from collections.abc import Callable, Iterator
from enum import Enum, auto
from typing import NamedTuple

from awf_archive.domain.transcript import Json, NoteKind
from awf_archive.readers.shared.values import JsonObject, object_at, text_at, value_at

SESSION_ID = re.compile(r"ses[_A-Za-z0-9-]*")
PLAIN_ID = re.compile(r"[A-Za-z0-9_-]+")
"""What may become part of a search pattern for files."""
_SHELL = "The following tool was executed by the user"
_UNTITLED = re.compile(r"(?:New|Child) session - \d{4}-")
_ABORTED = "MessageAbortedError"
_SILENT = frozenset({"agent", "patch", "snapshot", "step-finish", "step-start"})


class Message(NamedTuple):
    """One message with its parts in order."""

    info: JsonObject
    parts: list[JsonObject]


class Kind(Enum):
    """What one item of a message is."""

    TYPED = auto()
    COMMAND = auto()
    SHELL = auto()
    """Says that the person ran a `!` command: the call follows."""
    MEDIA = auto()
    NOTE = auto()
    ANSWER = auto()
    THOUGHT = auto()
    CALL = auto()
    OTHER = auto()


class Item(NamedTuple):
    """One item of a message."""

    kind: Kind
    text: str = ""
    note: NoteKind = NoteKind.CONTEXT
    value: Json = None


SAID = frozenset({Kind.TYPED, Kind.COMMAND, Kind.SHELL, Kind.MEDIA})
"""What starts a turn."""


def is_session(record: Json) -> bool:
    """Tell opencode's description of a session.

    >>> is_session({"id": "ses_1", "title": "", "version": "1.2.0", "time": {"created": 1}})
    True
    """
    return (
        SESSION_ID.fullmatch(text_at(record, "id")) is not None
        and isinstance(value_at(record, "title"), str)
        and isinstance(value_at(record, "time", "created"), int | float)
    )


def is_message(info: Json) -> bool:
    """Tell a message of one of the two roles."""
    return text_at(info, "role") in {"user", "assistant"}


def title_of(session: JsonObject) -> str:
    """Return a session's title; "" for the one that every session has at first."""
    title = text_at(session, "title")
    return "" if _UNTITLED.match(title) else title


def items_of(message: Message) -> list[Item]:
    """Return what a message holds, in order; its error comes last."""
    reader = _user if text_at(message.info, "role") == "user" else _assistant
    found: list[Item] = []
    for part in message.parts:
        found.extend(_part(part, message.info, reader))
    return [*found, *_error(object_at(message.info, "error"))]


def is_known_part(part: JsonObject) -> bool:
    """Tell whether a part is of a type that we know."""
    return text_at(part, "type") in _SILENT | _PARTS.keys() | {"file", "text"}


_Reader = Callable[[JsonObject, JsonObject], Iterator[Item]]


def _part(part: JsonObject, info: JsonObject, texts: _Reader) -> Iterator[Item]:
    kind = text_at(part, "type")
    if kind == "text":
        if text_at(part, "text"):
            yield from texts(part, info)
    elif kind == "file":
        yield Item(Kind.MEDIA, value=part)
    elif kind in _PARTS:
        yield from _PARTS[kind](part)
    elif kind not in _SILENT:
        yield Item(Kind.OTHER, value=part)


def _user(part: JsonObject, _: JsonObject) -> Iterator[Item]:
    text = text_at(part, "text")
    if part.get("synthetic") is not True:
        yield Item(Kind.TYPED, text)
    elif text.strip() == _SHELL:
        yield Item(Kind.SHELL)
    else:
        yield Item(Kind.NOTE, text)


def _assistant(part: JsonObject, info: JsonObject) -> Iterator[Item]:
    text = text_at(part, "text")
    if info.get("summary") is True:
        yield Item(Kind.NOTE, text, NoteKind.SUMMARY)
    elif part.get("synthetic") is True:
        yield Item(Kind.NOTE, text, NoteKind.NOTICE)
    else:
        yield Item(Kind.ANSWER, text)


def _reasoning(part: JsonObject) -> Iterator[Item]:
    if text := text_at(part, "text"):
        yield Item(Kind.THOUGHT, text)


def _tool(part: JsonObject) -> Iterator[Item]:
    yield Item(Kind.CALL, value=part)


def _subtask(part: JsonObject) -> Iterator[Item]:
    command, prompt = text_at(part, "command"), text_at(part, "prompt")
    if command:
        yield Item(Kind.COMMAND, f"/{command}")
        yield Item(Kind.NOTE, prompt)
    else:
        yield Item(Kind.TYPED, prompt)


def _compaction(part: JsonObject) -> Iterator[Item]:
    yield Item(Kind.NOTE, "auto" if part.get("auto") is True else "", NoteKind.COMPACTION)


def _retry(part: JsonObject) -> Iterator[Item]:
    yield from _error(object_at(part, "error"))


def _error(error: JsonObject) -> Iterator[Item]:
    if error:
        name, said = text_at(error, "name"), text_at(error, "data", "message") or text_at(error, "message")
        note = NoteKind.INTERRUPT if name == _ABORTED else NoteKind.ERROR
        yield Item(Kind.NOTE, ": ".join(filter(None, (name, said))), note)


_PARTS: dict[str, Callable[[JsonObject], Iterator[Item]]] = {
    "compaction": _compaction,
    "reasoning": _reasoning,
    "retry": _retry,
    "subtask": _subtask,
    "tool": _tool,
}


def child_sessions(message: Message) -> Iterator[tuple[str, str]]:
    """Return the sub-agents' sessions that a message's calls name, each with its call."""
    for part in message.parts:
        metadata = object_at(part, "state", "metadata")
        name = text_at(metadata, "sessionId") or text_at(metadata, "sessionID")
        if text_at(part, "type") == "tool" and SESSION_ID.fullmatch(name):
            yield name, text_at(part, "callID")
