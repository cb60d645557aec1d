"""Codex's record types as tables, and the generations of its files told apart."""

import re
from typing import NamedTuple

from awf_archive.domain.transcript import Json
from awf_archive.readers.shared.values import JsonObject, text_at, time_of

ITEM, EVENT, META, CONTEXT, COMPACTED = (
    "response_item",
    "event_msg",
    "session_meta",
    "turn_context",
    "compacted",
)
_ASIDE = frozenset(
    {"inter_agent_communication", "inter_agent_communication_metadata", "state", "world_state"}
)
KINDS = frozenset({ITEM, EVENT, META, CONTEXT, COMPACTED}) | _ASIDE

ROLES = frozenset({"user", "assistant", "developer", "system"})
CALLS = frozenset(
    {
        "custom_tool_call",
        "function_call",
        "image_generation_call",
        "local_shell_call",
        "mcp_tool_call",
        "tool_search_call",
        "web_search_call",
    }
)
RESULTS = frozenset(
    {
        "custom_tool_call_output",
        "function_call_output",
        "local_shell_call_output",
        "mcp_tool_call_output",
        "tool_search_output",
    }
)
_SILENT_ITEMS = frozenset({"additional_tools", "compaction_trigger", "ghost_snapshot", "other"})
ITEM_TYPES = (
    CALLS
    | RESULTS
    | _SILENT_ITEMS
    | {"agent_message", "compaction", "compaction_summary", "context_compaction", "message", "reasoning"}
)
DONE_EVENTS = frozenset(
    {
        "dynamic_tool_call_response",
        "exec_command_end",
        "image_generation_end",
        "mcp_tool_call_end",
        "patch_apply_end",
        "view_image_tool_call",
        "web_search_end",
    }
)
"""Events that repeat a call with its result, or are all there is of it."""
STARTS = frozenset({"task_started", "turn_started"})
ENDS = frozenset({"task_complete", "turn_complete", "turn_aborted"})
SPOKEN_EVENTS = (
    STARTS
    | ENDS
    | {
        "agent_message",
        "agent_reasoning",
        "agent_reasoning_raw_content",
        "context_compacted",
        "entered_review_mode",
        "error",
        "exited_review_mode",
        "guardian_warning",
        "item_completed",
        "stream_error",
        "thread_name_updated",
        "thread_rolled_back",
        "token_count",
        "user_message",
        "warning",
    }
)
_SILENT_EVENTS = frozenset(
    {
        "agent_message_content_delta",
        "agent_message_delta",
        "agent_reasoning_delta",
        "agent_reasoning_raw_content_delta",
        "agent_reasoning_section_break",
        "apply_patch_approval_request",
        "background_event",
        "collab_agent_interaction_begin",
        "collab_agent_interaction_end",
        "collab_agent_spawn_begin",
        "collab_agent_spawn_end",
        "collab_close_begin",
        "collab_close_end",
        "collab_resume_begin",
        "collab_resume_end",
        "collab_waiting_begin",
        "collab_waiting_end",
        "deprecation_notice",
        "dynamic_tool_call_request",
        "elicitation_request",
        "exec_approval_request",
        "exec_command_begin",
        "exec_command_output_delta",
        "guardian_assessment",
        "hook_completed",
        "hook_started",
        "image_generation_begin",
        "item_started",
        "mcp_startup_complete",
        "mcp_startup_update",
        "mcp_tool_call_begin",
        "model_reroute",
        "model_verification",
        "patch_apply_begin",
        "patch_apply_updated",
        "plan_delta",
        "plan_update",
        "raw_response_item",
        "reasoning_content_delta",
        "reasoning_raw_content_delta",
        "request_permissions",
        "request_user_input",
        "safety_buffering",
        "session_configured",
        "shutdown_complete",
        "sub_agent_activity",
        "terminal_interaction",
        "thread_goal_updated",
        "thread_settings_applied",
        "turn_diff",
        "turn_moderation_metadata",
        "undo_completed",
        "undo_started",
        "web_search_begin",
    }
)
"""Progress, requests whose answers are elsewhere, and settings."""
EVENT_TYPES = SPOKEN_EVENTS | DONE_EVENTS | _SILENT_EVENTS
SPOKEN_TURN_ITEMS = frozenset(
    {"AgentMessage", "ContextCompaction", "HookPrompt", "Plan", "Reasoning", "UserMessage"}
)
DONE_TURN_ITEMS = frozenset(
    {
        "CollabAgentToolCall",
        "CommandExecution",
        "DynamicToolCall",
        "FileChange",
        "ImageGeneration",
        "ImageView",
        "McpToolCall",
        "WebSearch",
    }
)
TURN_ITEM_TYPES = SPOKEN_TURN_ITEMS | DONE_TURN_ITEMS | {"Sleep", "SubAgentActivity"}

