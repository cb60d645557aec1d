"""Every tool of the server: a row here and a module with its arguments, its answer and its function."""

from collections.abc import Callable
from typing import Any, NamedTuple

from mcp import types

from awf_archive.integrations.mcp import (
    checkpoint_tool,
    decisions_tool,
    recap_tool,
    record_tool,
    search_tool,
    sessions_tool,
    turns_tool,
)
from awf_archive.integrations.mcp.desk import Desk
from awf_archive.integrations.mcp.values import Answer, Given, schema_of


class ToolRow(NamedTuple):
    """One tool."""

    name: str
    title: str
    about: str
    """When to use it, what comes back, how to go on: what the model reads."""
    given: type[Given]
    answer: type[Answer]
    run: Callable[[Desk, Any], Answer]
    """Does the work, in a thread of its own; raises ArchiveError with what to do next."""
    text: Callable[[Any], str]
    """The answer for reading."""
    is_reading: bool = True
    """Whether it changes nothing but what can be made again (the index)."""


TOOLS: tuple[ToolRow, ...] = (
    ToolRow(
        "search",
        "Search saved conversations",
        search_tool.ABOUT,
        search_tool.SearchGiven,
        search_tool.SearchAnswer,
        search_tool.run,
        search_tool.text,
    ),
    ToolRow(
        "recap",
        "Where the work stands",
        recap_tool.ABOUT,
        recap_tool.RecapGiven,
        recap_tool.RecapAnswer,
        recap_tool.run,
        recap_tool.text,
    ),
    ToolRow(
        "get_turns",
        "Read saved turns",
        turns_tool.ABOUT,
        turns_tool.TurnsGiven,
        turns_tool.TurnsAnswer,
        turns_tool.run,
        turns_tool.text,
    ),
    ToolRow(
        "list_sessions",
        "List saved sessions",
        sessions_tool.ABOUT,
        sessions_tool.SessionsGiven,
        sessions_tool.SessionsAnswer,
        sessions_tool.run,
        sessions_tool.text,
    ),
    ToolRow(
        "list_decisions",
        "List what was decided",
        decisions_tool.ABOUT,
        decisions_tool.DecisionsGiven,
        decisions_tool.DecisionsAnswer,
        decisions_tool.run,
        decisions_tool.text,
    ),
    ToolRow(
        "checkpoint",
        "Save this conversation",
        checkpoint_tool.ABOUT,
        checkpoint_tool.CheckpointGiven,
        checkpoint_tool.CheckpointAnswer,
        checkpoint_tool.run,
        checkpoint_tool.text,
        is_reading=False,
    ),
    ToolRow(
        "record_decision",
        "Record a decision",
        record_tool.ABOUT,
        record_tool.RecordGiven,
        record_tool.RecordAnswer,
        record_tool.run,
        record_tool.text,
        is_reading=False,
    ),
)
"""In the order in which clients list them."""


def described(row: ToolRow) -> types.Tool:
    """Return a tool as clients see it."""
    return types.Tool(
        name=row.name,
        title=row.title,
        description=row.about,
        input_schema=schema_of(row.given, "validation"),
        output_schema=schema_of(row.answer, "serialization"),
        annotations=types.ToolAnnotations(
            title=row.title,
            read_only_hint=row.is_reading,
            destructive_hint=False,
            idempotent_hint=True,
            open_world_hint=False,
        ),
    )
