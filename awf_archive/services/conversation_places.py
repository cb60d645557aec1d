"""Which conversations of any tool took place in a workspace, told without reading them whole (case B16)."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from awf_archive.domain.formats import HISTORY
from awf_archive.services.discovery import folder_named_in, lies_in
from awf_archive.services.gemini_folders import gemini_folder
from awf_archive.services.places import PLACES, WORKSPACE, Candidate, folder_for, in_places
from awf_archive.services.workspace import find_workspace


def candidates(root: Path) -> Iterator[Candidate]:
    """Yield every file that may hold a conversation, of any workspace; a history of prompts holds none."""
    whole = [place for place in PLACES if place.format != HISTORY]
    return in_places(folder_for(root), places=whole)


def newest(root: Path, tool: str = "") -> Candidate | None:
    """Return the newest conversation in the workspace of one tool, else of those that keep one in a file."""
    places = [place for place in PLACES if place.format == tool or (not tool and place.format in _TOLD)]
    dated = []
    for candidate in in_places(folder_for(root), places=places):
        with suppress(FileNotFoundError):  # gone meanwhile
            dated.append((candidate.path.stat().st_mtime_ns, candidate))
    latest = sorted(dated, key=lambda one: one[0], reverse=True)
    return next((candidate for _, candidate in latest if took_place_in(candidate, root)), None)


def took_place_in(candidate: Candidate, root: Path) -> bool | None:
    """Whether the conversation was in the workspace `root`; None where only reading all of it tells."""
    if candidate.format in _BESIDE_THE_CODE:
        return root in candidate.path.parents
    told = _TOLD.get(candidate.format or "")
    return told(candidate.path, root) if told else None


def is_of(folder: str, root: Path) -> bool:
    """Whether whoever works in a folder works in the workspace `root`: one inside it may be its own."""
    path = Path(folder)
    if path.is_absolute() and path.is_dir():
        return find_workspace(path) == root
    return lies_in(folder, root)


_BESIDE_THE_CODE = frozenset(place.format for place in PLACES if place.tool == WORKSPACE)


def _by_records(path: Path, root: Path) -> bool | None:
    if path.suffix != ".jsonl":
        return None  # compressed
    folder = folder_named_in(path)
    return is_of(folder, root) if folder else None


def _by_gemini(path: Path, root: Path) -> bool:
    folder = gemini_folder(path, [str(root)])
    return bool(folder) and is_of(folder, root)


def _by_cursor(path: Path, root: Path) -> bool | None:
    """Cursor's agent writes to a folder named after the workspace, every other sign a dash."""
    parts = path.parts
    if "agent-transcripts" not in parts:
        return None
    name = parts[parts.index("agent-transcripts") - 1]
    return name == re.sub(r"[^A-Za-z0-9]", "-", str(root).lstrip("/"))


_TOLD: Mapping[str, Callable[[Path, Path], bool | None]] = {
    "claude-code": _by_records,
    "codex": _by_records,
    "gemini-cli": _by_gemini,
    "cursor": _by_cursor,
}
"""Formats whose place or first records tell the folder."""
