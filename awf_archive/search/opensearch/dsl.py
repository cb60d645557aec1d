"""A query as OpenSearch's own: pure, from `Node`s to JSON. What matches is what matches in a workspace's index."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from awf_archive.search.documents import Kind, Part
from awf_archive.search.evaluate import PHRASE_BOOST
from awf_archive.search.facets import asked
from awf_archive.search.filters import Filters
from awf_archive.search.opensearch.schema import TERMS_OF, USER
from awf_archive.search.parts import WEIGHTS
from awf_archive.search.query import AllOf, AnyOf, Node, Phrase, Prefix, Query, Term, near_pairs

Json: TypeAlias = dict[str, Any]
Fields: TypeAlias = Mapping[Part, tuple[str, ...]]
"""Where words may stand, by part of a turn."""

_TIE = 0.4
"""What the other fields add that hold a word too."""
_NEAR = 1.2
_NEAR_REACH = 2
_NEAR_PAIRS = 8

MOST_LEAVES = 800
"""Terms times fields of one query's words; a cluster refuses more than 1 024 with all that comes beside them."""

EVERYWHERE: Fields = {Part.SAID: (USER, TERMS_OF[Part.SAID])} | {
    part: (field,) for part, field in TERMS_OF.items() if part is not Part.SAID
}


def fields_for(filters: Filters) -> Fields:
    """Return where words may stand: a role or a part of turns leaves only some fields."""
    if filters.role:
        said = (USER,) if filters.role == "user" else (TERMS_OF[Part.SAID],)
        return {Part.SAID: said} if filters.kind in {"", Kind.TURN, Part.SAID} else {}
    parts = {part.value: part for part in Part}
    if filters.kind in parts:
        part = parts[filters.kind]
        return {part: EVERYWHERE[part]}
    return EVERYWHERE


def inside(node: Node, fields: Sequence[str], weight: float = 1.0) -> Json:
    """Return what finds a node in one part of a turn."""
    match node:
        case Term(text):
            return _over(fields, {"value": text, "boost": weight}, "term")
        case Phrase(texts):
            return _over(fields, _phrase(texts, weight * PHRASE_BOOST), "match_phrase")
        case Prefix(text):
            return _over(fields, {"value": text, "boost": weight}, "prefix")
        case AnyOf(nodes):
            return any_of([inside(each, fields, weight) for each in nodes])
        case AllOf(nodes):
            return {"bool": {"must": [inside(each, fields, weight) for each in nodes]}}


def _phrase(texts: Sequence[str], boost: float, slop: int = 0) -> Json:
    return {"query": " ".join(texts), "analyzer": "whitespace", "slop": slop, "boost": round(boost, 3)}


def _over(fields: Sequence[str], value: Json, kind: str) -> Json:
    return _best([{kind: {field: value}} for field in fields])


def _best(queries: Sequence[Json]) -> Json:
    return queries[0] if len(queries) == 1 else {"dis_max": {"queries": list(queries), "tie_breaker": _TIE}}


def any_of(queries: Sequence[Json], at_least: int = 1) -> Json:
    """Return what holds at least so many of these."""
    return {"bool": {"should": list(queries), "minimum_should_match": at_least}}


def anywhere(node: Node, fields: Fields) -> Json:
    """Return what finds a node in whichever part of a turn."""
    each = [inside(node, names, WEIGHTS[Kind.TURN, part]) for part, names in fields.items()]
    return _best(each)


def together(nodes: Sequence[Node], fields: Fields) -> Json:
    """Return what holds every node in one and the same part."""
    each = [
        {"bool": {"must": [inside(node, names, WEIGHTS[Kind.TURN, part]) for node in nodes]}}
        for part, names in fields.items()
    ]
    return _best(each)


def across(nodes: Sequence[Node], fields: Fields) -> Json:
    """Return what holds every node, in whichever parts."""
    return {"bool": {"must": [anywhere(node, fields) for node in nodes]}}


def leaves(node: Node) -> int:
    """Return how many terms a node asks for in one field."""
    match node:
        case Phrase(texts):
            return len(texts)
        case AnyOf(nodes) | AllOf(nodes):
            return sum(map(leaves, nodes))
    return 1


def affordable(nodes: Iterable[Node], fields: Fields, times: int = 1) -> list[Node]:
    """Return the first nodes that one query can hold, each asked for so many times; at least one."""
    room = MOST_LEAVES // (times * sum(map(len, fields.values())) or 1)
    kept: list[Node] = []
    for node in nodes:
        room -= leaves(node)
        if kept and room < 0:
            break
        kept.append(node)
    return kept


def filters_of(query: Query, archives: Collection[str]) -> list[Json]:
    """Return what an answer must bear besides words."""
    filters = query.filters
    found: list[Json] = [
        {"prefix": {"facet": facet[:-1]}} if facet.endswith("*") else {"term": {"facet": facet}}
        for facet in asked(filters)
    ]
    if filters.role or filters.kind in set(Part):
        found.append({"term": {"kind": Kind.TURN.value}})
    elif filters.kind:
        found.append({"term": {"kind": filters.kind}})
    if filters.since is not None or filters.until is not None:
        span = {"gte": filters.since, "lt": filters.until}
        found.append({"range": {"when": {name: value for name, value in span.items() if value is not None}}})
    if archives:
        found.append({"terms": {"archive": sorted(archives)}})
    return found


def whole(query: Query, words: Json | None, archives: Collection[str] = ()) -> Json:
    """Return the query as it is sent: words, filters, what is left out, and what ranks higher."""
    narrowed = filters_of(query, archives)
    if words is None:
        fields = fields_for(query.filters)
        if fields is not EVERYWHERE:
            there = [{"exists": {"field": name}} for name in _shown_by(fields)]
            narrowed.append(any_of(there))
        return {"bool": {"filter": narrowed, "must_not": excluded(query)}}
    return {
        "bool": {
            "must": [_weighted(words)],
            "should": _near(query),
            "filter": narrowed,
            "must_not": excluded(query),
        }
    }


def _shown_by(fields: Fields) -> Iterable[str]:
    return (
        EVERYWHERE[Part.SAID]
        if Part.SAID in fields
        else [name for names in fields.values() for name in names]
    )


def excluded(query: Query) -> list[Json]:
    """Return what no answer may hold, wherever it stands."""
    return [anywhere(node, EVERYWHERE) for node in affordable(query.excluded, EVERYWHERE, 6)]


def _weighted(words: Json) -> Json:
    """Weigh by what a document is: decisions first, summaries of ours later."""
    functions = [
        {"filter": {"term": {"kind": kind.value}}, "weight": weight}
        for (kind, part), weight in WEIGHTS.items()
        if part is Part.SAID and weight != 1.0
    ]
    return {"function_score": {"query": words, "functions": functions, "boost_mode": "multiply"}}


def _near(query: Query) -> list[Json]:
    """Lift what has the words side by side as typed."""
    return [
        {"match_phrase": {field: _phrase(pair, _NEAR, _NEAR_REACH)}}
        for pair in near_pairs(query)[:_NEAR_PAIRS]
        for field in EVERYWHERE[Part.SAID]
    ]
