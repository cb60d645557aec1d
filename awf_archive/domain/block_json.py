"""Blocks as JSON for programs: `show --json` and whoever builds on it (SPEC 9; documented in docs/json.md)."""

from collections.abc import Callable, Iterable, Mapping

from awf_archive.domain.transcript import (
    Attachment,
    Block,
    Json,
    Link,
    Note,
    Prompt,
    SubAgent,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Unknown,
)


def blocks_json(blocks: Iterable[Block]) -> list[dict[str, Json]]:
    """Return blocks as JSON objects, texts in full."""
    return [_WRITERS[type(block)](block) for block in blocks]


def _inside(blocks: Iterable[Block]) -> Json:
    return [*blocks_json(blocks)]


def _result(result: ToolResult) -> dict[str, Json]:
    return {"isError": result.is_error, "blocks": _inside(result.blocks)}


def _call(call: ToolCall) -> dict[str, Json]:
    return {
        "type": "toolCall",
        "id": call.id,
        "name": call.name,
        "input": call.input,
        "result": _result(call.result) if call.result else None,
    }


def _attachment(block: Attachment) -> dict[str, Json]:
    return {
        "type": "attachment",
        "file": block.file,
        "mediaType": block.media_type,
        "name": block.name,
        "size": block.size,
    }


def _agent(agent: SubAgent) -> dict[str, Json]:
    return {
        "type": "subAgent",
        "id": agent.id,
        "kind": agent.kind,
        "description": agent.description,
        "callId": agent.call_id,
        "blocks": _inside(agent.blocks),
    }


_WRITERS: Mapping[type, Callable[..., dict[str, Json]]] = {
    Text: lambda block: {"type": "text", "text": block.text},
    Prompt: lambda block: {"type": "prompt", "text": block.text},
    Thinking: lambda block: {"type": "thinking", "text": block.text},
    Note: lambda block: {"type": "note", "kind": block.kind.value, "text": block.text},
    Unknown: lambda block: {"type": "unknown", "kind": block.kind, "json": block.json},
    Link: lambda block: {"type": "link", "url": block.url, "mediaType": block.media_type},
    Attachment: _attachment,
    ToolCall: _call,
    ToolResult: lambda block: {"type": "toolResult"} | _result(block),
    SubAgent: _agent,
}
