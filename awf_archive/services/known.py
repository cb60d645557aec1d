"""Which of a transcript's turns the archive already has (SPEC 1.4)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from awf_archive.domain.filters import skip_reason
from awf_archive.domain.formats import Standing, standing
from awf_archive.domain.ids import Digest, SessionId, TurnId, WindowId
from awf_archive.domain.manifest import Manifest, SessionEntry, first_turn_key
from awf_archive.domain.session import Session, TurnEntry
from awf_archive.domain.transcript import Block, Branch, Outline, Text, Transcript, Turn
from awf_archive.domain.turn_markdown import side_bytes
from awf_archive.domain.wording import choose
from awf_archive.errors import DamagedArchiveError
from awf_archive.services.copies import copied_turns, nameless_sessions
from awf_archive.store.archive import Archive


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """A turn of the transcript that the archive has."""

    session_id: SessionId
    entry: TurnEntry
    standing: Standing = Standing.OWN
    """What the transcript's turn is to it: itself, or a copy in a fork or in another tool's file."""


@dataclass(slots=True, kw_only=True)
class Known:
    """What the archive knows of one transcript."""

    sessions: dict[SessionId, Session]
    """Those that may hold its turns, in order."""
    turns: dict[TurnId, Saved]
    skipped: dict[TurnId, Digest] = field(default_factory=dict)
    """Fingerprints of the turns that were skipped."""
    open_session: SessionId | None = None
    """The feature's last session, if it is this window's."""
    continues: SessionId | None = None
    """The window's last session."""

    def is_new(self, outline: Outline, *, keep_all: bool) -> bool:
        """Whether a turn is still to be saved; a skipped one is looked at again when it has grown."""
        if outline.id in self.turns:
            return False
        return keep_all or self.skipped.get(outline.id) != outline.fingerprint


def find_known(archive: Archive, feature: str, manifest: Manifest, transcript: Transcript) -> Known:
    """Return what the archive knows of `transcript`.

    By ids; else, in another tool's file of the same window, by what was typed; else by the longest common
    beginning.
    """
    if not manifest.sessions:
        return Known(sessions={}, turns={})
    windows = set(transcript.windows)
    known = Known(sessions={}, turns={})
    _learn(archive, feature, known, [one for one in manifest.sessions if windows.intersection(one.windows)])
    _learn(archive, feature, known, nameless_sessions(manifest, transcript))
    _rank(archive, feature, known, transcript)
    own = [entry for entry in manifest.sessions if entry.windows[:1] == transcript.windows[:1]]
    if _begins_with_strangers(known, transcript):
        _learn(archive, feature, known, _alike(manifest, transcript))
        _recognise_copy(archive, feature, known, transcript)
    if own:
        known.continues = own[-1].session_id
        is_last = manifest.sessions[-1].session_id == known.continues
        if is_last and known.sessions[known.continues].source.format == transcript.format:
            known.open_session = known.continues
    else:
        known.continues = _last_session_of(known, transcript)
    return known


def _learn(archive: Archive, feature: str, known: Known, entries: Iterable[SessionEntry]) -> None:
    """Take in what sessions hold: their turns by the source's ids, and what they skipped."""
    for entry in entries:
        if entry.session_id in known.sessions:
            continue
        session = known.sessions[entry.session_id] = archive.session(feature, entry)
        known.skipped.update({one.source_id: one.fingerprint for one in session.skipped})
        for turn in session.turns:
            if turn.source_id:
                known.turns[turn.source_id] = Saved(session_id=session.session_id, entry=turn)


def _rank(archive: Archive, feature: str, known: Known, transcript: Transcript) -> None:
    """Say what the transcript is to the saved turns, and find those that it repeats from another tool's file."""
    for turn_id, saved in known.turns.items():
        there = known.sessions[saved.session_id].format_of(saved.entry)
        known.turns[turn_id] = replace(saved, standing=standing(there, transcript.format))

    def typed(session: Session, entry: TurnEntry) -> tuple[Block, ...]:
        try:
            return archive.turn(feature, session.session_id, entry).user_blocks
        except DamagedArchiveError:
            return (Text(text=entry.title),)

    copied = copied_turns(known.sessions.values(), transcript, set(known.turns), typed)
    for turn_id, (session, entry) in copied:
        rank = standing(session.format_of(entry), transcript.format)
        known.turns[turn_id] = Saved(session_id=session.session_id, entry=entry, standing=rank)


