"""The messages of a ChatGPT conversation as turns."""

from dataclasses import dataclass, field

from awf_archive.domain.transcript import (
    Block,
    Branch,
    Json,
    Note,
    NoteKind,
    Start,
    Text,
    ToolCall,
    ToolResult,
)
from awf_archive.readers.chatgpt.blocks import Maker
from awf_archive.readers.chatgpt.tree import Line, Node, lines_of, read_tree
from awf_archive.readers.shared.drafts import Draft, Talk
from awf_archive.readers.shared.exports import Export
from awf_archive.readers.shared.problem_log import ProblemLog
from awf_archive.readers.shared.values import (
    JsonObject,
    called,
    digest,
    dump,
    list_at,
    object_at,
    objects_at,
    parsed,
    text_at,
    utc,
    value_at,
)

_ROLES = frozenset({"system", "user", "assistant", "tool", "developer", "critic", "function"})


def turns_of(conversation: JsonObject, export: Export, log: ProblemLog, line: int) -> tuple[list[Draft], int]:
    """Return a conversation's turns, left branches after the turn they leave, and how many messages were read."""
    nodes, bad = read_tree(conversation)
    for _ in range(bad):
        log.unreadable += 1
        log.count("unreadable", "Nodes of a conversation hold no message.", line)
    model = text_at(conversation, "default_model_slug")
    reader = _LineReader(export=export, log=log, line=line, model=model, nodes=nodes)
    for one in lines_of(conversation, nodes):
        reader.read(one)
    records = sum(1 for node in nodes.values() if node.message)
    is_empty = isinstance(conversation.get("mapping"), dict) and not bad
    return reader.in_order(), records or int(is_empty)


@dataclass(slots=True, kw_only=True)
class _LineReader:
    """Reads lines of messages and remembers in which turn each message is."""

    export: Export
    log: ProblemLog
    line: int
    model: str
    nodes: dict[str, Node]
    turn_of: dict[str, Draft] = field(default_factory=dict)
    main: list[Draft] = field(default_factory=list)
    left: dict[int, list[list[Draft]]] = field(default_factory=dict)
    """Left lines by the turn they leave (`id` of the draft; 0 at the beginning)."""

    def read(self, line: Line) -> None:
        """Read one line as turns."""
        talk = Talk()
        before = self.turn_of.get(line.leaves)
        if not line.is_main and before is not None:
            self._go_on_elsewhere(talk, line, before)
        for node in line.nodes:
            _Message(node, self).add(talk)
            if talk.drafts:
                self.turn_of[node.id] = talk.drafts[-1]
        drafts = [draft for draft in talk.finish() if draft.user or draft.assistant]
        if line.is_main:
            self.main = drafts
            return
        for draft in drafts:
            draft.branch = Branch.ABANDONED
        self.left.setdefault(id(before) if before else 0, []).append(drafts)

    def _go_on_elsewhere(self, talk: Talk, line: Line, before: Draft) -> None:
        """Begin a turn for another answer to a prompt that stands in the turn before it."""
        if any(is_prompt(node.message) for node in line.nodes[:1]):
            return
        said = [block.text for block in before.user if isinstance(block, Text)]
        notes = [Note(kind=NoteKind.CONTEXT, text=text) for text in said]
        talk.begin(
            Draft(
                id=message_id(line.nodes[0]),
                start=Start.MACHINE,
                line=self.line,
                time=_time(line.nodes[0].message) or before.time,
                user=list(notes),
            )
        )

    def in_order(self) -> list[Draft]:
        """Return all turns: a left line stands after the turn it leaves."""
        ordered: list[Draft] = []
        pending = [*reversed(self.main)]
        pending += [draft for drafts in reversed(self.left.pop(0, [])) for draft in reversed(drafts)]
        while pending:
            draft = pending.pop()
            ordered.append(draft)
            for drafts in reversed(self.left.pop(id(draft), [])):
                pending += reversed(drafts)
        rest = [draft for groups in self.left.values() for drafts in groups for draft in drafts]
        return ordered + rest


def is_prompt(message: JsonObject) -> bool:
    """Tell whether a person typed or sent a message."""
    return (
        text_at(message, "author", "role") == "user" and not is_hidden(message) and _says_something(message)
    )


def is_hidden(message: JsonObject) -> bool:
    """Tell whether the page does not show a message, or the user never wrote it."""
    metadata = object_at(message, "metadata")
    return (
        metadata.get("is_visually_hidden_from_conversation") is True
        or metadata.get("is_user_system_message") is True
        or value_at(message, "weight") == 0
        or text_at(message, "content", "content_type") in {"user_editable_context", "model_editable_context"}
    )


def _says_something(message: JsonObject) -> bool:
    content = message.get("content")
    if isinstance(content, str):
        return bool(content.strip())
    if text_at(content, "text").strip() or list_at(message, "metadata", "attachments"):
        return True
    return any(
        part.strip() if isinstance(part, str) else part is not None for part in list_at(content, "parts")
    )


def message_id(node: Node) -> str:
    """Return a message's id, else its node's."""
    return text_at(node.message, "id") or node.id or digest(dump(node.message))


