"""Where things stand by the archive alone: what `recap` tells where no work state was ever written (SPEC 4)."""

from collections.abc import Sequence

from awf_archive.domain.decisions import Decision, Status
from awf_archive.domain.manifest import Manifest
from awf_archive.domain.recap_standing import Standing, Strand
from awf_archive.errors import ArchiveError
from awf_archive.store.archive import Archive

MOST_STRANDS = 8
"""Features looked into, the newest: of each one file of a session is opened."""


def standing_of(archive: Archive) -> Standing | None:
    """Return where an archive stands; None where nothing was ever saved. What does not read is left to `verify`."""
    sound = [(feature, manifest) for feature, manifest in archive.sound() if manifest.sessions]
    if not sound:
        return None
    newest = sorted(sound, key=lambda one: one[1].last_updated, reverse=True)[:MOST_STRANDS]
    return Standing(
        project=archive.layout.root.name,
        strands=tuple(_strand(archive, feature, manifest) for feature, manifest in newest),
        decisions=_decisions(archive, [feature for feature, _ in newest]),
        turns=sum(manifest.last_end for _, manifest in sound),
        sessions=sum(len(manifest.sessions) for _, manifest in sound),
        features=len(sound),
        saved=newest[0][1].last_updated,
    )


def _strand(archive: Archive, feature: str, manifest: Manifest) -> Strand:
    entry = manifest.sessions[-1]
    title = spoken = ""
    try:
        session = archive.session(feature, entry)
        title = session.heading
        spoken = next((one.time for one in reversed(session.turns) if one.time), session.created_at)
    except ArchiveError:
        pass  # its place is told all the same
    return Strand(feature=feature, session=entry.session_id, title=title, time=spoken)


def _decisions(archive: Archive, features: Sequence[str]) -> tuple[Decision, ...]:
    """Return the decisions that stand in some features, the last one first; those accepted before those proposed."""
    found: list[Decision] = []
    for feature in reversed(features):
        try:
            found += archive.decisions(feature)
        except ArchiveError:
            continue
    newest = sorted(found, key=lambda one: one.date)[::-1]
    return tuple(
        one for status in (Status.ACCEPTED, Status.PROPOSED) for one in newest if one.status is status
    )
