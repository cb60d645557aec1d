"""How each tool names the events and fields that our hooks act on, and takes their answer: a table (SPEC 7).

The names that `hook_events` knows are Claude Code's. Codex CLI and Gemini CLI took most of them over.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from awf_archive.integrations.hook_input import CLAUDE_CODE, Event, event_of

TURN_COMPLETE = "TurnComplete"
"""Our name for what Codex tells a `notify` program."""

GIT_COMMIT = "GitCommit"
"""Our name for git's post-commit hook."""

Fields = dict[str, object]


def _as_it_is(fields: Fields) -> Fields:
    return fields


class Tool(NamedTuple):
    """One tool, seen from its hooks."""

    name: str
    """The format of its conversations, too."""
    events: Mapping[str, str] = {}
    """Its name of an event → ours; those of the same name are left out."""
    fields: Mapping[str, str] = {}
    """Its name of a field → ours."""
    folder: str = ""
    """The variable in which it names the project's folder; where it has none, that of another tool may be set."""
    adapted: Callable[[Fields], Fields] = _as_it_is
    """What else its fields need."""
    answered: Callable[[Fields], Fields] = _as_it_is
    """Our answer as it takes it."""
    shows_messages: bool = True
    """Whether it shows a `systemMessage`; else what there is to tell waits for a place that can."""
    sign: str = "/"
    """What its users type before the name of a command of ours."""


def _of_cursor(fields: Fields) -> Fields:
    """Take the first root for the folder; a turn that was not completed is one that broke off."""
    roots = fields.get("workspace_roots")
    if isinstance(roots, list) and roots and isinstance(roots[0], str):
        fields["cwd"] = roots[0]
    if fields.get("hook_event_name") == "Stop" and fields.get("status") in {"aborted", "error"}:
        fields["hook_event_name"] = "StopFailure"
    return fields


def _for_cursor(answer: Fields) -> Fields:
    """Only a session's start may say something without blocking anything."""
    said = answer.get("hookSpecificOutput")
    return {"additional_context": said["additionalContext"]} if isinstance(said, dict) else {}


def _of_gemini(fields: Fields) -> Fields:
    """Let PreCompress be only where a person asked: version 0.61 fires it before every prompt, compressing or not."""
    if fields.get("hook_event_name") == "PreCompact" and fields.get("trigger") != "manual":
        fields["hook_event_name"] = ""
    return fields


CURSOR = Tool(
    name="cursor",
    events={
        "sessionStart": "SessionStart",
        "beforeSubmitPrompt": "UserPromptSubmit",
        "postToolUse": "PostToolUse",
        "stop": "Stop",
        "preCompact": "PreCompact",
        "sessionEnd": "SessionEnd",
    },
    fields={"conversation_id": "session_id", "generation_id": "prompt_id", "tool_output": "tool_response"},
    folder="CURSOR_PROJECT_DIR",
    adapted=_of_cursor,
    answered=_for_cursor,
    shows_messages=False,
)

TOOLS: Mapping[str, Tool] = {
    CLAUDE_CODE: Tool(name=CLAUDE_CODE, folder="CLAUDE_PROJECT_DIR"),
    "codex": Tool(
        name="codex", events={"Interrupt": "StopFailure"}, fields={"turn_id": "prompt_id"}, sign="$"
    ),
    "codex-notify": Tool(
        name="codex",
        events={"agent-turn-complete": TURN_COMPLETE},
        fields={
            "type": "hook_event_name",
            "thread-id": "session_id",
            "turn-id": "prompt_id",
            "last-assistant-message": "last_assistant_message",
        },
        answered=lambda _answer: {},
        shows_messages=False,
    ),
    "gemini-cli": Tool(
        name="gemini-cli",
        events={
            "BeforeAgent": "UserPromptSubmit",
            "AfterAgent": "Stop",
            "AfterTool": "PostToolUse",
            "PreCompress": "PreCompact",
        },
        fields={"prompt_response": "last_assistant_message"},
        folder="GEMINI_PROJECT_DIR",
        adapted=_of_gemini,
    ),
    "cursor": CURSOR,
    "git": Tool(name="git", shows_messages=False),
}
"""What may stand behind `awf-archive hook`."""


def tool_of(event: Event, name: str) -> Tool:
    """Return the tool that speaks: Cursor, if it is told to, calls the hooks of Claude Code's settings too."""
    return CURSOR if "cursor_version" in event.fields else TOOLS[name]


def translated(event: Event, tool: Tool) -> Event:
    """Return the event under the names that `hook_events` knows.

    >>> said = event_of({"hook_event_name": "stop", "conversation_id": "c", "workspace_roots": ["/work"]})
    >>> told = translated(said, CURSOR)
    >>> told.name, told.session, told.cwd, told.tool
    ('Stop', 'c', '/work', 'cursor')
    """
    if tool.name == CLAUDE_CODE:
        return event
    fields = dict(event.fields)
    fields |= {ours: fields[theirs] for theirs, ours in tool.fields.items() if theirs in fields}
    name = fields.get("hook_event_name")
    if isinstance(name, str):
        fields["hook_event_name"] = tool.events.get(name, name)
    return event_of(tool.adapted(fields), tool.name)
