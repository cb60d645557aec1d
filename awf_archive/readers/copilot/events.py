"""Copilot CLI's `events.jsonl`, and the transcripts that newer versions of the extension write the same way."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from awf_archive.domain.transcript import (
    Json,
    Note,
    NoteKind,
    Start,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Transcript,
    Usage,
)
from awf_archive.errors import InputError
from awf_archive.readers.base import Source
from awf_archive.readers.shared.drafts import Draft, Facts, Talk, transcript
from awf_archive.readers.shared.head import Head
from awf_archive.readers.shared.jsonl import chunks, lines
from awf_archive.readers.shared.problem_log import ProblemLog
from awf_archive.readers.shared.values import (
    JsonObject,
    called,
    digest,
    dump,
    object_at,
    objects_at,
    parsed,
    text_at,
    utc,
)

_SILENT = frozenset(
    {
        *(
            "assistant.turn_start",
            "assistant.turn_end",
            "assistant.intent",
            "assistant.usage",
            "session.idle",
        ),
        *("session.shutdown", "session.truncation", "session.compaction_start", "session.usage_info"),
        *("assistant.message_delta", "assistant.reasoning_delta", "assistant.streaming_delta", "hook.start"),
        *("hook.end", "session.import_legacy", "session.mode_changed", "session.context_changed"),
        *("tool.execution_progress", "tool.execution_partial_result", "pending_messages.modified"),
        *("session.snapshot_rewind", "session.task_complete", "session.handoff", "session.title_changed"),
        *("session.tools_updated", "session.background_tasks_changed", "session.plan_changed"),
    }
)
"""Events that move the screen along and say nothing that the others do not."""


def is_events(_head: Head, record: JsonObject, _line: bytes) -> bool:
    """Tell whether the first record is an event of Copilot's."""
    kind = text_at(record, "type")
    return (
        isinstance(record.get("data"), dict) and "timestamp" in record and (kind in _TAKE or kind in _SILENT)
    )


@dataclass(slots=True)
class _Events:
    """The conversation while events come in."""

    log: ProblemLog
    talk: Talk = field(default_factory=Talk)
    session: str = ""
    cwd: str = ""
    branch: str = ""
    version: str = ""
    model: str = ""
    records: int = 0

    def take(self, event: JsonObject, line: int) -> None:
        """Take one event in."""
        kind = text_at(event, "type")
        data = object_at(event, "data")
        time = utc(event.get("timestamp"))
        take = _TAKE.get(kind)
        if take is None:
            if kind not in _SILENT:
                self.log.count("unknown-type", f"Events of unknown type{called(kind)}.", line)
            return
        self.records += 1
        take(self, event, data, line)
        if self.talk.drafts and kind not in {"session.start", "session.resume"}:
            self.talk.now.took(dump(event))
            if kind != "user.message":
                self.talk.now.seen(time)

    def start(self, _event: JsonObject, data: JsonObject, _line: int) -> None:
        """Learn where and with what the session runs."""
        context = object_at(data, "context")
        self.session = self.session or text_at(data, "sessionId")
        self.cwd = text_at(context, "cwd") or self.cwd
        self.branch = text_at(context, "branch") or self.branch
        self.version = text_at(data, "copilotVersion") or self.version
        self.model = text_at(data, "selectedModel") or self.model

    def user(self, event: JsonObject, data: JsonObject, line: int) -> None:
        """Begin a turn."""
        text = text_at(data, "content")
        name = text_at(event, "id") or digest(dump(event))
        draft = Draft(id=name, time=utc(event.get("timestamp")), line=line)
        if text:
            draft.user.append(Text(text=text))
        for file in objects_at(data, "attachments"):
            if place := text_at(file, "path") or text_at(file, "filePath") or text_at(file, "displayName"):
                draft.user.append(Note(kind=NoteKind.CONTEXT, text=place))
        if draft.user:
            self.talk.begin(draft)

    def _now(self, event: JsonObject, line: int) -> Draft:
        if not self.talk.drafts:
            name = text_at(event, "id") or digest(dump(event))
            self.talk.begin(Draft(id=name, start=Start.MACHINE, time=utc(event.get("timestamp")), line=line))
        return self.talk.now

    def message(self, event: JsonObject, data: JsonObject, line: int) -> None:
        """Add what the assistant said, and the calls that it made."""
        draft = self._now(event, line)
        thought, text = text_at(data, "reasoningText"), text_at(data, "content")
        known = [block.text for block in draft.assistant if isinstance(block, Thinking)]
        if thought and thought not in known:
            draft.assistant.append(Thinking(text=thought))
        if text:
            draft.assistant.append(Text(text=text))
        for call in objects_at(data, "toolRequests"):
            self._call(text_at(call, "toolCallId"), text_at(call, "name"), call.get("arguments"))
        draft.seen("", text_at(data, "model") or self.model)
        output = data.get("outputTokens")
        draft.usage += Usage(output=output if isinstance(output, int) else 0)

    def reasoning(self, event: JsonObject, data: JsonObject, line: int) -> None:
        """Add a thought."""
        if text := text_at(data, "content"):
            self._now(event, line).assistant.append(Thinking(text=text))

    def tool_start(self, event: JsonObject, data: JsonObject, line: int) -> None:
        """Add a call that no message announced."""
        self._now(event, line)
        if not self.talk.knows(text_at(data, "toolCallId")):
            self._call(text_at(data, "toolCallId"), text_at(data, "toolName"), data.get("arguments"))

    def _call(self, call_id: str, name: str, given: Json) -> None:
        value = parsed(given) if isinstance(given, str) else given
        self.talk.call(ToolCall(id=call_id, name=name or "unknown", input=given if value is None else value))

    def tool_end(self, event: JsonObject, data: JsonObject, line: int) -> None:
        """Give a tool's answer to its call."""
        self._now(event, line)
        result, error = data.get("result"), data.get("error")
        text = (
            result
            if isinstance(result, str)
            else text_at(result, "detailedContent") or text_at(result, "content")
        )
        trouble = error if isinstance(error, str) else text_at(error, "message")
        texts = tuple(Text(text=one) for one in (text, trouble) if one)
        answer = ToolResult(blocks=texts, is_error=data.get("success") is False or bool(trouble))
        self.talk.answer(text_at(data, "toolCallId"), answer, text_at(data, "toolName"))

    def change_model(self, _event: JsonObject, data: JsonObject, _line: int) -> None:
        """Remember the model for what follows."""
        self.model = text_at(data, "newModel") or self.model

    def note(self, kind: NoteKind, *keys: str) -> None:
        """Add the harness's words."""
        if self.talk.drafts:
            self.talk.now.assistant.append(Note(kind=kind, text="\n".join(filter(None, keys))))
        else:
            self.talk.waiting.append(Note(kind=kind, text="\n".join(filter(None, keys))))


