"""What each record of Codex says, as items that both passes understand."""

from collections.abc import Callable, Iterator
from enum import Enum, auto
from typing import NamedTuple

from awf_archive.domain.transcript import Json, NoteKind
from awf_archive.readers.codex import words as codex_words
from awf_archive.readers.codex.copies import Stream
from awf_archive.readers.codex.records import (
    CALLS,
    COMPACTED,
    DONE_EVENTS,
    DONE_TURN_ITEMS,
    EVENT,
    ITEM,
    RESULTS,
    Record,
    content_of,
)
from awf_archive.readers.shared.values import JsonObject, object_at, text_at


class Kind(Enum):
    """What one item is."""

    TYPED = auto()
    MEDIA = auto()
    """An image that the person sent along."""
    SHELL = auto()
    OUTPUT = auto()
    NOTE = auto()
    ANSWER = auto()
    THOUGHT = auto()
    BLOCK = auto()
    """Something in an answer that is no text."""
    CALL = auto()
    RESULT = auto()
    DONE = auto()
    """A call as the screen showed it, with its result."""


SAID = frozenset({Kind.TYPED, Kind.MEDIA, Kind.SHELL})
"""What starts a turn."""
WORK = frozenset({Kind.ANSWER, Kind.THOUGHT, Kind.BLOCK, Kind.CALL, Kind.RESULT, Kind.DONE})
"""What an assistant does."""


class Item(NamedTuple):
    """One item of a record."""

    kind: Kind
    text: str = ""
    stream: Stream = Stream.ITEM
    id: str = ""
    """Of a message or a call, where the source gives one."""
    note: NoteKind = NoteKind.CONTEXT
    value: Json = None
    once: str = ""
    """What other streams call this note too."""


def items_of(record: Record) -> list[Item]:
    """Return what a record says, in order; nothing for bookkeeping."""
    reader = _READERS.get((record.kind, record.type))
    return list(reader(record.payload)) if reader else []


def is_context(items: list[Item]) -> bool:
    """Tell whether a record only prepares what comes next."""
    return all(item.kind is Kind.NOTE and item.note is NoteKind.CONTEXT for item in items)


# response_item


def _message(payload: JsonObject) -> Iterator[Item]:
    role, name = text_at(payload, "role"), text_at(payload, "id")
    for number, part in enumerate(content_of(payload) or []):
        if role == "user":
            yield from _user_part(part, Stream.ITEM, name)
        elif role == "assistant":
            yield from _assistant_part(part, f"{name}/{number}" if name else "")
        elif text := text_at(part, "text"):
            yield Item(Kind.NOTE, text)


_TEXTS = frozenset({"input_text", "output_text", "text", "Text", "summary_text", "reasoning_text", "refusal"})


def _text_of(part: Json) -> str:
    return part if isinstance(part, str) else text_at(part, "text") or text_at(part, "refusal")


def is_known_part(part: Json) -> bool:
    """Tell whether a part of a message is of a type that we show as more than its JSON."""
    return isinstance(part, str) or text_at(part, "type") in _TEXTS | _IMAGES.keys()


_IMAGES = {"input_image": "image_url", "image": "image_url", "local_image": "path", "input_file": "file_data"}


def _user_part(part: Json, stream: Stream, name: str = "") -> Iterator[Item]:
    kind = text_at(part, "type")
    if isinstance(part, str) or kind in _TEXTS:
        yield from _words(_text_of(part), stream, name)
    elif isinstance(part, dict):
        yield Item(Kind.MEDIA, stream=stream, id=name, value=part)


_WORD_KINDS = {
    codex_words.Kind.TYPED: Kind.TYPED,
    codex_words.Kind.SHELL: Kind.SHELL,
    codex_words.Kind.OUTPUT: Kind.OUTPUT,
    codex_words.Kind.NOTE: Kind.NOTE,
}


def _words(text: str, stream: Stream, name: str = "") -> Iterator[Item]:
    for part in codex_words.split_words(text):
        if part.note is NoteKind.INTERRUPT:
            yield Item(Kind.NOTE, part.text, stream, note=part.note, once="interrupt")
        else:
            yield Item(_WORD_KINDS[part.kind], part.text, stream, name, part.note)


