"""Turns what an archive holds into batches, and writes each down once the cluster has it."""

from awf_archive.search.documents import Key, Load
from awf_archive.search.opensearch.bulk import MOST_BYTES, MOST_DOCUMENTS, Operation, Refused, Sender
from awf_archive.search.opensearch.feed import Feed, Sent
from awf_archive.search.opensearch.places import Places
from awf_archive.search.opensearch.schema import Entry, entries


class Feeding:
    """One push on its way. Batches go over the bounds of units; a unit is whole when its last document is there."""

    def __init__(self, feed: Feed, sender: Sender, places: Places, archive: str, since: str = "") -> None:
        self._feed = feed
        self._sender = sender
        self._places = places
        self._archive = archive
        self._since = since
        self._batch: list[tuple[Key, Operation]] = []
        self._whole: dict[Key, str] = {}
        self._weight = 0
        self.sent = 0
        self.refused: list[Refused] = []

    def drop(self, key: Key) -> None:
        """Take a unit away."""
        for sent in self._feed.of_unit(key).values():
            self._delete(key, sent)
        self._whole[key] = ""

    def put(self, key: Key, digest: str, load: Load) -> None:
        """Send what is new in a unit, and take away what it no longer holds."""
        known = self._feed.of_unit(key)
        for entry in entries(self._archive, load(key)):
            sent = known.pop(entry.uid, None)
            if self._is_too_old(entry.time) or (sent and self._is_same(entry, sent)):
                continue
            self._index(key, entry, sent or self._feed.find(entry.uid))
        for sent in known.values():
            self._delete(key, sent)
        self._whole[key] = digest

    def _is_too_old(self, time: str) -> bool:
        return bool(self._since and time and time < self._since)

    def _is_same(self, entry: Entry, sent: Sent) -> bool:
        return (sent.digest, sent.place) == (entry.digest, self._places.ready(entry.time))

    def _index(self, key: Key, entry: Entry, sent: Sent | None) -> None:
        place = self._places.ready(entry.time)
        version = max(entry.revision + 1, sent.version + 1 if sent else 0)
        if sent and sent.place != place:
            self._delete(key, sent)
        weight = sum(map(len, entry.source["words"].values()))
        self._add(key, Operation(place, entry.uid, version, entry.source, entry.digest), weight)

    def _delete(self, key: Key, sent: Sent) -> None:
        if self._places.exists(sent.place):  # a month that was let go must not come back by a deletion
            self._add(key, Operation(sent.place, sent.uid, sent.version), 0)

    def _add(self, key: Key, operation: Operation, weight: int) -> None:
        if self._batch and (len(self._batch) >= MOST_DOCUMENTS or self._weight + weight > MOST_BYTES):
            self.flush()
        self._batch.append((key, operation))
        self._weight += weight

    def flush(self) -> None:
        """Send what waits and write it down. Raises ClusterError; then nothing of it is written down."""
        keys = {operation.uid: key for key, operation in self._batch}
        outcome = self._sender.send([operation for _, operation in self._batch])
        self.refused += outcome.refused
        put = [
            (keys[one.uid], Sent(one.uid, one.place, one.version, one.digest))
            for one in outcome.done
            if one.source is not None
        ]
        gone = [one.uid for one in outcome.done if one.source is None]
        unfinished = {keys[one.operation.uid] for one in outcome.refused}
        whole = {key: digest for key, digest in self._whole.items() if key not in unfinished}
        self._feed.acknowledge(put, gone, whole)
        self.sent += len(put)
        self._batch, self._whole, self._weight = [], {}, 0
