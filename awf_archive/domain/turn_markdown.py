"""Blocks ⇄ pleasant Markdown, with a map of where each block's own text lies (SPEC 1.5).

The Markdown is for people: calls and results are folded and fenced. Programs do not parse it; they follow
the map, a list of small JSON objects whose `at` is `[first byte, length]` in the escaped text. So no text
can pass itself off as structure.
"""

import html
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import cast

from awf_archive.domain.escape import escape, unescape
from awf_archive.domain.fences import fence_for, open_fence
from awf_archive.domain.tool_lines import one_line, tool_line
from awf_archive.domain.transcript import (
    Attachment,
    Block,
    Json,
    Link,
    Note,
    NoteKind,
    Prompt,
    SubAgent,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Unknown,
)
from awf_archive.domain.wording import Wording

BlockMap = list[dict[str, Json]]

_SHORT = 200
"""A value up to this long and on one line stands beside its name; a longer one gets a fence of its own."""


@dataclass(slots=True)
class _Writer:
    """Collects escaped text and knows at which byte it stands."""

    words: Wording
    parts: list[str] = field(default_factory=list)
    position: int = 0

    def put(self, text: str) -> list[Json]:
        """Append `text` escaped; return where it lies."""
        escaped = escape(text)
        size = len(escaped.encode())
        at: list[Json] = [self.position, size]
        self.parts.append(escaped)
        self.position += size
        return at

    def fenced(self, text: str, info: str = "") -> list[Json]:
        fence = fence_for(text)
        self.put(f"{fence}{info}\n")
        at = self.put(text)
        self.put(f"\n{fence}\n")
        return at

    def opened(self, summary: str) -> None:
        self.put(f"<details><summary>{html.escape(summary, quote=False)}</summary>\n\n")

    def closed(self) -> None:
        self.put("\n</details>\n")


def write_blocks(blocks: Iterable[Block], words: Wording) -> tuple[str, BlockMap]:
    """Return the escaped Markdown of one side and the map of its blocks.

    A side that is a single text is that text, unchanged but for the escape.
    """
    writer = _Writer(words)
    block_map = _write_all(writer, blocks)
    return "".join(writer.parts), block_map


def side_bytes(blocks: Iterable[Block], words: Wording) -> bytes:
    """Return one side's text as its file holds it: escaped, in UTF-8."""
    return write_blocks(blocks, words)[0].encode()


def _write_all(writer: _Writer, blocks: Iterable[Block]) -> BlockMap:
    block_map: BlockMap = []
    last: Block | None = None
    for block in blocks:
        if last is not None:
            _close_open_fence(writer, last)
            writer.put("\n" if _ends_line(writer) else "\n\n")
        block_map.append(_WRITERS[type(block)](writer, block))
        last = block
    return block_map


def _ends_line(writer: _Writer) -> bool:
    return bool(writer.parts) and writer.parts[-1].endswith("\n")


def _close_open_fence(writer: _Writer, block: Block) -> None:
    """Close a fence that a block leaves open; the closing line is ours and in no block's text.

    After the last block of a side the turn file does it, so that a side which is one text stays that text.
    """
    if isinstance(block, (Text, Prompt)):
        writer.put(closing_line(block.text))


def closing_line(text: str) -> str:
    """Return what ends a fence that `text` leaves open, on a line of its own; empty when it leaves none."""
    fence = open_fence(text)
    return f"{'' if text.endswith(chr(10)) else chr(10)}{fence}\n" if fence else ""


def _write_text(writer: _Writer, block: Text) -> dict[str, Json]:
    return {"kind": "text", "at": writer.put(block.text)}


def _write_prompt(writer: _Writer, block: Prompt) -> dict[str, Json]:
    writer.put(f"**{writer.words.prompt_label}**\n\n")
    return {"kind": "prompt", "at": writer.put(block.text)}


def _write_thinking(writer: _Writer, block: Thinking) -> dict[str, Json]:
    writer.opened(f"💭 {writer.words.thinking_label}")
    at = writer.fenced(block.text, "text")
    writer.closed()
    return {"kind": "thinking", "at": at}


