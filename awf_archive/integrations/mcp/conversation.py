"""Which conversation a checkpoint saves: the newest of this workspace in the tool that asks, or the one named."""

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from awf_archive import config
from awf_archive.errors import ArchiveError, InputError
from awf_archive.integrations.mcp.desk import Desk
from awf_archive.readers import identify
from awf_archive.services.discovery import lies_in, transcripts
from awf_archive.services.gemini_folders import gemini_folder
from awf_archive.services.places import PLACES, folder_for, in_places
from awf_archive.services.sources import opened

CLAUDE_CODE = "claude-code"

CLIENTS: Mapping[str, str] = {"codex": "codex", "gemini-cli": "gemini-cli", "copilot": "copilot-cli"}
"""How the name that a client gives begins, and the tool's name in `PLACES`; any other is asked as Claude Code."""

_LOOK_BACK = 12
"""Files of another tool that are looked into, newest first: each must be read to know its folder."""


class Conversation(NamedTuple):
    """A transcript's file and its format."""

    path: Path
    format: str


def conversation_of(desk: Desk, named: str) -> Conversation:
    """Return the conversation to save. Raises InputError when there is none of this workspace."""
    tool = tool_of(desk.client)
    found = _of_claude_code(desk) if tool == CLAUDE_CODE else _of_other(desk, tool)
    wanted = (one for one in found if not named or named in one.path.name)
    if conversation := next(wanted, None):
        return conversation
    which = f"conversation {named[:80]!a}" if named else "conversation of this workspace"
    raise InputError(
        f"{config.tool_folder(tool)}: no {which} ({desk.layout.root}) was found there.",
        "The user can save any file with: awf-archive checkpoint --transcript FILE, or all with: awf-archive import",
    )


def tool_of(client: str) -> str:
    """Return the tool that a client is.

    >>> tool_of("codex-mcp-client"), tool_of("claude-code"), tool_of("")
    ('codex', 'claude-code', 'claude-code')
    """
    name = client.lower()
    return next((tool for begin, tool in CLIENTS.items() if name.startswith(begin)), CLAUDE_CODE)


def _of_claude_code(desk: Desk) -> Iterator[Conversation]:
    home = config.tool_folder(CLAUDE_CODE)
    return (Conversation(path, CLAUDE_CODE) for path in transcripts(desk.layout.root, home))


def _of_other(desk: Desk, tool: str) -> Iterator[Conversation]:
    """Yield another tool's conversations of this workspace, newest first; a file that does not read is passed by."""
    places = [one for one in PLACES if one.tool == tool]
    files = [one.path for one in in_places(folder_for(desk.layout.root), places=places)]
    for path in islice(sorted(files, key=_changed, reverse=True), _LOOK_BACK):
        try:
            folder = _folder_of(path, places[0].format, desk.layout.root)
        except ArchiveError:
            continue
        if folder and lies_in(folder, desk.layout.root):
            yield Conversation(path, places[0].format)


def _changed(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _folder_of(path: Path, format_name: str, root: Path) -> str:
    """Return the folder in which a conversation took place, or ""."""
    with opened(path) as source:
        transcript = next(iter(identify(source, format_name).read(source)), None)
    if transcript is None:
        return ""
    return transcript.cwd or gemini_folder(path, [str(root)])
