"""An archive's part of the team's index: follows the archive like the index of a workspace, and answers for all."""

import time
from collections.abc import Collection, Iterator
from functools import partial
from typing import NamedTuple

from awf_archive.errors import ClusterError
from awf_archive.search.asking import ask
from awf_archive.search.documents import (
    About,
    Health,
    Hit,
    Load,
    Progress,
    Request,
    Result,
    Role,
    Status,
    Synced,
    Wanted,
    no_progress,
)
from awf_archive.search.opensearch.ask import Json, Searcher, part_of
from awf_archive.search.opensearch.bulk import Operation, Refused, Sender
from awf_archive.search.opensearch.client import Client, MissingIndexError, only_our_errors
from awf_archive.search.opensearch.dsl import fields_for
from awf_archive.search.opensearch.feed import ADOPTED, Feed, Sent
from awf_archive.search.opensearch.feeding import Feeding
from awf_archive.search.opensearch.places import Places
from awf_archive.search.opensearch.schema import MAPPING_VERSION, document_of, generation
from awf_archive.search.opensearch.walk import walk
from awf_archive.search.query import Query
from awf_archive.search.snippets import snippet
from awf_archive.search.suggest import suggestion


class Home(NamedTuple):
    """Where an archive's documents go and what they hold."""

    alias: str
    archive: str
    shards: int = 1
    stamp: str = ""
    """Of the settings by which documents are made: another, and all are looked at again."""
    since: str = ""
    """Turns before this day are not sent: their month may be gone from the cluster."""
    version: int = MAPPING_VERSION


class TeamHit(NamedTuple):
    """A hit with the words that the cluster holds, for a reader without the archive's files."""

    hit: Hit
    about: About
    archive: str
    source: Json


class Answered(NamedTuple):
    """A result with what only a cluster has to say."""

    result: Result
    hits: tuple[TeamHit, ...]
    is_partial: bool
    is_at_least: bool


