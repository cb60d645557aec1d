"""Saved turns that went on after they were saved: late results, background tasks, interrupted replies (SPEC 1.4)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256

from awf_archive.domain import turn_file
from awf_archive.domain.decisions import Found
from awf_archive.domain.formats import Standing, is_nameless, is_partial
from awf_archive.domain.ids import Digest, SessionId, WindowId
from awf_archive.domain.session import Revision, Session, TurnEntry
from awf_archive.domain.transcript import Origin, Outline, Problem, Transcript, Turn
from awf_archive.domain.wording import choose
from awf_archive.services.decisions_context import Conversation
from awf_archive.services.known import Known
from awf_archive.services.save_turns import into, problems_of, title_of
from awf_archive.store import atomic
from awf_archive.store.archive import Archive, read_bytes
from awf_archive.store.layout import ATTACHMENTS, revision_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """A saved turn as it stands now; without `data` only its mark changed."""

    session_id: SessionId
    entry: TurnEntry
    """The new entry, its revisions as they were."""
    windows: tuple[WindowId, ...] = ()
    """The transcript's."""
    old: bytes | None = None
    """What is on disk now."""
    data: bytes | None = None
    payloads: Mapping[str, bytes] = field(default_factory=dict)
    decisions: tuple[Found, ...] = ()
    problems: tuple[Problem, ...] = ()


def find_growth(
    archive: Archive, feature: str, known: Known, transcript: Transcript, problems: list[Problem]
) -> Iterator[Growth]:
    """Yield what changed in turns that the archive has.

    A turn that became shorter is not replaced: its source was cut or rewritten, and that is reported.
    """
    for outline in transcript.outlines:
        saved = known.turns.get(outline.id)
        if saved is None or saved.standing is Standing.COPY:
            continue
        grown = None
        if saved.entry.fingerprint != outline.fingerprint:
            path = archive.turn_path(feature, saved.session_id, saved.entry)
            grown = _grown(known, transcript, outline, read_bytes(path), problems)
        is_own = saved.standing is Standing.OWN
        if grown is None and is_own and saved.entry.branch is not outline.branch:
            marked = replace(saved.entry, branch=outline.branch)
            grown = Growth(session_id=saved.session_id, entry=marked)
        if grown:
            yield grown


def _grown(
    known: Known, transcript: Transcript, outline: Outline, old: bytes | None, problems: list[Problem]
) -> Growth | None:
    saved = known.turns[outline.id]
    entry, session = saved.entry, known.sessions[saved.session_id]
    turn = transcript.load(outline)
    data = _written(session, entry, transcript, turn)
    digest = Digest(sha256(data).hexdigest())
    if digest == entry.sha256:
        return None
    if old is not None and not _may_replace(saved.standing, old, data):
        # of another window's turn a file may hold no more than the beginning (case B18)
        if saved.standing is Standing.OWN and outline.foreign is None:
            problems.append(_shrunk(entry))
        return None
    new = replace(
        _adopted(entry, outline, session, transcript.format),
        sha256=digest,
        fingerprint=outline.fingerprint,
        prompt_sha256=outline.prompt_digest,
        title=title_of(turn),
        branch=outline.branch,
        attachments=tuple(dict.fromkeys((*entry.attachments, *turn.payloads))),
    )
    met = problems_of(turn, new)
    problems.extend(met)
    return Growth(
        session_id=saved.session_id,
        entry=new,
        windows=transcript.windows,
        old=old,
        data=data,
        payloads=turn.payloads,
        decisions=Conversation(transcript).harvest(turn),
        problems=tuple(met),
    )


def _written(session: Session, entry: TurnEntry, transcript: Transcript, turn: Turn) -> bytes:
    """Return the turn's file as it is to stand in its place."""
    place = turn_file.Place(
        turn=entry.turn,
        session=session.session_id,
        local=entry.local,
        format=transcript.format,
        cwd=transcript.cwd,
    )
    return turn_file.write(turn, place, choose(session.language))


def _adopted(entry: TurnEntry, outline: Outline, session: Session, format_: str) -> TurnEntry:
    """Return the entry under the ids of the source that it is now read from."""
    if session.format_of(entry) == format_:
        return entry
    return replace(
        entry,
        source_id=outline.id,
        time=outline.time or entry.time,
        start=outline.start.value,
        foreign=outline.foreign,
        format="" if session.source.format == format_ else format_,
    )