def _write_note(writer: _Writer, block: Note) -> dict[str, Json]:
    writer.opened(f"ℹ️ {writer.words.note_labels[block.kind]}")
    at = writer.fenced(block.text, "text")
    writer.closed()
    return {"kind": "note", "note": block.kind.value, "at": at}


def _write_unknown(writer: _Writer, block: Unknown) -> dict[str, Json]:
    writer.opened(f"❔ {block.kind}")
    at = writer.fenced(block.json, "json")
    writer.closed()
    return {"kind": "unknown", "type": block.kind, "at": at}


def _write_attachment(writer: _Writer, block: Attachment) -> dict[str, Json]:
    label = _label(block.name or block.file)
    mark = "!" if block.media_type.startswith("image/") and block.media_type != "image/svg+xml" else ""
    writer.put(f"{mark}[{label}](attachments/{block.file})\n")
    entry: dict[str, Json] = {"kind": "file", "file": block.file, "type": block.media_type}
    return entry | {"name": block.name, "size": block.size}


def _write_link(writer: _Writer, block: Link) -> dict[str, Json]:
    writer.put("🔗 ")
    fence = fence_for(block.url)
    writer.put(fence + " ")
    at = writer.put(block.url)
    writer.put(f" {fence}\n")
    return {"kind": "link", "type": block.media_type, "at": at}


def _write_call(writer: _Writer, block: ToolCall) -> dict[str, Json]:
    mark = " ✗" if block.result and block.result.is_error else ""
    writer.opened(f"🔧 {tool_line(block.name, block.input)}{mark}")
    entry: dict[str, Json] = {"kind": "tool", "id": block.id, "name": block.name}
    entry |= _write_input(writer, block.input)
    if block.result:
        entry["result"] = _write_result(writer, block.result)
    writer.closed()
    return entry


def _write_input(writer: _Writer, value: Json) -> dict[str, Json]:
    """Write a call's parameters; return `input`: `[name, first byte, length, is JSON]` for each."""
    named = isinstance(value, dict)
    items = list(value.items()) if isinstance(value, dict) else [("", value)]
    texts = [item if isinstance(item, str) else _json_text(item) for _, item in items]
    short = [len(text) <= _SHORT and "\n" not in text for text in texts]
    places: list[list[Json]] = [[] for _ in items]
    if any(short):
        fence = fence_for("".join(texts) + "".join(name for name, _ in items))
        writer.put(f"{fence}text\n")
        for index, (name, _) in enumerate(items):
            if short[index]:
                writer.put(f"{one_line(name)}: " if named else "")
                places[index] = writer.put(texts[index])
                writer.put("\n")
        writer.put(f"{fence}\n")
    for index, (name, _) in enumerate(items):
        if not short[index]:
            writer.put(f"\n`{_label(name)}`\n\n" if named else "")
            places[index] = writer.fenced(texts[index])
    listed: list[Json] = [
        [name, *place, not isinstance(item, str)] for (name, item), place in zip(items, places, strict=True)
    ]
    return {"input": listed, "named": named}


