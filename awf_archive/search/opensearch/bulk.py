"""Sends many documents at once: with pauses when the cluster has enough, and a word on each document."""

import random
import re
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from awf_archive.errors import ClusterError
from awf_archive.search.opensearch.client import Client, only_our_errors
from awf_archive.search.opensearch.schema import with_terms

Json = dict[str, Any]

MOST_DOCUMENTS = 500
MOST_BYTES = 4_000_000
"""Of words in one request: terms about double them, far below what a cluster takes (100 MB)."""

_BUSY = frozenset({429, 502, 503, 504})
_DONE = frozenset({200, 201})
_GONE = frozenset({404, 409})
"""What a deletion may find: nothing, or something newer that is not to be deleted."""
_OUTDONE = 409
_VERSION = re.compile(r"current version \[(\d+)\]")
_FIRST_PAUSE = 0.25
_TIMEOUT = 60.0
_WAIT = "20s"
"""How long a cluster waits for a shard that has no node just now; the others' documents are through by then."""
_LONGEST_PAUSE = 15.0


class Operation(NamedTuple):
    """Puts a document into an index, or takes it away."""

    place: str
    uid: str
    version: int
    source: Json | None = None
    """None deletes."""
    digest: str = ""

    def lines(self, now: int) -> list[Json]:
        """Return it as a bulk request has it; an older version than the cluster's changes nothing there."""
        target = {
            "_index": self.place,
            "_id": self.uid,
            "version": self.version,
            "version_type": "external_gte",
        }
        if self.source is None:
            return [{"delete": target}]
        return [{"index": target}, with_terms(self.source) | {"sent": now}]


class Refused(NamedTuple):
    """A document that the cluster will not take, whatever is tried."""

    operation: Operation
    why: str


class Outcome(NamedTuple):
    """What became of a batch."""

    done: list[Operation]
    """As they were carried out: a version may have risen."""
    refused: list[Refused]


class Sender:
    """Sends batches and does not give up before its patience ends."""

    def __init__(self, client: Client, patience: float, sleep: Callable[[float], None] = time.sleep) -> None:
        self._client = client
        self._patience = patience
        self._sleep = sleep

    def send(self, operations: Sequence[Operation]) -> Outcome:
        """Send a batch. Raises ClusterError when patience ends: send it again."""
        left, told, pause = list(operations), Outcome([], []), _FIRST_PAUSE
        deadline = time.monotonic() + self._patience
        while left:
            try:
                left = self._once(left, told)
                problem = ClusterError(
                    "The team's cluster has more to do than it can.", "What is to be sent waits."
                )
            except ClusterError as away:
                problem = away
            if not left:
                break
            if time.monotonic() + pause > deadline:
                raise problem
            self._sleep(pause * random.uniform(0.7, 1.3))  # noqa: S311 - so that machines do not come back at once
            pause = min(pause * 2, _LONGEST_PAUSE)
        return told

    def _once(self, operations: list[Operation], told: Outcome) -> list[Operation]:
        """Send once, add to what became of it, and return what must be sent again."""
        now = int(time.time())
        body = [line for operation in operations for line in operation.lines(now)]
        with only_our_errors(operations[0].place):
            answer = self._client.bulk(body=body, params={"timeout": _WAIT}, request_timeout=_TIMEOUT)
        again: list[Operation] = []
        outdone: list[tuple[Operation, Json]] = []
        for operation, item in zip(operations, answer["items"], strict=True):
            (said,) = item.values()
            if said["status"] in _DONE or (operation.source is None and said["status"] in _GONE):
                told.done.append(operation)
            elif said["status"] in _BUSY:
                again.append(operation)
            elif said["status"] == _OUTDONE:
                outdone.append((operation, said))
            else:
                told.refused.append(Refused(operation, _why(said)))
        return again + self._raised(outdone, told)

    def _raised(self, outdone: list[tuple[Operation, Json]], told: Outcome) -> list[Operation]:
        """Return with a higher version what was outdone by nothing but a deletion; a newer turn may stay."""
        if not outdone:
            return []
        wanted = [{"_index": operation.place, "_id": operation.uid} for operation, _ in outdone]
        with only_our_errors(outdone[0][0].place):
            found = self._client.mget(
                body={"docs": wanted}, params={"_source": "false"}, request_timeout=_TIMEOUT
            )
        again = []
        for (operation, said), there in zip(outdone, found["docs"], strict=True):
            if there.get("found"):
                told.done.append(operation)
            else:
                again.append(operation._replace(version=_current(said, operation.version) + 1))
        return again


def _current(said: Json, sent: int) -> int:
    """Return the version that outdid ours, from the cluster's words; it has no field for it."""
    match = _VERSION.search(str(said.get("error", {}).get("reason", "")))
    return max(int(match[1]), sent) if match else sent


def _why(told: Json) -> str:
    """Return the cluster's reason without the text that it may quote."""
    error = told.get("error")
    kind = error.get("type", "") if isinstance(error, dict) else ""
    return f"{told['status']} {kind}".strip()
