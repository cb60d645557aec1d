"""Reading and writing `decisions.json`, of which a save never depends: it is made from the turns.

It is written whole, in one step, under the lock that its caller holds.
"""

from collections.abc import Sequence

from awf_archive.domain.decisions import Decision
from awf_archive.domain.escape import json_pages
from awf_archive.errors import DamagedArchiveError, DiskError
from awf_archive.store import atomic
from awf_archive.store.archive import Archive
from awf_archive.store.layout import Layout


def write_decisions(layout: Layout, feature: str, decisions: Sequence[Decision]) -> None:
    """Replace a feature's decisions. Raises DiskError when they cannot be written; then the old ones stand."""
    data = json_pages({"decisions": [one.to_json() for one in decisions]})
    atomic.write(layout.decisions(feature), data)


def why_unread(archive: Archive, feature: str) -> DamagedArchiveError | DiskError | None:
    """Return why a feature's decisions do not read, None where they do.

    Raises DamagedArchiveError and DiskError for a manifest that does not read: without it nothing goes on.
    """
    archive.manifest(feature)
    try:
        archive.all_decisions(feature)
    except (DamagedArchiveError, DiskError) as problem:
        return problem
    return None


def readable_decisions(archive: Archive, feature: str) -> tuple[Decision, ...]:
    """Return a feature's decisions, none where they do not read; raises as `why_unread` does.

    For whoever goes on without them: what does not read is named by `why_unread`, and never written over.
    """
    archive.manifest(feature)
    try:
        return archive.decisions(feature)
    except (DamagedArchiveError, DiskError):
        return ()


def unread_decisions(archive: Archive) -> dict[str, DamagedArchiveError | DiskError]:
    """Return the features whose manifest reads and whose decisions do not, with what is wrong."""
    found = {feature: why_unread(archive, feature) for feature, _ in archive.sound()}
    return {feature: problem for feature, problem in found.items() if problem}
