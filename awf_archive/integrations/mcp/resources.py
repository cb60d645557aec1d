"""Sessions and turns as resources: what a person attaches to a chat by hand."""

from mcp import types

from awf_archive.integrations.mcp.desk import Desk
from awf_archive.integrations.mcp.places import SESSION_TEMPLATE, TURN_TEMPLATE, place_of
from awf_archive.integrations.mcp.sessions_tool import SessionsGiven
from awf_archive.integrations.mcp.sessions_tool import run as sessions
from awf_archive.integrations.mcp.turns_tool import TurnsGiven, read, text

MARKDOWN = "text/markdown"
_PAGE = 50
"""Sessions of one page of the list."""
_ROOM = 40_000
"""Characters of one resource; a longer session goes on with get_turns."""

TEMPLATES = (
    types.ResourceTemplate(
        name="session",
        title="A saved session",
        uri_template=SESSION_TEMPLATE,
        description="What was said in a session, turn by turn. The feature is percent-encoded.",
        mime_type=MARKDOWN,
    ),
    types.ResourceTemplate(
        name="turn",
        title="A saved turn",
        uri_template=TURN_TEMPLATE,
        description="One turn by its number in the feature.",
        mime_type=MARKDOWN,
    ),
)


def listed(desk: Desk, cursor: str | None) -> types.ListResourcesResult:
    """Return a page of the sessions, newest first. Raises UsageError for a cursor that no page gave."""
    page = sessions(desk, SessionsGiven(limit=_PAGE, cursor=cursor or ""))
    found = [
        types.Resource(
            uri=one.uri,
            name=one.cite,
            title=desk.safe(one.title) or one.cite,
            description=f"Turns {one.turns} · {one.date} · {one.source}".rstrip(" ·"),
            mime_type=MARKDOWN,
        )
        for one in page.sessions
    ]
    return types.ListResourcesResult(resources=found, next_cursor=page.next_cursor or None)


def contents(desk: Desk, uri: str) -> types.ReadResourceResult:
    """Return a session or a turn as quoted Markdown.

    Raises UsageError for an address that is none of ours, NoArchiveError when nothing is there.
    """
    found = read(desk, TurnsGiven(place=place_of(uri)), _ROOM)
    words = desk.safe(text(found))
    return types.ReadResourceResult(
        contents=[types.TextResourceContents(uri=uri, text=words, mime_type=MARKDOWN)]
    )
