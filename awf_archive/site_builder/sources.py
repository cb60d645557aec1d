"""A session's files as the render cache takes them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

from awf_archive.domain.session import Session, TurnEntry
from awf_archive.errors import DamagedArchiveError
from awf_archive.render.cache import SessionSource
from awf_archive.services.redacted_archive import RedactedArchive
from awf_archive.store.archive import read_bytes
from awf_archive.store.layout import ATTACHMENTS, METADATA


def session_source(archive: RedactedArchive, feature: str, session: Session, stamp: str) -> SessionSource:
    """Return a session as the render cache takes it, its turns masked."""
    folder = archive.layout.session(feature, session.session_id)

    def read(turn: TurnEntry) -> bytes:
        data = read_bytes(folder / turn.file)
        if data is None:
            raise DamagedArchiveError(
                f"{archive.layout.relative(folder / turn.file)}: missing, though the metadata names it.",
                "Bring the file back from git or a backup.",
            )
        return archive.masked_bytes(data)

    names = frozenset(_names(folder / ATTACHMENTS))
    return SessionSource(session=session, stamp=stamp, read=read, attachments=names)


def session_stamp(folder: Path, global_range: tuple[int, int], masks: str) -> str:
    """Return what changes when a file of the session does: from names, sizes and dates, without reading any.

    Empty when there is no such folder. `os.scandir` alone: 100 000 `Path.stat` calls took seconds.
    """
    found = [str(list(global_range)), masks]
    try:
        with _entries(folder) as entries:
            for entry in entries:
                if entry.name.endswith(".md") or entry.name == METADATA:
                    status = entry.stat()
                    found.append(f"{entry.name} {status.st_mtime_ns} {status.st_size}")
                elif entry.name == ATTACHMENTS:
                    found.append(f"{entry.name} {entry.stat().st_mtime_ns}")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    return blake2b("\n".join(sorted(found)).encode(errors="surrogatepass"), digest_size=20).hexdigest()


@contextmanager
def _entries(folder: Path) -> "Iterator[Iterator[os.DirEntry[str]]]":
    """Give what is in a folder; where the system can, through the open folder: a quarter less for each `stat`."""
    if os.scandir not in os.supports_fd:
        with os.scandir(folder) as entries:
            yield entries
        return
    place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with os.scandir(place) as entries:
            yield entries
    finally:
        os.close(place)


def _names(folder: Path) -> Iterator[str]:
    try:
        with os.scandir(folder) as entries:
            yield from (entry.name for entry in entries if entry.is_file(follow_symlinks=False))
    except (FileNotFoundError, NotADirectoryError):
        return
