"""Letting an assistant or the configured command read turns for decisions, and taking what it says (SPEC 1.8).

What is given is masked and bounded; what comes back is checked against the turns on disk
(`domain.decisions.reading`).
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from awf_archive.domain.decisions import TURNS_BEFORE, Decision, Exchange, Status
from awf_archive.domain.decisions.joining import Shown, joined
from awf_archive.domain.decisions.reading import (
    Judged,
    Line,
    NotTakenError,
    Refusal,
    Spoken,
    is_open,
    is_sure,
    judged,
    known_lines,
    lines_of,
    repeated,
    request,
)
from awf_archive.domain.manifest import Manifest
from awf_archive.domain.session import TurnEntry
from awf_archive.domain.summary.files import changed, without_root
from awf_archive.domain.summary.model_words import cut
from awf_archive.domain.transcript import Branch, prompt_text
from awf_archive.domain.turn_file import TurnFile
from awf_archive.errors import ArchiveError, UsageError
from awf_archive.services.chunk_turns import turns_of
from awf_archive.services.decisions_changes import change
from awf_archive.services.redacted_archive import RedactedArchive
from awf_archive.store.archive import Archive

MOST_BYTES = 24_000
"""Of the turns in a request; the rules take 4 000, and Claude Code shows 30 000 characters of an answer."""

_MOST_FILES = 20
_HEAD = 1 / 3
"""Of a long message: what was decided stands rather at its end."""

_SHORTEST_TURN, _LONGEST_TURN = 800, 9_000
"""Bytes that a turn gets; a report of more says more than what was decided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a reader is given."""

    text: str
    turns: tuple[int, int]
    """First and last of the turns in it."""
    rest: tuple[int, int] | None = None
    """Those that were asked for and had no room."""


@dataclass(slots=True, kw_only=True)
class Taken:
    """What was taken of an answer."""

    added: list[Decision] = field(default_factory=list)
    confirmed: list[Decision] = field(default_factory=list)
    """Known before, now in better words or accepted."""
    dismissed: list[Decision] = field(default_factory=list)
    """Proposals that are no decisions."""
    known: list[Decision] = field(default_factory=list)
    """Those that a line only said again."""
    refused: list[Refusal] = field(default_factory=list)

    @property
    def is_change(self) -> bool:
        """Whether anything was recorded."""
        return bool(self.added or self.confirmed or self.dismissed)


def newest_turns(archive: Archive, feature: str) -> tuple[int, int]:
    """Return the range of a feature's newest session. Raises UsageError when it has none."""
    manifest = archive.require(feature)
    if not manifest.sessions:
        raise UsageError(f"{feature}: nothing is saved yet.", "awf-archive checkpoint saves a conversation.")
    return manifest.sessions[-1].global_range


def requested(
    archive: RedactedArchive, feature: str, turns: tuple[int, int], most: int = MOST_BYTES
) -> Request | None:
    """Return a request with as many of a feature's turns as fit into `most` bytes; None where there are none.

    Raises NoArchiveError, DamagedArchiveError.
    """
    manifest = archive.require(feature)
    known = _by_turn(archive.decisions(feature))
    texts: list[str] = []
    numbers: list[int] = []
    room = most
    for entry, turn in turns_of(archive, feature, manifest, (turns[0] - 1, turns[1])):
        is_before = entry.turn < turns[0]
        text = _told(feature, entry, turn, () if is_before else known.get(entry.turn, ()), most)
        size = len(text.encode(errors="replace"))
        if numbers and size > room:
            rest = (entry.turn, max(turns[1], entry.turn))
            return Request(text=request(texts), turns=(numbers[0], numbers[-1]), rest=rest)
        texts.append(text.replace("\n", " (before)\n", 1) if is_before else text)
        numbers += () if is_before else (entry.turn,)
        room -= size
    return Request(text=request(texts), turns=(numbers[0], numbers[-1])) if numbers else None


