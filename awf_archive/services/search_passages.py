"""The passage that shows why something was found, and whose words it is: cut from the archive's own text."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from awf_archive.domain.redaction import mask
from awf_archive.domain.transcript import Branch
from awf_archive.errors import DamagedArchiveError, NoArchiveError
from awf_archive.search.documents import Hit, Kind, Part, Result, Role
from awf_archive.search.snippets import Snippet, best
from awf_archive.services import brain_documents
from awf_archive.services.documents import decision_text, tool_sides, turn_texts, user_words
from awf_archive.services.redacted_archive import RedactedArchive, redacted
from awf_archive.store.archive import Archive


class FoundIn(StrEnum):
    """What of a turn a passage is from."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL_INPUT = "tool input"
    TOOL_OUTPUT = "tool output"
    THINKING = "thinking"
    SUMMARY = "summary"
    """The chat tool's own summary of what came before."""
    NOWHERE = ""
    """The hit is no turn."""

    @property
    def role(self) -> Role:
        """Whose words they are; a summary is nobody's."""
        return _ROLES.get(self, Role.ASSISTANT)


_ROLES = {
    FoundIn.USER: Role.USER,
    FoundIn.TOOL_OUTPUT: Role.TOOL,
    FoundIn.SUMMARY: Role.NONE,
    FoundIn.NOWHERE: Role.NONE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A hit with the passage that shows why it was found."""

    hit: Hit
    snippet: Snippet
    found_in: FoundIn = FoundIn.NOWHERE
    is_abandoned: bool = False
    session_title: str = ""
    status: str = ""
    """Where a decision stands; "" for every other kind."""
    elsewhere: "Elsewhere | None" = None
    """Where it is from when a team was asked."""

    @property
    def role(self) -> Role:
        """Whose words the passage is."""
        return self.found_in.role


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """Whose a hit of a team's search is, and where one may read it."""

    archive: str
    author: str
    url: str
    """Empty when no site is set up."""


def shown(archive: Archive, result: Result) -> tuple[Shown, ...]:
    """Return the hits with their passages, masked: what is shown leaves the workspace (docs/secrets.md)."""
    outside = redacted(archive.layout)
    found = (_SHOW[hit.kind](outside, hit, result.terms) for hit in result.hits)
    return tuple(replace(one, hit=replace(one.hit, title=outside.masked(one.hit.title))) for one in found)


def _turn(archive: RedactedArchive, hit: Hit, terms: tuple[str, ...]) -> Shown:
    """Show a turn: the part that matched, on the side that says most."""
    try:
        session, entry = archive.unmasked.find(hit.feature, hit.turn)  # of hundreds of titles one is shown
        turn = archive.turn(hit.feature, session.session_id, entry)
    except (NoArchiveError, DamagedArchiveError):
        return Shown(hit=hit, snippet=Snippet(""))
    texts = turn_texts(turn)
    match hit.part:
        case Part.SAID:
            sides = [(FoundIn.USER, user_words(turn)), (FoundIn.ASSISTANT, texts[Part.SAID])]
        case Part.TOOLS:
            sides = list(zip((FoundIn.TOOL_INPUT, FoundIn.TOOL_OUTPUT), tool_sides(turn), strict=True))
        case part:
            sides = [(FoundIn(part.value), texts[part])]
    found_in, passage = best(sides, terms, FoundIn.NOWHERE)
    return Shown(
        hit=hit,
        snippet=passage,
        found_in=found_in,
        is_abandoned=entry.branch is Branch.ABANDONED,
        session_title=archive.masked(session.title),
    )


def _decision(archive: RedactedArchive, hit: Hit, terms: tuple[str, ...]) -> Shown:
    found = next((one for one in archive.decisions(hit.feature) if one.id == hit.id), None)
    plain = _plain(hit, decision_text(found) if found else "", terms)
    return replace(
        plain,
        status=found.status.value if found else "",
        is_abandoned=bool(hit.turn) and _is_left(archive, hit),
    )


def _is_left(archive: RedactedArchive, hit: Hit) -> bool:
    """Whether the user rewound from the turn of a hit."""
    try:
        _, entry = archive.unmasked.find(hit.feature, hit.turn)
    except (NoArchiveError, DamagedArchiveError):
        return False
    return entry.branch is Branch.ABANDONED


def _chunk(archive: RedactedArchive, hit: Hit, terms: tuple[str, ...]) -> Shown:
    chunks = archive.require(hit.feature).chunks
    found = (archive.chunk(hit.feature, one) for one in chunks if one.chunk_id == hit.id)
    return _plain(hit, next(found, ""), terms)


def _brain(archive: RedactedArchive, hit: Hit, terms: tuple[str, ...]) -> Shown:
    """Show an entry of the work state or the brain."""
    found = (
        mask(one.text)[0]
        for one in brain_documents.documents(archive.layout.root, hit.kind.value)
        if (one.id, one.path) == (hit.id, hit.path)
    )
    return _plain(hit, next(found, ""), terms)


def _plain(hit: Hit, text: str, terms: tuple[str, ...]) -> Shown:
    _, passage = best([(FoundIn.NOWHERE, text)], terms, FoundIn.NOWHERE)
    return Shown(hit=hit, snippet=passage)


_SHOW: dict[Kind, Callable[[RedactedArchive, Hit, tuple[str, ...]], Shown]] = {
    Kind.TURN: _turn,
    Kind.DECISION: _decision,
    Kind.CHUNK: _chunk,
    Kind.STATE: _brain,
    Kind.BRAIN: _brain,
}
