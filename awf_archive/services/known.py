"""Which of a transcript's turns the archive already has (SPEC 1.4)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from awf_archive.domain.ids import Digest, SessionId, TurnId, WindowId
from awf_archive.domain.manifest import Manifest, SessionEntry, first_turn_key
from awf_archive.domain.session import Session, TurnEntry
from awf_archive.domain.transcript import Outline, Transcript
from awf_archive.domain.turn_markdown import side_bytes
from awf_archive.domain.wording import choose
from awf_archive.store.archive import Archive


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """A turn of the transcript that the archive has."""

    session_id: SessionId
    entry: TurnEntry
    is_copy: bool = False
    """Known by its time and text, under another id: a forked window."""


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
    """Return what the archive knows of `transcript`: by ids, else by the longest common beginning."""
    if not manifest.sessions:
        return Known(sessions={}, turns={})
    candidates = list(_candidates(manifest, transcript))
    sessions = {entry.session_id: archive.session(feature, entry) for entry in candidates}
    known = Known(sessions=sessions, turns=_by_id(sessions.values()))
    for session in sessions.values():
        known.skipped.update({one.source_id: one.fingerprint for one in session.skipped})
    window = transcript.windows[0]
    own = [entry for entry in candidates if entry.windows[:1] == (window,)]
    if own:
        known.continues = own[-1].session_id
        if manifest.sessions[-1].session_id == known.continues:
            known.open_session = known.continues
    elif not any(outline.id in known.turns for outline in transcript.outlines):
        _recognise_copy(archive, feature, known, transcript)
    else:
        known.continues = _last_session_of(known, transcript)
    return known


def _candidates(manifest: Manifest, transcript: Transcript) -> Iterator[SessionEntry]:
    """Yield the sessions that share a window with the transcript, or whose window begins with the same prompt."""
    windows = set(transcript.windows)
    first = _first_key(transcript)
    alike = {entry.windows[0] for entry in manifest.sessions if entry.windows and entry.first_turn == first}
    for entry in manifest.sessions:
        if windows.intersection(entry.windows) or (entry.windows and entry.windows[0] in alike):
            yield entry


def _first_key(transcript: Transcript) -> str:
    first = transcript.outlines[0]
    return first_turn_key(first.id, first.time, first.prompt_digest)


def _by_id(sessions: Iterable[Session]) -> dict[TurnId, Saved]:
    return {
        entry.source_id: Saved(session_id=session.session_id, entry=entry)
        for session in sessions
        for entry in session.turns
        if entry.source_id
    }


def _last_session_of(known: Known, transcript: Transcript) -> SessionId | None:
    saved = [known.turns[outline.id] for outline in transcript.outlines if outline.id in known.turns]
    return saved[-1].session_id if saved else None


def _recognise_copy(archive: Archive, feature: str, known: Known, transcript: Transcript) -> None:
    """Map the turns of a forked or resumed copy to those they repeat, window by window, longest first."""
    longest: list[tuple[Outline, Saved]] = []
    for window in _windows_of(known):
        common = list(_common_beginning(archive, feature, known, window, transcript))
        longest = max(longest, common, key=len)
    known.turns.update({outline.id: saved for outline, saved in longest})
    if longest:
        known.continues = longest[-1][1].session_id


def _windows_of(known: Known) -> list[WindowId]:
    return list(dict.fromkeys(session.source.window for session in known.sessions.values()))


def _common_beginning(
    archive: Archive, feature: str, known: Known, window: WindowId, transcript: Transcript
) -> Iterator[tuple[Outline, Saved]]:
    """Yield pairs while time and both texts are the same.

    The last common turn may have gone on in the copy: then it is a turn of its own, and nothing is lost.
    """
    saved = [
        (session, entry)
        for session in known.sessions.values()
        if session.source.window == window
        for entry in session.turns
    ]
    for outline, (session, entry) in zip(transcript.outlines, saved, strict=False):
        if (outline.time, outline.prompt_digest) != (entry.time, entry.prompt_sha256):
            return
        turn = transcript.load(outline)
        there = archive.turn(feature, session.session_id, entry)
        words = choose(session.language)
        if side_bytes(turn.assistant, words) != side_bytes(there.assistant_blocks, words):
            return
        yield outline, Saved(session_id=session.session_id, entry=entry, is_copy=True)
