"""GitHub Copilot: VS Code's chats, Copilot CLI's events, and two debug exports (docs/formats/copilot.md)."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from awf_archive.domain.transcript import Transcript
from awf_archive.readers.base import Reader, Source
from awf_archive.readers.copilot import chat as copilot_chat
from awf_archive.readers.copilot import events as copilot_events
from awf_archive.readers.copilot import replay as copilot_replay
from awf_archive.readers.copilot import traces as copilot_traces
from awf_archive.readers.shared.head import HEAD, NOTHING, Head, first_object, head_in, head_of
from awf_archive.readers.shared.values import JsonObject, decode


class _Kind(NamedTuple):
    """One of Copilot's formats."""

    accepts: Callable[[Head, JsonObject, bytes], bool]
    """Looks at the first object's keys, the first line's record if it is one, and the head's bytes."""
    read: Callable[[Source], Iterator[Transcript]]


_KINDS = (
    _Kind(copilot_chat.is_chat, copilot_chat.read_chat),
    _Kind(copilot_chat.is_log, copilot_chat.read_log),
    _Kind(copilot_events.is_events, copilot_events.read),
    _Kind(copilot_replay.is_replay, copilot_replay.read),
    _Kind(copilot_traces.is_traces, copilot_traces.read),
)


def _kind_of(source: Source) -> _Kind | None:
    """Look at the first line where it is a whole object, else at the head of an object of many lines."""
    line = first_object(source)
    record: JsonObject = {}
    try:
        value, _ = decode(line)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict):
        record, head = value, head_in(line)
    else:
        head = next((head_of(source, word) for word in _WORDS if word in source.read(0, HEAD)), NOTHING)
    if head.is_array or not head.keys:
        return None
    return next((kind for kind in _KINDS if kind.accepts(head, record, line)), None)


_WORDS = (b'"requests"', b'"totalPrompts"', b'"resourceSpans"')
"""Keys of Copilot's large objects: without one of them there is no need to look closer."""


def accepts(source: Source) -> bool:
    """Tell whether the file is one of Copilot's."""
    return _kind_of(source) is not None


def read(source: Source) -> Iterator[Transcript]:
    """Read the file as the kind that it is; VS Code's chat where that cannot be told."""
    kind = _kind_of(source) or _KINDS[0]
    yield from kind.read(source)


READER = Reader(name="copilot", title="GitHub Copilot", accepts=accepts, read=read)
