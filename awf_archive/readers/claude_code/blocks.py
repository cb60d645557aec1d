"""Blocks of one conversation, the main one or a sub-agent's, while its records are read in order."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from awf_archive.domain.transcript import (
    Attachment,
    Block,
    Json,
    Note,
    NoteKind,
    Origin,
    Problem,
    Prompt,
    SubAgent,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Unknown,
    Usage,
)
from awf_archive.readers.claude_code.records import (
    CALL_TYPES,
    NO_RESPONSE,
    SYNTHETIC,
    Item,
    ItemKind,
    content_of,
    items_of,
    result_id,
)
from awf_archive.readers.claude_code.side import side_file
from awf_archive.readers.shared.source_blocks import read_media
from awf_archive.readers.shared.spans import Role
from awf_archive.readers.shared.values import JsonObject, dump, object_at, text_at, time_of, value_at

SideText = Callable[[str], str | None]
"""Returns the text of a file in `tool-results/`, or None when it is not there."""

_NOTES = {
    ItemKind.OUTPUT: NoteKind.OUTPUT,
    ItemKind.COMMAND: NoteKind.COMMAND,
    ItemKind.SHELL: NoteKind.COMMAND,
}
_USAGE_KEYS = {
    "input": "input_tokens",
    "output": "output_tokens",
    "cache_read": "cache_read_input_tokens",
    "cache_write": "cache_creation_input_tokens",
}
_SAID = {ItemKind.TYPED, ItemKind.COMMAND, ItemKind.SHELL}


@dataclass(slots=True)
class Gathered:
    """What all conversations of one turn share."""

    side_text: SideText
    payloads: dict[str, bytes] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    usage: dict[str, Usage] = field(default_factory=dict)
    """By message id: each of a message's lines repeats the usage, and the last has the most output."""

    def media(self, block: Json, origin: Origin) -> Block:
        """Keep an image's bytes and return its block."""
        media = read_media(block)
        if media.payload is not None and isinstance(media.block, Attachment):
            self.payloads[media.block.file] = media.payload
        if media.damaged:
            message = "An image or document is no valid base64; its JSON is kept."
            self.problems.append(Problem(code="bad-base64", message=message, origin=origin))
        return media.block

    def count(self, record: JsonObject) -> None:
        """Count a message's tokens once (case B09)."""
        if usage := object_at(record, "message", "usage"):
            numbers = {name: usage.get(key) for name, key in _USAGE_KEYS.items()}
            read = Usage(**{name: number for name, number in numbers.items() if isinstance(number, int)})
            key = text_at(record, "message", "id") or text_at(record, "uuid")
            known = self.usage.get(key)
            if known is None or read.output >= known.output:
                self.usage[key] = read