def _noted(kind: NoteKind, *keys: str) -> Callable[[_Events, JsonObject, JsonObject, int], None]:
    def take(events: _Events, event: JsonObject, data: JsonObject, _line: int) -> None:
        words = [text_at(data, key) for key in keys] or [text_at(event, "type")]
        if any(words):
            events.note(kind, *words)

    return take


_TAKE: dict[str, Callable[[_Events, JsonObject, JsonObject, int], None]] = {
    "session.start": _Events.start,
    "session.resume": _Events.start,
    "user.message": _Events.user,
    "assistant.message": _Events.message,
    "assistant.reasoning": _Events.reasoning,
    "tool.execution_start": _Events.tool_start,
    "tool.user_requested": _Events.tool_start,
    "tool.execution_complete": _Events.tool_end,
    "session.model_change": _Events.change_model,
    "session.error": _noted(NoteKind.ERROR, "errorType", "message"),
    "session.info": _noted(NoteKind.NOTICE, "message"),
    "session.warning": _noted(NoteKind.NOTICE, "message"),
    "system.message": _noted(NoteKind.CONTEXT, "content"),
    "system.notification": _noted(NoteKind.NOTICE, "content"),
    "session.compaction_complete": _noted(NoteKind.COMPACTION, "summaryContent"),
    "abort": _noted(NoteKind.INTERRUPT, "reason"),
}


def read(source: Source) -> Iterator[Transcript]:
    """Read a session. Raises InputError when no event of it can be read."""
    log = ProblemLog()
    events = _Events(log)
    for line in lines(chunks(source)):
        if (event := log.read(line)) is not None:
            events.take(event, line.number)
    if log.unreadable and not events.records:
        raise InputError(f"{source.name}: no event in it can be read.", "Look at its first lines.")
    facts = Facts(
        format="copilot",
        windows=(events.session or source.stem,),
        cwd=events.cwd,
        git_branch=events.branch,
        tool_version=events.version,
        records=events.records,
        unreadable=log.unreadable,
        problems=log.problems(),
    )
    yield transcript(events.talk.finish(), facts)
