"""Claude Code's record types as tables, and what one record holds, whichever pass reads it."""

from collections.abc import Callable, Iterator
from enum import Enum, auto
from typing import NamedTuple

from awf_archive.domain.transcript import Json, NoteKind
from awf_archive.readers.shared.harness_words import Kind, split_words
from awf_archive.readers.shared.values import JsonObject, object_at, text_at, value_at

MESSAGE_TYPES = frozenset({"user", "assistant"})
CONVERSATION_TYPES = MESSAGE_TYPES | {"system", "attachment", "queue-operation"}
METADATA_TYPES = frozenset(
    {
        "agent-name",
        "agent-setting",
        "ai-title",
        "atis-latch",
        "bridge-session",
        "continued-in",
        "custom-title",
        "file-history-delta",
        "file-history-snapshot",
        "last-prompt",
        "mode",
        "permission-mode",
        "pr-link",
        "progress",
        "result",
        "started",
        "summary",
    }
)
KNOWN_TYPES = CONVERSATION_TYPES | METADATA_TYPES

CALL_TYPES = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
KNOWN_BLOCKS = CALL_TYPES | {"document", "image", "redacted_thinking", "text", "thinking", "tool_reference"}
SILENT_SUBTYPES = frozenset({"turn_duration", "stop_hook_summary", "bridge_status", "microcompact_boundary"})
NOTICE_SUBTYPES = frozenset({"", "away_summary", "informational"})
NO_RESPONSE = "No response requested."
SYNTHETIC = "<synthetic>"
"""The "model" of what the harness wrote in the assistant's place."""

_NO_BLOCK: JsonObject = {}


class ItemKind(Enum):
    """What one item of a user, system or attachment record is."""

    TYPED = auto()
    MEDIA = auto()
    """An image or document that the person sent along."""
    COMMAND = auto()
    SHELL = auto()
    OUTPUT = auto()
    NOTE = auto()
    RESULT = auto()
    ASIDE = auto()
    """An image or document that the harness put beside the conversation."""
    UNKNOWN = auto()


class Item(NamedTuple):
    """One item of a record."""

    kind: ItemKind
    text: str = ""
    note: NoteKind = NoteKind.CONTEXT
    block: JsonObject = _NO_BLOCK


def content_of(record: JsonObject) -> list[Json] | None:
    """Return a message's content as a list; None when the record holds no message."""
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, list):
        return content
    return [content] if isinstance(content, str) else None


def is_answer(record: JsonObject) -> bool:
    """Tell whether an assistant record is more than the harness's word that nothing was to be answered."""
    message = record.get("message")
    return not (
        text_at(message, "model") == SYNTHETIC
        and all(_text_of(block) == NO_RESPONSE for block in content_of(record) or [])
    )


def items_of(record: JsonObject) -> list[Item]:
    """Return what a user, system, attachment or queue-operation record holds, in order."""
    reader = _READERS.get(text_at(record, "type"))
    return list(reader(record)) if reader else []


def typed_items(items: list[Item]) -> list[Item]:
    """Return what a person typed or sent, where that is more than blanks."""
    typed = [item for item in items if item.kind in {ItemKind.TYPED, ItemKind.MEDIA}]
    return typed if any(item.kind is ItemKind.MEDIA or item.text.strip() for item in typed) else []


def result_id(block: Json) -> str:
    """Return the id of the call that a result block answers; "" for every other block."""
    return text_at(block, "tool_use_id") if text_at(block, "type").endswith("tool_result") else ""


def is_known_block(block: Json) -> bool:
    """Tell whether a content block is of a type that we show as more than its JSON."""
    return text_at(block, "type") in KNOWN_BLOCKS or isinstance(block, str) or result_id(block) != ""


def _user_items(record: JsonObject) -> Iterator[Item]:
    for block in content_of(record) or []:
        if isinstance(block, dict) and result_id(block):
            yield Item(ItemKind.RESULT, block=block)
        elif record.get("isCompactSummary") is True and _text_of(block):
            yield Item(ItemKind.NOTE, _text_of(block), NoteKind.SUMMARY)
        elif record.get("isMeta") is True:
            yield from _harness_items(block, NoteKind.CONTEXT)
        elif _is_machine_written(record):
            yield from _harness_items(block, NoteKind.NOTICE)
        else:
            yield from _person_items(block)


def _is_machine_written(record: JsonObject) -> bool:
    """Newer versions say so themselves."""
    kind = text_at(record, "origin", "kind")
    return kind == "task-notification" or text_at(record, "promptSource") == "system"


def _text_of(block: Json) -> str:
    return block if isinstance(block, str) else text_at(block, "text")


def _person_items(block: Json) -> Iterator[Item]:
    kind = text_at(block, "type")
    if isinstance(block, str) or kind == "text":
        for part in split_words(_text_of(block)):
            yield Item(_KINDS[part.kind], part.text, part.note)
    elif isinstance(block, dict):
        yield Item(ItemKind.MEDIA if kind in {"image", "document"} else ItemKind.UNKNOWN, block=block)


def _harness_items(block: Json, note: NoteKind) -> Iterator[Item]:
    """Everything in a record that the harness wrote; outer wrappers stay, they say what it is."""
    for item in _person_items(block):
        if item.kind is ItemKind.MEDIA:
            yield item._replace(kind=ItemKind.ASIDE)
        elif item.kind in {ItemKind.TYPED, ItemKind.COMMAND, ItemKind.SHELL}:
            yield Item(ItemKind.NOTE, _text_of(block), note)
        else:
            yield item


