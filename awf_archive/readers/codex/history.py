"""Codex's `history.jsonl`: prompts of all conversations, with nothing of what was answered."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from awf_archive.domain.ids import Digest, TurnId, WindowId
from awf_archive.domain.transcript import (
    PROMPTS_ONLY,
    Json,
    Origin,
    Outline,
    Problem,
    Start,
    Text,
    Transcript,
    Turn,
    prompt_digest,
)
from awf_archive.readers.base import Source
from awf_archive.readers.shared.jsonl import Line, chunks, clean, lines
from awf_archive.readers.shared.problem_log import ProblemLog
from awf_archive.readers.shared.spans import Role, Spans
from awf_archive.readers.shared.times import iso
from awf_archive.readers.shared.titles import one_line
from awf_archive.readers.shared.values import JsonObject, decode, text_at

_KEYS = frozenset({"session_id", "ts", "text"})
_NO_ANSWERS = "Only the prompts of this conversation are here: Codex keeps its answers in sessions/."


def is_prompt(record: JsonObject) -> bool:
    """Tell a line of the history.

    >>> is_prompt({"session_id": "5973b6c0", "ts": 1761959019, "text": "go"})
    True
    """
    return (
        record.keys() == _KEYS
        and all(isinstance(record[key], str) for key in ("session_id", "text"))
        and isinstance(record["ts"], int | float)
    )


@dataclass(slots=True)
class _Conversation:
    """One conversation's prompts, by the place of each."""

    title: str = ""
    first_line: int = 0
    spans: Spans = field(default_factory=Spans)
    ids: set[TurnId] = field(default_factory=set)
    outlines: list[Outline] = field(default_factory=list)


def read(source: Source, name: str) -> Iterator[Transcript]:
    """Read each conversation as a window of its own kind: never to be mixed up with the whole one.

    Its first id says that it holds prompts only; its second is the conversation's own.
    """
    log, found = ProblemLog(), dict[str, _Conversation]()
    for line in lines(chunks(source)):
        record = log.read(line)
        if record is None:
            continue
        if is_prompt(record):
            _take(found, record, line)
        else:
            log.count("unknown-type", "Records of unknown type.", line.number)
    problems, unreadable = log.problems(), log.unreadable
    for session, one in found.items():
        partial = Problem(code=PROMPTS_ONLY, message=_NO_ANSWERS, origin=Origin(file="", line=one.first_line))
        yield Transcript(
            format=name,
            windows=(WindowId(f"prompts-of-{session}"), WindowId(session)),
            outlines=tuple(one.outlines),
            load=_Loader(source, _places(one)).load,
            problems=(partial, *problems),
            title=one.title,
            records=len(one.outlines),
            unreadable=unreadable,
        )
        problems, unreadable = (), 0


def _take(found: dict[str, _Conversation], record: JsonObject, line: Line) -> None:
    session, words = text_at(record, "session_id"), text_at(record, "text")
    one = found.setdefault(session, _Conversation(first_line=line.number))
    one.title = one.title or one_line(words)
    digest = prompt_digest([Text(text=words)])
    base = f"{session}-{record['ts']}"
    name, copy = TurnId(base), 2
    while name in one.ids:
        name, copy = TurnId(f"{base}#{copy}"), copy + 1
    one.ids.add(name)
    one.spans.add(line, Role.START)
    one.outlines.append(
        Outline(
            id=name,
            start=Start.PROMPT,
            time=iso(_milliseconds(record["ts"])),
            prompt_digest=digest,
            fingerprint=Digest(digest),
            prompt_size=len(words),
        )
    )


def _milliseconds(seconds: Json) -> Json:
    return seconds * 1000 if isinstance(seconds, int | float) else None


def _places(one: _Conversation) -> Mapping[TurnId, tuple[int, int, int]]:
    spans = ((span.offset, span.length, span.line) for span in one.spans)
    return {outline.id: place for outline, place in zip(one.outlines, spans, strict=True)}


@dataclass(frozen=True, slots=True)
class _Loader:
    source: Source
    places: Mapping[TurnId, tuple[int, int, int]]

    def load(self, outline: Outline) -> Turn:
        """Read one prompt."""
        offset, length, line = self.places[outline.id]
        record, _ = decode(clean(self.source.read(offset, length)))
        user = (Text(text=text_at(record, "text")),)
        return Turn(outline=outline, user=user, assistant=(), origin=Origin(file="", line=line))
