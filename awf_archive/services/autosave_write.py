"""Writing what an auto-save saves: the work state, a snapshot, and the end of old ones (SPEC 3.3, 3.5, 3.7).

Apart from looking at messages, because most messages save nothing and a hook's time is short.
"""

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from awf_archive.brain.folder import read
from awf_archive.brain.snapshots import free_name, remove_expired, snapshot_bytes
from awf_archive.domain.escape import json_pages
from awf_archive.domain.triggers import Config, Trigger
from awf_archive.domain.work_state import Fields, brain_summary, save_points
from awf_archive.errors import DiskError, LockedError
from awf_archive.services.autosave_disk import DISK, persistently, room_maker, sweep
from awf_archive.services.autosave_place import WAIT, Place, Saved, failed, lock_of
from awf_archive.services.autosave_state import Saving, saved_state
from awf_archive.services.autosave_transcript import Read, read_transcript
from awf_archive.services.recap_archive import feature_in_work
from awf_archive.services.recap_state import (
    Note,
    knowledge_of,
    read_twice,
    replace_broken,
    restorable,
    tasks_progress,
)
from awf_archive.store.archive import Archive
from awf_archive.store.lock import holding

_WITH_SNAPSHOT = frozenset({Trigger.WORKFLOW_END, Trigger.EMERGENCY})


class Job(NamedTuple):
    """What to save besides the work state itself."""

    transcript: Path | None = None
    workflow: str = ""
    is_urgent: bool = False
    """The user is told that a backup was saved: leave a snapshot whatever the trigger."""


def save(place: Place, asked: Saved, config: Config, job: Job) -> Saved:
    """Write the work state, then a snapshot where one is due; then delete what is too old."""
    if asked.trigger is None:
        return asked
    since = last_save(place) if job.workflow else ""
    shown = read_transcript(job.transcript, place.layout.root, job.workflow, since)
    return _save(place, asked, config, shown, job)


def last_save(place: Place) -> str:
    """Return when the last save was, to the second and without its zone; an empty text when there was none."""
    try:
        points = save_points(read(place.brain.session).value or {})
    except DiskError:
        return ""
    return points[-1].time[:19] if points else ""


def _save(place: Place, asked: Saved, config: Config, shown: Read, job: Job) -> Saved:
    now, brain = place.now(), place.brain
    knowledge = knowledge_of(brain)
    saving = Saving(
        trigger=asked.trigger or Trigger.MANUAL,
        now=now,
        message_count=asked.message_count,
        folder=place.layout.root.name,
        brain=knowledge,
        workflow=job.workflow,
        found=shown.found,
        feature=feature_in_work(Archive(layout=place.layout), ""),
    )
    make_room = room_maker(brain)
    problems = (shown.problem,) if shown.problem else ()
    try:
        state, note = persistently(lambda: _write(place, saving), place.sleep, make_room)
    except (DiskError, LockedError) as problem:
        return failed(replace(asked, problems=problems), problem)
    told = ("restored",) if note is Note.RESTORED else ("session_broken",) if note is Note.BROKEN else ()
    done = replace(asked, is_saved=True, notices=told, problems=problems)
    if asked.trigger not in _WITH_SNAPSHOT and not job.is_urgent:
        return done
    try:
        path = persistently(lambda: _snapshot(place, state, knowledge, now), place.sleep, make_room)
    except (DiskError, LockedError) as problem:
        return replace(done, problems=(*problems, problem.message))
    remove_expired(brain, now, config.snapshot_retention_days)
    return replace(done, snapshot=path)


def _write(place: Place, saving: Saving) -> tuple[Fields, Note]:
    """Read, change and replace the work state while nobody else of ours does. Raises DiskError or LockedError."""
    brain = place.brain
    with holding(lock_of(place), WAIT) as lock:
        sweep(brain.folder)
        found = read_twice(brain.session, place.sleep)
        old: Fields = found.value or {}
        note = Note.NONE
        if found.is_broken:
            old, note = restorable(brain)
        progress = tasks_progress(place.layout.root, place.layout.archive_dir, old)
        state = saved_state(old, replace(saving, progress=progress))
        lock.check()
        if found.is_broken:
            replace_broken(DISK, brain.session, json_pages(state), saving.now)
        else:
            DISK.write(brain.session, json_pages(state))
    return state, note


def _snapshot(place: Place, state: Fields, knowledge: Fields, now: datetime) -> Path:
    with holding(lock_of(place), WAIT):
        path = free_name(place.brain.snapshots, now)
        DISK.write(path, snapshot_bytes(state, brain_summary(knowledge), now))
    return path
