"""Sending an archive to a team's search: on with what is not sent yet, never in the way of a checkpoint (issue 11).

The archive is the outbox; `search.opensearch.feed` keeps how far it is sent. So nothing that was saved can be missed,
whatever dies when, and a checkpoint writes no more than without a team.
"""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from awf_archive.config import data_folder
from awf_archive.domain.team import Team
from awf_archive.errors import ClusterError, DiskError
from awf_archive.search.documents import Health, Progress, no_progress
from awf_archive.services.team_documents import TeamDocuments
from awf_archive.services.team_place import access, archive_name
from awf_archive.store.layout import Layout
from awf_archive.store.lock import holding

if TYPE_CHECKING:
    from awf_archive.search.opensearch.feed import Feed
    from awf_archive.search.opensearch.index import Home, OpenSearchIndex
    from awf_archive.search.opensearch.upgrade import Upgraded

_PATIENCE = 60.0
"""Seconds without any progress after which a push gives up; what is left waits."""
_ROUNDS = 5
"""Looks at what was saved while a push went on."""
_FIRST_PAUSE, _LONGEST_PAUSE = 30, 3600
"""Seconds before a worker tries again after a failure, doubled with each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pushed:
    """What a push did."""

    archive: str
    index: str
    documents: int = 0
    """Turns, decisions and summaries that were new or had changed."""
    removed: int = 0
    """Sessions and the like that the archive no longer has."""
    refused: tuple[str, ...] = ()
    """Why the cluster would not take some documents."""
    unread: tuple[str, ...] = ()
    """Files of the archive that did not read."""
    is_live: bool = True
    """Whether it can be found; not while the index that is searched is of another version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamStatus:
    """How far an archive is sent."""

    archive: str
    index: str
    hosts: tuple[str, ...]
    waiting: int
    """Sessions, chunks and lists of decisions that are not sent whole."""
    sent: int
    """Documents that the cluster has acknowledged."""
    there: int | None = None
    """Documents of this archive that it holds; None when it does not answer."""
    away: str = ""
    """Why it does not."""
    last_push: str = ""
    next_try: str = ""
    """When a worker tries again after a failure."""
    problem: str = ""
    """What the last push failed with."""


def push(
    layout: Layout,
    team: Team,
    progress: Progress = no_progress,
    *,
    everything: bool = False,
    at_once: bool = False,
) -> Pushed:
    """Send what is new, or with `everything` all of it again, and take away what is gone.

    It can be found some seconds later, `at_once` at once: that costs a cluster more.
    Raises ClusterError when the cluster does not take it: what was acknowledged stays sent, the next push goes on.
    Raises LockedError when another push is at it, UsageError when no team is set up.
    """
    with _opened(layout, team) as one, holding(feed_folder(layout) / "lock", wait=1.0):
        try:
            done = one.push(progress, everything=everything)
            if at_once:
                one.index.refresh()
        except ClusterError as problem:
            _note_failure(one.feed, problem)
            raise
        one.feed.note({"failures": "0", "next": "", "problem": "", "push": _time()})
        return done


def is_due(layout: Layout, team: Team) -> bool:
    """Whether a worker should push now: a team is set up, and no failure asks for a pause."""
    if not team.url:
        return False
    with closing(_feed(layout)) as feed:
        return feed.fact("next") <= _time()


def status(layout: Layout, team: Team) -> TeamStatus:
    """Tell how far the archive is sent; what the cluster holds is asked, and told if it answers."""
    with _opened(layout, team) as one:
        there, away = None, ""
        try:
            found = one.index.status()
            there = 0 if found.health is Health.MISSING else found.documents
        except ClusterError as problem:
            away = problem.message
        held = one.feed.digests()
        fact = one.feed.fact
        return TeamStatus(
            archive=one.home.archive,
            index=one.home.alias,
            hosts=team.url,
            waiting=sum(held.get(key) != digest for key, digest in one.documents.wanted().items()),
            sent=one.feed.documents(),
            there=there,
            away=away,
            last_push=fact("push"),
            next_try=fact("next"),
            problem=fact("problem"),
        )


