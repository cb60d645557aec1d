"""The messages of a Claude.ai conversation as turns: the line that was gone on with, and what was left."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from awf_archive.domain.transcript import (
    Block,
    Branch,
    Link,
    Note,
    NoteKind,
    Start,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Unknown,
)
from awf_archive.readers.shared.drafts import Draft, Talk
from awf_archive.readers.shared.media import attach_text
from awf_archive.readers.shared.problem_log import ProblemLog
from awf_archive.readers.shared.values import (
    JsonObject,
    called,
    digest,
    dump,
    list_at,
    objects_at,
    text_at,
    utc,
)

_ROOT = "00000000-0000-4000-8000-000000000000"
"""The parent that first messages name; there is no such message."""
_PASTED = frozenset({"", "txt", "text/plain"})


def turns_of(conversation: JsonObject, log: ProblemLog, line: int) -> list[Draft]:
    """Return the turns in the file's order, those marked that the user left."""
    every = list_at(conversation, "chat_messages")
    messages = [message for message in every if isinstance(message, dict)]
    if len(messages) < len(every):
        log.unreadable += len(every) - len(messages)
        log.count("unreadable", "Entries of a conversation are no messages.", line)
    left = _left_behind(messages, text_at(conversation, "current_leaf_message_uuid"))
    model = text_at(conversation, "model")
    reader = _Turns(log=log, line=line, model=model)
    for place, message in enumerate(messages):
        reader.add(message, is_left=place in left)
    return [draft for draft in reader.talk.finish() if draft.user or draft.assistant]


def _left_behind(messages: list[JsonObject], leaf: str) -> set[int]:
    """Return the places of messages that are not on the line that ends with the current, else last, message."""
    place_of = {text_at(message, "uuid"): place for place, message in enumerate(messages)}
    parents = [text_at(message, "parent_message_uuid") for message in messages]
    if not any(parent in place_of for parent in parents):
        return set()
    at = place_of.get(leaf, len(messages) - 1)
    on_line: set[int] = set()
    while at not in on_line:
        on_line.add(at)
        following = place_of.get(parents[at])
        if following is None:
            break
        at = following
    roots = {place for place, parent in enumerate(parents) if parent not in place_of and parent != _ROOT}
    return set(range(len(messages))) - on_line - _descendants_of_lost(parents, place_of, roots, on_line)


def _descendants_of_lost(
    parents: list[str], place_of: dict[str, int], roots: set[int], on_line: set[int]
) -> set[int]:
    """Return what hangs on a message that is not in the file: nobody says that it was left."""
    if roots <= on_line:
        return set()
    lost = set(roots)
    for place, parent in enumerate(parents):
        if place_of.get(parent) in lost - on_line:
            lost.add(place)
    return lost - on_line


@dataclass(slots=True, kw_only=True)
class _Turns:
    """Puts messages into turns."""

    log: ProblemLog
    line: int
    model: str
    talk: Talk = field(default_factory=Talk)
    turn_of: dict[str, Draft] = field(default_factory=dict)
    """The turn that a message is in, by the message's id."""

    def add(self, message: JsonObject, *, is_left: bool) -> None:
        """Put a message where its sender's words belong."""
        branch = Branch.ABANDONED if is_left else Branch.MAIN
        sender = text_at(message, "sender")
        if sender == "human":
            self._begin(message, branch)
        else:
            if sender != "assistant":
                self.log.count("unknown-type", f"Messages of unknown sender{called(sender)}.", self.line)
            self._answer(message, branch)
        if self.talk.drafts:
            self.turn_of[text_at(message, "uuid")] = self.talk.now

    def _begin(self, message: JsonObject, branch: Branch) -> None:
        draft = self._draft(message, branch, Start.PROMPT)
        for block in _blocks_of(message):
            draft.user += self._shown(block)
        has_words = any(isinstance(block, Text) and block.text.strip() for block in draft.user)
        draft.user += _files(message, draft, has_words=has_words)
        if draft.user:
            draft.took(dump(message))
            self.talk.begin(draft)

    def _answer(self, message: JsonObject, branch: Branch) -> None:
        self._find_turn(message, branch)
        draft = self.talk.now
        draft.took(dump(message))
        draft.seen(utc(message.get("created_at")), self.model)
        for block in _blocks_of(message):
            self._put(block)
        draft.assistant += _files(message, draft, has_words=True)

    def _find_turn(self, message: JsonObject, branch: Branch) -> None:
        """Go on with the turn that the message answers; another answer to a prompt is a turn of its own."""
        asked = self.turn_of.get(text_at(message, "parent_message_uuid"))
        if asked is None and self.talk.drafts and self.talk.now.branch is branch:
            return
        if asked is not None and asked.branch is branch:
            self.talk.go_on_with(asked)
            return
        draft = self._draft(message, branch, Start.MACHINE)
        if asked is not None:
            said = [block.text for block in asked.user if isinstance(block, Text)]
            draft.user += [Note(kind=NoteKind.CONTEXT, text=text) for text in said]
        self.talk.begin(draft)

    def _draft(self, message: JsonObject, branch: Branch, start: Start) -> Draft:
        name = text_at(message, "uuid") or digest(dump(message))
        time = utc(message.get("created_at"))
        return Draft(id=name, start=start, time=time, line=self.line, branch=branch)

    def _put(self, block: JsonObject) -> None:
        """Add an assistant's block; a tool's answer goes to its call."""
        kind = text_at(block, "type")
        if kind == "tool_use":
            name = text_at(block, "name") or "tool"
            self.talk.call(ToolCall(id=text_at(block, "id"), name=name, input=block.get("input")))
        elif kind == "tool_result":
            self._result(block)
        else:
            self.talk.now.assistant += self._shown(block)

    def _result(self, block: JsonObject) -> None:
        content = block.get("content")
        parts = [Text(text=content)] if isinstance(content, str) and content else []
        blocks = [shown for part in objects_at(block, "content") for shown in self._shown(part)]
        result = ToolResult(blocks=(*parts, *blocks), is_error=block.get("is_error") is True)
        name, call_id = text_at(block, "name"), text_at(block, "tool_use_id")
        if self.talk.knows(call_id):
            self.talk.answer(call_id, result)
        elif not _answer_last(self.talk.now.assistant, name, result):
            self.talk.call(ToolCall(id=call_id, name=name or "tool", input=None, result=result))

    def _shown(self, block: JsonObject) -> list[Block]:
        """Return what a block says; one that we do not know, or that says nothing to us, as its JSON."""
        kind = text_at(block, "type")
        blocks = _BLOCKS[kind](block) if kind in _BLOCKS else []
        if blocks or kind in _MAY_BE_EMPTY:
            return blocks
        self.log.count("unknown-block", f"Blocks of unknown type{called(kind)}.", self.line)
        return [Unknown(kind=kind or "unknown", json=dump(block))]


