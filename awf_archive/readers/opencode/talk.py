"""Blocks of one turn of opencode's, or of a sub-agent's whole session."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from awf_archive.domain.transcript import (
    Block,
    Json,
    Note,
    Origin,
    Prompt,
    SubAgent,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Unknown,
    Usage,
)
from awf_archive.readers.opencode.records import Item, Kind, Message, items_of
from awf_archive.readers.shared.collected import Collected
from awf_archive.readers.shared.times import iso
from awf_archive.readers.shared.values import JsonObject, dump, object_at, text_at, value_at


class _Here(NamedTuple):
    item: Item
    is_start: bool
    """The message's words are the user side."""
    is_users: bool
    origin: Origin


@dataclass(slots=True)
class Talk:
    """A conversation's blocks so far."""

    collected: Collected
    user: list[Block] = field(default_factory=list)
    body: list[Block] = field(default_factory=list)
    models: dict[str, None] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    end_time: str = ""

    def add(self, message: Message, line: int, *, is_start: bool) -> None:
        """Take in one message."""
        info = message.info
        is_users = text_at(info, "role") == "user"
        ended = iso(value_at(info, "time", "completed")) or iso(value_at(info, "time", "created"))
        self.end_time = max(self.end_time, ended)
        if not is_users and (model := text_at(info, "modelID")):
            self.models[model] = None
        self.usage += _usage(object_at(info, "tokens"))
        origin = Origin(file="", line=line)
        for item in items_of(message):
            _HANDLERS[item.kind](self, _Here(item, is_start, is_users, origin))

    def said(self, here: _Here) -> None:
        """Take in typed words, or another agent's."""
        if here.is_start:
            self.user.append(Text(text=here.item.text))
        else:
            self.body.append(Prompt(text=here.item.text))

    def shell(self, here: _Here) -> None:
        """A `!` command: the call that follows says which."""

    def media(self, here: _Here) -> None:
        """Take in a file of either side."""
        block = _file(here.item.value, self.collected, here.origin)
        (self.user if here.is_start and here.is_users else self.body).append(block)

    def note(self, here: _Here) -> None:
        """Take in words of the tool's own."""
        self.body.append(Note(kind=here.item.note, text=here.item.text))

    def answer(self, here: _Here) -> None:
        """Take in a text of the assistant."""
        self.body.append(Text(text=here.item.text))

    def thought(self, here: _Here) -> None:
        """Take in reasoning."""
        self.body.append(Thinking(text=here.item.text))

    def call(self, here: _Here) -> None:
        """Take in a call, which holds its own result."""
        part = here.item.value
        self.body.append(
            ToolCall(
                id=text_at(part, "callID"),
                name=text_at(part, "tool"),
                input=value_at(part, "state", "input"),
                result=_result(object_at(part, "state"), self.collected, here.origin),
            )
        )

    def other(self, here: _Here) -> None:
        """Keep a part of unknown type as its JSON."""
        self.body.append(Unknown(kind=text_at(here.item.value, "type"), json=dump(here.item.value)))

    def with_agents(self, agents: list[SubAgent]) -> tuple[Block, ...]:
        """Return the blocks with each sub-agent after its call, those without a call at the end."""
        by_call: dict[str, list[Block]] = {}
        for agent in agents:
            by_call.setdefault(agent.call_id, []).append(agent)
        blocks: list[Block] = []
        for block in self.body:
            blocks.append(block)
            if isinstance(block, ToolCall) and block.id:
                blocks.extend(by_call.pop(block.id, []))
        return (*blocks, *(agent for rest in by_call.values() for agent in rest))


def _result(state: JsonObject, collected: Collected, origin: Origin) -> ToolResult | None:
    if text_at(state, "status") == "error":
        return ToolResult(blocks=(Text(text=text_at(state, "error")),), is_error=True)
    if "output" not in state:
        return None
    output, attachments = state["output"], state.get("attachments")
    blocks: list[Block] = []
    if isinstance(output, str):
        blocks += [Text(text=output)] if output else []
    else:
        blocks.append(Unknown(kind="output", json=dump(output)))
    for part in attachments if isinstance(attachments, list) else []:
        blocks.append(_file(part, collected, origin))
    return ToolResult(blocks=tuple(blocks))


def _file(part: Json, collected: Collected, origin: Origin) -> Block:
    url = text_at(part, "url")
    if not url:
        return Unknown(kind=text_at(part, "type"), json=dump(part))
    return collected.url(url, text_at(part, "filename"), origin)


def _usage(tokens: JsonObject) -> Usage:
    """Read an answer's tokens; reasoning is output."""
    return Usage(
        input=_number(tokens, "input"),
        output=_number(tokens, "output") + _number(tokens, "reasoning"),
        cache_read=_number(tokens, "cache", "read"),
        cache_write=_number(tokens, "cache", "write"),
    )


def _number(tokens: JsonObject, *path: str) -> int:
    value = value_at(tokens, *path)
    return value if isinstance(value, int) and value >= 0 else 0


_HANDLERS: dict[Kind, Callable[[Talk, _Here], None]] = {
    Kind.TYPED: Talk.said,
    Kind.COMMAND: Talk.said,
    Kind.SHELL: Talk.shell,
    Kind.MEDIA: Talk.media,
    Kind.NOTE: Talk.note,
    Kind.ANSWER: Talk.answer,
    Kind.THOUGHT: Talk.thought,
    Kind.CALL: Talk.call,
    Kind.OTHER: Talk.other,
}
