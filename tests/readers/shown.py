"""Transcripts as plain lists, short enough to be written and judged by hand."""

import json

from awf_archive.domain.transcript import (
    Attachment,
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


def show_block(block):  # noqa: PLR0911 - one line per type of block
    match block:
        case Text() | Thinking() | Prompt():
            return [type(block).__name__.lower(), block.text]
        case Note():
            return [f"note {block.kind}", block.text]
        case ToolCall():
            answer = [show_block(block.result)] if block.result else []
            return ["call", block.id, block.name, block.input, *answer]
        case ToolResult():
            return ["error" if block.is_error else "result", *map(show_block, block.blocks)]
        case Attachment():
            return ["attachment", block.file, block.media_type, block.name, block.size]
        case Link():
            return ["link", block.url]
        case Unknown():
            return ["unknown", block.kind, json.loads(block.json)]
        case SubAgent():
            who = [block.id, block.kind, block.description, block.call_id]
            return ["agent", who, *map(show_block, block.blocks)]


def show_turn(turn):
    outline = turn.outline
    marks = {
        "branch": outline.branch if outline.branch != "main" else "",
        "foreign": outline.foreign or "",
        "problems": [problem.code for problem in turn.problems],
        "models": list(turn.models),
        "output": turn.usage.output,
    }
    return {
        "id": outline.id,
        "start": outline.start,
        "line": turn.origin.line,
        **{name: mark for name, mark in marks.items() if mark},
        "user": [show_block(block) for block in turn.user],
        "assistant": [show_block(block) for block in turn.assistant],
    }


def show(transcript):
    return {
        "title": transcript.title,
        "windows": list(transcript.windows),
        "problems": [[problem.code, problem.origin.line, problem.count] for problem in transcript.problems],
        "turns": [show_turn(turn) for turn in transcript.turns()],
    }


def blocks_within(blocks):
    """Every block, those in results and sub-agents included."""
    for block in blocks:
        yield block
        inner = getattr(block, "blocks", ()) or getattr(getattr(block, "result", None), "blocks", ())
        yield from blocks_within(inner)