def _blocks_of(message: JsonObject) -> list[JsonObject]:
    """Return a message's blocks; its flat text only where it has none."""
    blocks = objects_at(message, "content")
    text = text_at(message, "text")
    if any(text_at(block, "type") != "text" or text_at(block, "text").strip() for block in blocks):
        return blocks
    return [{"type": "text", "text": text}] if text.strip() else []


def _files(message: JsonObject, draft: Draft, *, has_words: bool) -> list[Block]:
    """Return what was sent along: texts in full, of everything else the name.

    A pasted text that is the whole message is what the person said (case F01).
    """
    blocks: list[Block] = []
    for attachment in objects_at(message, "attachments"):
        name, text = text_at(attachment, "file_name"), text_at(attachment, "extracted_content")
        if not text:
            blocks.append(_missing(name))
            continue
        blocks.append(attach_text(draft, name, text))
        is_typed = not has_words and text_at(attachment, "file_type").lower() in _PASTED
        blocks.append(Text(text=text) if is_typed else Note(kind=NoteKind.CONTEXT, text=text))
    named = {text_at(file, "file_name"): None for file in objects_at(message, "files")}
    return [*blocks, *(_missing(name) for name in named if name)]


def _answer_last(blocks: list[Block], name: str, result: ToolResult) -> bool:
    """Give a result without an id to the last call of that name that has none."""
    for place in range(len(blocks) - 1, -1, -1):
        block = blocks[place]
        if isinstance(block, ToolCall) and block.result is None and name in {"", block.name}:
            blocks[place] = ToolCall(id=block.id, name=block.name, input=block.input, result=result)
            return True
    return False


def _missing(name: str) -> Note:
    return Note(kind=NoteKind.NOTICE, text=f"The file {name or 'without a name'} is not in the export.")


_Make: TypeAlias = Callable[[JsonObject], list[Block]]


def _text(block: JsonObject) -> list[Block]:
    """Return a text and the pages that it cites."""
    text = text_at(block, "text")
    links = {
        text_at(one, "details", "url") or text_at(one, "url"): None for one in objects_at(block, "citations")
    }
    return [*([Text(text=text)] if text else []), *(Link(url=url) for url in links if url)]


def _thinking(block: JsonObject) -> list[Block]:
    text = text_at(block, "thinking")
    short = [text_at(one, "summary") for one in objects_at(block, "summaries")]
    words = text or "\n\n".join(filter(None, short))
    return [Thinking(text=words)] if words else []


def _voice(block: JsonObject) -> list[Block]:
    words = "\n\n".join(filter(None, (text_at(block, "title"), text_at(block, "text"))))
    return [Text(text=words)] if words else []


def _knowledge(block: JsonObject) -> list[Block]:
    """Return a search result: its title, its address, its text."""
    title, url, text = text_at(block, "title"), text_at(block, "url"), text_at(block, "text")
    words = "\n\n".join(filter(None, (title, text)))
    return [*([Text(text=words)] if words else []), *([Link(url=url)] if url else [])]


_BLOCKS: dict[str, _Make] = {
    "text": _text,
    "thinking": _thinking,
    "voice_note": _voice,
    "knowledge": _knowledge,
    "local_resource": _knowledge,
    "rich_link": _knowledge,
}
"""Blocks that are no call and no answer."""
_MAY_BE_EMPTY = frozenset({"text", "thinking", "token_budget", "flag"})
"""The last two say nothing that anyone said."""
