"""Finding a conversation's file, and waiting while the tool is still writing it (case I01)."""

import json
import mmap
import time
from collections.abc import Callable, Mapping
from pathlib import Path

_STEP = 0.1
_STILL = 0.3
"""Seconds without growth after which a file that ends with a line end counts as written."""


_BY_ID: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "claude-code": ("claude-code", ("projects/*/{id}.jsonl",)),
    "codex": ("codex", ("sessions/*/*/*/rollout-*{id}.jsonl*", "archived_sessions/rollout-*{id}.jsonl*")),
    "gemini-cli": ("gemini-cli", ("tmp/*/chats/session-*{id:.8}.json*",)),
    "cursor": (
        "cursor-cli",
        ("projects/*/agent-transcripts/{id}.jsonl", "projects/*/agent-transcripts/{id}/{id}.jsonl"),
    ),
}
"""Format → the folder, as `config.tool_folder` names it, and where a conversation of an id lies in it."""


def find_transcript(
    named: str, ids: tuple[str, ...], tool: str, folder_of: Callable[[str], Path]
) -> Path | None:
    """Return the conversation's file: the one named, else one of that id in the tool's folder."""
    if named.strip():
        path = Path(named).expanduser()
        if path.is_file() and path.stat().st_size:
            return path
    home, patterns = _BY_ID[tool]
    for name in dict.fromkeys(filter(None, ids)):
        if Path(name).name != name or any(mark in name for mark in "*?["):
            continue
        globs = (folder_of(home).glob(pattern.format(id=name)) for pattern in patterns)
        found = [path for paths in globs for path in paths if path.stat().st_size]
        if found:
            return max(found, key=lambda path: path.stat().st_mtime_ns)
    return None


def settle(path: Path, last: str, patience: float) -> bool:
    """Wait until a file is still, ends well, and holds `last`; False when that takes too long."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        if _is_still(path) and _holds(path, last):
            return True
        time.sleep(_STEP)
    return _holds(path, last)


def _is_still(path: Path) -> bool:
    try:
        return time.time() - path.stat().st_mtime >= _STILL and ends_well(path)
    except OSError:
        return False


def ends_well(path: Path) -> bool:
    """Whether a file of lines ends with one; others are written as a whole. Raises OSError."""
    if path.suffix != ".jsonl":
        return True
    with path.open("rb") as file:
        if not file.seek(0, 2):
            return True
        file.seek(-1, 2)
        return file.read() == b"\n"


def _holds(path: Path, text: str) -> bool:
    """Whether a file holds a text, however its JSON was escaped. Looks through all of it: a job may come late."""
    if not text:
        return True
    wanted = [
        json.dumps(text, ensure_ascii=plain)[1:-1].encode("utf-8", "replace") for plain in (False, True)
    ]
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return any(data.rfind(one) >= 0 for one in wanted)
    except (OSError, ValueError):  # gone, or empty
        return False
