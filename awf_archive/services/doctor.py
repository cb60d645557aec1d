"""What is set up, what is at risk, and what to do: transcripts that their tool is about to delete unsaved."""

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from awf_archive import config
from awf_archive.domain.manifest import Manifest
from awf_archive.errors import ArchiveError
from awf_archive.readers import identify
from awf_archive.services.decisions_file import unread_decisions
from awf_archive.services.discovery import folder_named_in
from awf_archive.services.keep import existing_vault
from awf_archive.services.places import PLACES, in_places
from awf_archive.services.sources import opened
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
        is_soon = days_left <= SOON
        if (
            is_soon
            and not _is_saved(candidate.path, archive.layout.root, saved)
            and _holds_turns(candidate.path)
        ):
            found.append(AtRisk(path=candidate.path, days_left=max(days_left, 0)))
    yield from sorted(found, key=lambda one: (one.days_left, str(one.path)))


def _holds_turns(path: Path) -> bool:
    """Whether there is something to lose; a transcript that does not read may hold everything."""
    try:
        with opened(path) as source:
            return source.size > 0 and any(
                one.outlines for one in identify(source, "claude-code").read(source)
            )
    except ArchiveError:
        return True


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


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUp:
    """What there is in a workspace."""

    features: int = 0
    turns: int = 0
    last_save: str = ""
    """UTC; "" when nothing was ever saved."""
    damaged: tuple[str, ...] = ()
    """Manifests and lists of decisions that do not read."""
    index: str = "none"
    """`current`, `behind`, or `none`, which is also a damaged one: the next search makes it anew."""
    vault: Path | None = None
    originals: int = 0
    """Conversations whose own bytes the vault keeps."""
    callers: tuple[str, ...] = ()
    """Tools whose settings call us here: these conversations are saved by themselves."""


def set_up(archive: Archive, vaults: Path) -> SetUp:
    """Look at what there is; nothing is changed."""
    manifests: list[Manifest] = []
    damaged: list[str] = []
    for feature in archive.features():
        try:
            manifests.append(archive.require(feature))
        except ArchiveError:
            damaged.append(archive.layout.relative(archive.layout.manifest(feature)))
    damaged += [archive.layout.relative(archive.layout.decisions(one)) for one in unread_decisions(archive)]
    vault = existing_vault(archive.layout, vaults)
    return SetUp(
        features=len(manifests),
        turns=sum(len_of(one) for one in manifests),
        last_save=max((one.last_updated for one in manifests), default=""),
        damaged=tuple(damaged),
        index=_index(archive),
        vault=vault.root if vault else None,
        originals=len(vault.origins()) if vault else 0,
        callers=tuple(_callers(archive.layout.root)),
    )


def len_of(manifest: Manifest) -> int:
    """Return how many turns a feature holds: those that moved away are counted where they are."""
    return sum(last - first + 1 for first, last in (one.global_range for one in manifest.sessions))


def _index(archive: Archive) -> str:
    from awf_archive.services.index import index_status

    if not archive.features():
        return "none"
    try:
        told = index_status(archive)
    except ArchiveError:
        return "none"
    if told.status.health.value != "ready" or told.damaged:
        return "none"
    return "current" if told.is_current else "behind"


_CALLERS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "Claude Code": ("claude-code", (".claude/settings.json", ".claude/settings.local.json")),
    "Codex CLI": ("codex", (".codex/hooks.json", ".codex/config.toml")),
    "Gemini CLI": ("gemini-cli", (".gemini/settings.json",)),
    "Cursor": ("cursor-cli", (".cursor/hooks.json",)),
    "git": ("", (".git/hooks/post-commit", ".husky/post-commit")),
}
"""Tool → its own folder, and where its settings lie in a workspace; the user's have the same names there."""


_CALL = re.compile(rb"awf[-_]archive[^{}]*?\bhook\b")
"""A hook of ours, however it is quoted; a server of ours that the same file names is none."""


def _callers(root: Path) -> Iterator[str]:
    """Yield the tools whose settings, here or the user's, name us."""
    for title, (tool, names) in _CALLERS.items():
        paths = [root / name for name in names]
        if tool:
            folder = config.tool_folder(tool)
            inner = [place for name in names for place in (name.split("/", 1)[1], name)]
            paths += [folder / name for name in inner]
        if any(_names_us(path) for path in paths):
            yield title


def _names_us(path: Path) -> bool:
    try:
        return _CALL.search(path.read_bytes()) is not None
    except OSError:
        return False


def found_by_format(folder_of: Callable[[str], Path]) -> dict[str, int]:
    """Return how many transcripts lie in the known places, by format."""
    counts: dict[str, int] = {}
    for candidate in in_places(folder_of):
        counts[candidate.format or ""] = counts.get(candidate.format or "", 0) + 1
    return counts


def clock() -> float:
    """Return the time that file times are compared with."""
    return time.time()
