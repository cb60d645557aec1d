"""The last steps of a checkpoint, in an order that survives a crash (SPEC 1.10).

Metadata, decisions, chunk, and the manifest last.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256

from awf_archive.domain.escape import json_pages
from awf_archive.domain.ids import Digest, SessionId
from awf_archive.domain.manifest import (
    ChunkEntry,
    Manifest,
    SessionEntry,
    first_turn_key,
    next_number,
    with_session,
)
from awf_archive.domain.numbering import Numbers
from awf_archive.domain.session import Session
from awf_archive.domain.wording import Wording
from awf_archive.errors import DamagedArchiveError, DiskError
from awf_archive.services.decisions_commit import FoundInTurn, commit_decisions
from awf_archive.services.decisions_file import readable_decisions
from awf_archive.store import atomic
from awf_archive.store.archive import Archive
from awf_archive.store.layout import METADATA, chunk_name
from awf_archive.store.lock import Lock


@dataclass(frozen=True, slots=True, kw_only=True)
class Committer:
    """Commits into one feature while the lock is held."""

    archive: Archive
    feature: str
    lock: Lock
    now: str
    words: Wording

    def commit(
        self,
        manifest: Manifest,
        changed: Mapping[SessionId, Session],
        session: Session | None,
        found: Iterable[FoundInTurn],
        numbers: Numbers,
    ) -> ChunkEntry | None:
        """Write metadata, decisions, the chunk that is due, and the manifest; return the chunk.

        `changed` are sessions in which turns grew; `session` is the new or extended one, its turn files and,
        if it is new, its metadata already in place.
        """
        sessions = [one for one in (*changed.values(), session) if one]
        for one in changed.values():
            if session is None or one.session_id != session.session_id:
                manifest = with_digest(manifest, one.session_id, self.write_metadata(one), self.now)
                manifest = with_windows(manifest, one)
        self.prepare_folders()
        chunk = None
        if session:
            digest = self.write_metadata(session)
            self.write_decisions(manifest, found, sessions)
            manifest, chunk = self.with_session(manifest, session, digest, numbers)
        else:
            self.write_decisions(manifest, found, sessions)
        self.write_manifest(manifest)
        return chunk

    def prepare_folders(self) -> None:
        """Keep git from changing line ends here, and out of what is derived."""
        layout = self.archive.layout
        for path, text in (
            (layout.attributes(self.feature), b"* -text\n"),
            (layout.ignore, b"*\n"),
        ):
            if not path.exists():
                atomic.write(path, text)

    def write_metadata(self, session: Session) -> Digest:
        """Replace a session's metadata; return its digest."""
        data = json_pages(session.to_json())
        atomic.write(self.archive.layout.session(self.feature, session.session_id) / METADATA, data)
        return Digest(sha256(data).hexdigest())

    def write_decisions(
        self, manifest: Manifest, found: Iterable[FoundInTurn], sessions: Iterable[Session]
    ) -> None:
        """Add decisions that are not there yet, and mark those in `sessions` by the branch of their turn."""
        commit_decisions(self.archive, manifest, found, sessions, self.now)

    def write_chunk(self, manifest: Manifest, numbers: Numbers) -> ChunkEntry | None:
        """Make the chunk that is due, if one is and any of its turns is on disk."""
        if numbers.chunk is None:
            return None
        from awf_archive.domain.summary import chunk_text  # 50 ms of CPU, paid by who needs a chunk
        from awf_archive.services.chunk_turns import gist, turns_of

        first, last = numbers.chunk
        turns = turns_of(self.archive, self.feature, manifest, (first, last))
        gists = [gist(entry, turn) for entry, turn in turns]
        if not gists:
            return None
        known = readable_decisions(self.archive, self.feature)
        decisions = [one for one in known if first <= one.turn <= last]
        number = next_number(chunk.chunk_id for chunk in manifest.chunks)
        chunk_id = next_chunk(manifest)
        path = self.archive.layout.chunk(self.feature, chunk_id)
        text = chunk_text(number, (first, last), gists, decisions, words=self.words)
        atomic.write(path, text.encode())
        file = path.relative_to(self.archive.layout.conversations(self.feature)).as_posix()
        return ChunkEntry(chunk_id=chunk_id, turn_range=(first, last), file=file)

    def with_session(
        self, manifest: Manifest, session: Session, digest: Digest, numbers: Numbers
    ) -> tuple[Manifest, ChunkEntry | None]:
        """Make the chunk that is due; return it and the manifest that names both. Nothing is committed yet.

        Where an older turn of it does not read, or its file cannot be written, it stays due: no summary stops a save.
        """
        try:
            chunk = self.write_chunk(manifest, numbers)
        except (DamagedArchiveError, DiskError):
            chunk = None  # `verify` says which turn; the caller sees that none was made
        return with_session(manifest, entry_of(session, digest, manifest), chunk, self.now), chunk

    def write_manifest(self, manifest: Manifest) -> None:
        """Commit. Raises LockedError when the lock was lost: then nothing is committed."""
        self.lock.check()
        atomic.write(self.archive.layout.manifest(self.feature), json_pages(manifest.to_json()))


def next_chunk(manifest: Manifest) -> str:
    """Return the id of the next chunk."""
    return chunk_name(next_number(chunk.chunk_id for chunk in manifest.chunks))


def entry_of(session: Session, digest: Digest, manifest: Manifest) -> SessionEntry:
    """Return the manifest's entry for a session."""
    return SessionEntry(
        session_id=session.session_id,
        global_range=session.global_range,
        status="active",
        metadata_sha256=digest,
        windows=session.source.windows,
        first_turn=_first_turn(session, manifest),
    )


def _first_turn(session: Session, manifest: Manifest) -> str:
    """Return the key of the window's first prompt, which a fork shares with the window it comes from.

    Only the window's first session bears it.
    """
    continued = manifest.session(session.continues) if session.continues else None
    if continued is None:
        first = session.turns[0]
        return first_turn_key(first.source_id, first.time, first.prompt_sha256)
    window = continued.windows[:1]
    if window == session.source.windows[:1]:
        return ""
    return next(
        (one.first_turn for one in manifest.sessions if one.windows[:1] == window and one.first_turn), ""
    )


def with_windows(manifest: Manifest, session: Session) -> Manifest:
    """Return the manifest with the windows of a session as they turned out to be."""

    def renewed(entries: tuple[SessionEntry, ...]) -> tuple[SessionEntry, ...]:
        return tuple(
            replace(entry, windows=session.source.windows)
            if entry.session_id == session.session_id
            else entry
            for entry in entries
        )

    return replace(manifest, recent=renewed(manifest.recent), archived=renewed(manifest.archived))


def with_digest(manifest: Manifest, session_id: SessionId, digest: Digest, now: str) -> Manifest:
    """Return the manifest with the digest of a session's metadata replaced."""

    def renewed(entries: tuple[SessionEntry, ...]) -> tuple[SessionEntry, ...]:
        return tuple(
            replace(entry, metadata_sha256=digest) if entry.session_id == session_id else entry
            for entry in entries
        )

    return replace(
        manifest,
        last_updated=now,
        recent=renewed(manifest.recent),
        archived=renewed(manifest.archived),
    )
