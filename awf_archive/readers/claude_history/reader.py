"""Claude Code's `history.jsonl`: what was typed, in every conversation; all that is left of a deleted one."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from awf_archive.domain.formats import HISTORY, nameless_window
from awf_archive.domain.transcript import Json, Note, NoteKind, Start, Transcript
from awf_archive.errors import InputError
from awf_archive.readers.base import Reader, Source
from awf_archive.readers.claude_history.prompts import Pastes, start_of, typed_blocks
from awf_archive.readers.shared.drafts import Draft, Facts, Talk, transcript
from awf_archive.readers.shared.head import first_object
from awf_archive.readers.shared.jsonl import Line, chunks, lines
from awf_archive.readers.shared.problem_log import ProblemLog
from awf_archive.readers.shared.values import JsonObject, decode, digest, objects_at, text_at, utc

_GAP = 4 * 3600 * 1000
"""Milliseconds of silence in a folder after which the next prompt begins another conversation.

Only asked of lines from before Claude Code wrote `sessionId` beside a prompt.
"""
ONLY_PROMPTS = (
    "Only this prompt is known: Claude Code deleted the transcript, and its answer went with it. "
    "The prompt is from history.jsonl."
)


def accepts(source: Source) -> bool:
    """Tell whether the first line is a prompt as the history holds it."""
    try:
        record, _ = decode(first_object(source))
    except (ValueError, RecursionError):
        return False
    return isinstance(record, dict) and _is_prompt(record)


def _is_prompt(record: JsonObject) -> bool:
    """Tell a line of the history.

    >>> _is_prompt({"display": "go on", "timestamp": 1760299086653, "project": "/srv/demo", "pastedContents": {}})
    True
    """
    return (
        isinstance(record.get("display"), str)
        and isinstance(record.get("project"), str)
        and isinstance(record.get("timestamp"), int | float)
        and "type" not in record
    )


@dataclass(slots=True, kw_only=True)
class _Conversation:
    """One conversation's prompts."""

    window: str
    project: str
    last: float = 0
    records: list[tuple[JsonObject, Line]] = field(default_factory=list)

    def add(self, record: JsonObject, line: Line) -> None:
        self.records.append((record, line))
        self.last = _milliseconds(record)


def read(source: Source) -> Iterator[Transcript]:
    """Read each conversation's prompts: by session id, else by folder and by long silences.

    Raises InputError when no line can be read.
    """
    log = ProblemLog()
    found = _gathered(source, log)
    problems, unreadable = log.problems(), log.unreadable
    if not found and unreadable:
        raise InputError(f"{source.name}: no prompt in it can be read.", "Look at its first lines.")
    titles = _titles(source) if found else {}
    pastes = Pastes.beside(source)
    for one in found:
        title, branch = titles.get(one.window, ("", ""))
        facts = Facts(
            format=HISTORY,
            windows=(one.window,),
            title=title,
            cwd=one.project,
            git_branch=branch,
            records=len(one.records),
            unreadable=unreadable,
            problems=problems,
        )
        yield _transcript(one, facts, pastes)
        problems, unreadable = (), 0


def _gathered(source: Source, log: ProblemLog) -> list[_Conversation]:
    by_session: dict[str, _Conversation] = {}
    nameless: dict[str, _Conversation] = {}
    found: list[_Conversation] = []
    for line in lines(chunks(source)):
        record = log.read(line)
        if record is None:
            continue
        if not _is_prompt(record):
            log.count("unknown-type", "Records of unknown type.", line.number)
            continue
        project, session = text_at(record, "project"), text_at(record, "sessionId")
        one = by_session.get(session) if session else nameless.get(project)
        if one is None or (not session and abs(_milliseconds(record) - one.last) > _GAP):
            name = session or nameless_window(digest(project, str(record["timestamp"])))
            one = _Conversation(window=name, project=project)
            found.append(one)
        one.add(record, line)
        if session:
            by_session[session] = one
        else:
            nameless[project] = one
    return found


def _milliseconds(record: JsonObject) -> float:
    value = record["timestamp"]
    return value if isinstance(value, int | float) else 0


def _titles(source: Source) -> dict[str, tuple[str, str]]:
    """Return what Claude Code's own lists of sessions say of each: title and git branch."""
    found: dict[str, tuple[str, str]] = {}
    for file in source.companions("projects/*/sessions-index.json").values():
        try:
            value, _ = decode(file.read(0, file.size))
        except (ValueError, RecursionError):
            continue
        for entry in objects_at(value, "entries"):
            title = text_at(entry, "customTitle") or text_at(entry, "summary")
            found[text_at(entry, "sessionId")] = title, text_at(entry, "gitBranch")
    return found


def _transcript(one: _Conversation, facts: Facts, pastes: Pastes) -> Transcript:
    talk = Talk()
    for record, line in one.records:
        draft = _draft(one.window, record, line, pastes)
        talk.begin(draft)
        if draft.start is not Start.COMMAND:
            draft.assistant.append(Note(kind=NoteKind.NOTICE, text=ONLY_PROMPTS))
    made = transcript(talk.finish(), facts)
    return _with_own_lines(made, [line.data for _, line in one.records])


def _draft(window: str, record: JsonObject, line: Line, pastes: Pastes) -> Draft:
    time: Json = record["timestamp"]
    draft = Draft(
        id=f"{window}-{time}", start=start_of(text_at(record, "display")), time=utc(time), line=line.number
    )
    draft.took(line.data.decode(errors="surrogateescape"))
    draft.user += typed_blocks(record, pastes)
    return draft


def _with_own_lines(made: Transcript, own: list[bytes]) -> Transcript:
    """Return it with its own lines for the vault: the file holds the prompts of every project."""
    return replace(made, own_files={"": partial(b"\n".join, [*own, b""])})


READER = Reader(name=HISTORY, title="Claude Code, prompts only", accepts=accepts, read=read)
