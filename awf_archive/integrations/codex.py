"""How Codex CLI is set up: `hooks.json` and skills, or a `notify` program (docs/tools.md).

`notify` is one line at the head of `config.toml`, where no table has begun; every other byte stays.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from awf_archive import config
from awf_archive.errors import InputError
from awf_archive.integrations import skills
from awf_archive.integrations.changes import Change
from awf_archive.integrations.installing import (
    PROGRAM,
    Command,
    Place,
    Plan,
    Setup,
    encoded,
    on_a_line,
    program,
    settings_file,
    text_of,
)

_TIMEOUTS = {
    "SessionStart": 10,
    "UserPromptSubmit": 10,
    "Stop": 10,
    "PostToolUse": 10,
    "PermissionRequest": 10,
    "PreCompact": 10,
    "Interrupt": 3,
    "SessionEnd": 3,
}
"""Seconds that Codex waits at most; for the last two it allows no more than three."""


def _place_of(scope: str, root: Path) -> Place:
    if scope == "user":
        pages = Path.home() / ".agents" / "skills"
        return Place(settings=config.tool_folder("codex") / "hooks.json", pages=pages, command=program())
    return Place(
        settings=root / ".codex" / "hooks.json",
        pages=root / ".agents" / "skills",
        command=(PROGRAM,),
        inside=root,
    )


def _hooks_of(command: Command) -> dict[str, object]:
    line = on_a_line(command, "hook", "codex")
    return {
        event: {"hooks": [{"type": "command", "command": line, "timeout": seconds}]}
        for event, seconds in _TIMEOUTS.items()
    }


def _pages_of(command: Command) -> Iterator[tuple[str, str]]:
    return skills.pages("awf-", on_a_line(command), tool="codex")


SETUP = Setup(
    name="codex",
    title="Codex CLI",
    scopes=("user", "project"),
    place_of=_place_of,
    hooks_of=_hooks_of,
    pages_of=_pages_of,
    sign="$",
)

_MADE = "# awf-archive made this file"
_OURS = re.compile(
    r'^(?P<line>notify = \[.*"hook", "codex-notify"\] # awf-archive)(?:\r?\n|\Z)', re.MULTILINE
)
_NEXT = "It stays. The hooks do the same and more: awf-archive install codex"


def plan_notify() -> Plan:
    """Return what makes us Codex's `notify` program.

    Raises InputError where another program is, or the file does not read.
    """
    path, before = settings_file(config.tool_folder("codex") / "config.toml", None)
    text = text_of(path, before)
    command = [*program(), "hook", "codex-notify"]
    line = f"notify = {json.dumps(command, ensure_ascii=False)} # awf-archive"
    known = _values(path, text)
    if found := _OURS.search(text):
        after = text[: found.start()] + line + text[found.end("line") :]
    elif "notify" in known:
        raise InputError(f"{path}: notify calls another program: {known['notify']}.", _NEXT)
    else:
        newline = "\r\n" if "\r\n" in text else "\n"
        head = f"{_MADE}{newline}" if before is None else ""
        after = f"{head}{line}{newline}{text}"
    if _values(path, after) != known | {"notify": command}:
        raise InputError(f"{path}: is laid out in a way that we cannot add a line to.", _NEXT)
    return Plan(changes=(Change(path=path, before=before, after=encoded(after, before)),), record=None)


def plan_no_notify() -> Plan:
    """Return what takes the line back. Raises InputError where the file does not read."""
    path, before = settings_file(config.tool_folder("codex") / "config.toml", None)
    whole = text_of(path, before)
    text = _OURS.sub("", whole, count=1)
    if text != whole and _values(path, text) != {
        k: v for k, v in _values(path, whole).items() if k != "notify"
    }:
        raise InputError(f"{path}: our line stands where it sets nothing.", "Take it out by hand.")
    after = None if before is None or text.strip() == _MADE else encoded(text, before)
    return Plan(changes=(Change(path=path, before=before, after=after),), record=None)


def are_hooks_off() -> bool:
    """Whether Codex's own settings switch hooks off."""
    path = config.tool_folder("codex") / "config.toml"
    try:
        features = _values(path, path.read_text(encoding="utf-8-sig")).get("features")
    except (OSError, UnicodeDecodeError, InputError):
        return False
    return isinstance(features, dict) and False in (features.get("hooks"), features.get("codex_hooks"))


def _values(path: Path, text: str) -> dict[str, object]:
    """Return what stands in a TOML file. Raises InputError."""
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise InputError(f"{path}: {problem}.", "Mend the file; nothing was changed.") from problem
