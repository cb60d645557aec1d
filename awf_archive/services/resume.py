"""`resume FEATURE`: what a new window needs to go on, from the archive (SPEC 2)."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from awf_archive.domain.manifest import Manifest, SessionEntry
from awf_archive.domain.resume import (
    MOST_TURNS,
    Resumed,
    ResumedChunk,
    ResumedTurn,
    SpecDocument,
    chunk_parts,
)
from awf_archive.domain.session import Session
from awf_archive.domain.transcript import Branch
from awf_archive.domain.wording import WORDINGS
from awf_archive.errors import ArchiveError, DamagedArchiveError, DiskError
from awf_archive.store.archive import Archive, read_bytes

DOCUMENTS = ("requirements.md", "design.md", "tasks.md")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedFeature:
    """One feature of `resume --list`."""

    feature: str
    turns: int
    phase: str
    last_updated: str


@dataclass(slots=True)
class _Gathered:
    """What was read, and which files could not be."""

    archive: Archive
    feature: str
    unreadable: list[str] = field(default_factory=list)

    def note(self, path: str) -> None:
        """Remember a file that could not be read, once."""
        if path not in self.unreadable:
            self.unreadable.append(path)


def resume(archive: Archive, feature: str) -> Resumed:
    """Return what is known of a feature; files that cannot be read are named, the rest is there.

    Raises NoArchiveError when nothing was saved, DamagedArchiveError when the manifest itself does not read.
    """
    manifest = archive.require(feature)
    gathered = _Gathered(archive=archive, feature=feature)
    found = _latest(gathered, manifest)
    shown = _turns(gathered, found[1]) if found else ()
    kept = [one for one in found[1].turns if one.branch is not Branch.ABANDONED] if found else []
    return Resumed(
        feature=feature,
        total=manifest.last_end,
        phase=found[1].phase if found else "",
        session=found[0].session_id if found else "",
        session_range=found[1].global_range if found else (0, 0),
        turns=shown,
        left_out=max(0, len(kept) - MOST_TURNS),
        chunks=tuple(_chunks(gathered, manifest)),
        documents=tuple(_document(gathered, name) for name in DOCUMENTS),
        unreadable=tuple(gathered.unreadable),
    )


def _latest(gathered: _Gathered, manifest: Manifest) -> tuple[SessionEntry, Session] | None:
    """Return the newest session that reads; those before it that do not are named."""
    for entry in reversed(manifest.sessions):
        try:
            return entry, gathered.archive.session(gathered.feature, entry)
        except (DamagedArchiveError, DiskError):
            layout = gathered.archive.layout
            gathered.note(
                layout.relative(layout.session(gathered.feature, entry.session_id) / "metadata.json")
            )
    return None


def _turns(gathered: _Gathered, session: Session) -> tuple[ResumedTurn, ...]:
    """Return the last turns that the user stayed with, oldest first."""
    found = []
    kept = [one for one in session.turns if one.branch is not Branch.ABANDONED]
    for entry in kept[-MOST_TURNS:]:
        try:
            turn = gathered.archive.turn(gathered.feature, session.session_id, entry)
        except (DamagedArchiveError, DiskError):
            layout, archive = gathered.archive.layout, gathered.archive
            gathered.note(layout.relative(archive.turn_path(gathered.feature, session.session_id, entry)))
            continue
        found.append(ResumedTurn(turn=entry.turn, user=turn.user, assistant=turn.assistant))
    return tuple(found)


_OVERVIEWS = tuple(words.chunk.overview for words in WORDINGS.values())
_DECISIONS = tuple(words.chunk.decisions for words in WORDINGS.values())


def _chunks(gathered: _Gathered, manifest: Manifest) -> Iterator[ResumedChunk]:
    for chunk in manifest.chunks:
        try:
            text = gathered.archive.chunk(gathered.feature, chunk)
        except (DamagedArchiveError, DiskError):
            layout = gathered.archive.layout
            gathered.note(layout.relative(layout.conversations(gathered.feature) / chunk.file))
            continue
        overview, decisions = chunk_parts(text, _OVERVIEWS, _DECISIONS)
        yield ResumedChunk(
            number=chunk.chunk_id.rpartition("-")[2],
            turns=chunk.turn_range,
            overview=overview,
            decisions=decisions,
        )


def _document(gathered: _Gathered, name: str) -> SpecDocument:
    layout = gathered.archive.layout
    path = layout.spec(gathered.feature) / name
    try:
        data = read_bytes(path)
    except DiskError:
        gathered.note(layout.relative(path))
        data = None
    text = None if data is None else data.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")
    return SpecDocument(name=name, path=layout.relative(path), text=text)


def features(archive: Archive) -> Iterator[ListedFeature]:
    """Yield every feature that can be resumed, the one saved last first; a damaged one has no facts."""
    listed = [_listed(archive, feature) for feature in archive.features()]
    yield from sorted(listed, key=lambda one: one.last_updated, reverse=True)


def _listed(archive: Archive, feature: str) -> ListedFeature:
    try:
        manifest = archive.require(feature)
        newest = manifest.sessions[-1:]
        phase = archive.session(feature, newest[0]).phase if newest else ""
    except ArchiveError:
        return ListedFeature(feature=feature, turns=0, phase="⚠️", last_updated="")
    return ListedFeature(
        feature=feature, turns=manifest.last_end, phase=phase, last_updated=manifest.last_updated
    )
