"""Sessions that the manifest names and whose metadata is gone or does not read."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from awf_archive.domain.manifest import Manifest, SessionEntry
from awf_archive.errors import DamagedArchiveError
from awf_archive.store.archive import Archive
from awf_archive.store.layout import METADATA


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """One such session."""

    feature: str
    entry: SessionEntry
    problem: DamagedArchiveError


def lost_sessions(archive: Archive, feature: str) -> Iterator[Lost]:
    """Yield the lost sessions of a feature, in order. Raises as `Archive.require`."""
    for entry in archive.require(feature).sessions:
        try:
            if not was_removed(archive, feature, entry):
                archive.session(feature, entry)
        except DamagedArchiveError as problem:
            yield Lost(feature=feature, entry=entry, problem=problem)


def was_removed(archive: Archive, feature: str, entry: SessionEntry) -> bool:
    """Whether the original skill removed a session that it had summarised: it wrote no digest of its metadata."""
    path = archive.layout.session(feature, entry.session_id) / METADATA
    return entry.metadata_sha256 is None and not path.exists()


def without(manifest: Manifest, lost: list[Lost]) -> Manifest:
    """Return the manifest without lost sessions, so that the others can be opened."""
    gone = {one.entry.session_id for one in lost}
    return replace(
        manifest,
        recent=tuple(one for one in manifest.recent if one.session_id not in gone),
        archived=tuple(one for one in manifest.archived if one.session_id not in gone),
    )