class OpenSearchIndex:
    """A `SearchBackend` over a cluster: `sync` sends one archive, `search` asks for all that one may read."""

    def __init__(
        self, client: Client, home: Home, feed: Feed, *, timeout: float = 5.0, patience: float = 60.0
    ) -> None:
        self._client = client
        self._home = home
        self._feed = feed
        self._timeout = timeout
        self._sender = Sender(client, patience)
        self.archives: Collection[str] = ()
        """Only these are searched; empty for all."""
        self.refused: tuple[Refused, ...] = ()
        """What the cluster would not take in the last `sync`."""
        self.is_live = True
        """Whether what the last `sync` sent can be found; not before an `upgrade` of an older index."""

    # What is there

    def status(self) -> Status:
        """Tell what the cluster holds of this archive. Raises ClusterError when it does not answer."""
        index = self._home.alias
        mine = {"query": {"term": {"archive": self._home.archive}}}
        try:
            with only_our_errors(index):
                # without it, what was sent in the last seconds does not count
                self._client.indices.refresh(index=index)
                count = self._client.count(index=index, body=mine)["count"]
        except MissingIndexError:
            return Status(health=Health.MISSING, path=index)
        return Status(health=Health.READY, documents=count, keys=len(self._feed.digests()), path=index)

    def is_current(self, wanted: Wanted) -> bool:
        """Whether a `sync` with `wanted` would have nothing to do; asks nobody."""
        facts = self._facts()
        is_same_place = all(self._feed.fact(name) == value for name, value in facts.items())
        return is_same_place and self._feed.digests() == dict(wanted)

    def verify(self) -> tuple[str, ...]:
        """Return the units of which the cluster lacks something that it had acknowledged."""
        there = {hit["_id"] for hit in self._walk()}
        return tuple(
            f"{key.feature}/{key.unit}"
            for key in self._feed.begun()
            if not there.issuperset(self._feed.of_unit(key))
        )

    def _walk(self) -> Iterator[Json]:
        mine = {"term": {"archive": self._home.archive}}
        pattern = f"{self._home.alias}-{generation(self._home.version)}-*"
        yield from walk(self._client, pattern, mine, _source=False, version=True)

    # Following the archive

    def sync(self, wanted: Wanted, load: Load, progress: Progress = no_progress) -> Synced:
        """Send what is new, take away what is gone. Raises ClusterError; what was acknowledged stays sent."""
        places = Places(self._client, self._home.alias, self._home.shards, self._home.version)
        self._settle()
        return self._send(places, wanted, load, progress)

    def rebuild(self, wanted: Wanted, load: Load, progress: Progress = no_progress) -> Synced:
        """Send everything again, and take away what the archive does not have."""
        places = Places(self._client, self._home.alias, self._home.shards, self._home.version)
        self._settle()
        self._feed.forget()
        for hit in self._walk():
            found = Sent(hit["_id"], hit["_index"], hit["_version"], "")
            self._feed.acknowledge([(ADOPTED, found)], (), {})
        done = self._send(places, wanted, load, progress)
        return Synced(added=done.added, removed=done.removed, documents=done.documents, rebuilt="asked")

    def _send(self, places: Places, wanted: Wanted, load: Load, progress: Progress) -> Synced:
        held = self._feed.digests()
        new = sorted(key for key, digest in wanted.items() if held.get(key) != digest)
        gone = [key for key in self._feed.begun() if key not in wanted]
        feeding = Feeding(self._feed, self._sender, places, self._home.archive, self._home.since)
        for key in (one for one in gone if one != ADOPTED):
            feeding.drop(key)
        for done, key in enumerate(new):
            progress(done, len(new))
            feeding.put(key, wanted[key], load)
        feeding.flush()
        if ADOPTED in gone:
            feeding.drop(ADOPTED)
            feeding.flush()
        if new:
            progress(len(new), len(new))
        self.refused = tuple(feeding.refused)
        self.is_live = places.is_live
        return Synced(added=len(new), removed=sum(key != ADOPTED for key in gone), documents=feeding.sent)

    def _facts(self) -> dict[str, str]:
        home = self._home
        return {
            "index": home.alias,
            "archive": home.archive,
            "generation": generation(home.version),
            "stamp": home.stamp,
        }

    def _settle(self) -> None:
        """Make what was sent before fit where things go now; an archive that moved leaves nothing behind."""
        facts, before = self._facts(), {name: self._feed.fact(name) for name in (*self._facts(), "cluster")}
        cluster = self._cluster()
        if before["index"] and cluster != before["cluster"]:
            self._feed.forget()
        elif before["index"] and (before["index"], before["archive"]) != (facts["index"], facts["archive"]):
            self._leave()
        elif before["generation"] != facts["generation"]:
            self._feed.forget()
        elif before["stamp"] != facts["stamp"]:
            self._feed.forget_units()
        self._feed.note(facts | {"cluster": cluster})

    def _leave(self) -> None:
        """Take away everything that was sent to where it no longer belongs."""
        for key in self._feed.begun():
            sent = self._feed.of_unit(key)
            self._sender.send([Operation(one.place, one.uid, one.version) for one in sent.values()])
            self._feed.acknowledge((), sent, {key: ""})

    def _cluster(self) -> str:
        with only_our_errors(self._home.alias):
            return str(self._client.info().get("cluster_uuid", ""))

    def optimize(self) -> None:
        """Drop what was deleted from the files of the index."""
        with only_our_errors(self._home.alias):
            self._client.indices.forcemerge(
                index=self._home.alias, params={"only_expunge_deletes": "true"}, request_timeout=600
            )

    def refresh(self) -> None:
        """Make what was sent findable at once, which otherwise takes seconds."""
        with only_our_errors(self._home.alias):
            self._client.indices.refresh(index=f"{self._home.alias}-{generation(self._home.version)}-*")

    # Asking

    def search(self, request: Request) -> Result:
        """Answer a request. Raises ClusterError when there is no answer in time."""
        return self.answer(request).result

    def answer(self, request: Request) -> Answered:
        """Answer a request, with what each hit says."""
        started = time.perf_counter()
        searcher = Searcher(self._client, self._home.alias, self._timeout, self.archives)
        query, found = ask(request, partial(searcher.rank, request=request))
        is_odd = found.note or not found.answers
        hits = tuple(_hit(hit, query) for hit in found.answers)
        result = Result(
            query=request.topic,
            total=found.total,
            took_ms=round((time.perf_counter() - started) * 1000, 1),
            note=found.note,
            did_you_mean=_suggested(request, query, searcher) if is_odd else "",
            terms=query.marks,
            hits=tuple(each.hit for each in hits),
        )
        return Answered(result, hits, found.is_partial, found.is_at_least)


def _suggested(request: Request, query: Query, searcher: Searcher) -> str:
    try:
        return suggestion(request.topic, query, searcher.frequencies)
    except ClusterError:
        return ""  # a nicety: the answer stands without it


def _hit(hit: Json, query: Query) -> TeamHit:
    source = hit["_source"]
    document = document_of(source)
    part = part_of(source, fields_for(query.filters), lambda text: snippet(text, query.marks).quality)
    shown = Hit(
        kind=document.kind,
        part=part,
        feature=document.feature,
        session=document.session,
        turn=document.turn,
        id=document.id,
        time=document.time,
        title=document.title,
        role=Role.NONE,
        path=document.path,
        score=round(hit["_score"] or 1.0, 4),
    )
    return TeamHit(shown, document.about or About(), source["archive"], source)
