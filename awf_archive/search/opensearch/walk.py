"""Goes over everything in an index, without scrolling: a point in time, and what comes after the last hit."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from awf_archive.errors import ClusterError
from awf_archive.search.opensearch.client import Client, MissingIndexError, only_our_errors

Json = dict[str, Any]

_KEPT = "2m"
_STEP = 500


@contextmanager
def point_in_time(client: Client, index: str) -> Iterator[str]:
    """Yield the id of an index's state now, which pages then share. Raises ClusterError."""
    with only_our_errors(index):
        point = client.create_pit(index=index, params={"keep_alive": _KEPT})["pit_id"]
    try:
        yield point
    finally:
        with suppress(ClusterError), only_our_errors(index):
            client.delete_pit(body={"pit_id": [point]})


def walk(client: Client, index: str, query: Json, **more: object) -> Iterator[Json]:
    """Yield every document that a query finds, in order of its id; nothing where there is no such index.

    `more` goes into the request: `_source`, `version`. Raises ClusterError when a part is missing: whoever walks
    wants all.
    """
    body: Json = {"query": query, "sort": [{"uid": "asc"}], "size": _STEP, "track_total_hits": False, **more}
    try:
        with point_in_time(client, index) as point:
            after: list[Any] | None = None
            while True:
                step = body | {"pit": {"id": point, "keep_alive": _KEPT}}
                with only_our_errors(index):
                    answer = client.search(
                        body=step | ({"search_after": after} if after else {}),
                        params={"allow_partial_search_results": "false"},
                        request_timeout=60,
                    )
                hits = answer["hits"]["hits"]
                yield from hits
                if len(hits) < _STEP:
                    return
                after = hits[-1]["sort"]
    except MissingIndexError:
        return
