"""Finding the transcripts that belong to a workspace, by the folder that their records name (case B16)."""

import json
from collections.abc import Iterator
from pathlib import Path

from awf_archive.errors import InputError

_LOOK = 256 * 1024
"""Bytes in which a transcript names its folder: the first records may be snapshots and summaries."""


def transcripts(root: Path, claude_home: Path) -> Iterator[Path]:
    """Yield Claude Code's transcripts of the workspace `root`, newest first.

    The folder's name under `projects` is not asked: it is ambiguous.
    """
    found = [
        (path.stat().st_mtime_ns, path)
        for path in claude_home.glob("projects/*/*.jsonl")
        if not path.name.startswith("agent-") and path.is_file()
    ]
    for _, path in sorted(found, reverse=True):
        folder = folder_named_in(path)
        if folder is not None and lies_in(folder, root):
            yield path


def newest_transcript(root: Path, claude_home: Path) -> Path:
    """Return the newest transcript of the workspace. Raises InputError when there is none."""
    for path in transcripts(root, claude_home):
        return path
    raise no_transcript(root, claude_home)


def no_transcript(root: Path, claude_home: Path) -> InputError:
    """Return what is to be said where a workspace has no transcript."""
    return InputError(
        f"{claude_home / 'projects'}: no transcript of this workspace ({root}) was found.",
        "Name one with --transcript, or run the command in the folder where the chat took place.",
    )


def folder_named_in(path: Path) -> str | None:
    """Return the first folder (`cwd`) that a transcript's records name, or None."""
    try:
        with path.open("rb") as file:
            head = file.read(_LOOK)
    except OSError:
        return None
    for line in head.split(b"\n"):
        if b'"cwd"' not in line:
            continue
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if not isinstance(record, dict):
            continue
        held = record.get("payload")  # Codex wraps its records
        for fields in (record, held if isinstance(held, dict) else {}):
            if isinstance(folder := fields.get("cwd"), str) and folder:
                return folder
    return None


def lies_in(folder: str, root: Path) -> bool:
    """Whether a folder that a transcript names is the workspace `root` or lies in it."""
    path = Path(folder)
    return path == root or root in path.parents or (path.exists() and _lies_in_resolved(path, root))


def _lies_in_resolved(path: Path, root: Path) -> bool:
    resolved = path.resolve()
    return resolved == root or root in resolved.parents
