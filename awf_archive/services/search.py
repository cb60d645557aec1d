"""One search for `search` and `recap TOPIC`: the index brought up to date, asked, and its hits shown (SPEC 4)."""

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from awf_archive.errors import DiskError, LockedError, UsageError
from awf_archive.search.documents import (
    DamagedIndexError,
    Health,
    Kind,
    Part,
    Progress,
    Request,
    Result,
    SearchBackend,
    no_progress,
)
from awf_archive.search.filters import from_request
from awf_archive.services.documents import wanted
from awf_archive.services.index import open_index, require_archive, synced
from awf_archive.services.search_passages import Shown, shown
from awf_archive.store.archive import Archive

_PATIENCE = 3.0
"""Seconds a search waits for another process that brings the index up to date, before it asks it as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a search found."""

    result: Result
    shown: tuple[Shown, ...]
    rebuilt: str = ""
    """Why the index had to be made anew (a `Health`); empty when it had not."""
    is_behind: bool = False
    """Another process is writing the index: what was saved last may be missing."""
    unread: tuple[str, ...] = ()
    """Files of the archive that did not read just now, so that they are not searched."""
    team: "TeamNote | None" = None
    """How it went, when a team was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamNote:
    """What a cluster adds to its answer."""

    is_partial: bool = False
    """A part of the index was lost or too slow: there may be more."""
    is_at_least: bool = False
    """There are more hits than were counted."""
    away: str = ""
    """Why the cluster did not answer; then the answer is this workspace's own."""


def search(archive: Archive, request: Request, progress: Progress = no_progress) -> Answer:
    """Answer a request from an index that is up to date.

    In a workspace that cannot be written, a stale index is not answered from: one is made in a passing folder. While
    another process writes the index, it is asked as it is, and the answer says so.
    Raises NoArchiveError when the workspace holds nothing, UsageError for an option that makes no sense.
    """
    check(request)
    keys = wanted(archive)
    if not keys:
        require_archive(archive)
    if not archive.features():  # a `.brain` alone: nothing of ours is put into such a workspace
        return _ask_passing(archive, request, progress)
    try:
        return _ask(archive, open_index(archive.layout.index, _PATIENCE), request, progress)
    except LockedError:
        return _ask_behind(archive, request, progress)
    except DiskError:
        return _ask_passing(archive, request, progress)


def _ask_passing(archive: Archive, request: Request, progress: Progress) -> Answer:
    with tempfile.TemporaryDirectory(prefix="awf-archive-") as passing:
        answer = _ask(archive, open_index(Path(passing) / "index"), request, progress)
    return replace(answer, rebuilt="")


def _ask_behind(archive: Archive, request: Request, progress: Progress) -> Answer:
    """Ask the index as it is, or wait longer when it cannot be asked."""
    index = open_index(archive.layout.index)
    if index.status().health is Health.READY:
        result = index.search(request)
        return Answer(result=result, shown=shown(archive, result), is_behind=True)
    return _ask(archive, index, request, progress)


def _ask(archive: Archive, index: SearchBackend, request: Request, progress: Progress) -> Answer:
    unread: list[str] = []
    done = synced(index, archive, progress, unread)
    try:
        result = index.search(request)
    except DamagedIndexError:
        done = synced(index, archive, progress, unread)
        result = index.search(request)
    found = shown(archive, result)
    return Answer(result=result, shown=found, rebuilt=done.rebuilt, unread=tuple(dict.fromkeys(unread)))


_ALLOWED = {
    "kind": "one of " + ", ".join(dict.fromkeys([*Kind, "said", "tool", *(part for part in Part if part)])),
    "role": "user or assistant",
    "session": "session-003, 003 or 3",
    "since": "a year, month, day or time (2026-03-02), or 7d, 3w, 2m, 1y ago",
    "until": "a year, month, day or time (2026-03-02), or 7d, 3w, 2m, 1y ago",
}


def check(request: Request) -> None:
    """Refuse a filter given as an option that means nothing; typed in the topic it would be text."""
    _, unread = from_request(request)
    for name in unread:
        value = ascii(getattr(request, name))[1:-1]
        raise UsageError(
            f"--{name} {value}: this is no {name}.", f"It can be {_ALLOWED.get(name, 'any text')}."
        )
