"""From a request to a ranked answer, the same over every index."""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol, TypeVar

from awf_archive.search.documents import Note, Request
from awf_archive.search.filters import Filters, from_request, merged
from awf_archive.search.query import Query, parse


class Ranked(Protocol):
    """What an index answers; a dataclass."""

    @property
    def answers(self) -> object:
        """What was found; false when nothing."""

    @property
    def note(self) -> Note:
        """Why these."""


_Ranked = TypeVar("_Ranked", bound=Ranked)


def ask(request: Request, rank: Callable[[Query], _Ranked]) -> tuple[Query, _Ranked]:
    """Read the topic and rank; typed filters that find nothing are read as words."""
    given, _ = from_request(request)
    query = parse(request.topic, now=request.now)
    is_filtered = query.filters != Filters()
    ranked = rank(_filtered(query, given))
    if ranked.answers or not is_filtered:
        return query, ranked
    as_text = parse(request.topic, with_filters=False)
    again = rank(_filtered(as_text, given))
    if not again.answers or again.note is not Note.NONE:
        return query, ranked
    return as_text, replace(again, note=Note.FILTERS_AS_TEXT)  # type: ignore[type-var]  # a dataclass


def _filtered(query: Query, given: Filters) -> Query:
    return Query(clauses=query.clauses, excluded=query.excluded, filters=merged(query.filters, given))
