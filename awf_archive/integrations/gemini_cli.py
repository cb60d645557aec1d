"""How Gemini CLI is set up: hooks in its settings, three commands (docs/tools.md)."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

from awf_archive.integrations import skills
from awf_archive.integrations.installing import PROGRAM, Command, Place, Setup, on_a_line, program

_EVENTS = (
    "SessionStart",
    "BeforeAgent",
    "AfterAgent",
    "AfterTool",
    "Notification",
    "PreCompress",
    "SessionEnd",
)
_TIMEOUT = 10_000
"""Milliseconds, unlike everywhere else."""


def _place_of(scope: str, root: Path) -> Place:
    inside = root if scope == "project" else None
    home = Path(os.environ.get("GEMINI_CLI_HOME") or Path.home())  # what the tool takes for the home folder
    folder = (inside or home) / ".gemini"
    return Place(
        settings=folder / "settings.json",
        pages=folder / "commands",
        command=(PROGRAM,) if inside else program(),
        inside=inside,
    )


def _hooks_of(command: Command) -> dict[str, object]:
    line = on_a_line(command, "hook", "gemini-cli")
    hook = {"name": PROGRAM, "type": "command", "command": line, "timeout": _TIMEOUT}
    return {event: {"matcher": "", "hooks": [hook]} for event in _EVENTS}


def _pages_of(command: Command) -> Iterator[tuple[str, str]]:
    for skill in skills.SKILLS:
        text = skills.body(skill, on_a_line(command), "gemini-cli")
        text = text.replace("\\", "\\\\").replace('"""', '""\\"')
        mark = skills.mark_of("gemini-cli")
        about = json.dumps(skill.description, ensure_ascii=False)
        yield f"awf-{skill.name}.toml", f'# {mark}\n\ndescription = {about}\nprompt = """\n{text}"""\n'


SETUP = Setup(
    name="gemini-cli",
    title="Gemini CLI",
    scopes=("user", "project"),
    place_of=_place_of,
    hooks_of=_hooks_of,
    pages_of=_pages_of,
)
