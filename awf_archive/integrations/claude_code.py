"""How Claude Code is set up: hooks in its settings, three skills (SPEC 7, docs/claude-code.md)."""

from collections.abc import Iterator
from pathlib import Path

from awf_archive import config
from awf_archive.integrations import skills
from awf_archive.integrations.hook_events import EVENTS
from awf_archive.integrations.hook_input import CLAUDE_CODE
from awf_archive.integrations.installing import PROGRAM, Command, Place, Setup, on_a_line, program


def _place_of(scope: str, root: Path) -> Place:
    if scope == "user":
        folder = config.tool_folder(CLAUDE_CODE)
        return Place(settings=folder / "settings.json", pages=folder / "skills", command=program())
    folder = root / ".claude"
    name = "settings.json" if scope == "project" else "settings.local.json"
    command = (PROGRAM,) if scope == "project" else program()
    return Place(settings=folder / name, pages=folder / "skills", command=command, inside=root)


def hooks_of(command: Command) -> dict[str, object]:
    """Return the group of hooks of each event. With `args` no shell is between the tool and us."""
    return {
        row.name: {
            "matcher": "",
            "hooks": [
                {
                    "type": "command",
                    "command": command[0],
                    "args": [*command[1:], "hook", CLAUDE_CODE],
                    "timeout": row.timeout,
                    **({"async": True} if row.is_async else {}),
                }
            ],
        }
        for row in EVENTS
    }


def _pages_of(command: Command) -> Iterator[tuple[str, str]]:
    return skills.pages("awf-", on_a_line(command))


SETUP = Setup(
    name=CLAUDE_CODE,
    title="Claude Code",
    scopes=("user", "project", "local"),
    place_of=_place_of,
    hooks_of=hooks_of,
    pages_of=_pages_of,
)
