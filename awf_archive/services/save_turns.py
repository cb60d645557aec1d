"""Writing the turns of one checkpoint, one at a time, so that memory holds no more than one (SPEC 1.2, 1.5)."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from awf_archive.domain import turn_file
from awf_archive.domain.decisions import Found
from awf_archive.domain.filters import skip_reason
from awf_archive.domain.ids import Digest, GlobalTurn, SessionId
from awf_archive.domain.session import SkippedTurn, TurnEntry
from awf_archive.domain.tool_lines import files_touched, one_line, relative_path
from awf_archive.domain.transcript import Outline, Problem, Transcript, Turn, Usage, prompt_text
from awf_archive.domain.wording import Wording
from awf_archive.services.decisions_context import Conversation
from awf_archive.store.layout import ATTACHMENTS, turn_name

Put = Callable[[str, bytes], None]
"""Writes a file by its name relative to the session's folder."""

_TITLE = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTurns:
    """Which turns to save and where they go."""

    outlines: tuple[Outline, ...]
    session_id: SessionId
    first_turn: int
    """Global number of the first one kept."""
    first_local: int
    keep_all: bool
    words: Wording


@dataclass(slots=True, kw_only=True)
class Gathered:
    """What was learned of the turns while they were written."""

    entries: list[TurnEntry] = field(default_factory=list)
    skipped: list[SkippedTurn] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    decisions: list[tuple[TurnEntry, Found]] = field(default_factory=list)
    files: dict[str, None] = field(default_factory=dict)
    titles: list[str] = field(default_factory=list)
    signs: Counter[str] = field(default_factory=Counter)
    usage: Usage = field(default_factory=Usage)


def save_turns(transcript: Transcript, new: NewTurns, put: Put) -> Gathered:
    """Write every new turn that is kept; return what was learned."""
    gathered = Gathered()
    conversation = Conversation(transcript)
    for outline in new.outlines:
        turn = transcript.load(outline)
        conversation.heard(turn)
        reason = None if new.keep_all else skip_reason(turn)
        if reason:
            gathered.skipped.append(_skipped(turn, reason))
            continue
        entry = _write_turn(transcript, turn, new, len(gathered.entries), put)
        _gather(gathered, turn, entry, transcript.cwd)
        gathered.decisions.extend((entry, one) for one in conversation.harvest(turn))
    return gathered


def _skipped(turn: Turn, reason: str) -> SkippedTurn:
    return SkippedTurn(
        source_id=turn.outline.id,
        fingerprint=turn.outline.fingerprint,
        reason=reason,
        text=one_line(prompt_text(turn.user), _TITLE),
    )


def _write_turn(transcript: Transcript, turn: Turn, new: NewTurns, index: int, put: Put) -> TurnEntry:
    local, number = new.first_local + index, new.first_turn + index
    place = turn_file.Place(
        turn=number, session=new.session_id, local=local, format=transcript.format, cwd=transcript.cwd
    )
    data = turn_file.write(turn, place, new.words)
    for name, payload in turn.payloads.items():
        put(f"{ATTACHMENTS}/{name}", payload)
    put(turn_name(local), data)
    outline = turn.outline
    return TurnEntry(
        local=local,
        turn=GlobalTurn(number),
        file=turn_name(local),
        sha256=Digest(sha256(data).hexdigest()),
        source_id=outline.id,
        fingerprint=outline.fingerprint,
        prompt_sha256=outline.prompt_digest,
        time=outline.time,
        start=outline.start.value,
        title=title_of(turn),
        branch=outline.branch,
        foreign=outline.foreign,
        attachments=tuple(turn.payloads),
    )


def title_of(turn: Turn) -> str:
    """Return the prompt's first sentence on one line."""
    from awf_archive.domain.summary import first_sentence  # with it comes what a save of nothing needs not

    return first_sentence(prompt_text(turn.user), _TITLE)


def _gather(gathered: Gathered, turn: Turn, entry: TurnEntry, cwd: str) -> None:
    from awf_archive.domain.summary import phase_signs

    gathered.entries.append(entry)
    gathered.problems.extend(problems_of(turn, entry))
    gathered.usage += turn.usage
    if turn.outline.branch.value == "main":
        gathered.titles.append(entry.title)
        gathered.signs.update(phase_signs(turn.assistant))
    paths = (relative_path(path, cwd) for path in files_touched(turn.assistant))
    gathered.files.update(dict.fromkeys(paths))


def problems_of(turn: Turn, entry: TurnEntry) -> list[Problem]:
    """Return what was met while a turn's text was read, with the turn's number."""
    return [replace(problem, turn=entry.turn) for problem in turn.problems]


def nowhere(_name: str, _data: bytes) -> None:
    """Write nothing: the plan of `--dry-run`."""


def into(folder: Path, write: Callable[[Path, bytes], None]) -> Put:
    """Return a `Put` into `folder`; an attachment that is there already is not written again."""

    def put(name: str, data: bytes) -> None:
        path = folder / name
        if name.startswith(f"{ATTACHMENTS}/") and path.exists():
            return
        write(path, data)

    return put
