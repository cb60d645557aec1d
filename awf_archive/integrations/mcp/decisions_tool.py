"""The tool `list_decisions`: what was decided, and why."""

from typing import Annotated, Literal

from pydantic import Field

from awf_archive.domain.decisions import Decision, Status
from awf_archive.domain.tool_lines import one_line
from awf_archive.integrations.mcp.desk import Desk
from awf_archive.integrations.mcp.masking import quoted
from awf_archive.integrations.mcp.paging import Cursor, cursor_of
from awf_archive.integrations.mcp.places import cite
from awf_archive.integrations.mcp.values import NOTICE, Answer, Given, Item
from awf_archive.services.decisions_list import Asked, asked_for

ABOUT = """\
List what was decided in this project and why: accepted first, newest first. Use it before you propose a technology, \
a design or a rule, and when the user asks what was decided. Nobody confirmed a proposed one: say so when you cite \
it. Read the talk around one with get_turns(place=cite)."""

_LINE = 300


class DecisionsGiven(Given):
    """The arguments of `list_decisions`."""

    text: Annotated[str, Field(description="Words that all stand in it.")] = ""
    feature: Annotated[str, Field(description="Only this feature.")] = ""
    status: Annotated[
        Literal["standing", "accepted", "proposed", "superseded", "rejected", "all"],
        Field(description="standing: accepted and proposed."),
    ] = "standing"
    limit: Annotated[int, Field(ge=1, le=100, description="How many.")] = 20
    cursor: Annotated[str, Field(description="nextCursor of the last answer.")] = ""


class DecisionItem(Item):
    """One decision."""

    id: str
    feature: str
    cite: str
    """Where it was made; the feature alone without a turn."""
    status: str
    text: str
    reason: str = ""
    options: tuple[str, ...] = ()
    date: str = ""
    by: str = ""
    supersedes: tuple[str, ...] = ()
    superseded_by: str = ""


class DecisionsAnswer(Answer):
    """The answer of `list_decisions`."""

    notice: str
    total: int
    decisions: tuple[DecisionItem, ...]
    next_cursor: str = ""


_WANTED: dict[str, tuple[Status, ...]] = {"standing": (Status.ACCEPTED, Status.PROPOSED), "all": ()}


def run(desk: Desk, given: DecisionsGiven) -> DecisionsAnswer:
    """List decisions. Raises NoArchiveError for a feature under which nothing was saved."""
    statuses = _WANTED[given.status] if given.status in _WANTED else (Status(given.status),)
    asked = Asked(feature=given.feature, statuses=statuses, text=given.text)
    found = sorted(asked_for(desk.archive, asked), key=lambda one: one.date, reverse=True)
    found.sort(key=lambda one: list(Status).index(one.status) if one.status is not Status.ACCEPTED else -1)
    start = cursor_of(given.cursor).place
    end = start + given.limit
    return DecisionsAnswer(
        notice=NOTICE,
        total=len(found),
        decisions=tuple(map(item_of, found[start:end])),
        next_cursor=str(Cursor(end)) if end < len(found) else "",
        notes=tuple(f"{one.message} {one.hint}" for one in desk.archive.damaged().values()),
    )


def item_of(one: Decision) -> DecisionItem:
    """Return a decision as the tools give it."""
    return DecisionItem(
        id=one.id,
        feature=one.feature,
        cite=cite(one.feature, one.turn),
        status=one.status.value,
        text=one_line(one.text, _LINE),
        reason=one_line(one.reason, _LINE),
        options=tuple(one_line(option, _LINE) for option in one.options),
        date=one.date[:10],
        by=one.by,
        supersedes=one.supersedes,
        superseded_by=one.superseded_by,
    )


def text(answer: DecisionsAnswer) -> str:
    """Return the list for reading."""
    lines = [f"Decisions: {answer.total}. {NOTICE}", ""]
    for one in answer.decisions:
        lines += told(one)
    if answer.next_cursor:
        lines += ["", f'More: the same call with cursor "{answer.next_cursor}".']
    return "\n".join(lines).rstrip()


def told(one: DecisionItem) -> list[str]:
    """Return a decision for reading: our facts on one line, the stranger's words quoted below."""
    by = f"superseded by {one.superseded_by}" if one.superseded_by else ""
    facts = (f"{one.feature} {one.id}", one.cite if "#" in one.cite else "", one.status, by, one.date, one.by)
    why = [f"because {one.reason}"] if one.reason else []
    among = [f"among: {' | '.join(one.options)}"] if one.options else []
    return [" · ".join(filter(None, facts)), quoted("\n".join((one.text, *why, *among)))]
