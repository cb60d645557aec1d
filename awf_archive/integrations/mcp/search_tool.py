"""The tool `search`: a topic in everything ever said, with places to cite (SPEC 4)."""

from typing import Annotated, Literal

from pydantic import Field

from awf_archive.domain.wording.team_words import TEAM_WORDS
from awf_archive.errors import UsageError
from awf_archive.integrations.mcp.desk import Desk, now
from awf_archive.integrations.mcp.masking import quoted
from awf_archive.integrations.mcp.paging import Cursor, cursor_of
from awf_archive.integrations.mcp.places import cite
from awf_archive.integrations.mcp.values import NOTICE, Answer, Given, Item
from awf_archive.search.documents import Kind, Request
from awf_archive.services.search import Answer as Found
from awf_archive.services.search_passages import Shown
from awf_archive.services.team_search import Scope, search

ABOUT = """\
Search everything ever said in this project's saved AI conversations: prompts, answers, tool calls, decisions, \
summaries. Use it before you answer "why did we…", "what did we decide…", "how did we fix…", and before you redo \
work that may have been done in an earlier session. Plain words mean all of them; "a phrase", -not, OR and begin* \
work; Vietnamese matches with or without marks, Chinese and English at once. No synonyms: on no hit, retry with \
other words.
Returns short passages, best first, each with `cite` (such as login#16), date and path. Read a hit in full with \
get_turns(place=cite), and cite it like that to the user. More hits: the same call with cursor=nextCursor."""

_Kind = Literal["turn", "chunk", "decision", "state", "brain", "said", "tools", "thinking", "summary"]


class SearchGiven(Given):
    """The arguments of `search`."""

    query: Annotated[
        str, Field(description="Words to find. May be empty when a filter is given: then newest first.")
    ] = ""
    feature: Annotated[
        str, Field(description="Only in this feature (strand of work), as list_sessions names it.")
    ] = ""
    kind: Annotated[
        _Kind | None,
        Field(description="Only this kind; said, tools, thinking and summary are parts of a turn."),
    ] = None
    role: Annotated[Literal["user", "assistant"] | None, Field(description="Only what this side said.")] = (
        None
    )
    file: Annotated[str, Field(description="Only turns that touched this file or folder.")] = ""
    session: Annotated[str, Field(description="Only in this session, such as session-003.")] = ""
    since: Annotated[str, Field(description="From this day on: 2026-03-02, 2026-03, or 7d, 3w, 2m ago.")] = ""
    until: Annotated[str, Field(description="Up to this day, written the same way.")] = ""
    scope: Annotated[
        Literal["here", "team"],
        Field(description="here, or team: the archives of the whole team, where a search for one is set up."),
    ] = "here"
    limit: Annotated[int, Field(ge=1, le=25, description="How many hits.")] = 8
    cursor: Annotated[str, Field(description="nextCursor of the last answer, for the next page.")] = ""


class FoundItem(Item):
    """One hit."""

    cite: Annotated[str, Field(description="How to cite it, and what get_turns takes: feature#turn.")]
    kind: str
    feature: str = ""
    session: str = ""
    turn: int | None = None
    date: str = ""
    title: str = ""
    role: Annotated[str, Field(description="Whose words the passage is.")] = ""
    passage: str = ""
    path: Annotated[str, Field(description="The file, relative to the workspace.")] = ""
    abandoned: Annotated[bool, Field(description="On a branch that the user rewound.")] = False
    archive: Annotated[
        str, Field(description="With scope team: whose archive; get_turns reads only this one.")
    ] = ""
    author: Annotated[str, Field(description="With scope team: whose conversation it was.")] = ""
    url: Annotated[str, Field(description="With scope team: where a person may read it.")] = ""


class SearchAnswer(Answer):
    """The answer of `search`."""

    notice: str
    query: str
    total: Annotated[int, Field(description="Hits in all.")]
    hits: tuple[FoundItem, ...]
    did_you_mean: str = ""
    next_cursor: Annotated[str, Field(description="Pass it as cursor for more; absent at the end.")] = ""


