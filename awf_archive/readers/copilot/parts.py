"""One request of a VS Code chat as a turn: the parts of a response as a table."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from awf_archive.domain.transcript import (
    Block,
    Json,
    Note,
    NoteKind,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Unknown,
    Usage,
)
from awf_archive.readers.shared.drafts import Draft
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

_SILENT = frozenset(
    {
        *("prepareToolInvocation", "progressMessage", "progressTask", "progressTaskSerialized", "undoStop"),
        *(
            "mcpServersStarting",
            "codeblockUri",
            "references",
            "codeCitation",
            "usedContext",
            "clearToPreviousToolInvocation",
        ),
        *("confirmation_done", "workspaceEdit", "hook", "autoModeResolution"),
    }
)
"""Parts that move the page along and say nothing."""
_DEEPEST = 200


def draft_of(request: JsonObject, number: int, log: ProblemLog) -> Draft:
    """Return one request with its response."""
    draft = Draft(id=text_at(request, "requestId") or digest(dump(request.get("message")), str(number)))
    draft.time = utc(request.get("timestamp"))
    draft.line = 1
    draft.user += _asked(request)
    draft.assistant += _Response(request, log).blocks()
    draft.took(dump(request))
    model = text_at(request, "modelId")
    elapsed = value_at(request, "result", "timings", "totalElapsed")
    started = request.get("timestamp")
    if isinstance(elapsed, (int, float)) and isinstance(started, (int, float)):
        draft.seen(utc(started + elapsed))
    draft.seen("", model)
    draft.usage = _usage(request)
    return draft


def _usage(request: JsonObject) -> Usage:
    counts = [request.get("promptTokens"), request.get("completionTokens")]
    numbers = [count if isinstance(count, int) else 0 for count in counts]
    return Usage(input=numbers[0], output=numbers[1])


def _asked(request: JsonObject) -> Iterator[Block]:
    """Yield the words that were typed and the names of what was attached to them."""
    message = request.get("message")
    text = message if isinstance(message, str) else text_at(message, "text")
    if text:
        yield Text(text=text)
    for variable in objects_at(request, "variableData", "variables"):
        value = variable.get("value")
        place = value if isinstance(value, str) else _path(value) or _path(object_at(value, "uri"))
        if words := ": ".join(filter(None, (text_at(variable, "name"), place))):
            yield Note(kind=NoteKind.CONTEXT, text=words)


def _path(uri: Json) -> str:
    return text_at(uri, "fsPath") or text_at(uri, "path") or text_at(uri, "external")


def _words(value: Json) -> str:
    """Return a text that may stand in an object."""
    if isinstance(value, list):
        return "\n".join(filter(None, map(_words, value)))
    return value if isinstance(value, str) else text_at(value, "value")


@dataclass(slots=True)
class _Response:
    """What was answered to one request."""

    request: JsonObject
    log: ProblemLog
    said: list[str] = field(default_factory=list)
    """Pieces of one text: VS Code splits it at every reference."""
    done: list[Block] = field(default_factory=list)
    calls: list[JsonObject] = field(default_factory=list)
    """What the model asked for, in order, where it can be matched with what the page shows."""

    def blocks(self) -> list[Block]:
        """Return the response's parts as blocks."""
        rounds = objects_at(self.request, "result", "metadata", "toolCallRounds")
        asked = [call for one in rounds for call in objects_at(one, "toolCalls")]
        parts = list_at(self.request, "response")
        shown = sum(text_at(part, "kind") == "toolInvocationSerialized" for part in parts)
        self.calls = asked if len(asked) == shown else []
        for part in parts:
            self._part(part)
        self._flush()
        if not any(isinstance(block, Text) for block in self.done):
            texts = [text_at(one, "response") for one in rounds]
            self.done += [Text(text=text) for text in texts if text.strip()]
        return [*self.done, *self._troubles()]

    def _part(self, part: Json) -> None:
        kind = text_at(part, "kind")
        if isinstance(part, str):
            self.said.append(part)
        elif kind in _INLINE and isinstance(part, dict):
            self.said.append(_INLINE[kind](part))
        elif kind in _SILENT:
            return
        else:
            self._flush()
            make = _PARTS.get(kind)
            blocks = list(make(self, part)) if make and isinstance(part, dict) else []
            self.done += blocks or [self._unknown(kind, part)]

    def _unknown(self, kind: str, part: Json) -> Unknown:
        if kind not in _PARTS:
            self.log.count("unknown-block", f"Response parts of unknown type{called(kind)}.", 1)
        return Unknown(kind=kind or "unknown", json=dump(part))

    def _flush(self) -> None:
        text = "".join(self.said)
        self.said = []
        if text.strip():
            self.done.append(Text(text=text))

    def _troubles(self) -> Iterator[Block]:
        if message := text_at(self.request, "result", "errorDetails", "message"):
            yield Note(kind=NoteKind.ERROR, text=message)
        if self.request.get("isCanceled") is True:
            yield Note(kind=NoteKind.INTERRUPT, text="Canceled.")

    def invocation(self, part: JsonObject) -> Iterator[Block]:
        """Make a call; its input and answer in full where the request's metadata has them."""
        call = self.calls.pop(0) if self.calls else {}
        given = parsed(text_at(call, "arguments")) if call else _input(part)
        answer = object_at(self.request, "result", "metadata", "toolCallResults", text_at(call, "id"))
        texts = _result_texts(answer) or _detail_texts(part)
        name = text_at(call, "name") or text_at(part, "toolId") or "unknown"
        blocks = tuple(Text(text=text) for text in texts if text)
        result = ToolResult(blocks=blocks) if blocks else None
        yield ToolCall(id=text_at(part, "toolCallId"), name=name, input=given, result=result)


