"""`metadata.json`: what one session holds, turn by turn (SPEC 1.6)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import cast

from awf_archive.domain.file_names import inner_name, inner_path
from awf_archive.domain.ids import Digest, GlobalTurn, SessionId, TurnId, WindowId
from awf_archive.domain.transcript import Branch, Json, Origin, Problem

NO_WINDOW = WindowId("")
"""Sessions of the original skill do not say which window they come from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """An earlier text of a turn that grew after it was saved."""

    file: str
    """Relative to the session's folder: `revisions/turn-008.1.md`."""
    sha256: Digest


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEntry:
    """One turn of a session."""

    local: int
    turn: GlobalTurn
    file: str
    sha256: Digest
    """Of the turn file."""
    source_id: TurnId
    fingerprint: Digest
    """Of the source's bytes for this turn (`Outline.fingerprint`)."""
    prompt_sha256: Digest
    time: str = ""
    start: str = "prompt"
    title: str = ""
    """The prompt on one line."""
    branch: Branch = Branch.MAIN
    foreign: WindowId | None = None
    attachments: tuple[str, ...] = ()
    revisions: tuple[Revision, ...] = ()
    format: str = ""
    """Whose words it holds, where that is not the session's format: a copy of it that tells more turned up."""
    formerly: tuple[int, ...] = ()
    """Global numbers that it bore on other sides of merges: it came from there (docs/git.md)."""

    def to_json(self) -> dict[str, Json]:
        """Return the entry as `metadata.json` holds it; what is usual is left out."""
        entry: dict[str, Json] = {
            "local": self.local,
            "turn": self.turn,
            "file": self.file,
            "sha256": self.sha256,
            "sourceId": self.source_id,
            "fingerprint": self.fingerprint,
            "promptSha256": self.prompt_sha256,
            "time": self.time,
            "start": self.start,
            "title": self.title,
        }
        if self.branch is not Branch.MAIN:
            entry["branch"] = self.branch.value
        if self.foreign:
            entry["foreignWindow"] = self.foreign
        if self.attachments:
            entry["attachments"] = list(self.attachments)
        if self.revisions:
            entry["revisions"] = [{"file": one.file, "sha256": one.sha256} for one in self.revisions]
        if self.formerly:
            entry["formerly"] = list(self.formerly)
        if self.format:
            entry["format"] = self.format
        return entry

    @classmethod
    def from_json(cls, entry: Mapping[str, Json]) -> "TurnEntry":
        """Return the turn that `to_json` wrote. Raises KeyError, TypeError or ValueError otherwise."""
        revisions = cast("list[dict[str, str]]", entry.get("revisions") or [])
        foreign = entry.get("foreignWindow")
        return cls(
            local=int(cast("int", entry["local"])),
            turn=GlobalTurn(int(cast("int", entry["turn"]))),
            file=inner_name(str(entry["file"])),
            sha256=Digest(str(entry["sha256"])),
            source_id=TurnId(str(entry["sourceId"])),
            fingerprint=Digest(str(entry["fingerprint"])),
            prompt_sha256=Digest(str(entry["promptSha256"])),
            time=str(entry.get("time") or ""),
            start=str(entry.get("start") or "prompt"),
            title=str(entry.get("title") or ""),
            branch=Branch(str(entry.get("branch") or "main")),
            foreign=WindowId(str(foreign)) if foreign else None,
            attachments=tuple(inner_name(str(one)) for one in _listed(entry, "attachments")),
            revisions=tuple(
                Revision(file=inner_path(one["file"]), sha256=Digest(one["sha256"])) for one in revisions
            ),
            format=str(entry.get("format") or ""),
            formerly=tuple(int(cast("int", one)) for one in cast("list[Json]", entry.get("formerly") or [])),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedTurn:
    """A turn in which nothing happened but our own command (SPEC 1.2)."""

    source_id: TurnId
    fingerprint: Digest
    reason: str
    text: str
    """The prompt on one line."""

    def to_json(self) -> dict[str, Json]:
        """Return the entry as `metadata.json` holds it."""
        return {
            "sourceId": self.source_id,
            "fingerprint": self.fingerprint,
            "reason": self.reason,
            "text": self.text,
        }

    @classmethod
    def from_json(cls, entry: Mapping[str, Json]) -> "SkippedTurn":
        """Return the turn that `to_json` wrote."""
        return cls(
            source_id=TurnId(str(entry["sourceId"])),
            fingerprint=Digest(str(entry["fingerprint"])),
            reason=str(entry["reason"]),
            text=str(entry["text"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceInfo:
    """Where a session's turns come from."""

    format: str = ""
    window: WindowId = NO_WINDOW
    windows: tuple[WindowId, ...] = ()
    """Every window whose records the transcript holds, its own first."""
    name: str = ""
    """The transcript's file name; never a path, which differs from one person to the next."""
    tool_version: str = ""
    partial: bool = False
    """Of some turns only the prompts are known: the tool deleted the transcript."""

    def to_json(self) -> dict[str, Json]:
        """Return the object as `metadata.json` holds it; `partial` only where it is so."""
        marks: dict[str, Json] = {"partial": True} if self.partial else {}
        ours: dict[str, Json] = {
            "format": self.format,
            "window": self.window,
            "windows": list(self.windows),
            "name": self.name,
            "toolVersion": self.tool_version,
        }
        return ours | marks

    @classmethod
    def from_json(cls, entry: Mapping[str, Json]) -> "SourceInfo":
        """Return the value that `to_json` wrote."""
        return cls(
            format=str(entry.get("format") or ""),
            window=WindowId(str(entry.get("window") or "")),
            windows=tuple(WindowId(str(one)) for one in cast("list[Json]", entry.get("windows") or [])),
            name=str(entry.get("name") or ""),
            tool_version=str(entry.get("toolVersion") or ""),
            partial=entry.get("partial") is True,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What a session was about, as the seed has it."""

    topics: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """Return the object as `metadata.json` holds it."""
        return {
            "topics": list(self.topics),
            "decisions": list(self.decisions),
            "files": list(self.files),
        }

    @classmethod
    def from_json(cls, entry: Mapping[str, Json]) -> "Summary":
        """Return the value that `to_json` wrote, or what a model wrote in its place."""
        topics, decisions, files = (_texts(entry.get(name)) for name in ("topics", "decisions", "files"))
        return cls(topics=topics, decisions=decisions, files=files)


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One session's metadata. Sessions of the original skill have no `turns` and no `source`."""

    session_id: SessionId
    created_at: str
    global_range: tuple[int, int]
    turn_count: int
    phase: str
    summary: Summary = field(default_factory=Summary)
    source: SourceInfo = field(default_factory=SourceInfo)
    continues: SessionId | None = None
    language: str = "en"
    title: str = ""
    tokens: Mapping[str, int] = field(default_factory=dict)
    turns: tuple[TurnEntry, ...] = ()
    skipped: tuple[SkippedTurn, ...] = ()
    problems: tuple[Problem, ...] = ()
    extra: Mapping[str, Json] = field(default_factory=dict)
    """Keys that others wrote; kept."""

    @property
    def heading(self) -> str:
        """Its title, else its first topic; empty when it has neither."""
        return self.title or next(iter(self.summary.topics), "")

    def to_json(self) -> dict[str, Json]:
        """Return the object that `metadata.json` holds: the seed's keys first, then ours, then others'."""
        ours: dict[str, Json] = {
            "sessionId": self.session_id,
            "createdAt": self.created_at,
            "globalRange": list(self.global_range),
            "turnCount": self.turn_count,
            "phase": self.phase,
            "summary": self.summary.to_json(),
            "title": self.title,
            "language": self.language,
            "source": self.source.to_json(),
            "continues": self.continues,
            "tokens": cast("Json", dict(self.tokens)),
            "skippedTurns": [one.to_json() for one in self.skipped],
            "problems": [_problem_json(one) for one in self.problems],
            "turns": [one.to_json() for one in self.turns],
        }
        return ours | dict(self.extra)

    @classmethod
    def from_json(cls, entry: Mapping[str, Json]) -> "Session":
        """Return the session of a `metadata.json`, ours or the original skill's.

        Raises KeyError, TypeError or ValueError when a key of the seed is missing or of another type.
        """
        first, last = cast("list[int]", entry["globalRange"])
        continues = entry.get("continues")
        tokens = cast("dict[str, int]", _object(entry.get("tokens")))
        return cls(
            session_id=SessionId(inner_name(str(entry["sessionId"]))),
            created_at=str(entry.get("createdAt") or ""),
            global_range=(int(first), int(last)),
            turn_count=int(cast("int", entry["turnCount"])),
            phase=str(entry.get("phase") or ""),
            summary=Summary.from_json(_object(entry.get("summary"))),
            source=SourceInfo.from_json(_object(entry.get("source"))),
            continues=SessionId(str(continues)) if continues else None,
            language=str(entry.get("language") or "zh"),
            title=str(entry.get("title") or ""),
            tokens={str(name): int(count) for name, count in tokens.items()},
            turns=tuple(TurnEntry.from_json(one) for one in _objects(entry, "turns")),
            skipped=tuple(SkippedTurn.from_json(one) for one in _objects(entry, "skippedTurns")),
            problems=tuple(_problem(one) for one in _objects(entry, "problems")),
            extra={name: value for name, value in entry.items() if name not in _KNOWN},
        )

    def format_of(self, turn: TurnEntry) -> str:
        """Return the format that a turn was read from."""
        return turn.format or self.source.format

    def with_turns(self, turns: tuple[TurnEntry, ...]) -> "Session":
        """Return the session with these turns, its range and count to match."""
        first = self.global_range[0]
        return replace(
            self,
            turns=turns,
            turn_count=len(turns),
            global_range=(first, first + len(turns) - 1),
        )


_KNOWN = frozenset(
    [
        *("sessionId", "createdAt", "globalRange", "turnCount", "phase", "summary", "title", "language"),
        *("source", "continues", "tokens", "skippedTurns", "problems", "turns"),
    ]
)


def _object(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def _texts(value: Json) -> tuple[str, ...]:
    """Return a list of texts; the original skill's model sometimes wrote one text instead."""
    if isinstance(value, list):
        return tuple(map(str, value))
    return (value,) if isinstance(value, str) and value else ()


def _listed(entry: Mapping[str, Json], name: str) -> list[Json]:
    return cast("list[Json]", entry.get(name) or [])


def _objects(entry: Mapping[str, Json], name: str) -> list[dict[str, Json]]:
    return cast("list[dict[str, Json]]", entry.get(name) or [])


def _problem_json(problem: Problem) -> dict[str, Json]:
    of_turn: dict[str, Json] = {"turn": problem.turn} if problem.turn else {}
    entry: dict[str, Json] = {
        "code": problem.code,
        "message": problem.message,
        "file": problem.origin.file,
        "line": problem.origin.line,
        "count": problem.count,
    }
    return entry | of_turn


def _problem(entry: Mapping[str, Json]) -> Problem:
    return Problem(
        code=str(entry["code"]),
        message=str(entry["message"]),
        origin=Origin(file=str(entry.get("file") or ""), line=int(cast("int", entry.get("line") or 0))),
        count=int(cast("int", entry.get("count") or 1)),
        turn=int(cast("int", entry.get("turn") or 0)),
    )
