"""The work state as `recap` finds it: read, brought back from a snapshot when broken, its summary completed.

Light on purpose (level 1 answers in under 100 ms): what writes is loaded only when something must be written.
"""

import time
from collections.abc import Callable
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from awf_archive.brain.folder import Brain, Disk, Reading, read
from awf_archive.domain import work_state
from awf_archive.domain.work_state import Fields, Summary
from awf_archive.errors import DiskError, FeatureNameError

_LOOK_AGAIN = 0.1
"""Seconds after which a file that does not read is read once more: AWF itself writes it in place."""


class Note(Enum):
    """What a person must be told about the work state's file."""

    NONE = "none"
    MISSING = "missing"
    RESTORED = "restored"
    BROKEN = "broken"
    """Nothing usable: a new one was made."""


class Work(NamedTuple):
    """Where the work stands."""

    state: Fields
    brain: Fields
    summary: Summary
    note: Note = Note.NONE
    problems: tuple[str, ...] = ()
    """What could not be written; the recap itself is right."""


def store_disk() -> Disk:
    """Return the store's way to the disk; loaded only when something is written."""
    from awf_archive.store import atomic

    return Disk(write=atomic.write, move=atomic.move)


def read_work(
    root: Path, now: datetime, archive_dir: str, pause: Callable[[float], None] = time.sleep
) -> Work:
    """Return the work state of a workspace; a broken file is set aside and replaced, a missing summary added.

    Raises DiskError when the file may not be read. What cannot be written is told in `problems`.
    """
    brain = Brain(root)
    knowledge = knowledge_of(brain)
    found = read_twice(brain.session, pause)
    if not found.is_there:
        return Work({}, knowledge, work_state.summary_of({}, knowledge, root.name), Note.MISSING)
    state, note = found.value or {}, Note.NONE
    problems: tuple[str, ...] = ()
    if found.is_broken:
        state, note, problems = restore(brain, knowledge, now)
    progress = tasks_progress(root, archive_dir, state)
    summary = work_state.summary_of(state, knowledge, root.name, progress)
    if note is Note.NONE and work_state.is_summary_missing(state):
        problems = _save(brain.session, with_summary(state, summary))
    return Work(state, knowledge, summary, note, problems)


def knowledge_of(brain: Brain) -> Fields:
    """Return the brain; without it a recap is poorer, not wrong."""
    try:
        return read(brain.knowledge).value or {}
    except DiskError:
        return {}


def read_twice(path: Path, pause: Callable[[float], None]) -> Reading:
    """Read a file; once more after a moment when it does not read."""
    found = read(path)
    if found.is_broken:
        pause(_LOOK_AGAIN)
        found = read(path)
    return found


def with_summary(state: Fields, summary: Summary) -> dict[str, object]:
    """Return the work state with a summary; a summary of another shape is kept as `summary_text`."""
    old = state.get("summary")
    kept = {"summary_text": old} if isinstance(old, str) and old else {}
    return {**state, **kept, "summary": {**work_state.fields(old), **summary.to_json()}}


def tasks_progress(root: Path, archive_dir: str, state: Fields) -> int | None:
    """Return what the feature's `tasks.md` says; None where the feature has none."""
    said, now = work_state.fields(state.get("summary")), work_state.fields(state.get("working_on"))
    feature = work_state.line(now.get("feature")) or work_state.line(said.get("current_feature"))
    if not feature or not (root / archive_dir).is_dir():
        return None
    from awf_archive.domain.features import check_feature

    try:
        path = root / archive_dir / check_feature(feature) / "tasks.md"
        return work_state.progress_in(path.read_text(encoding="utf-8", errors="replace"))
    except (FeatureNameError, OSError):
        return None


def restorable(brain: Brain) -> tuple[Fields, Note]:
    """Return the work state of the newest good snapshot; an empty one when there is none."""
    from awf_archive.brain.snapshots import newest_good

    good = newest_good(brain)
    return (good.state, Note.RESTORED) if good else ({}, Note.BROKEN)


def restore(brain: Brain, knowledge: Fields, now: datetime) -> tuple[Fields, Note, tuple[str, ...]]:
    """Set the broken file aside; put the newest good snapshot in its place, or a new work state."""
    state, note = restorable(brain)
    if note is Note.BROKEN:
        summary = work_state.summary_of({}, knowledge, brain.root.name)
        state = {"updated_at": now.strftime("%Y-%m-%dT%H:%M:%SZ"), "summary": summary.to_json()}
    from awf_archive.domain.escape import json_pages

    try:
        replace_broken(store_disk(), brain.session, json_pages(dict(state)), now)
    except DiskError as problem:
        return state, note, (problem.message,)
    return state, note, ()


def replace_broken(disk: Disk, path: Path, data: bytes, now: datetime) -> None:
    """Set a broken file aside and put `data` in its place; when that fails, it is back. Raises DiskError."""
    aside = free_aside(path, now)
    disk.move(path, aside)
    try:
        disk.write(path, data)
    except DiskError:
        disk.move(aside, path)
        raise


def free_aside(path: Path, now: datetime) -> Path:
    """Return the name under which a broken file is kept: `session.json.corrupt-<time>`."""
    stem = f"{path.name}.corrupt-{now:%Y%m%dT%H%M%SZ}"
    names = (path.with_name(stem if not count else f"{stem}-{count}") for count in range(1_000))
    return next(name for name in names if not name.exists())


def _save(path: Path, state: Fields) -> tuple[str, ...]:
    from awf_archive.domain.escape import json_pages

    try:
        store_disk().write(path, json_pages(dict(state)))
    except DiskError as problem:
        return (problem.message,)
    return ()