def _assistant_part(part: Json, name: str) -> Iterator[Item]:
    if isinstance(part, str) or text_at(part, "type") in _TEXTS:
        if text := _text_of(part):
            yield Item(Kind.ANSWER, text, id=name)
    elif isinstance(part, dict):
        yield Item(Kind.BLOCK, value=part)


def _agent_words(payload: JsonObject) -> Iterator[Item]:
    """Read what one agent wrote to another."""
    words = "\n\n".join(filter(None, map(_text_of, content_of(payload) or [])))
    if words:
        way = f"{text_at(payload, 'author')} → {text_at(payload, 'recipient')}"
        yield Item(Kind.NOTE, f"{way}\n\n{words}", note=NoteKind.NOTICE)


def _reasoning(payload: JsonObject) -> Iterator[Item]:
    for key in ("summary", "content"):
        parts = payload.get(key)
        for part in parts if isinstance(parts, list) else []:
            if text := _text_of(part):
                yield Item(Kind.THOUGHT, text)


def _call(payload: JsonObject) -> Iterator[Item]:
    yield Item(Kind.CALL, id=text_at(payload, "call_id") or text_at(payload, "id"), value=payload)


def _result(payload: JsonObject) -> Iterator[Item]:
    yield Item(Kind.RESULT, id=text_at(payload, "call_id"), value=payload)


def _compaction_item(_: JsonObject) -> Iterator[Item]:
    yield Item(Kind.NOTE, note=NoteKind.COMPACTION, once="compaction")


# event_msg


def _user_message(payload: JsonObject) -> Iterator[Item]:
    if text_at(payload, "kind") not in {"", "plain"}:
        yield Item(Kind.NOTE, text_at(payload, "message"), Stream.EVENT)
        return
    yield from _words(text_at(payload, "message"), Stream.EVENT)
    for key, part_key in (("images", "image_url"), ("local_images", "path")):
        images = payload.get(key)
        for image in images if isinstance(images, list) else []:
            yield Item(Kind.MEDIA, stream=Stream.EVENT, value={"type": "image", part_key: image})


def _agent_message(payload: JsonObject) -> Iterator[Item]:
    if text := text_at(payload, "message"):
        yield Item(Kind.ANSWER, text, Stream.EVENT)


def _agent_reasoning(payload: JsonObject) -> Iterator[Item]:
    if text := text_at(payload, "text"):
        yield Item(Kind.THOUGHT, text, Stream.EVENT)


def _last_words(payload: JsonObject) -> Iterator[Item]:
    if text := text_at(payload, "last_agent_message"):
        yield Item(Kind.ANSWER, text, Stream.END)


def _aborted(payload: JsonObject) -> Iterator[Item]:
    reason = text_at(payload, "reason")
    yield Item(Kind.NOTE, reason, Stream.EVENT, note=NoteKind.INTERRUPT, once="interrupt")


def _compaction_event(_: JsonObject) -> Iterator[Item]:
    yield Item(Kind.NOTE, stream=Stream.EVENT, note=NoteKind.COMPACTION, once="compaction")


def _error(payload: JsonObject) -> Iterator[Item]:
    if text := text_at(payload, "message"):
        yield Item(Kind.NOTE, text, Stream.EVENT, note=NoteKind.ERROR)


def _warning(payload: JsonObject) -> Iterator[Item]:
    if text := text_at(payload, "message"):
        yield Item(Kind.NOTE, text, Stream.EVENT, note=NoteKind.NOTICE)


def _review_begins(payload: JsonObject) -> Iterator[Item]:
    text = text_at(payload, "user_facing_hint") or text_at(payload, "prompt")
    yield Item(Kind.NOTE, f"/review {text}".strip(), Stream.EVENT, note=NoteKind.COMMAND)


def _review_ends(payload: JsonObject) -> Iterator[Item]:
    if output := object_at(payload, "review_output"):
        yield Item(Kind.BLOCK, stream=Stream.EVENT, value={"type": "review_output", "output": output})


def _done(payload: JsonObject) -> Iterator[Item]:
    if text_at(payload, "source") != "user_shell":
        name = text_at(payload, "call_id") or text_at(payload, "callId")
        yield Item(Kind.DONE, stream=Stream.EVENT, id=name, value=payload)


