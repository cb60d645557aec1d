"""What the worker could not save and why: what it gave up, and what it tries again (issue 7).

A job that failed and whose conversation was saved since, by hand or by a later hook, is no longer told.
"""

import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from awf_archive import config
from awf_archive.brain.folder import read
from awf_archive.domain import work_state
from awf_archive.errors import ArchiveError
from awf_archive.integrations import queue
from awf_archive.integrations.hook_files import Private, read_json
from awf_archive.integrations.settle import find_transcript
from awf_archive.integrations.worker_jobs import Job, job_of, saves_conversation
from awf_archive.services.autosave_place import Place
from awf_archive.services.autosave_state import time_of
from awf_archive.services.checkpoint import Request, checkpoint
from awf_archive.services.doctor import windows
from awf_archive.store.archive import Archive
from awf_archive.store.layout import Layout


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsaved:
    """A job that failed, and what a person can do about it."""

    window: str
    """The conversation; of a job that does not read, its file."""
    trigger: str
    time: str
    """When the hook was called: a work state that was saved all the same bears it."""
    tries: int
    reason: str
    command: str
    """Saves it by hand."""
    is_given_up: bool
    lacks_conversation: bool


def unsaved(layout: Layout, folder_of: Callable[[str], Path] = config.tool_folder) -> list[Unsaved]:
    """Return what failed and is still not saved, the newest job of each conversation. Nothing is written."""
    private = Private(layout.root)
    found: dict[str, Unsaved] = {}
    for path, is_given_up in _failed(private):
        job = job_of(read_json(path))
        one = _told(layout, job, folder_of, is_given_up=is_given_up) if job else _unread(path)
        if one:
            found[one.window] = one
    return list(found.values())


def _failed(private: Private) -> Iterator[tuple[Path, bool]]:
    """Yield the jobs that failed, the oldest first, and whether they were given up."""
    paths = [(path, True) for path in private.failed.glob("*.json")]
    paths += [(path, False) for path in queue.waiting(private) if read_json(path).get("tries")]
    yield from sorted(paths, key=lambda one: one[0].name)


def _unread(path: Path) -> Unsaved:
    return Unsaved(
        window=path.name,
        trigger="",
        time="",
        tries=0,
        reason="",
        command="awf-archive checkpoint --all",
        is_given_up=True,
        lacks_conversation=True,
    )


def _told(layout: Layout, job: Job, folder_of: Callable[[str], Path], *, is_given_up: bool) -> Unsaved | None:
    """Return what is told of a job that failed; None where all of it was saved since."""
    path = find_transcript(job.transcript, (job.window, job.session), job.tool, folder_of)
    lacks_conversation = saves_conversation(job) and not _is_archived(layout, job, path)
    if not lacks_conversation and (job.kind != "save" or _has_state(layout, job)):
        return None
    return Unsaved(
        window=job.window,
        trigger=job.trigger,
        time=time_of(job.then),
        tries=job.tries,
        reason=job.reason,
        command=_command(job, path) if lacks_conversation else "awf-archive autosave manual",
        is_given_up=is_given_up,
        lacks_conversation=lacks_conversation,
    )


def _command(job: Job, path: Path | None) -> str:
    if path is None:
        return "awf-archive import"
    given = [] if job.tool == "claude-code" else ["--format", job.tool]
    return shlex.join(["awf-archive", "checkpoint", "--transcript", str(path), *given])


def _is_archived(layout: Layout, job: Job, path: Path | None) -> bool:
    """Whether nothing of a conversation is left to save; one whose file is gone counts by its name."""
    if path is None:
        return not {job.window, job.session}.isdisjoint(windows(Archive(layout=layout)))
    request = Request(transcript=path, now=time_of(job.then), format=job.tool, dry_run=True, extend=True)
    try:
        plan = checkpoint(layout, request)
    except ArchiveError:
        return False
    return not plan.saved and not plan.updated


def _has_state(layout: Layout, job: Job) -> bool:
    try:
        state = read(Place(layout=layout).brain.session).value or {}
    except ArchiveError:
        return False
    return any(one.time >= time_of(job.then) for one in work_state.save_points(state))