def _input(part: JsonObject) -> Json:
    """Return a call's input from what the page shows of it."""
    data = object_at(part, "toolSpecificData")
    if "rawInput" in data:
        return data["rawInput"]
    if command := data.get("commandLine") or data.get("command"):
        return {"command": command if isinstance(command, str) else text_at(command, "original")}
    details = parsed(text_at(part, "resultDetails", "input"))
    return details if details is not None else {"message": _words(part.get("invocationMessage"))}


def _result_texts(answer: Json) -> list[str]:
    texts = []
    for content in objects_at(answer, "content"):
        value = content.get("value")
        texts.append(value if isinstance(value, str) else "".join(_node_texts(object_at(value, "node"))))
    return texts


def _node_texts(node: JsonObject) -> Iterator[str]:
    """Yield the words of a tree that a tool's answer was laid out in."""
    pending: list[tuple[Json, int]] = [(node, 0)]
    while pending:
        one, depth = pending.pop()
        if text := text_at(one, "text"):
            yield text + "\n" * (isinstance(one, dict) and one.get("lineBreakBefore") is True)
        if depth < _DEEPEST:
            pending += [(child, depth + 1) for child in reversed(list_at(one, "children"))]


def _detail_texts(part: JsonObject) -> list[str]:
    output = value_at(part, "resultDetails", "output")
    if isinstance(output, str):
        return [output]
    texts = [text_at(one, "value") for one in objects_at(part, "resultDetails", "output")]
    return list(filter(None, texts)) or [_words(part.get("pastTenseMessage"))]


def _reference(part: JsonObject) -> str:
    """Return what stands in the text for a reference to a file or symbol."""
    reference = object_at(part, "inlineReference")
    path = (
        _path(reference)
        or _path(object_at(reference, "uri"))
        or _path(object_at(reference, "location", "uri"))
    )
    name = text_at(part, "name") or text_at(reference, "name") or re.split(r"[\\/]", path)[-1]
    return f"`{name}`" if name else ""


def _edits(_response: _Response, part: JsonObject) -> Iterator[Block]:
    path = _path(object_at(part, "uri"))
    edits: Json = part.get("edits") if "edits" in part else part.get("cells")
    yield ToolCall(id="", name="edit", input={"file_path": path, "edits": edits})


def _thinking(_response: _Response, part: JsonObject) -> Iterator[Block]:
    text = _words(part.get("value"))
    yield Thinking(text=text) if text else Note(kind=NoteKind.NOTICE, text="Thinking that is not recorded.")


def _confirmation(_response: _Response, part: JsonObject) -> Iterator[Block]:
    words = [_words(part.get("title")), _words(part.get("message"))]
    if text := "\n\n".join(filter(None, words)):
        yield Note(kind=NoteKind.NOTICE, text=text)


def _warning(_response: _Response, part: JsonObject) -> Iterator[Block]:
    if text := _words(part.get("content")):
        yield Note(kind=NoteKind.NOTICE, text=text)


_Make: TypeAlias = Callable[[_Response, JsonObject], Iterator[Block]]
_INLINE: dict[str, Callable[[JsonObject], str]] = {
    "": lambda part: text_at(part, "value"),
    "markdownContent": lambda part: _words(part.get("content")),
    "markdownVuln": lambda part: _words(part.get("content")),
    "inlineReference": _reference,
}
_PARTS: dict[str, _Make] = {
    "thinking": _thinking,
    "toolInvocationSerialized": _Response.invocation,
    "toolInvocation": _Response.invocation,
    "textEditGroup": _edits,
    "textEdit": _edits,
    "notebookEditGroup": _edits,
    "confirmation": _confirmation,
    "elicitation": _confirmation,
    "elicitationSerialized": _confirmation,
    "elicitation2": _confirmation,
    "warning": _warning,
}
