"""What is set up, what is at risk, and what to do: transcripts that their tool is about to delete unsaved."""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from awf_archive import config
from awf_archive.errors import ArchiveError
from awf_archive.services.discovery import folder_named_in
from awf_archive.services.places import PLACES, in_places
from awf_archive.services.workspace import find_workspace
from awf_archive.store.archive import Archive
from awf_archive.store.layout import Layout

_DAY = 86_400.0
DEFAULT_CLEANUP_DAYS = 30
"""After how many days without a change Claude Code deletes a transcript, unless its settings say otherwise."""
SOON = 14
"""Days ahead that the doctor looks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AtRisk:
    """A conversation that nobody has saved and that its tool will delete."""

    path: Path
    days_left: int


def at_risk(archive: Archive, now: float) -> Iterator[AtRisk]:
    """Yield Claude Code's transcripts that go within `SOON` days and are in no archive, the most urgent first.

    A transcript counts as saved when the archive of its own workspace, or of this one, names its window.
    """
    limit = cleanup_days()
    saved: dict[Path, set[str]] = {archive.layout.root: windows(archive)}
    found = []
    places = [place for place in PLACES if place.format == "claude-code"]
    for candidate in in_places(config.tool_folder, places=places):
        age = (now - candidate.path.stat().st_mtime) / _DAY
        days_left = int(limit - age)
        if days_left <= SOON and not _is_saved(candidate.path, archive.layout.root, saved):
            found.append(AtRisk(path=candidate.path, days_left=max(days_left, 0)))
    yield from sorted(found, key=lambda one: (one.days_left, str(one.path)))


def _is_saved(path: Path, here: Path, saved: dict[Path, set[str]]) -> bool:
    folder = folder_named_in(path)
    roots = [here]
    if folder and Path(folder).is_dir():
        root = find_workspace(Path(folder))
        roots.append(root)
        if root not in saved:
            saved[root] = windows(_archive_of(root))
    return any(path.stem in saved[root] for root in roots)


def _archive_of(root: Path) -> Archive:
    return Archive(layout=Layout(root=root, archive_dir=config.load(root).archive_dir))


def windows(archive: Archive) -> set[str]:
    """Return every window that an archive holds; features that do not read count as not saved."""
    found: set[str] = set()
    for feature in archive.features():
        try:
            manifest = archive.manifest(feature)
        except ArchiveError:
            continue
        if manifest:
            found.update(window for entry in manifest.sessions for window in entry.windows)
    return found


def cleanup_days() -> int:
    """Return after how many days Claude Code deletes transcripts here (`cleanupPeriodDays` of its settings)."""
    try:
        settings = json.loads((config.tool_folder("claude-code") / "settings.json").read_bytes())
    except (OSError, ValueError):
        return DEFAULT_CLEANUP_DAYS
    days = settings.get("cleanupPeriodDays") if isinstance(settings, dict) else None
    return days if isinstance(days, int) and not isinstance(days, bool) else DEFAULT_CLEANUP_DAYS


def found_by_format(folder_of: Callable[[str], Path]) -> dict[str, int]:
    """Return how many transcripts lie in the known places, by format."""
    counts: dict[str, int] = {}
    for candidate in in_places(folder_of):
        counts[candidate.format or ""] = counts.get(candidate.format or "", 0) + 1
    return counts


def clock() -> float:
    """Return the time that file times are compared with."""
    return time.time()
