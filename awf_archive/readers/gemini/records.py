"""Gemini CLI's records as tables, and what one message holds, whichever pass reads it."""

from collections.abc import Callable, Iterator
from enum import Enum, auto
from typing import NamedTuple

from awf_archive.domain.transcript import Json, NoteKind
from awf_archive.readers.shared.values import JsonObject, dump, text_at, value_at

HARNESS = {"info": NoteKind.NOTICE, "warning": NoteKind.NOTICE, "error": NoteKind.ERROR}
TYPES = frozenset({"user", "gemini"}) | HARNESS.keys()
_CANCELLED = "Request cancelled."


class Kind(Enum):
    """What a record of a file is."""

    HEADER = auto()
    MESSAGE = auto()
    SET = auto()
    """New metadata, and where it holds messages, all messages anew."""
    REWIND = auto()
    """Everything from a message on is taken back."""
    UNKNOWN = auto()


def kind_of(record: JsonObject) -> Kind:
    """Tell a record's kind, in the order in which the tool itself does.

    >>> kind_of({"$rewindTo": "m4"}), kind_of({"id": "m1", "type": "user"})
    (<Kind.REWIND: 4>, <Kind.MESSAGE: 2>)
    """
    if isinstance(record.get("$rewindTo"), str):
        return Kind.REWIND
    if text_at(record, "id"):
        return Kind.MESSAGE
    if isinstance(record.get("$set"), dict):
        return Kind.SET
    return Kind.HEADER if is_header(record) else Kind.UNKNOWN


def is_header(record: JsonObject) -> bool:
    """Tell the record that names the conversation."""
    return bool(text_at(record, "sessionId")) and isinstance(record.get("projectHash"), str)


def is_message(value: Json) -> bool:
    """Tell a message by what only Gemini CLI's have."""
    has_content = isinstance(value, dict) and "content" in value
    return has_content and all(text_at(value, key) for key in ("id", "timestamp")) and is_known(value)


def is_known(message: Json) -> bool:
    """Tell whether a message is of a type that we know."""
    return text_at(message, "type") in TYPES


_SETTABLE = frozenset({"directories", "lastUpdated", "memoryScratchpad", "messages", "summary"})


def is_update(record: JsonObject) -> bool:
    """Tell new metadata of Gemini CLI's from other programs' `$set`."""
    new = record.get("$set")
    return isinstance(new, dict) and bool(new.keys() & _SETTABLE)


class ItemKind(Enum):
    """What one item of a message is."""

    TYPED = auto()
    MEDIA = auto()
    NOTE = auto()
    ANSWER = auto()
    THOUGHT = auto()
    CALL = auto()
    RESULT = auto()
    OTHER = auto()


class Item(NamedTuple):
    """One item of a message."""

    kind: ItemKind
    text: str = ""
    note: NoteKind = NoteKind.CONTEXT
    value: Json = None


SAID = frozenset({ItemKind.TYPED, ItemKind.MEDIA})
"""What starts a turn."""


def items_of(message: Json) -> list[Item]:
    """Return what a message holds, in order."""
    kind = text_at(message, "type")
    if kind in HARNESS:
        return list(_harness(message, HARNESS[kind]))
    reader = _READERS.get(kind)
    return list(reader(message)) if reader else []


def parts_of(content: Json) -> list[Json]:
    """Return content as its parts: it may be a text, one part, or a list."""
    if content is None:
        return []
    return content if isinstance(content, list) else [content]


def text_of(part: Json) -> str:
    """Return a part's text; "" for other parts."""
    return part if isinstance(part, str) else text_at(part, "text")


def _harness(message: Json, note: NoteKind) -> Iterator[Item]:
    text = "\n\n".join(filter(None, map(text_of, parts_of(value_at(message, "content")))))
    if text:
        is_cancel = text.strip() == _CANCELLED
        yield Item(ItemKind.NOTE, text, NoteKind.INTERRUPT if is_cancel else note)


# The user


_INJECTED = {
    "<session_context>": NoteKind.CONTEXT,
    "<hook_context>": NoteKind.CONTEXT,
    "<state_snapshot>": NoteKind.SUMMARY,
}
"""Texts that begin so were written by the tool to their end."""
_HOOK_END = "</hook_context>\n\n"
"""What a hook of SessionStart said stands before the first prompt, in one text with it (0.61, without a terminal)."""
_FILES_BEGIN = "--- Content from referenced files ---"
_FILES_END = "--- End of content ---"


