"""How Cursor is set up: `hooks.json`, three commands (docs/tools.md)."""

from collections.abc import Iterator
from pathlib import Path

from awf_archive import config
from awf_archive.integrations import skills
from awf_archive.integrations.hook_tools import CURSOR
from awf_archive.integrations.installing import PROGRAM, Command, Place, Setup, on_a_line, program


def _place_of(scope: str, root: Path) -> Place:
    inside = root if scope == "project" else None
    folder = root / ".cursor" if inside else config.tool_folder("cursor-cli")
    return Place(
        settings=folder / "hooks.json",
        pages=folder / "commands",
        command=(PROGRAM,) if inside else program(),
        inside=inside,
    )


def _hooks_of(command: Command) -> dict[str, object]:
    line = on_a_line(command, "hook", "cursor")
    return {event: {"command": line, "timeout": 10} for event in CURSOR.events}


def _pages_of(command: Command) -> Iterator[tuple[str, str]]:
    for skill in skills.SKILLS:
        text = skills.body(skill, on_a_line(command), "cursor")
        yield f"awf-{skill.name}.md", f"<!-- {skills.mark_of('cursor')} -->\n\n{text}"


SETUP = Setup(
    name="cursor",
    title="Cursor",
    scopes=("user", "project"),
    place_of=_place_of,
    hooks_of=_hooks_of,
    pages_of=_pages_of,
    beside={"version": 1},
)
