"""Finds and orders answers in the cluster, in the stages of `rank`; one request a stage, and partial ones say so."""

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from awf_archive.search.documents import Kind, Note, Part, Request
from awf_archive.search.filters import Filters
from awf_archive.search.opensearch import dsl
from awf_archive.search.opensearch.client import Client, MissingIndexError, only_our_errors
from awf_archive.search.opensearch.walk import point_in_time
from awf_archive.search.parts import WEIGHTS
from awf_archive.search.query import AllOf, AnyOf, Node, Prefix, Query, Term
from awf_archive.search.rank import most_of

Json = dict[str, Any]

_FEW = 20
"""As in `rank`: with fewer answers the words are also looked for across the parts of a turn."""
_PAGE = 10_000
"""Hits that a cluster counts to one by one, and numbers; beyond, it is asked for what comes after the last."""
_SHORTEST_PREFIX = 5
_MAX_CUT = 4
"""As in `snapshot`: a typed prefix may reach past the stem."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A page of answers."""

    answers: tuple[Json, ...] = ()
    """Hits as the cluster gives them."""
    total: int = 0
    is_at_least: bool = False
    """There are more than were counted."""
    note: Note = Note.NONE
    is_partial: bool = False
    """A shard is lost, or time was up."""


class Searcher:
    """Asks one index, within a time limit for all that one question needs."""

    def __init__(self, client: Client, index: str, timeout: float, archives: Collection[str] = ()) -> None:
        self._client = client
        self._index = index
        self._archives = archives
        self._timeout = timeout
        self._deadline = time.monotonic() + timeout
        self._is_partial = False

    def rank(self, query: Query, request: Request) -> Found:
        """Return a page of the answers to a query."""
        if not query.clauses:
            if query.filters == Filters():
                return Found(note=Note.NO_WORDS)
            return self._page(query, None, request)
        fields = dsl.fields_for(query.filters)
        if not fields:
            return Found()
        for stage, note in (
            (self._strict, Note.NONE),
            (self._loose, Note.LOOSE),
            (self._most, Note.MOST_WORDS),
        ):
            found = stage(query, fields, request)
            if found.total:
                return replace(found, note=note)
        return Found(is_partial=self._is_partial)

    def _strict(self, query: Query, fields: dsl.Fields, request: Request) -> Found:
        """Every word in one part of a turn; where those are few, also in different parts."""
        nodes = dsl.affordable((self._known(clause.strict) for clause in query.clauses), fields, 2)
        together = dsl.together(nodes, fields)
        found = self._page(query, together, request)
        if found.total >= _FEW or len(nodes) == 1 or len(fields) == 1:
            return found
        both = {"bool": {"must": [dsl.across(nodes, fields)], "should": [together]}}
        return self._page(query, both, request)

    def _loose(self, query: Query, fields: dsl.Fields, request: Request) -> Found:
        nodes = dsl.affordable(map(self._known, _loose_nodes(query)), fields)
        return self._page(query, dsl.across(nodes, fields), request)

    def _most(self, query: Query, fields: dsl.Fields, request: Request) -> Found:
        """As many words as possible, the rarest of a long text."""
        nodes = [self._known(node) for node in _loose_nodes(query)]
        counts = self._counts([dsl.anywhere(node, fields) for node in nodes])
        known = sorted((at for at, count in enumerate(counts) if count), key=lambda at: counts[at])
        chosen, needed = most_of(known, len(nodes))
        if not chosen:
            return Found()
        return self._page(
            query, dsl.any_of([dsl.anywhere(nodes[at], fields) for at in chosen], needed), request
        )

    # One request

    def _page(self, query: Query, words: Json | None, request: Request) -> Found:
        body: Json = {
            "query": dsl.whole(query, words, self._archives),
            "sort": _BY_SCORE if words else _BY_TIME,
            "track_scores": True,
            "track_total_hits": _PAGE,
            "_source": {"includes": list(_SHOWN)},
        }
        if request.offset + request.limit <= _PAGE:
            answer = self._ask(body | {"from": request.offset, "size": request.limit})
            return self._found(answer, answer["hits"]["hits"])
        return self._beyond(body, request)

    def _beyond(self, body: Json, request: Request) -> Found:
        """Go past what a cluster numbers: each step is asked for what comes after the last hit before it."""
        with point_in_time(self._client, self._index) as point:
            left, after = request.offset, None
            while left:
                step = body | {"size": min(left, _PAGE), "_source": False}
                hits = self._ask(_after(step, after), point)["hits"]["hits"]
                if not hits:
                    return Found(is_partial=self._is_partial)
                left, after = left - len(hits), hits[-1]["sort"]
            answer = self._ask(_after(body | {"size": request.limit}, after), point)
        return self._found(answer, answer["hits"]["hits"])

    def _found(self, answer: Json, hits: list[Json]) -> Found:
        total = answer["hits"]["total"]
        return Found(
            answers=tuple(hits),
            total=total["value"],
            is_at_least=total["relation"] != "eq",
            is_partial=self._is_partial,
        )

    def _ask(self, body: Json, point: str = "") -> Json:
        """Ask within what is left of the time. Raises ClusterError; a part that is missing is remembered."""
        left = max(0.2, self._deadline - time.monotonic())
        where = {"pit": {"id": point}} if point else {}
        params = {"search_type": "dfs_query_then_fetch", "allow_partial_search_results": "true"}
        try:
            with only_our_errors(self._index):
                answer: Json = self._client.search(
                    index=None if point else self._index,
                    body=body | where | {"timeout": f"{round(left * 1000)}ms"},
                    params=params | ({} if point else {"preference": "awf-archive"}),
                    request_timeout=left + 1,
                )
        except MissingIndexError:
            return {"hits": {"hits": [], "total": {"value": 0, "relation": "eq"}}}
        shards = answer["_shards"]
        self._is_partial |= bool(answer["timed_out"] or shards["successful"] < shards["total"])
        return answer

    def _counts(self, queries: list[Json]) -> list[int]:
        """Return how many documents each query finds, in one request."""
        if not queries:
            return []
        filters = {str(at): query for at, query in enumerate(queries)}
        answer = self._ask({"size": 0, "aggs": {"each": {"filters": {"filters": filters}}}})
        buckets = answer.get("aggregations", {}).get("each", {}).get("buckets", {})
        return [buckets.get(str(at), {}).get("doc_count", 0) for at in range(len(queries))]

    def frequencies(self, terms: Collection[str]) -> dict[str, int]:
        """Return in how many turns each term was said."""
        listed = sorted(terms)
        said = {Part.SAID: dsl.EVERYWHERE[Part.SAID]}
        return dict(
            zip(listed, self._counts([dsl.anywhere(Term(term), said) for term in listed]), strict=True)
        )

    def _known(self, node: Node) -> Node:
        """Return a node whose beginnings stand for what there is: `configurat*` also for the stem `configur`."""
        match node:
            case Prefix(text):
                shorter = [
                    Term(text[:-cut]) for cut in range(1, _MAX_CUT + 1) if len(text) - cut >= _SHORTEST_PREFIX
                ]
                if shorter and not any(self._counts([dsl.anywhere(node, dsl.EVERYWHERE)])):
                    return AnyOf(tuple(shorter))
            case AnyOf(nodes):
                return AnyOf(tuple(map(self._known, nodes)))
            case AllOf(nodes):
                return AllOf(tuple(map(self._known, nodes)))
        return node


_SHOWN = ("archive", "author", "kind", "feature", "session", "turn", "shown", "words")
_TIE = [{"when": {"order": "desc", "missing": "_last"}}, {"uid": "asc"}]
_BY_SCORE = [{"_score": "desc"}, *_TIE]
_BY_TIME = _TIE


def _after(body: Json, after: list[Any] | None) -> Json:
    return body | {"search_after": after} if after else body


def _loose_nodes(query: Query) -> list[Node]:
    return list(dict.fromkeys(node for clause in query.clauses for node in clause.loose))


def part_of(source: Json, parts: Collection[Part], quality: Callable[[str], float]) -> Part:
    """Return which of some parts of a turn shows best why it was found; what people said comes first."""
    words: Mapping[str, str] = source.get("words", {})
    texts = {part: words.get(part.value, "") for part in parts}
    if Part.SAID in texts:
        texts[Part.SAID] = "\n".join((source["shown"]["title"], words.get("user", ""), texts[Part.SAID]))
    return max(texts, key=lambda part: quality(texts[part]) * WEIGHTS[Kind.TURN, part], default=Part.SAID)