@dataclass(slots=True)
class Conversation:
    """A conversation's blocks so far."""

    gathered: Gathered
    file: str = ""
    """Where its records stand: a sub-agent's file, or "" for the transcript."""
    is_agent: bool = False
    """Typed words are the parent's prompts and stay in line."""
    orphans: frozenset[str] = frozenset()
    """Calls that are nowhere, whose results stand here."""
    user: list[Block] = field(default_factory=list)
    body: list[Block] = field(default_factory=list)
    calls: dict[str, int] = field(default_factory=dict)
    """Places of the calls in `body`, by id."""
    models: dict[str, None] = field(default_factory=dict)
    end_time: str = ""
    _early: dict[str, int] = field(default_factory=dict)
    """Places of results whose call has not come."""
    _moved: set[int] = field(default_factory=set)
    """Places of results that were given to a later call."""

    def add(self, record: JsonObject, line: int, role: Role) -> None:
        """Take in one record."""
        self.end_time = max(self.end_time, time_of(record))
        origin = Origin(file=self.file, line=line)
        if text_at(record, "type") == "assistant":
            self._assistant(record, origin)
            return
        for item in items_of(record):
            if item.kind is ItemKind.RESULT:
                if role is Role.RESULTS or self.is_agent:
                    self._result(item.block, record, origin)
            elif role is Role.EXTRA:
                self._extra(item, origin)
            elif role is not Role.RESULTS:
                self._item(item, role, origin)

    def _item(self, item: Item, role: Role, origin: Origin) -> None:
        if item.kind is ItemKind.NOTE:
            self.body.append(Note(kind=item.note, text=item.text))
        elif item.kind in _SAID and (role is Role.START or self.is_agent):
            said = Prompt(text=item.text) if self.is_agent else Text(text=item.text)
            (self.body if self.is_agent else self.user).append(said)
        elif item.kind in _NOTES:
            self.body.append(Note(kind=_NOTES[item.kind], text=item.text))
        elif item.block:
            is_theirs = role is Role.START and item.kind is not ItemKind.ASIDE
            block = self._media(item.block, origin)
            (self.user if is_theirs and not self.is_agent else self.body).append(block)

    def _extra(self, item: Item, origin: Origin) -> None:
        if item.kind is ItemKind.MEDIA and (block := self._media(item.block, origin)) not in self.user:
            self.user.append(block)

    def _media(self, block: Json, origin: Origin) -> Block:
        if text_at(block, "type") in {"image", "document"}:
            return self.gathered.media(block, origin)
        return Unknown(kind=text_at(block, "type"), json=dump(block))

    # The assistant

    def _assistant(self, record: JsonObject, origin: Origin) -> None:
        model = text_at(record, "message", "model")
        if model and model != SYNTHETIC:
            self.models[model] = None
        self.gathered.count(record)
        is_harness = model == SYNTHETIC or record.get("isApiErrorMessage") is True
        for block in content_of(record) or []:
            if isinstance(block, str) or text_at(block, "type") == "text":
                self._text(block if isinstance(block, str) else text_at(block, "text"), is_harness=is_harness)
            elif isinstance(block, dict) and result_id(block):
                self._result(block, record, origin)
            else:
                self._said(block, origin)

    def _text(self, text: str, *, is_harness: bool) -> None:
        if is_harness:
            kind = NoteKind.NOTICE if text == NO_RESPONSE else NoteKind.ERROR
            self.body.append(Note(kind=kind, text=text))
        elif text:
            self.body.append(Text(text=text))

    def _said(self, block: Json, origin: Origin) -> None:
        kind = text_at(block, "type")
        if kind == "thinking":
            if thought := text_at(block, "thinking"):
                self.body.append(Thinking(text=thought))
        elif kind in CALL_TYPES:
            self._call(block)
        else:
            self.body.append(self._media(block, origin))

    def _call(self, block: Json) -> None:
        call = text_at(block, "id")
        if call and call in self.calls:
            return
        self.calls[call] = len(self.body)
        result = self._take_early(call)
        said = ToolCall(id=call, name=text_at(block, "name"), input=value_at(block, "input"), result=result)
        self.body.append(said)

    # Results

    def _result(self, block: JsonObject, record: JsonObject, origin: Origin) -> None:
        name = result_id(block)
        call = self.call(name)
        result = ToolResult(
            blocks=(*self._result_blocks(block, origin), *_answers(call, block, record)),
            is_error=block.get("is_error") is True,
        )
        if call is None:
            if self.is_agent or name in self.orphans:
                self._early[name] = len(self.body)
                self.body.append(result)
        elif call.result is None:
            self.body[self.calls[name]] = replace(call, result=result)
        elif call.result != result:
            self.body.append(result)

    def _take_early(self, call: str) -> ToolResult | None:
        """Return the result that was written before its call, as parallel calls sometimes are."""
        place = self._early.pop(call, None)
        result = self.body[place] if place is not None else None
        if place is None or not isinstance(result, ToolResult):
            return None
        self._moved.add(place)
        return result

    def _result_blocks(self, block: JsonObject, origin: Origin) -> Iterator[Block]:
        content = block.get("content")
        name = side_file(block)
        whole = self.gathered.side_text(name) if name else None
        if whole is not None:
            yield Text(text=whole)
        for part in content if isinstance(content, list) else [content]:
            if isinstance(part, str) or text_at(part, "type") == "text":
                text = part if isinstance(part, str) else text_at(part, "text")
                if text and whole is None:
                    yield Text(text=text)
            elif part is not None:
                yield self._media(part, origin)

    def with_agents(self, agents: list[SubAgent]) -> tuple[Block, ...]:
        """Return the blocks with each sub-agent after its call, those without a call at the end."""
        by_call: dict[str, list[Block]] = {}
        for agent in agents:
            known = agent.call_id if agent.call_id in self.calls else ""
            by_call.setdefault(known, []).append(agent)
        blocks: list[Block] = []
        for place, block in enumerate(self.body):
            if place not in self._moved:
                blocks.append(block)
            if isinstance(block, ToolCall) and block.id:
                blocks.extend(by_call.pop(block.id, []))
        return (*blocks, *(agent for rest in by_call.values() for agent in rest))

    def call(self, call: str) -> ToolCall | None:
        """Return a call by its id."""
        place = self.calls.get(call)
        block = self.body[place] if place is not None else None
        return block if isinstance(block, ToolCall) else None

    def call_with_prompt(self, prompt: str, taken: set[str]) -> str:
        """Return the first call that handed over this prompt and is not taken."""
        for call, place in self.calls.items():
            block = self.body[place]
            if call not in taken and isinstance(block, ToolCall) and text_at(block.input, "prompt") == prompt:
                return call
        return ""


def _answers(call: ToolCall | None, block: JsonObject, record: JsonObject) -> Iterator[Block]:
    """Return what a person decided in a dialog and only the record's second copy holds in full."""
    if call is None:
        return
    copy = object_at(record, "toolUseResult")
    if call.name == "AskUserQuestion":
        for key in ("answers", "annotations"):
            if answers := object_at(copy, key):
                yield Unknown(kind=key, json=dump(answers))
    elif call.name == "ExitPlanMode":
        plan = text_at(copy, "plan")
        if plan and plan != text_at(call.input, "plan") and plan not in dump(block):
            yield Unknown(kind="plan", json=dump(plan))
