"""Finding what `list` and `show` print: sessions, and turns by their global numbers."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from unicodedata import normalize

from awf_archive.domain.ids import SessionId
from awf_archive.domain.manifest import Manifest, SessionEntry
from awf_archive.domain.merged_numbers import numbers_after_merge
from awf_archive.domain.session import Session, TurnEntry
from awf_archive.domain.turn_file import TurnFile
from awf_archive.errors import DamagedArchiveError, NoArchiveError, UsageError
from awf_archive.services.lost import Lost, was_removed
from awf_archive.store.archive import Archive

_PLACE = re.compile(
    r"(?P<feature>.+?)(?:#(?P<first>\d+)(?:\s*[-–]\s*(?P<last>\d+))?|[/ ](?P<session>session-\d+))?",
    re.DOTALL,
)
_EXAMPLES = "Name one like login#16, login#16-20, login/session-002 or login."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """What a person named: a turn, a range, a session or a whole feature."""

    feature: str
    first: int | None = None
    last: int | None = None
    session: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One session of the list."""

    feature: str
    entry: SessionEntry
    session: Session


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTurn:
    """One turn in full."""

    feature: str
    session: Session
    entry: TurnEntry
    turn: TurnFile


def sessions(archive: Archive, feature: str | None = None) -> Iterator[Listed]:
    """Yield the saved sessions, feature by feature, in order. Raises NoArchiveError for an unknown feature."""
    names = [feature] if feature else [name for name, _ in archive.sound()]
    for name in names:
        for entry, session in archive.sessions(name):
            yield Listed(feature=name, entry=entry, session=session)


def listing(archive: Archive, feature: str | None = None) -> tuple[list[Listed], list[Lost]]:
    """Return the same, and the sessions that the manifests name and that are gone or do not read."""
    found: list[Listed] = []
    lost: list[Lost] = []
    for name in [feature] if feature else [name for name, _ in archive.sound()]:
        for entry in archive.require(name).sessions:
            if was_removed(archive, name, entry):
                continue
            try:
                found.append(Listed(feature=name, entry=entry, session=archive.session(name, entry)))
            except DamagedArchiveError as problem:
                lost.append(Lost(feature=name, entry=entry, problem=problem))
    return found, lost


def turns(archive: Archive, place: str) -> Iterator[ShownTurn]:
    """Yield the turns at `feature#16`, `feature#16-20`, `feature/session-002`, or all of `feature`, in order.

    Raises UsageError for words that are no place, NoArchiveError when nothing is there.
    """
    named = _parsed(archive, place)
    if named.first is not None:
        last = named.first if named.last is None else named.last
        yield from _range(archive, named.feature, named.first, last)
    elif named.session:
        yield from _session(archive, named.feature, SessionId(named.session))
    else:
        for listed in sessions(archive, named.feature):
            yield from _all_of(archive, listed)


def names_one_turn(archive: Archive, place: str) -> bool:
    """Whether a place is a single turn, not a range of them."""
    named = _parsed(archive, place)
    return named.first is not None and named.last is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """The turns that a place names, by their numbers."""

    feature: str
    first: int
    last: int


def extent(archive: Archive, place: str) -> Extent:
    """Return which turns a place names, without reading one.

    Raises UsageError for words that are no place, NoArchiveError for a feature or session that is not there.
    """
    named = _parsed(archive, place)
    if named.first is not None:
        return Extent(feature=named.feature, first=named.first, last=named.last or named.first)
    manifest = archive.require(named.feature)
    if not named.session:
        return Extent(feature=named.feature, first=1, last=manifest.last_end)
    first, last = _entry(manifest, named.feature, SessionId(named.session)).global_range
    return Extent(feature=named.feature, first=first, last=last)


def merged_into(archive: Archive, place: str) -> list[tuple[str, int, int]]:
    """Return what else a turn's number stood for before a merge: feature, that number, and the turn's number now."""
    named = _parsed(archive, place)
    manifest = archive.manifest(named.feature)
    if manifest is None or named.first is None or named.last is not None:
        return []
    return [(named.feature, named.first, number) for number in numbers_after_merge(manifest, named.first)]


def _parsed(archive: Archive, place: str) -> _Place:
    """Read a place; a feature that bears the whole name wins over a session of a shorter one."""
    place = place.strip()
    if normalize("NFC", place) in archive.features():
        return _Place(feature=place)
    match = _PLACE.fullmatch(place)
    if not match:
        raise UsageError(f"{place!a}: not a place in the archive.", _EXAMPLES)
    first, last = (int(match[name]) if match[name] else None for name in ("first", "last"))
    if first is not None and last is not None and last < first:
        raise UsageError(f"{place!a}: the range ends before it begins.", _EXAMPLES)
    return _Place(feature=match["feature"], first=first, last=last, session=match["session"])


def _range(archive: Archive, feature: str, first: int, last: int) -> Iterator[ShownTurn]:
    moved = archive.require(feature).moved
    if any(one.turn_range[0] <= last and one.turn_range[1] >= first for one in moved):
        for number in range(first, last + 1):
            yield _led(archive, feature, number)
        return
    archive.find(feature, first)
    for entry, session in archive.sessions(feature, (first, last)):
        listed = Listed(feature=feature, entry=entry, session=session)
        yield from _all_of(archive, listed, range(first, last + 1))


def _led(archive: Archive, feature: str, number: int) -> ShownTurn:
    """Return the turn that a number leads to, also one that moved to another feature."""
    feature, number = archive.resolve(feature, number)
    session, entry = archive.find(feature, number)
    turn = archive.turn(feature, session.session_id, entry)
    return ShownTurn(feature=feature, session=session, entry=entry, turn=turn)


def _session(archive: Archive, feature: str, session_id: SessionId) -> Iterator[ShownTurn]:
    entry = _entry(archive.require(feature), feature, session_id)
    yield from _all_of(archive, Listed(feature=feature, entry=entry, session=archive.session(feature, entry)))


def _entry(manifest: Manifest, feature: str, session_id: SessionId) -> SessionEntry:
    entry = manifest.session(session_id)
    if entry is None:
        known = ", ".join(one.session_id for one in manifest.sessions)
        raise NoArchiveError(
            f"{feature}/{session_id}: there is no such session.", f"{feature} holds {known}."
        )
    return entry


def _all_of(archive: Archive, listed: Listed, numbers: range | None = None) -> Iterator[ShownTurn]:
    for entry in listed.session.turns:
        if numbers is not None and entry.turn not in numbers:
            continue
        turn = archive.turn(listed.feature, listed.session.session_id, entry)
        yield ShownTurn(feature=listed.feature, session=listed.session, entry=entry, turn=turn)
