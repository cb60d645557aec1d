"""Blocks of one conversation of Codex's while its records are read in order."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from awf_archive.domain.transcript import (
    Block,
    Note,
    NoteKind,
    Origin,
    Prompt,
    SubAgent,
    Text,
    Thinking,
    ToolCall,
    Usage,
)
from awf_archive.readers.codex.calls import called, done, image, own_result, result, search_key
from awf_archive.readers.codex.copies import Copies
from awf_archive.readers.codex.items import Item, Kind, items_of
from awf_archive.readers.codex.records import CONTEXT, Record
from awf_archive.readers.codex.scan import total_count
from awf_archive.readers.shared.collected import Collected
from awf_archive.readers.shared.spans import Role
from awf_archive.readers.shared.values import JsonObject, object_at, text_at


class Here(NamedTuple):
    """An item with what its record is to the turn."""

    item: Item
    role: Role
    origin: Origin


@dataclass(slots=True)
class Talk:
    """One turn, or a whole sub-agent's conversation."""

    collected: Collected
    counted: str = ""
    """The token count before; see `TurnPlan.counted`."""
    is_agent: bool = False
    """Prompts are another agent's and stay in line."""
    file: str = ""
    user: list[Block] = field(default_factory=list)
    body: list[Block] = field(default_factory=list)
    models: dict[str, None] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    end_time: str = ""
    _calls: dict[str, int] = field(default_factory=dict)
    """Places of the calls in `body`, by id."""
    _shown: set[str] = field(default_factory=set)
    """Calls of which only the screen's copy has come."""
    _guessed: set[str] = field(default_factory=set)
    """Calls whose result is the screen's copy."""
    _searches: dict[str, str] = field(default_factory=dict)
    """Screen's copies of searches, by what was searched: the model's may have no id."""
    _nameless: set[str] = field(default_factory=set)
    """Searches of the model's without id, whose copy has not come."""
    _copies: Copies = field(default_factory=Copies)
    _has_media: bool = False
    """Images of the prompt have come with an earlier record."""

    def add(self, record: Record, line: int, role: Role = Role.BODY) -> None:
        """Take in one record."""
        self.end_time = max(self.end_time, record.time)
        if record.kind == CONTEXT and (model := text_at(record.payload, "model")):
            self.models[model] = None
        if record.type == "token_count":
            self._count(record.payload)
        origin = Origin(file=self.file, line=line)
        self._has_media = any(not isinstance(block, Text) for block in self.user)
        for item in items_of(record):
            _HANDLERS[item.kind](self, Here(item, role, origin))

    def _count(self, payload: JsonObject) -> None:
        """Add the last answer's tokens; a repeat of the same total is no new answer."""
        total, last = total_count(payload), object_at(payload, "info", "last_token_usage")
        if total == self.counted and total:
            return
        self.counted = total or self.counted
        cached, written = _number(last, "cached_input_tokens"), _number(last, "cache_write_input_tokens")
        self.usage += Usage(
            input=max(0, _number(last, "input_tokens") - cached - written),
            output=_number(last, "output_tokens"),
            cache_read=cached,
            cache_write=written,
        )

    # The user

    def said(self, here: Here) -> None:
        """Take in what a person, or another agent, said."""
        if self.is_agent:
            if not self._copies.is_copy("user", here.item.text, here.item.stream, here.item.id):
                self.body.append(Prompt(text=here.item.text))
        elif here.role is Role.START:
            self.user.append(Text(text=here.item.text))

    def media(self, here: Here) -> None:
        """Take in an image sent along."""
        if here.role is Role.EXTRA and self._has_media:
            return
        block = image(here.item.value, self.collected, here.origin)
        (self.body if self.is_agent else self.user).append(block)

    # The assistant

    def note(self, here: Here) -> None:
        """Take in words of the harness, once."""
        if here.role is Role.EXTRA or (
            here.item.once and self._copies.is_copy(here.item.once, "", here.item.stream)
        ):
            return
        self.body.append(Note(kind=here.item.note, text=here.item.text))

    def output(self, here: Here) -> None:
        """Take in what a local command printed."""
        self.body.append(Note(kind=NoteKind.OUTPUT, text=here.item.text))

    def answer(self, here: Here) -> None:
        """Take in a text of the assistant, once."""
        if not self._copies.is_copy("answer", here.item.text, here.item.stream, here.item.id):
            self.body.append(Text(text=here.item.text))

    def thought(self, here: Here) -> None:
        """Take in reasoning, once."""
        if not self._copies.is_copy("thought", here.item.text, here.item.stream):
            self.body.append(Thinking(text=here.item.text))

    def block(self, here: Here) -> None:
        """Take in a part of an answer that is no text."""
        self.body.append(image(here.item.value, self.collected, here.origin))

    # Calls

    def call(self, here: Here) -> None:
        """Take in the model's call; it replaces the screen's copy."""
        item, what = here.item, called(here.item.value)
        made = ToolCall(
            id=item.id,
            name=what.name,
            input=what.input,
            result=own_result(item.value, self.collected, here.origin),
        )
        key = search_key(item.value)
        known = self._known(item.id) if item.id else self._searches.pop(key, "")
        if known and known in self._shown:
            self._shown.discard(known)
            self.body[self._calls[known]] = replace(made, result=made.result or self._at(known).result)
            return
        if item.id:
            self._calls[item.id] = len(self.body)
        elif key:
            self._nameless.add(key)
        self.body.append(made)

    def done(self, here: Here) -> None:
        """Use the screen's copy where the model's is missing."""
        item, seen = here.item, done(here.item.value, self.collected, here.origin)
        key = search_key(item.value)
        if known := self._known(item.id):
            call = self._at(known)
            if call.result is None and seen.result is not None:
                self.body[self._calls[known]] = replace(call, result=seen.result)
                self._guessed.add(known)
        elif key in self._nameless:
            self._nameless.discard(key)
        else:
            self._show(item.id, key)
            asked = seen.called
            self.body.append(ToolCall(id=item.id, name=asked.name, input=asked.input, result=seen.result))

    def _show(self, name: str, key: str) -> None:
        """Remember that only the screen's copy of a call stands at the end of the blocks."""
        if name:
            self._calls[name] = len(self.body)
            self._shown.add(name)
            self._guessed.add(name)
            if key:
                self._searches[key] = name

    def result(self, here: Here) -> None:
        """Give a result to its call, or keep it where it stands."""
        answer = result(here.item.value, self.collected, here.origin)
        known = self._known(here.item.id)
        if not known:
            self.body.append(answer)
            return
        call = self._at(known)
        if call.result is None or known in self._guessed:
            self.body[self._calls[known]] = replace(call, result=answer)
            self._guessed.discard(known)
        elif call.result != answer:
            self.body.append(answer)

    def _known(self, name: str) -> str:
        return name if name and name in self._calls else ""

    def _at(self, name: str) -> ToolCall:
        block = self.body[self._calls[name]]
        return block if isinstance(block, ToolCall) else ToolCall(id="", name="", input=None)

    def with_agents(self, agents: list[SubAgent]) -> tuple[Block, ...]:
        """Return the blocks with each sub-agent after the call that started it."""
        by_call: dict[str, list[Block]] = {}
        for agent in agents:
            by_call.setdefault(agent.call_id, []).append(agent)
        blocks: list[Block] = []
        for block in self.body:
            blocks.append(block)
            if isinstance(block, ToolCall) and block.id:
                blocks.extend(by_call.pop(block.id, []))
        return (*blocks, *(agent for rest in by_call.values() for agent in rest))


def _number(usage: JsonObject, key: str) -> int:
    value = usage.get(key)
    return value if isinstance(value, int) and value >= 0 else 0


_HANDLERS: dict[Kind, Callable[[Talk, Here], None]] = {
    Kind.TYPED: Talk.said,
    Kind.SHELL: Talk.said,
    Kind.MEDIA: Talk.media,
    Kind.OUTPUT: Talk.output,
    Kind.NOTE: Talk.note,
    Kind.ANSWER: Talk.answer,
    Kind.THOUGHT: Talk.thought,
    Kind.BLOCK: Talk.block,
    Kind.CALL: Talk.call,
    Kind.DONE: Talk.done,
    Kind.RESULT: Talk.result,
}
