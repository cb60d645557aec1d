"""The messages of a SpecStory file as turns; tool uses and thoughts out of their HTML."""

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from awf_archive.domain.transcript import (
    Block,
    Json,
    Note,
    NoteKind,
    Prompt,
    Start,
    SubAgent,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from awf_archive.readers.claude_code.records import SYNTHETIC
from awf_archive.readers.shared.drafts import Draft, Talk
from awf_archive.readers.shared.harness_words import Kind, Part, split_words
from awf_archive.readers.shared.markdown_lines import fenced, trimmed
from awf_archive.readers.shared.values import digest

_TOOL = re.compile(r'<tool-use data-tool-type="(?P<type>[^"]*)" data-tool-name="(?P<name>[^"]*)">')
_TOOL_ENDS = ("</details></tool-use>", "</tool-use>")
_SUMMARY = re.compile(r"\s*<details>\s*<summary>(?P<summary>.*?)</summary>\n?(?P<body>.*)", re.DOTALL)
_USUAL_SUMMARY = re.compile(r"Tool use: \*\*[^*]*\*\*\s*")
_THINK = re.compile(r"<think><details><summary>[^<]*</summary>")
_THINK_END = "</details></think>"
_COMMAND = re.compile(r"^`([^`\n]+)`$|^```(?:bash|sh|shell)\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"\s*(?:(?:Read|Edit|Write) file|Path)?:?\s*`([^`\n]+)`\s*(?:\n|\Z)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message, its header read."""

    line: int
    is_user: bool
    is_side: bool
    """Said to or by a sub-agent."""
    time: str
    model: str
    id: str
    lines: tuple[str, ...]
    is_ended: bool
    """A rule follows: the next message is another speaker's, or starts another exchange."""
    heading: str = ""
    """Title of the conversation that begins after it in the same file."""

    @property
    def text(self) -> str:
        """The words without empty lines around them."""
        return trimmed(self.lines)


def turns_of(messages: Sequence[Message], window: str, time: str) -> list[Draft]:
    """Return the turns of a session that began at `time`."""
    reader = _Turns(window=window)
    for message in messages:
        reader.add(message)
    reader.end_side()
    drafts = reader.talk.finish()
    if drafts and not drafts[0].time:
        drafts[0].time = time
    return drafts


@dataclass(slots=True, kw_only=True)
class _Turns:
    window: str
    talk: Talk = field(default_factory=Talk)
    side: list[Message] = field(default_factory=list)
    before: Message | None = None

    def add(self, message: Message) -> None:
        """Put a message where it belongs."""
        if message.is_side:
            self.side.append(message)
            return
        self.end_side()
        if message.is_user:
            self._hear(message)
        else:
            self._answer(message)
        self.before = message
        if message.heading:
            self.talk.waiting.append(Note(kind=NoteKind.CONTEXT, text=message.heading))

    def end_side(self) -> None:
        """Make what a sub-agent was told and said one block."""
        if not self.side:
            return
        blocks: list[Block] = []
        for message in self.side:
            blocks += [Prompt(text=message.text)] if message.is_user else parts_of(message.lines)
            self._take(message)
        name = digest(self.window, "side", str(self.side[0].line), self.side[0].text)
        self.talk.now.assistant.append(
            SubAgent(id=name, kind="", description="", call_id="", blocks=tuple(blocks))
        )
        self.side = []

    def _hear(self, message: Message) -> None:
        """Begin a turn with what a person typed; keep what the harness put beside it."""
        parts = split_words(message.text)
        typed = [part for part in parts if part.kind in _STARTS]
        if typed and self._is_expansion(message):
            self.talk.now.assistant.append(Note(kind=NoteKind.CONTEXT, text=message.text))
            self._take(message)
            return
        if typed:
            self._begin(message, typed[0].kind)
            self.talk.now.user += [_block(part) for part in parts if part.kind is not Kind.OUTPUT]
        for part in parts:
            if part.kind is Kind.OUTPUT and self.talk.drafts:
                self.talk.now.assistant.append(_block(part))
            elif not typed:
                self.talk.waiting.append(_block(part))
        if not typed and self.talk.drafts:
            self._take(message)

    def _is_expansion(self, message: Message) -> bool:
        """Tell whether a message is what a slash command turned into: it follows it at once, in its exchange."""
        before = self.before
        return (
            before is not None
            and before.is_user
            and not before.is_ended
            and bool(message.time)
            and before.time == message.time
            and bool(self.talk.drafts)
            and self.talk.now.start is Start.COMMAND
            and not self.talk.now.assistant
            and not message.text.startswith("<")
        )

    def _begin(self, message: Message, kind: Kind) -> None:
        number = str(len(self.talk.drafts) + 1)
        name = message.id or digest(self.window, number, message.text)
        self.talk.begin(Draft(id=name, start=_STARTS[kind], time=message.time, line=message.line))
        self._take(message)

    def _answer(self, message: Message) -> None:
        if not self.talk.drafts:
            name = message.id or digest(self.window, "beginning", message.text)
            start = Start.MACHINE
            self.talk.begin(Draft(id=name, start=start, time=message.time, line=message.line))
        self._take(message)
        if message.model == SYNTHETIC:
            self.talk.now.assistant.append(Note(kind=NoteKind.ERROR, text=message.text))
            return
        self.talk.now.seen(message.time, message.model)
        self.talk.now.assistant += parts_of(message.lines)

    def _take(self, message: Message) -> None:
        self.talk.now.took(message.time, message.text)


_STARTS = {Kind.TYPED: Start.PROMPT, Kind.COMMAND: Start.COMMAND, Kind.SHELL: Start.SHELL}


def _block(part: Part) -> Block:
    if part.kind is Kind.NOTE:
        return Note(kind=part.note, text=part.text)
    return Note(kind=NoteKind.OUTPUT, text=part.text) if part.kind is Kind.OUTPUT else Text(text=part.text)


def parts_of(lines: Sequence[str]) -> list[Block]:
    """Split an agent's message into texts, thoughts and tool calls."""
    blocks: list[Block] = []
    inside = fenced(lines)
    said: list[str] = []
    at = 0
    while at < len(lines):
        end = 0 if inside[at] else _end_of_element(lines, at)
        if not end:
            said.append(lines[at])
            at += 1
            continue
        blocks += _text(said)
        said = []
        blocks += _element(lines[at:end])
        inside[end:] = fenced(lines[end:])
        at = end
    return [*blocks, *_text(said)]


def _text(lines: list[str]) -> Iterator[Block]:
    if text := trimmed(lines):
        yield Text(text=text)


def _end_of_element(lines: Sequence[str], at: int) -> int:
    """Return the place after the element that begins on a line; 0 where none does."""
    if _THINK.match(lines[at]):
        return next((end + 1 for end in range(at, len(lines)) if _THINK_END in lines[end]), 0)
    if not _TOOL.match(lines[at]):
        return 0
    inside = fenced(lines[at:])
    ends = [at + end for end, line in enumerate(lines[at:]) if line.rstrip().endswith(_TOOL_ENDS)]
    outside = [end for end in ends if not inside[end - at]]
    return next(iter([*outside, *reversed(ends)]), len(lines) - 1) + 1


def _element(lines: Sequence[str]) -> list[Block]:
    text = "\n".join(lines)
    if opening := _THINK.match(text):
        inner, _, rest = text[opening.end() :].partition(_THINK_END)
        return [Thinking(text=inner.strip("\n")), *_text([rest])] if inner.strip() else [*_text([rest])]
    tool = _TOOL.match(text)
    return [_call(tool, text[tool.end() :])] if tool else []


def _call(tool: re.Match[str], inner: str) -> ToolCall:
    """Make a call of a tool use: the body in full as its result, what can be told of its input beside it."""
    inner = inner.rstrip()
    for end in _TOOL_ENDS:
        inner = inner.removesuffix(end).rstrip()
    inner = inner.removesuffix("</details>")
    parts = _SUMMARY.fullmatch(inner)
    summary, body = (parts["summary"], parts["body"]) if parts else ("", inner)
    body = trimmed(body.split("\n"))
    told: dict[str, Json] = {} if _USUAL_SUMMARY.fullmatch(summary) or not summary else {"summary": summary}
    told |= _input(tool["type"], body)
    result = ToolResult(blocks=(Text(text=body),)) if body else None
    return ToolCall(id="", name=html.unescape(tool["name"]) or "unknown", input=told, result=result)


def _input(kind: str, body: str) -> dict[str, Json]:
    if kind == "shell" and (command := _COMMAND.search(body)):
        return {"command": command[1] or command[2] or ""}
    if kind in {"read", "write"} and (file := _FILE.match(body)):
        return {"file_path": file[1].strip()}
    return {}
