"""Secrets in files that others get to see: the archive, the site, and what a commit is about to hold."""

import html
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from awf_archive.domain.redaction import Allowed, findings, name_of
from awf_archive.services.redacted_archive import allowed_in
from awf_archive.store.archive import read_bytes
from awf_archive.store.layout import Layout

_SITE_TEXTS = (".html", ".json", ".txt", ".md", ".xml")
"""What of a site holds words of conversations; the theme's own scripts do not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Where a secret stands; never the secret itself."""

    path: str
    """Relative to the workspace, with `/`."""
    line: int
    kind: str
    name: str
    """By which a person may allow it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """What was looked at, and what was found."""

    files: int
    spots: tuple[Spot, ...]


def spots_in(path: str, data: bytes, allowed: Allowed = frozenset()) -> Iterator[Spot]:
    """Yield the secrets in one file, in order; a file that is no text holds none."""
    if b"\0" in data[:8192]:
        return
    text = data.decode(errors="replace")
    if path.endswith((".html", ".xml")):
        text = html.unescape(text)
    line = place = 0
    for one in findings(text, allowed):
        line, place = line + text.count("\n", place, one.start), one.start
        yield Spot(path=path, line=line + 1, kind=one.kind, name=name_of(one.kind, text[one.start : one.end]))


def scan(layout: Layout) -> Scan:
    """Look at every file of the archive and of the site."""
    files = [(layout.relative(path), path) for path in (*_archive_files(layout), *_site_files(layout))]
    return scan_files(((name, read_bytes(path) or b"") for name, path in files), allowed_in(layout.root))


def scan_files(files: Iterable[tuple[str, bytes]], allowed: Allowed) -> Scan:
    """Look at files by name and content."""
    count, spots = 0, list[Spot]()
    for name, data in files:
        count += 1
        spots += spots_in(name, data, allowed)
    return Scan(files=count, spots=tuple(spots))


def scan_archive(layout: Layout) -> Scan:
    """Look at the archive alone."""
    files = ((layout.relative(path), read_bytes(path) or b"") for path in _archive_files(layout))
    return scan_files(files, allowed_in(layout.root))


def _archive_files(layout: Layout) -> Iterator[Path]:
    for feature in layout.archived_specs():
        yield from _files(layout.context(feature))


def _site_files(layout: Layout) -> Iterator[Path]:
    return (path for path in _files(layout.site) if path.suffix in _SITE_TEXTS)


def _files(folder: Path) -> Iterator[Path]:
    if folder.is_dir():
        yield from sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
