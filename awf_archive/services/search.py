"""One search for `search` and `recap TOPIC`: the index brought up to date, asked, and its hits shown (SPEC 4)."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from awf_archive.domain.transcript import Branch
from awf_archive.errors import DamagedArchiveError, DiskError, NoArchiveError
from awf_archive.search.documents import (
    DamagedIndexError,
    Hit,
    Kind,
    Part,
    Progress,
    Request,
    Result,
    Role,
    SearchBackend,
    Synced,
    no_progress,
)
from awf_archive.search.snippets import Snippet, best
from awf_archive.services.documents import decision_text, documents, turn_texts, wanted, words_of
from awf_archive.store.archive import Archive


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A hit with the passage that shows why it was found."""

    hit: Hit
    snippet: Snippet
    role: Role
    """Whose words the passage is."""
    is_abandoned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a search found."""

    result: Result
    shown: tuple[Shown, ...]


def open_index(folder: Path) -> SearchBackend:
    """Return the index in `folder`; the engine is loaded only now."""
    from awf_archive.search.whoosh_index import WhooshIndex

    return WhooshIndex(folder)


def sync(archive: Archive, progress: Progress = no_progress) -> Synced:
    """Bring the index up to the archive. Raises DiskError or LockedError when it cannot be written."""
    return _synced(open_index(archive.layout.index), archive, progress)


def _synced(index: SearchBackend, archive: Archive, progress: Progress) -> Synced:
    return index.sync(wanted(archive), lambda key: documents(archive, key), progress)


def search(archive: Archive, request: Request, progress: Progress = no_progress) -> Answer:
    """Answer a request from an index that is up to date.

    In a workspace that cannot be written, a stale index is not answered from: one is made in a passing folder.
    Raises NoArchiveError when the workspace holds no archive.
    """
    if not archive.features():
        raise NoArchiveError(
            f"{archive.layout.root}: no conversation is archived here yet.",
            "Save one with: awf-archive checkpoint",
        )
    try:
        return _ask(archive, open_index(archive.layout.index), request, progress)
    except DiskError:
        with tempfile.TemporaryDirectory(prefix="awf-archive-") as passing:
            return _ask(archive, open_index(Path(passing) / "index"), request, progress)


def _ask(archive: Archive, index: SearchBackend, request: Request, progress: Progress) -> Answer:
    _synced(index, archive, progress)
    try:
        result = index.search(request)
    except DamagedIndexError:
        _synced(index, archive, progress)
        result = index.search(request)
    return Answer(result=result, shown=tuple(_shown(archive, hit, result.terms) for hit in result.hits))


def _shown(archive: Archive, hit: Hit, terms: tuple[str, ...]) -> Shown:
    sides, is_abandoned = _SIDES[hit.kind](archive, hit)
    role, passage = best(sides, terms)
    return Shown(hit=hit, snippet=passage, role=hit.role or role, is_abandoned=is_abandoned)


_Sides = tuple[list[tuple[Role, str]], bool]


def _turn_sides(archive: Archive, hit: Hit) -> _Sides:
    """Return the texts of a hit turn to cut a passage from: the matching part first, then all of it."""
    try:
        session, entry = archive.find(hit.feature, hit.turn)
        turn = archive.turn(hit.feature, session.session_id, entry)
    except (NoArchiveError, DamagedArchiveError):
        return [], False
    texts = turn_texts(turn)
    sides = [(Role.USER, words_of(turn.user_blocks)), (Role.ASSISTANT, texts[Part.SAID])]
    if hit.part is not Part.SAID:
        sides = [(Role.ASSISTANT, texts[hit.part])]
    return sides, entry.branch is Branch.ABANDONED


def _decision_sides(archive: Archive, hit: Hit) -> _Sides:
    found = (one for one in archive.decisions(hit.feature) if one.id == hit.id)
    return [(Role.NONE, decision_text(one)) for one in found], False


def _chunk_sides(archive: Archive, hit: Hit) -> _Sides:
    manifest = archive.require(hit.feature)
    found = (one for one in manifest.chunks if one.chunk_id == hit.id)
    return [(Role.NONE, archive.chunk(hit.feature, one)) for one in found], False


def _no_sides(_archive: Archive, _hit: Hit) -> _Sides:
    return [], False


_SIDES: dict[Kind, Callable[[Archive, Hit], _Sides]] = {
    Kind.TURN: _turn_sides,
    Kind.DECISION: _decision_sides,
    Kind.CHUNK: _chunk_sides,
    Kind.STATE: _no_sides,
    Kind.BRAIN: _no_sides,
}