def _system_items(record: JsonObject) -> Iterator[Item]:
    subtype = text_at(record, "subtype")
    content = text_at(record, "content")
    if subtype == "compact_boundary":
        yield Item(ItemKind.NOTE, _compaction(record), NoteKind.COMPACTION)
    elif subtype == "api_error":
        yield Item(ItemKind.NOTE, _api_error(record), NoteKind.ERROR)
    elif subtype == "local_command":
        yield from _person_items(content)
    elif subtype not in SILENT_SUBTYPES and content.strip():
        yield Item(ItemKind.NOTE, content, NoteKind.NOTICE)


def _compaction(record: JsonObject) -> str:
    """Say how and at what size, as far as the boundary tells.

    >>> _compaction({"compactMetadata": {"trigger": "auto", "preTokens": 155025}})
    'auto, 155025 tokens'
    """
    metadata = object_at(record, "compactMetadata") or object_at(record, "compact_metadata")
    trigger = text_at(metadata, "trigger")
    tokens = metadata.get("preTokens", metadata.get("pre_tokens"))
    facts = [trigger, f"{tokens} tokens" if isinstance(tokens, int) else ""]
    return ", ".join(fact for fact in facts if fact)


def _api_error(record: JsonObject) -> str:
    """Say what failed and which attempt it was, in one line."""
    said = (
        text_at(record, "error", "error", "error", "message")
        or text_at(record, "error", "error", "message")
        or text_at(record, "error", "message")
        or text_at(record, "content")
    )
    status = value_at(record, "error", "status")
    attempt, most = record.get("retryAttempt"), record.get("maxRetries")
    facts = [
        "API error" if status is None else f"API error {status}",
        said,
        f"attempt {attempt} of {most}" if attempt is not None else "",
    ]
    return ", ".join(fact for fact in facts if fact)


def _attachment_items(record: JsonObject) -> Iterator[Item]:
    attachment = object_at(record, "attachment")
    kind = text_at(attachment, "type")
    if kind == "queued_command":
        yield from _queued_items(attachment)
    elif kind in SHOWN_ATTACHMENTS:
        yield from _context_items(attachment)


SHOWN_ATTACHMENTS = frozenset({"file", "directory", "opened_file_in_ide", "selected_lines_in_ide"})
"""Attachments that hold what the person pointed at; the others are the harness's own business."""
SILENT_ATTACHMENTS = frozenset(
    {
        "agent_listing_delta",
        "agent_mention",
        "async_hook_response",
        "auto_mode",
        "auto_mode_exit",
        "command_permissions",
        "compact_file_reference",
        "critical_system_reminder",
        "date_change",
        "deferred_tools_delta",
        "diagnostics",
        "edited_text_file",
        "edited_image_file",
        "hook_additional_context",
        "hook_blocking_error",
        "hook_cancelled",
        "hook_error_during_execution",
        "hook_non_blocking_error",
        "hook_stopped_continuation",
        "hook_success",
        "hook_system_message",
        "invoked_skills",
        "mcp_instructions_delta",
        "mcp_resource",
        "nested_memory",
        "output_style",
        "plan_file_reference",
        "plan_mode",
        "plan_mode_exit",
        "plan_mode_reentry",
        "skill_listing",
        "task_reminder",
        "task_status",
        "todo",
        "todo_reminder",
        "token_usage",
        "total_tokens_reminder",
        "ultrathink_effort",
    }
)
KNOWN_ATTACHMENTS = SHOWN_ATTACHMENTS | SILENT_ATTACHMENTS | {"queued_command"}


def _queued_items(attachment: JsonObject) -> Iterator[Item]:
    prompt = attachment.get("prompt")
    by_machine = text_at(attachment, "commandMode") == "task-notification" or _is_machine_written(attachment)
    for block in prompt if isinstance(prompt, list) else [prompt]:
        yield from _harness_items(block, NoteKind.NOTICE) if by_machine else _person_items(block)


def _context_items(attachment: JsonObject) -> Iterator[Item]:
    name = (
        text_at(attachment, "displayPath") or text_at(attachment, "filename") or text_at(attachment, "path")
    )
    file = object_at(attachment, "content", "file")
    if text_at(file, "base64"):
        source: JsonObject = {"type": "base64", "media_type": file.get("type"), "data": file.get("base64")}
        yield Item(ItemKind.ASIDE, block={"type": "image", "source": source, "title": name})
        return
    content = text_at(file, "content") or text_at(attachment, "content")
    yield Item(ItemKind.NOTE, "\n".join(part for part in (name, content) if part), NoteKind.CONTEXT)


def _queue_items(record: JsonObject) -> Iterator[Item]:
    content = record.get("content")
    for block in content if isinstance(content, list) else [content]:
        yield from _person_items(block)


_KINDS = {
    Kind.TYPED: ItemKind.TYPED,
    Kind.COMMAND: ItemKind.COMMAND,
    Kind.SHELL: ItemKind.SHELL,
    Kind.OUTPUT: ItemKind.OUTPUT,
    Kind.NOTE: ItemKind.NOTE,
}
_READERS: dict[str, Callable[[JsonObject], Iterator[Item]]] = {
    "user": _user_items,
    "system": _system_items,
    "attachment": _attachment_items,
    "queue-operation": _queue_items,
}
