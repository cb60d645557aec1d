"""The tool `get_turns`: what was said, in full, a page at a time (SPEC 1.5)."""

from collections.abc import Iterator
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from awf_archive.domain.tool_lines import calls_in, tool_line
from awf_archive.domain.transcript import Branch
from awf_archive.integrations.mcp.desk import Desk
from awf_archive.integrations.mcp.masking import quoted
from awf_archive.integrations.mcp.paging import Cursor, cursor_of, piece_of
from awf_archive.integrations.mcp.places import cite
from awf_archive.integrations.mcp.values import NOTICE, Answer, Given, Item
from awf_archive.search.documents import Part
from awf_archive.services.documents import turn_texts, user_words
from awf_archive.services.show import ShownTurn, extent, turns

ABOUT = """\
Read saved turns in full: what the user said and what the assistant answered. Use it after search or list_sessions, \
with the `cite` they gave. place is feature#16, feature#16-20 or feature/session-002.
By default (parts="said") you get the words and one line per tool call; parts="all" adds thinking, tool inputs and \
results, which can be very long: ask for it only when you need a command's output. An answer holds at most maxChars; \
when something is left out, nextCursor says where to go on: the same call with cursor=nextCursor."""

_MOST_TOOLS = 12
"""Lines of tool calls of one turn."""


class TurnsGiven(Given):
    """The arguments of `get_turns`."""

    place: Annotated[
        str,
        Field(min_length=1, max_length=300, description="login#16, login#16-20 or login/session-002."),
    ]
    parts: Annotated[
        Literal["said", "all"], Field(description="said: words only. all: thinking and tools too.")
    ] = "said"
    max_chars: Annotated[int, Field(ge=500, le=20_000, description="Characters of the answer.")] = 6_000
    cursor: Annotated[str, Field(description="nextCursor of the last answer, to go on.")] = ""


class TurnItem(Item):
    """One turn, or a part of a long one."""

    cite: str
    session: str
    date: str = ""
    path: Annotated[str, Field(description="The file that holds all of it, relative to the workspace.")]
    user: str = ""
    assistant: str = ""
    tools: Annotated[tuple[str, ...], Field(description="One line per tool call.")] = ()
    abandoned: Annotated[bool, Field(description="On a branch that the user rewound.")] = False
    begins_at: Annotated[int, Field(description="Characters before this part, given earlier.")] = 0
    left_out: Annotated[int, Field(description="Characters after this part, see nextCursor.")] = 0


class TurnsAnswer(Answer):
    """The answer of `get_turns`."""

    notice: str
    place: str
    parts: str = "said"
    turns: tuple[TurnItem, ...]
    next_cursor: Annotated[str, Field(description="Pass it as cursor to go on; absent at the end.")] = ""


def run(desk: Desk, given: TurnsGiven) -> TurnsAnswer:
    """Read turns. Raises UsageError for words that are no place, NoArchiveError when nothing is there."""
    return read(desk, given, given.max_chars)


def read(desk: Desk, given: TurnsGiven, room: int) -> TurnsAnswer:
    """Read turns into `room` characters: the first is cut if it must be, later ones wait for the next page."""
    begin, items, following = cursor_of(given.cursor), list[TurnItem](), ""
    for number, one in _from(desk, given.place, begin):
        words = _words(desk, one, given.parts)
        offset = begin.offset if not items else 0
        size = max(0, len(words.user) + len(words.assistant) - offset)
        if items and size > room:
            following = str(Cursor(number))
            break
        item = _item(desk, one, words, offset, room)
        items.append(item)
        if item.left_out:
            following = str(Cursor(number, offset + room))
            break
        room -= size + _HEADING
    return TurnsAnswer(
        notice=NOTICE, place=given.place, parts=given.parts, turns=tuple(items), next_cursor=following
    )


_HEADING = 200
"""Characters that a turn costs beside its words."""


class _Words(NamedTuple):
    user: str
    assistant: str
    tools: tuple[str, ...] = ()


def _from(desk: Desk, place: str, begin: Cursor) -> Iterator[tuple[int, ShownTurn]]:
    """Yield the turns of a place from the cursor on, each with the number by which it was asked for."""
    named = extent(desk.archive, place)
    first = max(named.first, begin.place)
    found = turns(desk.archive, f"{named.feature}#{first}-{max(first, named.last)}")
    for count, one in enumerate(found):
        yield (one.entry.turn if one.feature == named.feature else first + count), one


def _words(desk: Desk, one: ShownTurn, parts: str) -> _Words:
    """Return a turn's words, masked before anything is cut: half a secret is one too."""
    if parts == "all":
        return _Words(desk.safe(one.turn.user), desk.safe(one.turn.assistant))
    calls = [desk.safe(tool_line(call.name, call.input)) for call in calls_in(one.turn.assistant_blocks)]
    more = [f"… {len(calls) - _MOST_TOOLS} more"] if len(calls) > _MOST_TOOLS else []
    said = turn_texts(one.turn)[Part.SAID]
    return _Words(desk.safe(user_words(one.turn)), desk.safe(said), (*calls[:_MOST_TOOLS], *more))


def _item(desk: Desk, one: ShownTurn, words: _Words, offset: int, room: int) -> TurnItem:
    piece = piece_of(words.user, words.assistant, offset, room)
    path = desk.archive.turn_path(one.feature, one.session.session_id, one.entry)
    return TurnItem(
        cite=cite(one.feature, one.entry.turn),
        session=one.session.session_id,
        date=(one.entry.time or one.turn.time)[:10],
        path=desk.layout.relative(path),
        user=piece.user,
        assistant=piece.assistant,
        tools=() if offset else words.tools,
        abandoned=one.entry.branch is Branch.ABANDONED,
        begins_at=offset,
        left_out=piece.left,
    )


def text(answer: TurnsAnswer) -> str:
    """Return the turns for reading."""
    lines = [NOTICE, ""]
    for one in answer.turns:
        mark = "abandoned branch" if one.abandoned else ""
        part = f"from character {one.begins_at:,}" if one.begins_at else ""
        lines.append(" · ".join(filter(None, (one.cite, one.session, one.date, one.path, mark, part))))
        for side, words in (
            ("User:", one.user),
            ("Assistant:", one.assistant),
            ("Tools:", "\n".join(one.tools)),
        ):
            lines += [side, quoted(words)] if words else []
        if one.left_out:
            lines.append(
                f"[{one.left_out:,} characters of {one.cite} are left out here; {one.path} holds all.]"
            )
        lines.append("")
    if answer.next_cursor:
        call = f'get_turns(place="{answer.place}", parts="{answer.parts}", cursor="{answer.next_cursor}")'
        lines.append(f"Goes on: {call}")
    return "\n".join(lines).rstrip()
