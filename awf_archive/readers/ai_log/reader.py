"""AWF's `.ai-log/session.jsonl`: prompts and tool calls as hooks noted them (docs/formats/ai-log.md)."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from awf_archive.domain.transcript import Note, NoteKind, Start, Text, ToolCall, ToolResult, Transcript
from awf_archive.errors import InputError
from awf_archive.readers.base import Reader, Source
from awf_archive.readers.shared.drafts import Draft, Facts, Talk, transcript
from awf_archive.readers.shared.harness_words import Kind, split_words
from awf_archive.readers.shared.head import first_object, head_in
from awf_archive.readers.shared.jsonl import Line, chunks, lines
from awf_archive.readers.shared.problem_log import ProblemLog
from awf_archive.readers.shared.values import JsonObject, called, digest, dump, project_of, text_at, utc

_KEYS = frozenset({"ts", "tool", "event", "session_id"})
_PROMPT, _TOOL = "UserPromptSubmit", "PostToolUse"
_SILENT = frozenset({"Stop", "SubagentStop", "SessionStart", "SessionEnd", "PreToolUse", "PreCompact"})
"""Events in which nobody says anything."""


def accepts(source: Source) -> bool:
    """Tell whether the first record is a hook's: a tool, an event, a session."""
    return head_in(first_object(source)).keys.keys() >= _KEYS


@dataclass(slots=True)
class _Session:
    """Where a session's records lie: sessions of several tools are mixed."""

    id: str
    places: list[Line] = field(default_factory=list)


def read(source: Source) -> Iterator[Transcript]:
    """Read each session of the log as a conversation.

    Raises InputError when no record can be read.
    """
    log = ProblemLog()
    sessions: dict[str, _Session] = {}
    for line in lines(chunks(source)):
        record = log.read(line)
        if record is not None and record.keys() >= _KEYS:
            name = text_at(record, "session_id") or source.stem
            sessions.setdefault(name, _Session(name)).places.append(line._replace(data=b""))
        elif record is not None:
            log.unreadable += 1
            log.count("unreadable", "Records are none of a hook's.", line.number)
    if not sessions and log.unreadable:
        raise InputError(f"{source.name}: no record in it can be read.", "Look at its first lines.")
    for session in sessions.values():
        yield _transcript(source, session, log)
        log = ProblemLog()
    if not sessions:
        yield transcript([], Facts(format=READER.name, windows=(source.stem,), problems=log.problems()))


def _transcript(source: Source, session: _Session, log: ProblemLog) -> Transcript:
    quiet = ProblemLog()
    talk = Talk()
    branch = ""
    for place in session.places:
        record = quiet.read(place._replace(data=source.read(place.offset, place.length).strip(b"\0\r")))
        if record is None:
            continue
        branch = text_at(record, "branch") or branch
        _take(talk, record, place.number, log)
    facts = Facts(
        format=READER.name,
        windows=(session.id,),
        cwd=project_of(source.name, ".ai-log"),
        git_branch=branch,
        records=len(session.places),
        unreadable=log.unreadable,
        problems=log.problems(),
    )
    return transcript(talk.finish(), facts)


def _take(talk: Talk, record: JsonObject, line: int, log: ProblemLog) -> None:
    event, time = text_at(record, "event"), utc(record.get("ts"))
    if event == _PROMPT:
        _begin(talk, record, time, line)
    elif event == _TOOL:
        if not talk.drafts:
            talk.begin(Draft(id=digest(dump(record)), start=Start.MACHINE, time=time, line=line))
        talk.call(_call(record))
    elif event not in _SILENT:
        log.count("unknown-type", f"Events of unknown type{called(event)}.", line)
    if talk.drafts:
        talk.now.took(dump(record))
        talk.now.seen(time, text_at(record, "model"))


def _begin(talk: Talk, record: JsonObject, time: str, line: int) -> None:
    """Begin a turn with what was typed; wrappers that the tool put around it become notes."""
    prompt = text_at(record, "prompt")
    parts = split_words(prompt)
    kinds = {part.kind for part in parts}
    start = next((start for kind, start in _STARTS.items() if kind in kinds), None)
    if start is None:
        talk.waiting += [Note(kind=NoteKind.CONTEXT, text=part.text) for part in parts]
        return
    name = digest(text_at(record, "session_id"), text_at(record, "ts"), prompt)
    draft = talk.begin(Draft(id=name, start=start, time=time, line=line))
    draft.user += [
        Note(kind=part.note, text=part.text)
        if part.kind in {Kind.NOTE, Kind.OUTPUT}
        else Text(text=part.text)
        for part in parts
    ]


_STARTS = {Kind.TYPED: Start.PROMPT, Kind.COMMAND: Start.COMMAND, Kind.SHELL: Start.SHELL}


def _call(record: JsonObject) -> ToolCall:
    answer = record.get("tool_response")
    text = answer if isinstance(answer, str) else dump(answer) if answer is not None else ""
    result = ToolResult(blocks=(Text(text=text),)) if text else None
    name = text_at(record, "tool_name") or "unknown"
    return ToolCall(id="", name=name, input=record.get("tool_input"), result=result)


READER = Reader(name="ai-log", title="AWF .ai-log", accepts=accepts, read=read)
