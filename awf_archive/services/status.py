"""`status`: where the work stands, what is not yet in the archive, how full the context is (issue 6, point 6)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from awf_archive.domain import work_state
from awf_archive.domain.recap import moment
from awf_archive.domain.triggers import Counts, Level, estimate, level_of
from awf_archive.domain.work_state import SavePoint
from awf_archive.errors import ArchiveError
from awf_archive.services.autosave import Place
from awf_archive.services.autosave_state import time_of
from awf_archive.services.autosave_transcript import count_window
from awf_archive.services.autosave_windows import newest_window
from awf_archive.services.checkpoint import Request, checkpoint
from awf_archive.services.recap_state import Work, read_work
from awf_archive.store.archive import Archive

MOST_TRANSCRIPTS = 5
"""Conversations looked through, the newest: reading all of a year's would take minutes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A conversation with turns that are not in the archive."""

    path: Path
    turns: int
    updated: int
    """Saved turns that have grown since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Archived:
    """What the archive holds."""

    turns: int = 0
    sessions: int = 0
    features: int = 0
    last_save: str = ""
    """When something was last saved there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """One screen."""

    work: Work
    last_save: SavePoint | None
    archived: Archived
    waiting: tuple[Waiting, ...]
    problems: tuple[str, ...]
    tokens: int
    level: Level


def status(place: Place, transcripts: Sequence[Path], threshold: int) -> Status:
    """Return where a workspace stands. `transcripts` are its conversations, the newest first.

    Raises DiskError when the work state may not be read; a transcript that does not read is a problem told.
    """
    layout = place.layout
    newest = tuple(islice(transcripts, MOST_TRANSCRIPTS))
    work = read_work(layout.root, place.now(), layout.archive_dir)
    waiting, problems = _waiting(place, newest, threshold)
    counts = _counts(place, newest)
    tokens = estimate(counts)
    points = work_state.save_points(work.state)
    return Status(
        work=work,
        last_save=points[-1] if points else None,
        archived=_archived(Archive(layout=layout)),
        waiting=waiting,
        problems=(*work.problems, *problems),
        tokens=tokens,
        level=level_of(tokens, place.config()),
    )


def _waiting(
    place: Place, transcripts: Sequence[Path], threshold: int
) -> tuple[tuple[Waiting, ...], tuple[str, ...]]:
    """Plan a checkpoint of each conversation; nothing is written."""
    now = time_of(place.now())
    waiting: list[Waiting] = []
    problems: list[str] = []
    for path in transcripts:
        request = Request(transcript=path, now=now, threshold=threshold, dry_run=True, extend=True)
        try:
            plan = checkpoint(place.layout, request)
        except ArchiveError as problem:
            problems.append(problem.message)
            continue
        if plan.saved or plan.updated:
            waiting.append(Waiting(path=path, turns=plan.saved, updated=plan.updated))
    return tuple(waiting), tuple(problems)


def _counts(place: Place, transcripts: Sequence[Path]) -> Counts:
    """Return what the newest window holds: as counted along, else from its transcript."""
    counted = newest_window(place.layout)
    if counted is not None:
        return counted.counts
    try:
        return count_window(transcripts[0]) if transcripts else Counts()
    except ArchiveError:
        return Counts()


def _archived(archive: Archive) -> Archived:
    turns = sessions = 0
    last_save = ""
    features = archive.features()
    for feature in features:
        try:
            manifest = archive.require(feature)
        except ArchiveError:
            continue
        turns, sessions = turns + manifest.last_end, sessions + len(manifest.sessions)
        last_save = max(last_save, manifest.last_updated)
    return Archived(turns=turns, sessions=sessions, features=len(features), last_save=last_save)


def last_saved(found: Status) -> tuple[str, str]:
    """Return when the work state or the archive was last saved and by what; empty texts when neither ever was.

    An archive does not say what saved it: it may have been a person, an import, a hook.
    """
    point = found.last_save
    state = (point.time, point.trigger) if point else (work_state.saved_at(found.work.state), "")
    archived = (found.archived.last_save, "")
    return max((state, archived), key=lambda one: moment(one[0]) or _NEVER)


_NEVER = datetime.min.replace(tzinfo=UTC)
