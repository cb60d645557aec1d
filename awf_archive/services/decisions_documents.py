"""Decisions that documents hold: a feature's `design.md`, the work state, the workspace's ADR files.

A checkpoint reads the feature's `design.md`; `awf-archive decisions harvest` reads all three.
"""

from collections.abc import Iterator
from pathlib import Path

from awf_archive.domain import work_state
from awf_archive.domain.decisions import Found, Place, Side
from awf_archive.domain.decisions import adr as adr_file
from awf_archive.domain.decisions.headings import found, items
from awf_archive.domain.decisions.joining import Shown
from awf_archive.domain.decisions.madr import is_exported
from awf_archive.domain.tool_lines import one_line
from awf_archive.errors import ArchiveError
from awf_archive.store.archive import read_bytes
from awf_archive.store.layout import Layout

_LARGEST = 1_000_000
"""Bytes: what is larger is no document of a design."""
_MOST_FILES = 2000


def design(layout: Layout, feature: str, now: str) -> Iterator[Shown]:
    """Yield what stands under the decision headings of a feature's `design.md`."""
    path = layout.spec(feature) / "design.md"
    text = _text(path)
    for item in items(text):
        place = Place(side=Side.DOCUMENT, path=layout.relative(path), offset=item.offset)
        yield Shown(found=found(item, place), date=now)


def of_work_state(layout: Layout, state: work_state.Fields, now: str) -> Iterator[Shown]:
    """Yield what the work state says was decided; its texts alone are known, not their turns."""
    for one in work_state.decisions(state):
        yield Shown(
            found=Found(
                text=one_line(one.text, 300),
                reason=one_line(one.more, 300),
                by="user",
                found_by="work-state",
                evidence=one_line(one.text, 500),
                place=Place(
                    side=Side.DOCUMENT, path=layout.relative(layout.root / ".brain" / "session.json")
                ),
            ),
            date=now,
        )


def adrs(layout: Layout, now: str) -> Iterator[tuple[Shown, str]]:
    """Yield each ADR of the workspace, and the path of the one that took its place, if it names one.

    Files that `awf-archive decisions export` wrote are passed over: they are decisions of the archive already.
    """
    for path in _adr_paths(layout.root):
        text = _text(path)
        record = None if is_exported(text) else adr_file.read(text, layout.relative(path))
        if record:
            later = layout.relative(path.with_name(record.replaced_by)) if record.replaced_by else ""
            yield Shown(found=record.found, date=record.date or now), later


def _adr_paths(root: Path) -> Iterator[Path]:
    seen = set()
    for name in adr_file.FOLDERS:
        folder = root / name
        if folder.is_dir() and not folder.is_symlink() and (place := folder.stat().st_ino) not in seen:
            seen.add(place)
            yield from sorted(folder.glob("*.md"))[:_MOST_FILES]


def _text(path: Path) -> str:
    """Return a document's text; "" where there is none, or nothing that we read: a link, or what is far too large."""
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > _LARGEST:
            return ""
        return (read_bytes(path) or b"").decode(errors="replace")
    except (OSError, ArchiveError):
        return ""