def _json_text(value: Json) -> str:
    """Write a short value on one line, a long one with a line for each part."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHORT else json.dumps(value, ensure_ascii=False, indent=2)


def _write_result(writer: _Writer, result: ToolResult) -> dict[str, Json]:
    label = writer.words.error_label if result.is_error else writer.words.result_label
    writer.put(f"\n**{label}**\n\n")
    blocks: list[Json] = []
    for block in result.blocks:
        if isinstance(block, Text):
            blocks.append({"kind": "text", "at": writer.fenced(block.text, "text")})
        else:
            blocks.append(_WRITERS[type(block)](writer, block))
    return {"error": result.is_error, "blocks": blocks}


def _write_lone_result(writer: _Writer, block: ToolResult) -> dict[str, Json]:
    writer.opened(f"🔧 {writer.words.result_label}")
    entry = _write_result(writer, block)
    writer.closed()
    return {"kind": "result"} | entry


def _write_agent(writer: _Writer, block: SubAgent) -> dict[str, Json]:
    name = " · ".join(part for part in (block.kind, block.description) if part) or block.id
    writer.opened(f"🤖 {name}")
    blocks = _write_all(writer, block.blocks)
    if block.blocks:
        _close_open_fence(writer, block.blocks[-1])
    writer.closed()
    entry: dict[str, Json] = {"kind": "agent", "id": block.id, "type": block.kind}
    return entry | {"name": block.description, "call": block.call_id, "blocks": cast("Json", blocks)}


def _label(text: str) -> str:
    """One line that Markdown takes as plain text inside brackets or backticks."""
    return " ".join(text.translate(_LABEL_BREAKERS).split())


_LABEL_BREAKERS = {ord(mark): " " for mark in "[]()`\\<>!*_\n\r"}

_WRITERS: dict[type, Callable[[_Writer, object], dict[str, Json]]] = cast(
    "dict[type, Callable[[_Writer, object], dict[str, Json]]]",
    {
        Text: _write_text,
        Prompt: _write_prompt,
        Thinking: _write_thinking,
        Note: _write_note,
        Unknown: _write_unknown,
        Attachment: _write_attachment,
        Link: _write_link,
        ToolCall: _write_call,
        ToolResult: _write_lone_result,
        SubAgent: _write_agent,
    },
)


def read_blocks(escaped: bytes, block_map: BlockMap) -> tuple[Block, ...]:
    """Return the blocks that `write_blocks` was given, from its text as UTF-8 and its map.

    Raises KeyError, IndexError, TypeError or ValueError when the map does not fit the text.
    """
    return tuple(_READERS[str(entry["kind"])](escaped, entry) for entry in block_map)


def _slice(escaped: bytes, place: Json) -> str:
    start, size = cast("list[int]", place)[:2]
    if start < 0 or size < 0 or start + size > len(escaped):
        raise ValueError("a block reaches outside its text")
    return unescape(escaped[start : start + size].decode())


def _read_input(escaped: bytes, entry: dict[str, Json]) -> Json:
    values: dict[str, Json] = {}
    for name, start, size, is_json in cast("list[tuple[str, int, int, bool]]", entry["input"]):
        text = _slice(escaped, [start, size])
        values[name] = json.loads(text) if is_json else text
    return values if entry["named"] else values[""]


def _read_result(escaped: bytes, entry: dict[str, Json]) -> ToolResult:
    blocks = read_blocks(escaped, cast("BlockMap", entry["blocks"]))
    return ToolResult(blocks=blocks, is_error=bool(entry["error"]))


def _read_call(escaped: bytes, entry: dict[str, Json]) -> ToolCall:
    result = cast("dict[str, Json] | None", entry.get("result"))
    return ToolCall(
        id=str(entry["id"]),
        name=str(entry["name"]),
        input=_read_input(escaped, entry),
        result=_read_result(escaped, result) if result else None,
    )


def _read_agent(escaped: bytes, entry: dict[str, Json]) -> SubAgent:
    return SubAgent(
        id=str(entry["id"]),
        kind=str(entry["type"]),
        description=str(entry["name"]),
        call_id=str(entry["call"]),
        blocks=read_blocks(escaped, cast("BlockMap", entry["blocks"])),
    )


def _read_attachment(_escaped: bytes, entry: dict[str, Json]) -> Attachment:
    return Attachment(
        file=str(entry["file"]),
        media_type=str(entry["type"]),
        name=str(entry["name"]),
        size=cast("int", entry["size"]),
    )


_READERS: dict[str, Callable[[bytes, dict[str, Json]], Block]] = {
    "text": lambda escaped, entry: Text(text=_slice(escaped, entry["at"])),
    "prompt": lambda escaped, entry: Prompt(text=_slice(escaped, entry["at"])),
    "thinking": lambda escaped, entry: Thinking(text=_slice(escaped, entry["at"])),
    "note": lambda escaped, entry: Note(kind=NoteKind(str(entry["note"])), text=_slice(escaped, entry["at"])),
    "unknown": lambda escaped, entry: Unknown(kind=str(entry["type"]), json=_slice(escaped, entry["at"])),
    "file": _read_attachment,
    "link": lambda escaped, entry: Link(url=_slice(escaped, entry["at"]), media_type=str(entry["type"])),
    "tool": _read_call,
    "result": _read_result,
    "agent": _read_agent,
}
