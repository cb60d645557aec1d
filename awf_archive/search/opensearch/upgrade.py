"""Brings an index to another form while it is searched: copied beside the old one, then both change places at once.

What is pushed meanwhile by programs of the old version is copied again before and after the change; what those of
the new version push is there already, and never overwritten by something older.
"""

import time
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from awf_archive.errors import ClusterError
from awf_archive.search.documents import Progress, no_progress
from awf_archive.search.opensearch.bulk import Operation, Sender
from awf_archive.search.opensearch.client import Client, only_our_errors
from awf_archive.search.opensearch.places import Places
from awf_archive.search.opensearch.walk import walk

_STEP = 250
_SLACK = 120
"""Seconds by which machines' clocks may differ."""
_PATIENCE = 300.0


class Upgraded(NamedTuple):
    """What an upgrade did."""

    version: str
    """Of the indices that are searched now."""
    documents: int
    old: tuple[str, ...]
    """Indices that are no longer searched."""
    is_dropped: bool


def upgrade(places: Places, progress: Progress = no_progress, *, drop_old: bool = False) -> Upgraded:
    """Copy what older indices hold into ours and let the alias lead there.

    Raises ClusterError; then the old index is searched as before, and the next upgrade goes on.
    """
    old = sorted(name for name in places.live if not places.is_ours(name))
    copied = since = 0
    for _ in range(2 if old else 0):  # the second time only what came during the first
        started = int(time.time())
        copied += _copy(old, places, since, progress)
        since = started - _SLACK
    if old:
        places.change(old)
        copied += _copy(old, places, since, progress)
    left = tuple(name for name in places.all if not places.is_ours(name))
    if drop_old and left:
        places.drop(left)
    return Upgraded(places.generation, copied, left, drop_old and bool(left))


def _copy(old: list[str], places: Places, since: int, progress: Progress) -> int:
    """Copy documents that were sent since; return how many."""
    client, sender = places.client, Sender(places.client, _PATIENCE)
    copied = 0
    for done, name in enumerate(old):
        progress(done, len(old))
        with only_our_errors(name):
            client.indices.refresh(index=name)
        for batch in _batches(_operations(client, name, places, since)):
            if refused := sender.send(batch).refused:
                raise ClusterError(
                    f"{name}: {refused[0].operation.uid} cannot be copied ({refused[0].why}).",
                    "Nothing changed: the old index is searched as before.",
                )
            copied += len(batch)
    progress(len(old), len(old))
    return copied


def _operations(client: Client, name: str, places: Places, since: int) -> Iterator[Operation]:
    for hit in walk(client, name, {"range": {"sent": {"gte": since}}}, version=True):
        source = hit["_source"]
        place = places.ready(source["shown"]["time"])
        yield Operation(place, hit["_id"], hit["_version"], source)


def _batches(operations: Iterable[Operation]) -> Iterator[list[Operation]]:
    left = iter(operations)
    while batch := list(islice(left, _STEP)):
        yield batch
