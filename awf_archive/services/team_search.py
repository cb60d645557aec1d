"""Asking a whole team's archives, and this one alone when the team's search is away (issue 11)."""

from collections.abc import Collection, Mapping
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from awf_archive.domain.site_names import session_folder
from awf_archive.domain.team import Team
from awf_archive.errors import ClusterError, NoArchiveError
from awf_archive.search.documents import Kind, Part, Progress, Request, no_progress
from awf_archive.search.snippets import best
from awf_archive.services.search import Answer, TeamNote, check
from awf_archive.services.search import search as search_here
from awf_archive.services.search_passages import Elsewhere, FoundIn, Shown
from awf_archive.services.team_place import access
from awf_archive.store.archive import Archive

if TYPE_CHECKING:
    from awf_archive.search.opensearch.index import Answered, TeamHit


class Scope(NamedTuple):
    """Where a search looks."""

    name: str
    team: Team
    archives: Collection[str] = ()
    """Of a team's archives only these; empty for all that one may read."""


def search(archive: Archive, request: Request, progress: Progress = no_progress, *, scope: Scope) -> Answer:
    """Answer a request from this workspace or from the team's archives.

    When the cluster does not answer in time, this workspace answers, and the answer says why.
    Raises as `services.search.search`, and UsageError when no team is set up.
    """
    if scope.name == "here":
        return search_here(archive, request, progress)
    check(request)
    try:
        answered = _ask(scope, request)
    except ClusterError as problem:
        return _alone(archive, request, progress, problem)
    note = TeamNote(is_partial=answered.is_partial, is_at_least=answered.is_at_least)
    found = tuple(_shown(hit, scope.team, answered.result.terms) for hit in answered.hits)
    return Answer(result=answered.result, shown=found, team=note)


def _ask(scope: Scope, request: Request) -> "Answered":
    how = access(scope.team)
    from awf_archive.search.opensearch.client import connect
    from awf_archive.search.opensearch.feed import Feed
    from awf_archive.search.opensearch.index import Home, OpenSearchIndex

    with closing(Feed(None)) as feed:
        home = Home(alias=scope.team.index_name, archive="")
        index = OpenSearchIndex(connect(how), home, feed, timeout=how.timeout)
        index.archives = scope.archives
        return index.answer(request)


def _alone(archive: Archive, request: Request, progress: Progress, problem: ClusterError) -> Answer:
    try:
        answer = search_here(archive, request, progress)
    except NoArchiveError:
        raise problem from None  # there is nothing here to answer with
    return replace(answer, team=TeamNote(away=f"{problem.message} {problem.hint}".rstrip()))


def _shown(found: "TeamHit", team: Team, terms: tuple[str, ...]) -> Shown:
    """Cut the passage from the words that the cluster holds; they were masked before they were sent."""
    hit, words = found.hit, found.source.get("words", {})
    sides = [(side, words.get(name, "")) for side, name in _SIDES[hit.part]]
    found_in, passage = best(sides, terms, FoundIn.NOWHERE)
    about = found.about
    return Shown(
        hit=hit,
        snippet=passage,
        found_in=found_in if hit.kind is Kind.TURN else FoundIn.NOWHERE,
        is_abandoned=about.is_abandoned,
        session_title=about.session_title,
        elsewhere=Elsewhere(archive=found.archive, author=about.author, url=_url(found, team.site)),
    )


_SIDES: Mapping[Part, tuple[tuple[FoundIn, str], ...]] = {
    Part.SAID: ((FoundIn.USER, "user"), (FoundIn.ASSISTANT, Part.SAID)),
    Part.TOOLS: ((FoundIn.TOOL_OUTPUT, Part.TOOLS),),
    Part.THINKING: ((FoundIn.THINKING, Part.THINKING),),
    Part.SUMMARY: ((FoundIn.SUMMARY, Part.SUMMARY),),
}
"""Whose words a part of a turn holds, and where the cluster has them."""


def _url(found: "TeamHit", site: str) -> str:
    """Return where a hit is readable, or ""; names in it are strangers', so each is quoted."""
    hit, local = found.hit, found.about.local
    if not site or not hit.session:
        return ""
    values = {
        "{archive}": quote(found.archive, safe="/"),
        "{page}": f"{session_folder(hit.feature, hit.session)}/#turn-{local:03d}",
        "{feature}": quote(hit.feature, safe=""),
        "{session}": quote(hit.session, safe=""),
        "{turn}": str(hit.turn),
        "{local}": f"{local:03d}",
    }
    for name, value in values.items():
        site = site.replace(name, value)
    return site
