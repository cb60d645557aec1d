"""Copilot in Visual Studio: its OpenTelemetry traces, one batch of spans a line."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from awf_archive.domain.transcript import (
    Block,
    Json,
    Note,
    NoteKind,
    Start,
    Text,
    ToolCall,
    ToolResult,
    Transcript,
)
from awf_archive.errors import InputError
from awf_archive.readers.base import Source
from awf_archive.readers.shared.drafts import Draft, Facts, transcript
from awf_archive.readers.shared.head import Head
from awf_archive.readers.shared.jsonl import chunks, lines
from awf_archive.readers.shared.problem_log import ProblemLog
from awf_archive.readers.shared.values import (
    JsonObject,
    called,
    dump,
    objects_at,
    parsed,
    text_at,
    utc,
    value_at,
)

_NANOSECONDS = 1_000_000_000
_VALUES = ("stringValue", "intValue", "doubleValue", "boolValue")


def is_traces(head: Head, _record: JsonObject, line: bytes) -> bool:
    """Tell whether the first line holds spans of Copilot."""
    return head.keys.get("resourceSpans") == "[" and b"copilot" in line.lower()


@dataclass(slots=True)
class _Span:
    """One span, its attributes by name."""

    span: JsonObject
    line: int
    about: dict[str, str] = field(default_factory=dict)

    @property
    def start(self) -> str:
        """Nanoseconds since 1970, as text; sorts as a number while clocks have 19 digits."""
        return str(self.span.get("startTimeUnixNano") or "")

    def time(self, key: str) -> str:
        """Return a moment of the span."""
        text = str(self.span.get(key) or "")
        return utc(int(text) / _NANOSECONDS) if text.isascii() and text.isdigit() and len(text) < 25 else ""  # noqa: PLR2004


def read(source: Source) -> Iterator[Transcript]:
    """Read each conversation of a trace. What was typed stands in few of them."""
    log = ProblemLog()
    talks: dict[str, list[_Span]] = {}
    version = ""
    for line in lines(chunks(source)):
        record = log.read(line)
        for resource in objects_at(record, "resourceSpans"):
            version = _attributes(value_at(resource, "resource")).get("service.version", version)
            for span in _spans(resource, line.number):
                name = span.about.get("gen_ai.conversation.id") or source.stem
                talks.setdefault(name, []).append(span)
    if log.unreadable and not talks:
        raise InputError(f"{source.name}: no span in it can be read.", "Look at its first lines.")
    for name, spans in talks.items() or {source.stem: []}.items():
        drafts = _turns(sorted(spans, key=lambda span: span.start), log)
        facts = Facts(
            format="copilot",
            windows=(name,),
            tool_version=version,
            records=len(spans),
            unreadable=log.unreadable,
            problems=log.problems(),
        )
        yield transcript(drafts, facts)
        log = ProblemLog()


def _spans(resource: JsonObject, line: int) -> Iterator[_Span]:
    for scope in objects_at(resource, "scopeSpans"):
        for span in objects_at(scope, "spans"):
            yield _Span(span, line, _attributes(span))


def _attributes(value: Json) -> dict[str, str]:
    found = {}
    for one in objects_at(value, "attributes"):
        given = value_at(one, "value")
        values = [value_at(given, kind) for kind in _VALUES]
        text = next((str(item) for item in values if item is not None), "")
        found[text_at(one, "key")] = text
    return found


def _turns(spans: list[_Span], log: ProblemLog) -> list[Draft]:
    """Make a turn of each trace: one request of the user's and what was done for it."""
    drafts: dict[str, Draft] = {}
    for span in spans:
        trace = text_at(span.span, "traceId") or "trace"
        name = span.about.get("copilot_chat.root_request_id") or trace
        start = Start.MACHINE if span.about.get("copilot_chat.initiator_type") == "agent" else Start.PROMPT
        draft = drafts.setdefault(
            trace, Draft(id=name, start=start, time=span.time("startTimeUnixNano"), line=span.line)
        )
        draft.took(dump(span.span))
        draft.seen(span.time("endTimeUnixNano"), span.about.get("gen_ai.request.model", ""))
        _take(draft, span, log)
    for draft in drafts.values():
        if not any(isinstance(block, Text) for block in draft.user):
            draft.user.append(Note(kind=NoteKind.NOTICE, text="What was typed is not in the trace."))
    return list(drafts.values())


def _take(draft: Draft, span: _Span, log: ProblemLog) -> None:
    about = span.about
    operation = about.get("gen_ai.operation.name", "")
    if operation == "execute_tool":
        answer = about.get("gen_ai.tool.call.result", "")
        result = ToolResult(blocks=(Text(text=answer),)) if answer else None
        given = about.get("gen_ai.tool.call.arguments", "")
        value = parsed(given)
        call_id, name = about.get("gen_ai.tool.call.id", ""), about.get("gen_ai.tool.name") or "unknown"
        draft.assistant.append(
            ToolCall(id=call_id, name=name, input=given if value is None else value, result=result)
        )
    elif operation in {"invoke_agent", "chat", "text_completion", "generate_content"}:
        asked = list(_messages(about.get("gen_ai.input.messages", ""), "user"))
        if not draft.user:
            draft.user += asked[-1:]
        draft.assistant += _new(
            _messages(about.get("gen_ai.output.messages", ""), "assistant"), draft.assistant
        )
    else:
        log.count("unknown-type", f"Spans of unknown kind{called(operation)}.", span.line)


def _messages(text: str, role: str) -> Iterator[Block]:
    """Yield the words of one role's messages, which stand in a JSON text."""
    for message in objects_at(parsed(text)):
        if text_at(message, "role") == role:
            words = [
                text_at(part, "content") or text_at(part, "text") for part in objects_at(message, "parts")
            ]
            if said := "\n\n".join(filter(None, [text_at(message, "content"), *words])):
                yield Text(text=said)


def _new(blocks: Iterator[Block], known: list[Block]) -> list[Block]:
    """Return what was not said before: an agent's span repeats its last message."""
    return [block for block in blocks if block not in known]
