"""Mending a wrong choice: a window's sessions go to another feature, their old numbers lead there (SPEC 1.1).

The copies are committed in the target first, the pointers in the source second: after a crash in between,
the same command finishes the job.
"""

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from awf_archive.domain import turn_file
from awf_archive.domain.decisions import Decision
from awf_archive.domain.escape import json_pages
from awf_archive.domain.features import check_feature
from awf_archive.domain.ids import Digest, GlobalTurn, SessionId
from awf_archive.domain.manifest import Manifest, Moved, SessionEntry, next_number, without_sessions
from awf_archive.domain.numbering import plan_numbers
from awf_archive.domain.session import Session, TurnEntry
from awf_archive.domain.wording import Wording
from awf_archive.errors import DamagedArchiveError, NoArchiveError, UsageError
from awf_archive.services.commit import Committer
from awf_archive.services.decisions_file import write_decisions
from awf_archive.services.merge_decisions import moved_decisions
from awf_archive.services.window_names import named, of_window
from awf_archive.store import atomic
from awf_archive.store.archive import Archive, read_bytes
from awf_archive.store.layout import ATTACHMENTS, METADATA, REVISIONS, session_name
from awf_archive.store.lock import Lock, holding
from awf_archive.store.recovery import leftovers, set_aside, sweep


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """What a move did."""

    window: str
    source: str
    target: str
    numbers: tuple[int, int]
    """The turns' numbers in the target."""
    pointers: tuple[Moved, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moving:
    """How to move: where, when, in which language chunks are written, and when one is due."""

    archive: Archive
    now: str
    words: Wording
    threshold: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    moving: Moving
    lock: Lock

    @property
    def archive(self) -> Archive:
        return self.moving.archive

    def committer(self, feature: str) -> Committer:
        moving = self.moving
        return Committer(
            archive=moving.archive, feature=feature, lock=self.lock, now=moving.now, words=moving.words
        )


def move(moving: Moving, window: str, target: str) -> Move:
    """Move every session of a window, named by its id or one of its sessions, to the feature `target`.

    Raises NoArchiveError when no feature holds it, UsageError when it is in `target` already,
    FeatureNameError for an unsafe name.
    """
    target = check_feature(target)
    with holding(moving.archive.layout.lock) as lock:
        job = _Job(moving=moving, lock=lock)
        _finish_earlier(job)
        _clear(job, target)
        source, entries = _find(moving.archive, window, target)
        _clear(job, source)
        window = entries[0].windows[0]
        pointers = _copy_all(job, source, entries, target)
        _leave_pointers(job, source, pointers)
    numbers = [(one.start, one.start + one.turn_range[1] - one.turn_range[0]) for one in pointers.values()]
    return Move(
        window=window,
        source=source,
        target=target,
        numbers=(min(first for first, _ in numbers), max(last for _, last in numbers)),
        pointers=tuple(pointers.values()),
    )


def _find(archive: Archive, window: str, target: str) -> tuple[str, list[SessionEntry]]:
    """Return the feature that holds a window, named by its id, its beginning or a session, and its sessions there."""
    asked = named(archive, window)
    is_there = asked.feature == target
    for feature in archive.features():
        if asked.feature not in {"", feature}:
            continue
        entries = of_window(archive.require(feature).sessions, asked.window)
        if entries and feature != target:
            return feature, entries
        is_there = is_there or bool(entries)
    if is_there:
        raise UsageError(f"{window}: is in {target} already.", "Nothing to move.")
    raise NoArchiveError(f"{window}: no feature holds this window.", "awf-archive list shows every session.")


def _finish_earlier(job: _Job) -> None:
    """Put away the folders of a move that stopped after its pointers were written."""
    layout = job.archive.layout
    for feature in job.archive.features():
        manifest = job.archive.manifest(feature)
        if manifest is None or not manifest.moved:
            continue
        named = {one.session_id for one in manifest.sessions}
        for folder in sorted(layout.sessions(feature).glob("session-*")):
            if folder.name not in named and _first_turn(folder) in {
                one.turn_range[0] for one in manifest.moved
            }:
                _put_away(job, feature, SessionId(folder.name))


def _clear(job: _Job, target: str) -> None:
    """Set aside what an interrupted move left half copied; it is copied again."""
    layout = job.archive.layout
    manifest = job.archive.manifest(target) or Manifest(spec_id=target)
    sweep(layout)
    windows = {window for entry in manifest.sessions for window in entry.windows}
    set_aside(layout, target, leftovers(layout, target, manifest, windows), job.moving.now)


def _first_turn(folder: Path) -> int:
    try:
        value = json.loads(read_bytes(folder / METADATA) or b"")
        return int(value["globalRange"][0])
    except (ValueError, KeyError, TypeError, IndexError):
        return 0


def _copy_all(job: _Job, source: str, entries: list[SessionEntry], target: str) -> dict[SessionId, Moved]:
    """Copy a window's sessions, each linked to the one before it."""
    pointers: dict[SessionId, Moved] = {}
    before: SessionId | None = None
    for entry in entries:
        pointers[entry.session_id] = moved = _copy(job, source, entry, target, before)
        there = job.archive.require(target).holding(moved.start)
        before = there.session_id if there else None
    return pointers


def _copy(job: _Job, source: str, entry: SessionEntry, target: str, before: SessionId | None) -> Moved:
    """Copy one session into the target and commit it there; find it there after an interrupted move."""
    archive, layout = job.archive, job.archive.layout
    session = archive.session(source, entry)
    manifest = archive.manifest(target) or Manifest(spec_id=target)
    if there := _already_there(archive, target, manifest, session):
        return Moved(turn_range=entry.global_range, feature=target, start=there)
    folder = layout.session(source, entry.session_id)
    start = manifest.last_end + 1
    on_disk = [path.name for path in layout.sessions(target).glob("session-*")]
    session_id = session_name(next_number([*(one.session_id for one in manifest.sessions), *on_disk]))
    turns = []
    with atomic.staging(layout.session(target, session_id)) as staged:
        for index, turn in enumerate(session.turns):
            data = read_bytes(folder / turn.file)
            if data is None:
                raise DamagedArchiveError(
                    f"{layout.relative(folder / turn.file)}: missing, though the metadata names it.",
                    "awf-archive repair gives it back, if the vault has it.",
                )
            place = turn_file.Place(
                turn=start + index, session=session_id, local=turn.local, format=session.source.format
            )
            renumbered = turn_file.renumbered(data, place)
            atomic.write_new(staged.folder / turn.file, renumbered)
            turns.append(_renumbered(turn, start + index, renumbered))
        for name in (ATTACHMENTS, REVISIONS):
            if (folder / name).is_dir():
                shutil.copytree(folder / name, staged.folder / name)
        moved = replace(
            session,
            session_id=session_id,
            global_range=(start, start),
            continues=before,
            turns=(),
        ).with_turns(tuple(turns))
        atomic.write_new(staged.folder / METADATA, json_pages(moved.to_json()))
    _commit_copy(job, source, entry, manifest, moved)
    return Moved(turn_range=entry.global_range, feature=target, start=start)


def _renumbered(turn: TurnEntry, number: int, data: bytes) -> TurnEntry:
    return replace(turn, turn=GlobalTurn(number), sha256=Digest(sha256(data).hexdigest()))


def _already_there(archive: Archive, target: str, manifest: Manifest, session: Session) -> int | None:
    """Return the first number of a session's turns in the target, if an interrupted move left them there."""
    ids = {turn.source_id for turn in session.turns}
    for entry in manifest.sessions:
        if session.source.window in entry.windows:
            there = archive.session(target, entry)
            if {turn.source_id for turn in there.turns} == ids:
                return there.global_range[0]
    return None


def _commit_copy(job: _Job, source: str, entry: SessionEntry, manifest: Manifest, moved: Session) -> None:
    committer = job.committer(moved_feature := manifest.spec_id)
    digest = committer.write_metadata(moved)
    offset = moved.global_range[0] - entry.global_range[0]
    _copy_decisions(job, source, entry, moved_feature, (moved.session_id, offset))
    numbers = plan_numbers(
        last_end=manifest.last_end,
        last_chunked=manifest.last_chunked,
        new=len(moved.turns),
        threshold=job.moving.threshold,
    )
    committer.prepare_folders()
    manifest, _ = committer.with_session(manifest, moved, digest, numbers)
    committer.write_manifest(manifest)


def _copy_decisions(
    job: _Job, source: str, entry: SessionEntry, target: str, place: tuple[SessionId, int]
) -> None:
    """Give the decisions of the moved turns new ids in the target."""
    session_id, offset = place
    first, last = entry.global_range
    moved = [one for one in job.archive.decisions(source) if first <= one.turn <= last]
    if moved:
        there = job.archive.all_decisions(target)
        after = moved_decisions(there, moved, target, session_id, offset)
        write_decisions(job.archive.layout, target, after)


def _leave_pointers(job: _Job, source: str, pointers: dict[SessionId, Moved]) -> None:
    """Take the sessions out of the source's list; their folders are kept in `conversations/moved`."""
    archive = job.archive
    manifest = archive.require(source)
    gone = [one for one in manifest.sessions if one.session_id in pointers]
    before = archive.all_decisions(source)
    marked = [_pointed(archive, one, [pointers[entry.session_id] for entry in gone]) for one in before]
    if marked:
        write_decisions(archive.layout, source, marked)
    job.committer(source).write_manifest(without_sessions(manifest, pointers, job.moving.now))
    for session_id in pointers:
        _put_away(job, source, session_id)


def _pointed(archive: Archive, decision: Decision, moved: Sequence[Moved]) -> Decision:
    """Return a decision with where it is now, if its turn is among those moved."""
    for one in moved:
        first, last = one.turn_range
        if first <= decision.turn <= last:
            there = archive.decisions(one.feature)
            turn = decision.turn + one.start - first
            at = next((d.id for d in there if d.turn == turn and d.original == decision.original), "")
            return replace(decision, moved_to=f"{one.feature} {at}".strip())
    return decision


def _put_away(job: _Job, feature: str, session_id: SessionId) -> None:
    """Keep a session's folder where no list names it; `repair` finds there what was moved, and where to."""
    layout = job.archive.layout
    kept = layout.conversations(feature) / "moved" / f"{session_id}-{job.moving.now.replace(':', '')}"
    number, free = 2, kept
    while free.exists():
        number, free = number + 1, kept.with_name(f"{kept.name}-{number}")
    atomic.move(layout.session(feature, session_id), free)
