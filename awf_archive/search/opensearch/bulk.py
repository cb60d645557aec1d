"""Sends many documents at once: with pauses when the cluster has enough, and a word on each document."""

import random
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
_PUT = frozenset({200, 201, 409})
"""409: the cluster has a newer one of it."""
_DELETED = frozenset({*_PUT, 404})
_TIMEOUT = 60.0
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


class Sender:
    """Sends batches and does not give up before its patience ends."""

    def __init__(self, client: Client, patience: float, sleep: Callable[[float], None] = time.sleep) -> None:
        self._client = client
        self._patience = patience
        self._sleep = sleep

    def send(self, operations: Sequence[Operation]) -> list[Refused]:
        """Send a batch; return what was refused for good. Raises ClusterError when patience ends: send it again."""
        left, refused, pause = list(operations), list[Refused](), 0.25
        deadline = time.monotonic() + self._patience
        while left:
            try:
                left, more = self._once(left)
                refused += more
                problem = ClusterError("the cluster has more to do than it can.", "What is to be sent waits.")
            except _AwayError as away:
                problem = away.told
            if not left:
                break
            if time.monotonic() + pause > deadline:
                raise problem
            self._sleep(pause * random.uniform(0.7, 1.3))  # noqa: S311 - so that machines do not come back at once
            pause = min(pause * 2, _LONGEST_PAUSE)
        return refused

    def _once(self, operations: list[Operation]) -> tuple[list[Operation], list[Refused]]:
        """Send once; return what must be sent again, and what was refused."""
        now = int(time.time())
        body = [line for operation in operations for line in operation.lines(now)]
        try:
            with only_our_errors(operations[0].place):
                answer = self._client.bulk(body=body, request_timeout=_TIMEOUT)
        except ClusterError as problem:
            raise _AwayError(problem) from problem
        again, refused = [], []
        for operation, item in zip(operations, answer["items"], strict=True):
            (told,) = item.values()
            if told["status"] in _BUSY:
                again.append(operation)
            elif told["status"] not in (_DELETED if operation.source is None else _PUT):
                refused.append(Refused(operation, _why(told)))
        return again, refused


def _why(told: Json) -> str:
    """Return the cluster's reason without the text that it may quote."""
    error = told.get("error")
    kind = error.get("type", "") if isinstance(error, dict) else ""
    return f"{told['status']} {kind}".strip()


class _AwayError(Exception):
    """The whole request failed; it may be sent again as it is."""

    def __init__(self, told: ClusterError) -> None:
        super().__init__(told.message)
        self.told = told
