"""The turns of a chunk's range as the archive holds them, and what of each a summary may need (SPEC 1.8)."""

from collections.abc import Iterator

from awf_archive.domain.manifest import Manifest
from awf_archive.domain.session import TurnEntry
from awf_archive.domain.summary import Gist, gist_of
from awf_archive.domain.transcript import Branch
from awf_archive.domain.turn_file import TurnFile
from awf_archive.store.archive import Archive
from awf_archive.store.layout import METADATA


def turns_of(
    archive: Archive, feature: str, manifest: Manifest, turns: tuple[int, int]
) -> Iterator[tuple[TurnEntry, TurnFile]]:
    """Yield the turns of a range that are on disk, one in memory at a time.

    Raises DamagedArchiveError for one that does not read.
    """
    first, last = turns
    for entry in manifest.sessions:
        if entry.global_range[1] < first or entry.global_range[0] > last:
            continue
        if not (archive.layout.session(feature, entry.session_id) / METADATA).exists():
            continue  # the original skill removed it: its summary is all there is
        session = archive.session(feature, entry)
        for turn in session.turns:
            if first <= turn.turn <= last:
                yield turn, archive.turn(feature, session.session_id, turn)


def gist(entry: TurnEntry, turn: TurnFile) -> Gist:
    """Return what a summary may need of a turn."""
    return gist_of(
        entry.turn,
        turn.user_blocks,
        turn.assistant_blocks,
        known_files=turn.files,
        is_abandoned=entry.branch is Branch.ABANDONED,
    )
