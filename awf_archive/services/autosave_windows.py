"""What each window has counted since it began or was last cleared, between two hooks (SPEC 3.2)."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from awf_archive.brain.folder import read
from awf_archive.domain.escape import json_pages
from awf_archive.domain.triggers import Counts, Level
from awf_archive.domain.work_state import fields, line
from awf_archive.errors import DiskError
from awf_archive.store import atomic
from awf_archive.store.layout import Layout

_MOST = 200
"""Windows remembered; those counted longest ago are forgotten."""


class Window(NamedTuple):
    """One conversation's counters."""

    counts: Counts = Counts()
    looked_at: int = 0
    """Messages when the user's last message was looked at."""
    shown: Level = Level.SAFE
    """The highest level that was shown."""


def path_of(layout: Layout) -> Path:
    """Return where the counters lie: derived and passing, never in git."""
    return layout.private / "windows.json"


def load(layout: Layout) -> dict[str, Window]:
    """Return the counters; none where the file is missing or broken: they are an estimate."""
    try:
        found = read(path_of(layout)).value or {}
    except DiskError:
        return {}
    return {name: _window(fields(entry)) for name, entry in found.items()}


def save(layout: Layout, windows: Mapping[str, Window], newest: str) -> None:
    """Write the counters, the newest window last. Raises DiskError."""
    ordered = {name: window for name, window in windows.items() if name != newest}
    ordered = {**ordered, newest: windows[newest]}
    kept = list(ordered.items())[-_MOST:]
    ignore = layout.private / ".gitignore"
    if not ignore.exists():
        atomic.write(ignore, b"*\n")
    atomic.write(path_of(layout), json_pages({name: _entry(window) for name, window in kept}))


def newest_window(layout: Layout) -> Window | None:
    """Return the counters of the window that was counted last."""
    return next(reversed(load(layout).values()), None)


def _window(entry: Mapping[str, object]) -> Window:
    level = line(entry.get("shown"))
    return Window(
        counts=Counts(
            messages=_number(entry.get("messages")),
            code_blocks=_number(entry.get("codeBlocks")),
            error_dumps=_number(entry.get("errorDumps")),
        ),
        looked_at=_number(entry.get("lookedAt")),
        shown=Level(level) if level in set(Level) else Level.SAFE,
    )


def _entry(window: Window) -> dict[str, object]:
    return {
        "messages": window.counts.messages,
        "codeBlocks": window.counts.code_blocks,
        "errorDumps": window.counts.error_dumps,
        "lookedAt": window.looked_at,
        "shown": window.shown.value,
    }


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0