def run(desk: Desk, given: SearchGiven) -> SearchAnswer:
    """Search. Raises UsageError for a wrong filter or team setting, NoArchiveError where nothing was ever saved."""
    offset = cursor_of(given.cursor).place
    filters = {name: getattr(given, name) or "" for name in _FILTERS}
    topic = given.query.strip()
    if not topic and not any(filters.values()):
        raise UsageError(
            "search: query is empty.", "Give words to find, or a filter to list what it lets through."
        )
    request = Request(topic=topic, now=now(), limit=given.limit, offset=offset, **filters)
    if given.scope == "team":
        desk.settings.need("team")
    found = search(desk.archive, request, scope=Scope(given.scope, desk.settings.team))
    kept = [one for one in found.shown if desk.is_brain_trusted or one.hit.kind not in _OF_BRAIN]
    end = offset + len(found.shown)
    return SearchAnswer(
        notice=NOTICE,
        query=given.query,
        total=found.result.total,
        hits=tuple(map(_item, kept)),
        did_you_mean=found.result.did_you_mean,
        next_cursor=str(Cursor(end)) if found.shown and end < found.result.total else "",
        notes=(*_notes(desk, found), *([desk.untrusted] if len(kept) < len(found.shown) else [])),
    )


_FILTERS = ("feature", "kind", "role", "file", "session", "since", "until")

_OF_BRAIN = frozenset({Kind.STATE, Kind.BRAIN})
"""What stands in `.brain`: of a cloned folder it is a stranger's, until `awf-archive trust` (SPEC 8)."""


def _item(one: Shown) -> FoundItem:
    hit = one.hit
    words = one.snippet.text
    return FoundItem(
        cite=cite(hit.feature, hit.turn) or hit.path,
        kind=hit.kind.value,
        feature=hit.feature,
        session=hit.session,
        turn=hit.turn or None,
        date=hit.time[:10],
        title="" if words.startswith(hit.title) else hit.title,
        role=one.role.value,
        passage=words,
        path=hit.path,
        abandoned=one.is_abandoned,
        archive=one.elsewhere.archive if one.elsewhere else "",
        author=one.elsewhere.author if one.elsewhere else "",
        url=one.elsewhere.url if one.elsewhere else "",
    )


def _notes(desk: Desk, found: Found) -> tuple[str, ...]:
    """Return what is to be known of an answer, as the command says it too."""
    said = desk.words.search
    notes = [said.notes[found.result.note]] if found.result.note else []
    notes += [said.is_behind] if found.is_behind else []
    notes += [said.unread.format(problem=problem) for problem in found.unread[:_MOST_UNREAD]]
    if found.team:
        team = TEAM_WORDS[desk.words.language]
        notes += [team.instead.format(why=found.team.away)] if found.team.away else []
        notes += [team.partial] if found.team.is_partial else []
    if not found.shown and not found.result.total:
        notes.append("Nothing found. Try fewer or other words (there are no synonyms), or drop a filter.")
    return tuple(notes)


_MOST_UNREAD = 3


def text(answer: SearchAnswer) -> str:
    """Return the hits for reading."""
    lines = [f"Hits: {answer.total}. {NOTICE}", ""]
    for one in answer.hits:
        mark = "abandoned branch" if one.abandoned else ""
        facts = (one.archive, one.cite, one.kind, one.session, one.date, one.role, one.author, mark)
        lines += [" · ".join(filter(None, facts)), f"  {one.url or one.path}"]
        lines += [quoted(words) for words in (one.title, one.passage) if words]
        lines.append("")
    if answer.did_you_mean:
        lines.append(f"Did you mean: {answer.did_you_mean}")
    if answer.next_cursor:
        lines.append(f'More: the same call with cursor "{answer.next_cursor}".')
    return "\n".join(lines).rstrip()