_KNOWN = {ITEM: ITEM_TYPES, EVENT: EVENT_TYPES}
_PLAIN_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,40}")
_WORDS = ("text", "message", "content", "input", "item")


class Record(NamedTuple):
    """One record, whatever the generation of its file."""

    kind: str
    type: str
    """The payload's own type; "" where the kind says it all."""
    payload: JsonObject
    time: str


def record_of(raw: JsonObject) -> Record:
    """Read a line's object: in an envelope since September 2025, bare before.

    >>> record_of({"type": "message", "role": "user", "content": []})[:2]
    ('response_item', 'message')
    """
    kind, payload = text_at(raw, "type"), raw.get("payload")
    time = time_of(raw)
    if isinstance(payload, dict) and kind:
        return Record(kind, text_at(payload, "type") if kind in _KNOWN else "", payload, time)
    if is_header(raw):
        return Record(META, "", raw, time)
    if "record_type" in raw and not kind:
        return Record("state", "", raw, time)
    return Record(ITEM, kind, raw, time)


def is_header(raw: JsonObject) -> bool:
    """Tell the first line of a file of bare records."""
    return "type" not in raw and "id" in raw and "timestamp" in raw


def is_enveloped(raw: JsonObject) -> bool:
    """Tell a record in an envelope of Codex's from everything else."""
    return text_at(raw, "type") in KINDS and isinstance(raw.get("payload"), dict) and "timestamp" in raw


def is_bare(raw: JsonObject) -> bool:
    """Tell a bare record of Codex's: a header, or an item as the model's interface has it."""
    kind, content = text_at(raw, "type"), raw.get("content")
    if is_header(raw):
        return "instructions" in raw and bool(text_at(raw, "id"))
    if kind == "message" and isinstance(content, list):
        return any(text_at(part, "type") in {"input_text", "output_text"} for part in content)
    return kind in CALLS | RESULTS and bool(text_at(raw, "call_id"))


def unknown_name(record: Record) -> str | None:
    """Return how to call a record of unknown type; None for a known one."""
    if record.kind not in KINDS:
        return _plain(record.kind)
    if record.kind in _KNOWN and record.type not in _KNOWN[record.kind]:
        return f"{record.kind} {_plain(record.type)}".strip()
    if record.type == "item_completed":
        turn_item = text_at(record.payload, "item", "type")
        return None if turn_item in TURN_ITEM_TYPES else f"item_completed {_plain(turn_item)}".strip()
    return None


def _plain(name: str) -> str:
    """Return a type's name if it is one, not somebody's text."""
    return name if _PLAIN_NAME.fullmatch(name) else ""


def holds_words(payload: JsonObject) -> bool:
    """Tell whether a record of unknown type could be part of the conversation."""
    return any(payload.get(key) for key in _WORDS)


def content_of(payload: JsonObject) -> list[Json] | None:
    """Return a message's content as a list; None when there is none."""
    content = payload.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return content if isinstance(content, list) else None


def is_sub_agent(meta: JsonObject) -> bool:
    """Tell whether a file is a sub-agent's, whose prompts another agent wrote."""
    source = meta.get("source")
    by_source = isinstance(source, dict) and "subagent" in source
    return by_source or text_at(meta, "thread_source") == "subagent"