def _told(feature: str, entry: TurnEntry, turn: TurnFile, known: Iterable[Decision], most: int) -> str:
    size = max(_SHORTEST_TURN, min(_LONGEST_TURN, most // 3))
    user = cut(prompt_text(turn.user_blocks), size // 3, head=_HEAD)
    rest = size - len(user.encode(errors="replace"))
    assistant = cut(prompt_text(turn.assistant_blocks), rest, head=_HEAD)
    left = " (rewound)" if entry.branch is Branch.ABANDONED else ""
    lines = (f"## {feature}#{entry.turn}{left}", "User:", user, "Assistant:", assistant, known_lines(known))
    return "\n".join(filter(None, lines))


def _by_turn(decisions: Iterable[Decision]) -> dict[int, list[Decision]]:
    found: dict[int, list[Decision]] = defaultdict(list)
    for one in decisions:
        for turn in (one.turn, *one.also):
            if turn:
                found[turn].append(one)
    return found


def take(archive: RedactedArchive, answer: str) -> Taken:
    """Take what an answer says of the turns of this workspace; each line is taken or refused by itself.

    Raises LockedError and DiskError.
    """
    lines, refused = lines_of(answer)
    taken = Taken(refused=refused)
    by_feature: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        by_feature[line.feature].append(line)
    for feature, its in by_feature.items():
        try:
            _take(archive, feature, its, taken)
        except ArchiveError as problem:
            if feature in archive.features():
                raise
            taken.refused += [Refusal(line.number, problem.message) for line in its]
    taken.refused.sort()
    return taken


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turn:
    entry: TurnEntry
    session: str
    spoken: Spoken
    files: tuple[str, ...]


def _take(archive: RedactedArchive, feature: str, lines: Sequence[Line], taken: Taken) -> None:
    turns = _turns(archive, feature, {line.turn for line in lines})
    known = archive.decisions(feature)
    said: list[Judged] = []
    for line in lines:
        turn = turns.get(line.turn)
        its = {one.id: one for one in known if 0 < one.turn <= line.turn}
        try:
            judgement = judged(line, turn.spoken if turn else None, its)
            again = None
            if judgement.found and not judgement.id:
                again = repeated(judgement.found, line.turn, known)
            if again:
                taken.known.append(again)
            else:
                said.append(judgement)
        except NotTakenError as problem:
            taken.refused.append(Refusal(line.number, str(problem)))
    before = {one.id for one in known}
    after = change(archive.unmasked, feature, lambda old: _changed(old, said, turns, feature))
    places = {one.id: taken.confirmed if one.found else taken.dismissed for one in said if one.id}
    for one in after:
        if one.id not in before:
            taken.added.append(one)
        elif one.id in places:
            places[one.id].append(one)


def _changed(
    decisions: Sequence[Decision], said: Sequence[Judged], turns: Mapping[int, _Turn], feature: str
) -> Sequence[Decision]:
    judgements = {one.id: one for one in said if one.id}
    after = [_judged(one, judgements[one.id]) if one.id in judgements else one for one in decisions]
    return joined(after, _shown(said, turns), feature)


def _shown(said: Iterable[Judged], turns: Mapping[int, _Turn]) -> Iterator[Shown]:
    for one in said:
        if one.found and not one.id:
            turn = turns[one.turn]
            yield Shown(
                found=replace(one.found, files=turn.files),
                session=turn.session,
                turn=one.turn,
                date=turn.entry.time,
                is_abandoned=turn.entry.branch is Branch.ABANDONED,
            )


def _judged(one: Decision, judgement: Judged) -> Decision:
    """Return a known decision as the reader sees it; what a person changed of it stays."""
    if not is_open(one):
        return one
    found = judgement.found
    if found is None:
        return replace(one, status=Status.REJECTED)
    one = replace(one, status=Status.PROPOSED)
    if judgement.turn > one.turn and judgement.turn not in one.also:
        one = replace(one, also=tuple(sorted((*one.also, judgement.turn))))
    if "text" not in one.edited:
        one = replace(one, text=found.text, found_text=one.original)
    if "reason" not in one.edited and not one.reason:
        one = replace(one, reason=found.reason)
    if not is_sure(found, one):
        return one
    return replace(
        one, status=found.status, found_status=found.status, by=found.by, confidence=found.confidence
    )


def _turns(archive: RedactedArchive, feature: str, numbers: set[int]) -> dict[int, _Turn]:
    """Return those turns of a feature that are on disk, each with what was said before it."""
    manifest: Manifest = archive.require(feature)
    found: dict[int, _Turn] = {}
    for session in manifest.sessions:
        first, last = session.global_range
        wanted = [number for number in numbers if first <= number <= last]
        if not wanted:
            continue
        before: list[Exchange] = []
        span = (max(first, min(wanted) - TURNS_BEFORE), max(wanted))
        for entry, turn in turns_of(archive, feature, manifest, span):
            said = Exchange(user=prompt_text(turn.user_blocks), assistant=prompt_text(turn.assistant_blocks))
            if entry.turn in numbers:
                spoken = Spoken(said, tuple(before[-TURNS_BEFORE:]))
                found[entry.turn] = _Turn(
                    entry=entry,
                    session=session.session_id,
                    spoken=spoken,
                    files=without_root(changed(turn.assistant_blocks), turn.files)[:_MOST_FILES],
                )
            before = [*before[-TURNS_BEFORE:], said]
    return found