def _may_replace(standing: Standing, old: bytes, new: bytes) -> bool:
    """Whether a new text takes the place of the saved one: by what its source keeps, else by what it says."""
    if standing is Standing.BETTER:
        return True
    more = _more(old, new)
    return more > 0 if standing is Standing.PEER else more >= 0


def says_less(old: bytes, new: bytes) -> bool:
    """Whether a turn's new file says less than the saved one: then the saved one stays."""
    return _more(old, new) < 0


def _more(old: bytes, new: bytes) -> int:
    """Return how much more a new file says. A saved one that does not read counts as saying less."""
    try:
        return _size(new) - _size(old)
    except ValueError:
        return 1


def _size(data: bytes) -> int:
    """Return how much both sides say. Raises ValueError for what is no turn file."""
    turn = turn_file.read(data)
    return len(turn.user) + len(turn.assistant)


def _shrunk(entry: TurnEntry) -> Problem:
    return Problem(
        code="shrunk",
        message=f"Turn {entry.turn} is shorter in the source than what was saved; the saved text stays.",
        origin=Origin(file="", line=0),
    )


def write_growths(
    archive: Archive, feature: str, known: Known, growths: list[Growth]
) -> dict[SessionId, Session]:
    """Replace the files of turns that grew; return the sessions as they now are, their metadata not yet written.

    `known` learns of them too, so that a session that is extended in the same run has both.
    """
    changed: dict[SessionId, Session] = {}
    for growth in growths:
        entry = keep_growth(archive, feature, growth)
        session = known.sessions[growth.session_id]
        turns = tuple(entry if one.local == entry.local else one for one in session.turns)
        problems = session.problems
        if growth.data is not None:
            problems = (*(one for one in problems if one.turn != entry.turn), *growth.problems)
        grown = _settled(_named(replace(session, turns=turns, problems=problems), growth))
        known.sessions[growth.session_id] = changed[growth.session_id] = grown
    return changed


def _named(session: Session, growth: Growth) -> Session:
    """Return a session of which nobody wrote down the window as one of the window that it turned out to be."""
    if not is_nameless(session.source.window):
        return session
    windows = tuple(dict.fromkeys((*session.source.windows, *growth.windows)))
    return replace(session, source=replace(session.source, windows=windows))


def _settled(session: Session) -> Session:
    """Return a session whose turns were all read anew from another format as one of that format."""
    formats = {session.format_of(turn) for turn in session.turns}
    if len(formats) != 1 or formats == {session.source.format}:
        return session
    (name,) = formats
    source = replace(session.source, format=name, name="", partial=is_partial(name))
    return replace(session, source=source, turns=tuple(replace(one, format="") for one in session.turns))


def keep_growth(archive: Archive, feature: str, growth: Growth) -> TurnEntry:
    """Replace one turn's file, its earlier text kept as a revision; both are on disk at every instant.

    After a crash in the middle, doing it again gives the same files: a revision that the crashed run wrote is
    taken over and never written anew, so nothing that was ever saved is lost, also when the turn grew again.
    """
    if growth.data is None:
        return growth.entry
    folder = archive.layout.session(feature, growth.session_id)
    local, revisions = growth.entry.local, list(growth.entry.revisions)
    while (kept := read_bytes(folder / revision_name(local, len(revisions) + 1))) is not None:
        revisions.append(_revision(local, len(revisions) + 1, kept))
    if growth.old is not None and growth.old != growth.data:
        earlier = _revision(local, len(revisions) + 1, growth.old)
        if not revisions or revisions[-1].sha256 != earlier.sha256:
            atomic.write(folder / earlier.file, growth.old)
            revisions.append(earlier)
    put = into(folder, atomic.write)
    for attachment, payload in growth.payloads.items():
        put(f"{ATTACHMENTS}/{attachment}", payload)
    put(growth.entry.file, growth.data)
    return replace(growth.entry, revisions=tuple(revisions))


def _revision(local: int, number: int, data: bytes) -> Revision:
    return Revision(file=revision_name(local, number), sha256=Digest(sha256(data).hexdigest()))
