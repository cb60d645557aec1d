"""The search index and the archive: brought up to date, made anew, looked at (SPEC 4).

Apart from asking it, which a checkpoint does not do.
"""

from dataclasses import dataclass
from pathlib import Path

from awf_archive.errors import NoArchiveError
from awf_archive.search.documents import Health, Progress, SearchBackend, Status, Synced, no_progress
from awf_archive.services.documents import documents, wanted
from awf_archive.store.archive import Archive

LONG_PATIENCE = 30.0
"""Seconds to wait for another process that writes the index, when there is nothing to ask."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexStatus:
    """What `index status` tells."""

    status: Status
    is_current: bool
    damaged: tuple[str, ...]
    """Files that are not as they were written."""


def open_index(folder: Path, patience: float = LONG_PATIENCE) -> SearchBackend:
    """Return the index in `folder`; the engine is loaded only now."""
    from awf_archive.search.whoosh_index import WhooshIndex

    return WhooshIndex(folder, lock_timeout=patience)


def sync(archive: Archive, progress: Progress = no_progress) -> Synced:
    """Bring the index up to the archive. Raises DiskError or LockedError when it cannot be written."""
    return synced(open_index(archive.layout.index), archive, progress)


def synced(
    index: SearchBackend, archive: Archive, progress: Progress, unread: list[str] | None = None
) -> Synced:
    """Bring an index up to the archive; files that do not read are added to `unread`."""
    return index.sync(wanted(archive), lambda key: documents(archive, key, unread), progress)


def rebuild(archive: Archive, progress: Progress = no_progress) -> Synced:
    """Make the index anew. Raises NoArchiveError when there is nothing to index."""
    require_archive(archive)
    index = open_index(archive.layout.index)
    return index.rebuild(wanted(archive), lambda key: documents(archive, key), progress)


def optimize(archive: Archive, progress: Progress = no_progress) -> IndexStatus:
    """Bring the index up to date and merge it into one segment."""
    require_archive(archive)
    index = open_index(archive.layout.index)
    synced(index, archive, progress)
    index.optimize()
    return index_status(archive)


def index_status(archive: Archive) -> IndexStatus:
    """Tell how the index is, changing nothing; every file's checksum is compared."""
    index = open_index(archive.layout.index)
    status = index.status()
    is_ready = status.health is Health.READY
    return IndexStatus(
        status=status,
        is_current=is_ready and index.is_current(wanted(archive)),
        damaged=index.verify() if is_ready else (),
    )


def require_archive(archive: Archive) -> None:
    """Raise NoArchiveError when the workspace holds no conversation."""
    if not archive.features():
        raise NoArchiveError(
            f"{archive.layout.root}: no conversation is archived here yet.",
            "Save one with: awf-archive checkpoint",
        )
