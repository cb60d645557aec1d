"""The tool `list_sessions`: what was saved, newest first."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Annotated, NamedTuple

from pydantic import Field

from awf_archive.domain.manifest import Manifest, SessionEntry
from awf_archive.domain.tool_lines import one_line
from awf_archive.errors import DamagedArchiveError
from awf_archive.integrations.mcp.desk import Desk
from awf_archive.integrations.mcp.masking import quoted
from awf_archive.integrations.mcp.paging import Cursor, cursor_of
from awf_archive.integrations.mcp.places import session_uri
from awf_archive.integrations.mcp.values import NOTICE, Answer, Given, Item

ABOUT = """\
List the saved sessions of this project, newest feature and newest session first: place, turns, date, title. Use it \
to see which features (strands of work) exist, or what was worked on lately; to find a topic, use search instead. \
Read a session with get_turns(place=cite). More: the same call with cursor=nextCursor."""

_MOST_FEATURES = 30
_TITLE = 100


class SessionsGiven(Given):
    """The arguments of `list_sessions`."""

    feature: Annotated[str, Field(description="Only this feature.")] = ""
    limit: Annotated[int, Field(ge=1, le=100, description="How many sessions.")] = 15
    cursor: Annotated[str, Field(description="nextCursor of the last answer, for the next page.")] = ""


class FeatureItem(Item):
    """One strand of work."""

    feature: str
    sessions: int
    turns: int
    updated: str = ""


class SessionItem(Item):
    """One saved session."""

    cite: Annotated[str, Field(description="What get_turns takes: feature/session-001.")]
    feature: str
    session: str
    turns: Annotated[str, Field(description="Numbers of its turns in the feature: 1-15.")]
    date: str = ""
    title: str = ""
    source: Annotated[str, Field(description="The chat tool it comes from.")] = ""
    uri: str


class SessionsAnswer(Answer):
    """The answer of `list_sessions`."""

    notice: str
    total: int
    features: Annotated[tuple[FeatureItem, ...], Field(description="On the first page.")] = ()
    sessions: tuple[SessionItem, ...]
    next_cursor: Annotated[str, Field(description="Pass it as cursor for more; absent at the end.")] = ""


class _Saved(NamedTuple):
    feature: str
    entry: SessionEntry


def run(desk: Desk, given: SessionsGiven) -> SessionsAnswer:
    """List sessions. Raises NoArchiveError for a feature under which nothing was saved."""
    manifests = _manifests(desk, given.feature)
    saved = [_Saved(name, entry) for name, one in manifests for entry in reversed(one.sessions)]
    start = cursor_of(given.cursor).place
    page, problems = list[SessionItem](), list[str]()
    for one in saved[start : start + given.limit]:
        try:
            page.append(_item(desk, one))
        except DamagedArchiveError as problem:
            problems.append(f"{problem.message} {problem.hint}")
    end = start + given.limit
    return SessionsAnswer(
        notice=NOTICE,
        total=len(saved),
        features=tuple(islice(_features(manifests), _MOST_FEATURES)) if not start else (),
        sessions=tuple(page),
        next_cursor=str(Cursor(end)) if end < len(saved) else "",
        notes=(*problems, *_notes(desk, saved, manifests)),
    )


def _manifests(desk: Desk, feature: str) -> list[tuple[str, Manifest]]:
    if feature:
        return [(feature, desk.archive.require(feature))]
    found = list(desk.archive.sound())
    return sorted(found, key=lambda one: (one[1].last_updated, one[0]), reverse=True)


def _features(manifests: Sequence[tuple[str, Manifest]]) -> Iterator[FeatureItem]:
    for name, one in manifests:
        yield FeatureItem(
            feature=name, sessions=len(one.sessions), turns=one.last_end, updated=one.last_updated[:10]
        )


def _item(desk: Desk, one: _Saved) -> SessionItem:
    session = desk.archive.unmasked.session(one.feature, one.entry)
    first, last = one.entry.global_range
    date = next((turn.time for turn in session.turns if turn.time), session.created_at)
    title = session.heading
    return SessionItem(
        cite=f"{one.feature}/{one.entry.session_id}",
        feature=one.feature,
        session=one.entry.session_id,
        turns=f"{first}-{last}",
        date=date[:10],
        title=one_line(desk.safe(title), _TITLE),
        source=session.source.format,
        uri=session_uri(one.feature, one.entry.session_id),
    )


def _notes(desk: Desk, saved: Sequence[_Saved], manifests: Sequence[tuple[str, Manifest]]) -> Iterator[str]:
    if not saved:
        yield EMPTY
    if len(manifests) > _MOST_FEATURES:
        yield f"{len(manifests) - _MOST_FEATURES} more features have sessions further down."
    for problem in desk.archive.damaged().values():
        yield f"{problem.message} {problem.hint}"


EMPTY = (
    "Nothing is archived in this workspace yet. checkpoint saves this conversation; "
    "the user can bring older ones in with: awf-archive import"
)


def text(answer: SessionsAnswer) -> str:
    """Return the list for reading."""
    lines = [f"Sessions: {answer.total}. {NOTICE}", ""]
    lines += [
        f"feature {one.feature}: sessions {one.sessions}, turns {one.turns}, {one.updated}"
        for one in answer.features
    ]
    lines += [""] if answer.features else []
    for one in answer.sessions:
        lines.append(" · ".join(filter(None, (one.cite, f"turns {one.turns}", one.date, one.source))))
        lines += [quoted(one.title)] if one.title else []
    if answer.next_cursor:
        lines += ["", f'More: the same call with cursor "{answer.next_cursor}".']
    return "\n".join(lines).rstrip()
