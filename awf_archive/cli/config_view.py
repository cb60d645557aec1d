"""What `config` prints (SPEC 8)."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from awf_archive.config import SummaryCommand
from awf_archive.domain.escape import json_line
from awf_archive.domain.team import Team

DEFAULT = "default"


class Row(NamedTuple):
    """One setting."""

    name: str
    value: object
    origin: str
    """A file and line, a variable, an option, or `default`."""
    wrong: str = ""
    """What was said of it and does not count, and why."""


def table(rows: Sequence[Row], user_file: Path, workspace_file: Path) -> str:
    """Return the settings for a person, and the files where they are looked for."""
    cells = [(row.name, written(row), row.origin) for row in rows]
    widths = [max(len(cell[place]) for cell in cells) for place in (0, 1)]
    lines = []
    for row, (name, value, origin) in zip(rows, cells, strict=True):
        lines.append(f"{name:<{widths[0]}}  {value:<{widths[1]}}  {origin}")
        if row.wrong:
            lines.append(f"{'':<{widths[0]}}  ✗ {row.wrong}")
    files = (
        f"user       {user_file}{_mark(user_file)}",
        f"workspace  {workspace_file}{_mark(workspace_file)}",
    )
    return "\n".join((*lines, "", *files))


def _mark(path: Path) -> str:
    return "" if path.exists() else "  (not there)"


def written(row: Row) -> str:
    """Return a value as the file would hold it; a password is never shown."""
    return json_line(_plain(row))


def as_json(row: Row) -> dict[str, object]:
    """Return one setting of `--json`."""
    wrong = {"wrong": row.wrong} if row.wrong else {}
    return {"name": row.name, "value": _plain(row), "origin": row.origin, **wrong}


_PASSWORD = re.compile(r"(?P<before>://[^:/@\s]*:|\bpassword\s*=\s*)(?:'[^']*'|[^@\s]+)")


def _plain(row: Row) -> object:
    value = row.value
    if isinstance(value, str):
        return _PASSWORD.sub(r"\g<before>***", value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, SummaryCommand):
        return value._asdict() | {"command": list(value.command)}
    if isinstance(value, Team):
        return {
            name: list(item) if isinstance(item, tuple) else item for name, item in value._asdict().items()
        }
    return list(value) if isinstance(value, tuple) else value
