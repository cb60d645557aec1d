"""The worker behind the hooks: takes one lock, works the queue off, and ends (issue 7).

A job's file goes only when its work is done, and every kind of work may be done twice without a trace: so a worker
that is killed anywhere loses no job and doubles nothing.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from awf_archive.errors import ArchiveError, DiskError, LockedError
from awf_archive.integrations import queue
from awf_archive.integrations.hook_files import Private, log, make_private, put, put_json, read_json
from awf_archive.integrations.worker_jobs import Job, Outcome, Site, job_of, render_ahead, sync_index, work
from awf_archive.integrations.worker_team import feed_team
from awf_archive.store import atomic
from awf_archive.store.lock import holding

PAUSES = (1.0, 2.0, 4.0)
"""Seconds before each further try of a job that the disk or a lock refused (SPEC 3.7)."""

MOST_TRIES = 5
"""Runs of the worker after which a job is set aside, still on disk."""


class Ran(NamedTuple):
    """What a run did."""

    done: int = 0
    left: int = 0
    """Jobs that wait for the next run."""
    is_busy: bool = False
    """Another worker is at it."""


def run(site: Site, sleep: Callable[[float], None] = time.sleep) -> Ran:
    """Work the queue off. Raises DiskError when the workspace cannot be written."""
    private = site.private
    done, seen = 0, frozenset[Path]()
    with atomic.disk_errors(private.folder):
        make_private(private, private.queue)
    while jobs := [path for path in queue.waiting(private) if path not in seen]:
        try:
            with holding(private.worker_lock, wait=1.0):
                for path in jobs:
                    done += _worked(site, path, sleep)
        except LockedError:
            return Ran(done, len(queue.waiting(private)), is_busy=True)
        # the lock is gone: a job that came meanwhile, and saw it, is found by looking once more
        seen = frozenset((*seen, *jobs))
    if site.grown:
        sync_index(site)
        render_ahead(site)
    if site.chunks and site.settings.summary.command:
        from awf_archive.integrations.worker_summaries import write_summaries

        if write_summaries(site):
            sync_index(site)
    feed_team(site.layout, site.settings)
    return Ran(done, len(queue.waiting(private)))


def _worked(site: Site, path: Path, sleep: Callable[[float], None]) -> bool:
    """Do one job; True when it is done with."""
    entry = read_json(path)
    job = job_of(entry)
    if job is None:
        if path.exists():
            _set_aside(site.private, path, "does not read")
        return False
    outcome = _tried(site, job, sleep)
    if outcome.told:
        _tell(site.private, outcome.told)
    if outcome.reason:
        log(site.private, f"{job.kind} {job.trigger} {job.window}: {outcome.reason}")
    if outcome.is_done:
        path.unlink(missing_ok=True)
        return True
    tries = job.tries + 1
    if outcome.is_phantom and tries >= MOST_TRIES:
        log(site.private, f"{job.kind} {job.window}: given up, there never was a transcript")
        path.unlink(missing_ok=True)
        return False
    put_json(path, {**entry, "tries": tries, "reason": outcome.reason})
    if tries >= MOST_TRIES:
        _set_aside(site.private, path, f"given up after {tries} tries")
        _tell(site.private, ("gave_up",))
    return False


def _tried(site: Site, job: Job, sleep: Callable[[float], None]) -> Outcome:
    """Do the work, and again after a pause where the disk or a lock refused."""
    pauses = list(PAUSES)
    while True:
        try:
            return work(site, job)
        except (DiskError, LockedError) as problem:
            if not pauses:
                return Outcome(is_done=False, reason=problem.message, told=("save_failed",))
            sleep(pauses.pop(0))
        except ArchiveError as problem:
            return Outcome(is_done=False, reason=f"{problem.message} {problem.hint}")
        except Exception as problem:  # noqa: BLE001 - ours to mend; the other jobs must not wait for that
            return Outcome(is_done=False, reason=f"{type(problem).__name__}: {problem}")


def _tell(private: Private, names: tuple[str, ...]) -> None:
    """Leave what the next prompt shows."""
    known = private.notices.read_text(encoding="ascii").split() if private.notices.exists() else []
    put(private.notices, "\n".join(dict.fromkeys((*known, *names))).encode("ascii"))


def _set_aside(private: Private, path: Path, why: str) -> None:
    """Move a job to where nobody tries it again, and say why in the log."""
    private.failed.mkdir(parents=True, exist_ok=True)
    path.replace(private.failed / path.name)
    log(private, f"{path.name}: {why}; kept in {private.failed}")
