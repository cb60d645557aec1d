"""Blocks of one turn of Gemini CLI's, or of a sub-agent's whole conversation."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from awf_archive.domain.transcript import (
    Block,
    Json,
    Link,
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
from awf_archive.readers.gemini.records import Item, ItemKind, items_of, parts_of, text_of
from awf_archive.readers.shared.collected import Collected
from awf_archive.readers.shared.values import JsonObject, dump, object_at, text_at, time_of, value_at

_FAILED = frozenset({"error", "cancelled"})


class _Here(NamedTuple):
    item: Item
    is_start: bool
    """The message's words are the user side."""
    origin: Origin


@dataclass(slots=True)
class Talk:
    """A conversation's blocks so far."""

    collected: Collected
    is_agent: bool = False
    """Prompts are another agent's and stay in line."""
    file: str = ""
    user: list[Block] = field(default_factory=list)
    body: list[Block] = field(default_factory=list)
    models: dict[str, None] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    end_time: str = ""
    _calls: dict[str, int] = field(default_factory=dict)

    def add(self, message: JsonObject, line: int, *, is_start: bool) -> None:
        """Take in one message."""
        self.end_time = max(self.end_time, time_of(message))
        if model := text_at(message, "model"):
            self.models[model] = None
        self.usage += _usage(object_at(message, "tokens"))
        origin = Origin(file=self.file, line=line)
        for item in items_of(message):
            _HANDLERS[item.kind](self, _Here(item, is_start and not self.is_agent, origin))

    def said(self, here: _Here) -> None:
        """Take in typed words, or another agent's."""
        if here.is_start:
            self.user.append(Text(text=here.item.text))
        else:
            self.body.append(Prompt(text=here.item.text))

    def media(self, here: _Here) -> None:
        """Take in what was sent along."""
        block = _media(here.item.value, self.collected, here.origin)
        (self.user if here.is_start else self.body).append(block)

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
        value = here.item.value
        name = text_at(value, "id")
        made = ToolCall(
            id=name,
            name=text_at(value, "name"),
            input=value_at(value, "args"),
            result=_result_of(value, self.collected, here.origin),
        )
        if name:
            self._calls[name] = len(self.body)
        self.body.append(made)

    def result(self, here: _Here) -> None:
        """Give a result that stands apart to its call."""
        response = value_at(here.item.value, "functionResponse")
        blocks = tuple(_answers(here.item.value, self.collected, here.origin))
        answer = ToolResult(blocks=blocks, is_error=bool(text_at(response, "response", "error")))
        place = self._calls.get(text_at(response, "id"))
        call = self.body[place] if place is not None else None
        if place is not None and isinstance(call, ToolCall) and call.result is None:
            self.body[place] = replace(call, result=answer)
        else:
            self.body.append(answer)

    def other(self, here: _Here) -> None:
        """Take in a part of unknown kind, or an image in an answer."""
        self.body.append(_media(here.item.value, self.collected, here.origin))

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


def _usage(tokens: JsonObject) -> Usage:
    """Read a message's tokens; thoughts are output, and what was cached is no new input."""
    counts = {key: value for key, value in tokens.items() if isinstance(value, int) and value >= 0}
    cached = counts.get("cached", 0)
    return Usage(
        input=max(0, counts.get("input", 0) - cached) + counts.get("tool", 0),
        output=counts.get("output", 0) + counts.get("thoughts", 0),
        cache_read=cached,
    )


def _media(part: Json, collected: Collected, origin: Origin) -> Block:
    inline, file = object_at(part, "inlineData"), object_at(part, "fileData")
    if text_at(inline, "data"):
        name = text_at(inline, "displayName")
        return collected.base64(text_at(inline, "data"), text_at(inline, "mimeType"), name, origin)
    if url := text_at(file, "fileUri"):
        return Link(url=url, media_type=text_at(file, "mimeType"))
    kind = next(iter(part), "") if isinstance(part, dict) else ""
    return Unknown(kind=kind, json=dump(part))


def _result_of(call: Json, collected: Collected, origin: Origin) -> ToolResult | None:
    failed = text_at(call, "status") in _FAILED
    blocks: list[Block] = []
    for part in parts_of(value_at(call, "result")):
        blocks.extend(_answers(part, collected, origin))
        failed = failed or bool(text_at(part, "functionResponse", "response", "error"))
    if not blocks:
        blocks.extend(_shown(value_at(call, "resultDisplay")))
    return ToolResult(blocks=tuple(blocks), is_error=failed) if blocks or failed else None


def _shown(display: Json) -> Iterator[Block]:
    """Return what the screen showed, where the result itself was not kept."""
    if isinstance(display, str) and display:
        yield Text(text=display)
    elif isinstance(display, dict):
        yield Unknown(kind="resultDisplay", json=dump(display))


def _answers(part: Json, collected: Collected, origin: Origin) -> Iterator[Block]:
    if text := text_of(part):
        yield Text(text=text)
        return
    response = value_at(part, "functionResponse")
    if response is None:
        if part:
            yield _media(part, collected, origin)
        return
    answer = object_at(response, "response")
    texts = [answer[key] for key in ("output", "error") if answer.get(key)]
    rest = {key: value for key, value in answer.items() if key not in {"output", "error"}}
    for found in (*texts, *([rest] if rest else [])):
        yield Text(text=found) if isinstance(found, str) else Unknown(kind="response", json=dump(found))
    for inner in parts_of(value_at(response, "parts")):
        yield _media(inner, collected, origin)


_HANDLERS: dict[ItemKind, Callable[[Talk, _Here], None]] = {
    ItemKind.TYPED: Talk.said,
    ItemKind.MEDIA: Talk.media,
    ItemKind.NOTE: Talk.note,
    ItemKind.ANSWER: Talk.answer,
    ItemKind.THOUGHT: Talk.thought,
    ItemKind.CALL: Talk.call,
    ItemKind.RESULT: Talk.result,
    ItemKind.OTHER: Talk.other,
}