def _user(message: Json) -> Iterator[Item]:
    sent = value_at(message, "content")
    shown = value_at(message, "displayContent")
    if not parts_of(shown):
        yield from _said(parts_of(sent))
        return
    yield from _said(parts_of(shown))
    words = "\n\n".join(filter(None, map(text_of, parts_of(sent))))
    if words and words != "\n\n".join(filter(None, map(text_of, parts_of(shown)))):
        yield Item(ItemKind.NOTE, words)
    has_media = any(_part_kind(part) == "inlineData" for part in parts_of(shown))
    for part in parts_of(sent):
        if not text_of(part) and not (has_media and _part_kind(part) == "inlineData"):
            yield from _other(part, ItemKind.MEDIA)


def _said(parts: list[Json]) -> Iterator[Item]:
    """Read a user's parts; the contents of files that the words point at are context."""
    files: list[str] = []
    for part in parts:
        text = text_of(part)
        if files or text.strip().startswith(_FILES_BEGIN):
            files.append(text)
            if text.strip().endswith(_FILES_END):
                yield Item(ItemKind.NOTE, "".join(files))
                files = []
            if not text:
                yield from _other(part, ItemKind.MEDIA)
        elif text:
            yield from _words(text)
        else:
            yield from _other(part, ItemKind.MEDIA)
    if files:
        yield Item(ItemKind.NOTE, "".join(files))


def _words(text: str) -> Iterator[Item]:
    start = text.lstrip()
    context, end, typed = text.partition(_HOOK_END)
    if start.startswith("<hook_context>") and typed:
        yield Item(ItemKind.NOTE, context + end.rstrip())
        yield Item(ItemKind.TYPED, typed)
        return
    note = next((note for beginning, note in _INJECTED.items() if start.startswith(beginning)), None)
    yield Item(ItemKind.NOTE, text, note) if note else Item(ItemKind.TYPED, text)


# The assistant


def _gemini(message: Json) -> Iterator[Item]:
    for thought in parts_of(value_at(message, "thoughts")):
        told = [text_at(thought, "subject"), text_at(thought, "description")]
        if any(told):
            yield Item(ItemKind.THOUGHT, "\n\n".join(filter(None, told)))
    calls = [call for call in parts_of(value_at(message, "toolCalls")) if isinstance(call, dict)]
    names = {text_at(call, "id") for call in calls}
    for part in parts_of(value_at(message, "content")):
        text = text_of(part)
        if text:
            is_thought = value_at(part, "thought") is True
            yield Item(ItemKind.THOUGHT if is_thought else ItemKind.ANSWER, text)
        elif not (calls and text_at(part, "functionCall", "id") in names | {""} and _is_exchange(part)):
            yield from _other(part, ItemKind.OTHER)
    for call in calls:
        yield Item(ItemKind.CALL, value=call)


def _is_exchange(part: Json) -> bool:
    return _part_kind(part) in {"functionCall", "functionResponse"}


def _part_kind(part: Json) -> str:
    return next((key for key in _PART_KINDS if value_at(part, key) is not None), "")


_PART_KINDS = ("functionCall", "functionResponse", "inlineData", "fileData")


def _other(part: Json, media: ItemKind) -> Iterator[Item]:
    """Read a part that is no text."""
    kind = _part_kind(part)
    if kind == "functionCall":
        yield Item(ItemKind.CALL, value=value_at(part, kind))
    elif kind == "functionResponse":
        yield Item(ItemKind.RESULT, value=part)
    elif isinstance(part, dict) and (kind or any(key != "text" for key in part)):
        yield Item(media if kind else ItemKind.OTHER, value=part)


def is_known_part(part: Json) -> bool:
    """Tell whether a part is of a kind that we show as more than its JSON."""
    is_text = isinstance(part, str) or (isinstance(part, dict) and "text" in part)
    return is_text or _part_kind(part) != "" or part == {}


def canonical(message: Json) -> bytes:
    """Return a message as bytes that do not depend on how its file lays it out."""
    return dump(message).encode(errors="surrogatepass")


_READERS: dict[str, Callable[[Json], Iterator[Item]]] = {"user": _user, "gemini": _gemini}