def _begins_with_strangers(known: Known, transcript: Transcript) -> bool:
    """Whether the first turn is unknown by its id: a new window, or a copy of one under new ids."""
    first = next((one for one in transcript.outlines if one.id not in known.skipped), None)
    return first is not None and first.id not in known.turns


def _alike(manifest: Manifest, transcript: Transcript) -> list[SessionEntry]:
    """Return the sessions of every window that begins with the same prompt."""
    keys = set(_first_keys(transcript))
    windows = {entry.windows[0] for entry in manifest.sessions if entry.windows and entry.first_turn in keys}
    return [entry for entry in manifest.sessions if entry.windows and entry.windows[0] in windows]


def _first_keys(transcript: Transcript) -> Iterator[str]:
    """Yield the keys of the first turn that is kept, and of those before it that were kept with --keep-all."""
    for outline in transcript.outlines:
        yield first_turn_key(outline.id, outline.time, outline.prompt_digest)
        if not skip_reason(transcript.load(outline)):
            return


def _last_session_of(known: Known, transcript: Transcript) -> SessionId | None:
    saved = [known.turns[outline.id] for outline in transcript.outlines if outline.id in known.turns]
    return saved[-1].session_id if saved else None


def _recognise_copy(archive: Archive, feature: str, known: Known, transcript: Transcript) -> None:
    """Map the turns of a forked or resumed copy to those they repeat.

    A copy of a copy repeats several windows, one after another: of each the longest run, while there is one.
    """
    windows = _turns_by_window(known)
    rest = transcript.outlines
    while windows and rest and rest[0].id not in known.turns:
        runs = {
            window: list(_common_beginning(archive, feature, saved, rest, transcript))
            for window, saved in windows.items()
        }
        window = max(runs, key=lambda one: len(runs[one]))
        if not runs[window]:
            return
        known.turns.update(runs[window])
        del windows[window]
        last = runs[window][-1][0]
        rest = rest[1 + next(at for at, outline in enumerate(rest) if outline.id == last) :]


_Saved = list[tuple[Session, TurnEntry]]


def _turns_by_window(known: Known) -> dict[WindowId, _Saved]:
    turns: dict[WindowId, _Saved] = {}
    for session in known.sessions.values():
        turns.setdefault(session.source.window, []).extend((session, entry) for entry in session.turns)
    return turns


def _common_beginning(
    archive: Archive, feature: str, saved: _Saved, outlines: Iterable[Outline], transcript: Transcript
) -> Iterator[tuple[TurnId, Saved]]:
    """Yield each turn with the saved one that it repeats, while time and both texts are the same.

    Turns that were skipped when they were saved are passed over, and saved ones that a copy leaves out: another
    window's, and those that the user had left. The last common turn may have gone on in the copy: then it is a
    turn of its own, and nothing is lost.
    """
    place = 0
    for outline in outlines:
        found = next((at for at in _next_of_copy(saved, place) if _begins_alike(outline, saved[at][1])), None)
        turn = transcript.load(outline)
        if found is not None and _says_the_same(archive, feature, saved[found], turn):
            session, entry = saved[found]
            yield outline.id, Saved(session_id=session.session_id, entry=entry, standing=Standing.COPY)
            place = found + 1
        elif not skip_reason(turn):
            return


def _next_of_copy(saved: _Saved, place: int) -> Iterator[int]:
    """Yield the places at which a copy may go on."""
    for at in range(place, len(saved)):
        yield at
        entry = saved[at][1]
        if entry.branch is Branch.MAIN and entry.foreign is None:
            return


def _begins_alike(outline: Outline, entry: TurnEntry) -> bool:
    return (outline.time, outline.prompt_digest) == (entry.time, entry.prompt_sha256)


def _says_the_same(archive: Archive, feature: str, saved: tuple[Session, TurnEntry], turn: Turn) -> bool:
    """Whether the assistant's side is one that the saved turn has or had before it grew."""
    session, entry = saved
    words = choose(session.language)
    said = side_bytes(turn.assistant, words)
    try:
        return any(
            said == side_bytes(there.assistant_blocks, words)
            for there in archive.versions(feature, session.session_id, entry)
        )
    except DamagedArchiveError:
        return False  # then the copy is saved again, and nothing is lost
