"""Masking what the archive holds already; numbers stay, and `verify` finds everything as it should be.

Files are replaced one by one before the metadata names their new digests. A crash in between leaves masked files
that the metadata does not know yet; a note says which, and the same command goes on from there.
"""

import json
from collections import Counter
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from awf_archive.domain.escape import json_pages
from awf_archive.domain.ids import Digest
from awf_archive.domain.manifest import Manifest, SessionEntry
from awf_archive.domain.redaction import findings, mask
from awf_archive.domain.redaction_turns import masked_file, masked_json
from awf_archive.domain.session import Revision, Session, TurnEntry
from awf_archive.domain.transcript import Json
from awf_archive.domain.wording import Wording
from awf_archive.services.commit import Committer, with_digest
from awf_archive.services.redacted_archive import allowed_in, masked_session
from awf_archive.services.scan import Spot, scan_archive
from awf_archive.store import atomic
from awf_archive.store.archive import Archive, parse_object, read_bytes
from awf_archive.store.layout import METADATA
from awf_archive.store.lock import Lock, holding

_NOTE = "redacting.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Redacted:
    """What was masked."""

    files: tuple[str, ...]
    kinds: Counter[str]
    left: tuple[Spot, ...]
    """What could not be masked, such as a text file among the attachments, whose name is its digest."""


@dataclass(slots=True, kw_only=True)
class _Work:
    archive: Archive
    lock: Lock
    now: str
    words: Wording
    allowed: frozenset[str]
    noted: dict[str, str]
    """Digests of what an interrupted run wrote, by path."""
    files: list[str] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)

    @property
    def note(self) -> Path:
        """Says what is being written, until the metadata does."""
        return self.archive.layout.private / _NOTE

    def masked(self, text: str) -> str:
        """Return a text with its secrets masked."""
        return mask(text, self.allowed)[0]

    def put(self, path: Path, old: bytes, new: bytes) -> None:
        """Replace a file, noted before."""
        name = self.archive.layout.relative(path)
        text = old.decode(errors="replace")
        self.kinds.update(one.kind for one in findings(text, self.allowed))
        self.noted[name] = sha256(new).hexdigest()
        atomic.write(self.note, json_pages(self.noted), mode=0o600)
        atomic.write(path, new)
        self.files.append(name)


def redact(archive: Archive, now: str, words: Wording) -> Redacted:
    """Mask every secret in the archive's files that is not allowed by name. Raises LockedError and DiskError."""
    layout = archive.layout
    with holding(layout.lock) as lock:
        work = _Work(
            archive=archive,
            lock=lock,
            now=now,
            words=words,
            allowed=allowed_in(layout.root),
            noted=_noted(layout.private / _NOTE),
        )
        for feature in archive.features():
            _feature(work, feature)
        work.note.unlink(missing_ok=True)
    return Redacted(files=tuple(work.files), kinds=work.kinds, left=scan_archive(layout).spots)


def _noted(path: Path) -> dict[str, str]:
    try:
        return {name: str(digest) for name, digest in json.loads(read_bytes(path) or b"{}").items()}
    except (ValueError, AttributeError):
        return {}


def _feature(work: _Work, feature: str) -> None:
    manifest = work.archive.require(feature)
    for entry in manifest.sessions:
        if entry.metadata_sha256 and (digest := _session(work, feature, entry)):
            manifest = _committed(work, feature, manifest, entry, digest)
    named = {work.archive.layout.session(feature, one.session_id) for one in manifest.sessions}
    for path in sorted(work.archive.layout.context(feature).rglob("*")):
        is_ours = any(folder in path.parents for folder in named)
        if path.is_file() and not path.is_symlink() and path.name != "manifest.json":
            _other(work, path, only_edited=is_ours)


def _committed(
    work: _Work, feature: str, manifest: Manifest, entry: SessionEntry, digest: Digest
) -> Manifest:
    committer = Committer(
        archive=work.archive, feature=feature, lock=work.lock, now=work.now, words=work.words
    )
    manifest = with_digest(manifest, entry.session_id, digest, work.now)
    committer.write_manifest(manifest)
    return manifest


def _session(work: _Work, feature: str, entry: SessionEntry) -> Digest | None:
    """Mask a session's turns and metadata; return the metadata's digest when it changed."""
    folder = work.archive.layout.session(feature, entry.session_id)
    data = read_bytes(folder / METADATA)
    found = sha256(data or b"").hexdigest()
    noted = work.noted.get(work.archive.layout.relative(folder / METADATA))
    if data is None or found not in (entry.metadata_sha256, noted):
        return None
    session = work.archive.session(feature, entry)
    turns = tuple(_turn(work, folder, one) for one in session.turns)
    extra = {name: masked_json(value, work.masked, name) for name, value in session.extra.items()}
    masked: Session = masked_session(replace(session, turns=turns, extra=extra), work.masked)
    if masked == session and found == entry.metadata_sha256:
        return None
    new = json_pages(masked.to_json())
    if new != data:
        work.put(folder / METADATA, data, new)
    return Digest(sha256(new).hexdigest())


def _turn(work: _Work, folder: Path, turn: TurnEntry) -> TurnEntry:
    """Mask a turn's file and its earlier texts; what is not what was saved keeps its digest, so `verify` tells."""
    revisions = tuple(
        Revision(file=one.file, sha256=_file(work, folder / one.file, one.sha256)) for one in turn.revisions
    )
    return replace(turn, sha256=_file(work, folder / turn.file, turn.sha256), revisions=revisions)


def _file(work: _Work, path: Path, digest: Digest) -> Digest:
    data = read_bytes(path)
    if data is None:
        return digest
    found = sha256(data).hexdigest()
    if found not in (digest, work.noted.get(work.archive.layout.relative(path))):
        return digest
    masked = masked_file(data, work.allowed)
    if masked != data:
        work.put(path, data, masked)
    return Digest(sha256(masked).hexdigest())


def _other(work: _Work, path: Path, *, only_edited: bool) -> None:
    """Mask a file that no digest names: summaries, decisions, what was set aside or edited by hand."""
    if path.name.startswith(".") or (only_edited and path.suffix != ".md"):
        return
    data = read_bytes(path) or b""
    masked = _masked(work, path, data)
    if masked != data:
        work.put(path, data, masked)


def _masked(work: _Work, path: Path, data: bytes) -> bytes:
    if path.suffix == ".md":
        return masked_file(data, work.allowed)
    if path.suffix != ".json" or not findings(data.decode(errors="replace"), work.allowed):
        return data
    try:
        value: dict[str, Json] = parse_object(data)
    except ValueError:
        return work.masked(data.decode(errors="surrogateescape")).encode(errors="surrogateescape")
    return json_pages(masked_json(value, work.masked))