# item_completed


def _completed(payload: JsonObject) -> Iterator[Item]:
    item = object_at(payload, "item")
    reader = _TURN_ITEMS.get(text_at(item, "type"))
    if reader is not None:
        yield from reader(item)


def _user_item(item: JsonObject) -> Iterator[Item]:
    for part in content_of(item) or []:
        yield from _user_part(part, Stream.COMPLETED, text_at(item, "id"))


def _agent_item(item: JsonObject) -> Iterator[Item]:
    name = text_at(item, "id")
    for number, part in enumerate(content_of(item) or []):
        if text := _text_of(part):
            yield Item(Kind.ANSWER, text, Stream.COMPLETED, f"{name}/{number}" if name else "")


def _plan_item(item: JsonObject) -> Iterator[Item]:
    if text := text_at(item, "text"):
        yield Item(Kind.ANSWER, text, Stream.COMPLETED)


def _reasoning_item(item: JsonObject) -> Iterator[Item]:
    for key in ("summary_text", "raw_content"):
        texts = item.get(key)
        for text in texts if isinstance(texts, list) else []:
            if isinstance(text, str) and text:
                yield Item(Kind.THOUGHT, text, Stream.COMPLETED)


def _hook_item(item: JsonObject) -> Iterator[Item]:
    fragments = item.get("fragments")
    for fragment in fragments if isinstance(fragments, list) else []:
        if text := text_at(fragment, "text"):
            yield Item(Kind.NOTE, text, Stream.COMPLETED)


def _compaction_done(_: JsonObject) -> Iterator[Item]:
    yield Item(Kind.NOTE, stream=Stream.COMPLETED, note=NoteKind.COMPACTION, once="compaction")


def _done_item(item: JsonObject) -> Iterator[Item]:
    yield Item(Kind.DONE, stream=Stream.COMPLETED, id=text_at(item, "id"), value=item)


# Lines of their own


def _compacted(payload: JsonObject) -> Iterator[Item]:
    yield Item(Kind.NOTE, stream=Stream.RECORD, note=NoteKind.COMPACTION, once="compaction")
    if summary := text_at(payload, "message"):
        yield Item(Kind.NOTE, summary, Stream.RECORD, note=NoteKind.SUMMARY)


_Reader = Callable[[JsonObject], Iterator[Item]]
_TURN_ITEMS: dict[str, _Reader] = {
    **dict.fromkeys(DONE_TURN_ITEMS, _done_item),
    "AgentMessage": _agent_item,
    "ContextCompaction": _compaction_done,
    "HookPrompt": _hook_item,
    "Plan": _plan_item,
    "Reasoning": _reasoning_item,
    "UserMessage": _user_item,
}
_READERS: dict[tuple[str, str], _Reader] = {
    **{(ITEM, kind): _call for kind in CALLS},
    **{(ITEM, kind): _result for kind in RESULTS},
    **{(EVENT, kind): _done for kind in DONE_EVENTS},
    (ITEM, "message"): _message,
    (ITEM, "agent_message"): _agent_words,
    (ITEM, "reasoning"): _reasoning,
    (ITEM, "compaction"): _compaction_item,
    (ITEM, "compaction_summary"): _compaction_item,
    (ITEM, "context_compaction"): _compaction_item,
    (EVENT, "user_message"): _user_message,
    (EVENT, "agent_message"): _agent_message,
    (EVENT, "agent_reasoning"): _agent_reasoning,
    (EVENT, "agent_reasoning_raw_content"): _agent_reasoning,
    (EVENT, "task_complete"): _last_words,
    (EVENT, "turn_complete"): _last_words,
    (EVENT, "turn_aborted"): _aborted,
    (EVENT, "context_compacted"): _compaction_event,
    (EVENT, "error"): _error,
    (EVENT, "stream_error"): _error,
    (EVENT, "warning"): _warning,
    (EVENT, "guardian_warning"): _warning,
    (EVENT, "entered_review_mode"): _review_begins,
    (EVENT, "exited_review_mode"): _review_ends,
    (EVENT, "item_completed"): _completed,
    (COMPACTED, ""): _compacted,
}