def _time(message: JsonObject) -> str:
    return utc(message.get("create_time"))


@dataclass(slots=True)
class _Message:
    """One message on its way into a turn."""

    node: Node
    reader: _LineReader

    def add(self, talk: Talk) -> None:
        """Put the message where its author's words belong."""
        message = self.node.message
        if not message:
            return
        role = text_at(message, "author", "role")
        if role not in _ROLES:
            self.reader.log.count(
                "unknown-type", f"Messages of unknown role{called(role)}.", self.reader.line
            )
        if is_prompt(message):
            self._begin(talk)
        elif role in {"system", "developer", "user"} or (
            role == "assistant" and is_hidden(message) and not self._recipient()
        ):
            self._note(talk)
        elif role == "tool":
            self._result(talk)
        elif self._is_call():
            self._call(talk)
        else:
            self._answer(talk)

    def _maker(self, draft: Draft) -> Maker:
        return Maker(draft, self.reader.export, self.reader.log, self.reader.line)

    def _begin(self, talk: Talk) -> None:
        message = self.node.message
        draft = talk.begin(Draft(id=message_id(self.node), time=_time(message), line=self.reader.line))
        draft.user += self._maker(draft).blocks(message)
        draft.took(dump(message))

    def _note(self, talk: Talk) -> None:
        """Keep what the page hides: before a prompt with it, later with the answer."""
        draft = talk.drafts[-1] if talk.drafts else Draft(id="")
        blocks = [_as_note(block) for block in self._maker(draft).blocks(self.node.message)]
        (draft.assistant if talk.drafts else talk.waiting).extend(blocks)
        if blocks:
            draft.took(dump(self.node.message))

    def _answer(self, talk: Talk) -> None:
        draft = self._turn(talk)
        draft.assistant += self._maker(draft).blocks(self.node.message)

    def _turn(self, talk: Talk) -> Draft:
        """Return the turn that is going on, with this message in its fingerprint."""
        message = self.node.message
        if not talk.drafts:
            talk.begin(
                Draft(
                    id=message_id(self.node), start=Start.MACHINE, time=_time(message), line=self.reader.line
                )
            )
        draft = talk.now
        draft.took(dump(message))
        is_model = text_at(message, "author", "role") == "assistant"
        draft.seen(
            _time(message), (text_at(message, "metadata", "model_slug") or self.reader.model) * is_model
        )
        return draft

    def _recipient(self) -> str:
        name = text_at(self.node.message, "recipient")
        return "" if name == "all" else name

    def _is_call(self) -> bool:
        return bool(self._recipient()) or text_at(self.node.message, "content", "content_type") == "code"

    def _call(self, talk: Talk) -> None:
        draft = self._turn(talk)
        language = text_at(self.node.message, "content", "language")
        name = self._recipient() or (language if language != "unknown" else "") or "code"
        texts = list(self._maker(draft).blocks(self.node.message))
        words = "\n\n".join(block.text for block in texts if isinstance(block, Text))
        talk.call(ToolCall(id=self.node.id, name=name, input=_input(words, language)))
        draft.assistant += [block for block in texts if not isinstance(block, Text)]

    def _result(self, talk: Talk) -> None:
        """Give a tool's answer to the call it comes after; without one it stands on its own."""
        draft = self._turn(talk)
        message = self.node.message
        blocks: list[Block] = [*self._maker(draft).blocks(message), *self._plots(draft)]
        is_error = (
            text_at(message, "content", "content_type") == "system_error"
            or text_at(message, "status") == "failed"
        )
        result = ToolResult(blocks=tuple(blocks), is_error=is_error)
        talk.answer(self._call_before(talk), result, text_at(message, "author", "name") or "tool")

    def _call_before(self, talk: Talk) -> str:
        """Return the id of the nearest call above this message."""
        name, seen = self.node.parent, {self.node.id}
        while name in self.reader.nodes and name not in seen:
            seen.add(name)
            message = self.reader.nodes[name].message
            if talk.knows(name) and self._answers(message):
                return name
            if is_prompt(message):
                break
            name = self.reader.nodes[name].parent
        return self.node.id

    def _answers(self, call: JsonObject) -> bool:
        """Tell whether a call was to the tool that speaks, as far as both are named."""
        tool, asked = text_at(self.node.message, "author", "name"), text_at(call, "recipient")
        return not tool or asked in {"", "all"} or tool.split(".")[0] == asked.split(".")[0]

    def _plots(self, draft: Draft) -> list[Block]:
        """Return the images that a run of code drew."""
        drawn = objects_at(self.node.message, "metadata", "aggregate_result", "messages")
        urls = [text_at(one, "image_url") for one in drawn]
        return [self._maker(draft).asset(url) for url in urls if url]


def _as_note(block: Block) -> Block:
    return Note(kind=NoteKind.CONTEXT, text=block.text) if isinstance(block, Text) else block


def _input(words: str, language: str) -> Json:
    value = parsed(words) if words.lstrip().startswith("{") else None
    if isinstance(value, dict):
        return value
    named: dict[str, Json] = {} if language in {"", "unknown"} else {"language": language}
    return {"code": words} | named