def upgrade(team: Team, progress: Progress = no_progress, *, drop_old: bool = False) -> "Upgraded":
    """Bring the team's whole index to the form of this version, searched all the while. Raises ClusterError."""
    from awf_archive.search.opensearch.client import connect
    from awf_archive.search.opensearch.places import Places
    from awf_archive.search.opensearch.upgrade import upgrade as upgraded

    places = Places(connect(access(team)), team.index_name, team.shards)
    return upgraded(places, progress, drop_old=drop_old)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Team:
    """One archive's way to its team."""

    home: "Home"
    index: "OpenSearchIndex"
    feed: "Feed"
    documents: TeamDocuments

    def push(self, progress: Progress, *, everything: bool) -> Pushed:
        """Send until nothing is left, also of what is saved meanwhile."""
        documents = removed = 0
        wanted = self.documents.wanted()
        for _ in range(_ROUNDS):
            follow = self.index.rebuild if everything else self.index.sync
            done = follow(wanted, self.documents.load, progress)
            documents, removed, everything = documents + done.documents, removed + done.removed, False
            wanted = self.documents.wanted()
            if self.index.is_current(wanted) or self.index.refused:
                break
        return Pushed(
            archive=self.home.archive,
            index=self.home.alias,
            documents=documents,
            removed=removed,
            refused=tuple(dict.fromkeys(one.why for one in self.index.refused)),
            unread=tuple(dict.fromkeys(self.documents.unread)),
            is_live=self.index.is_live,
        )


@contextmanager
def _opened(layout: Layout, team: Team) -> Iterator[_Team]:
    from awf_archive.search.opensearch.client import connect
    from awf_archive.search.opensearch.index import Home, OpenSearchIndex

    client = connect(access(team))
    documents = TeamDocuments(layout, team)
    oldest = datetime.now(UTC) - timedelta(days=team.keep_days)
    home = Home(
        alias=team.index_name,
        archive=archive_name(layout, team),
        shards=team.shards,
        stamp=documents.stamp,
        since=oldest.strftime("%Y-%m-%d") if team.keep_days else "",
    )
    with closing(_feed(layout)) as feed:
        index = OpenSearchIndex(client, home, feed, timeout=float(team.seconds), patience=_PATIENCE)
        try:
            yield _Team(home=home, index=index, feed=feed, documents=documents)
        except sqlite3.Error as problem:
            raise DiskError(
                f"{feed_folder(layout)}: how far the archive is sent cannot be written ({problem}).",
                "Free some space; or delete it: awf-archive team reindex then sends the archive again.",
            ) from problem


def feed_folder(layout: Layout) -> Path:
    """Return where it is written how far an archive is sent: in the user's own folder, by the workspace's path.

    Not in the workspace: what a cloned folder says of it must not make us delete anything in a cluster.
    """
    name = blake2b(str(layout.root).encode(errors="surrogateescape"), digest_size=10).hexdigest()
    return data_folder() / "team" / name


def _feed(layout: Layout) -> "Feed":
    from awf_archive.search.opensearch.feed import Feed

    return Feed(feed_folder(layout) / "feed.sqlite")


def _note_failure(feed: "Feed", problem: ClusterError) -> None:
    """Note what went wrong and when a worker tries again: later each time, and not all machines at once."""
    failures = int(feed.fact("failures") or "0") + 1
    pause = min(_FIRST_PAUSE * 2 ** (failures - 1), _LONGEST_PAUSE) * random.uniform(0.8, 1.2)  # noqa: S311
    feed.note({"failures": str(failures), "next": _time(pause), "problem": problem.message})


def _time(later: float = 0.0) -> str:
    return (datetime.now(UTC) + timedelta(seconds=later)).strftime("%Y-%m-%dT%H:%M:%SZ")
