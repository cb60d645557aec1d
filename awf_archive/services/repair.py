"""Bringing an archive back to what its own files and the vault say; nothing is ever deleted (SPEC 1.11)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from awf_archive.domain.escape import json_pages
from awf_archive.domain.ids import Digest
from awf_archive.domain.manifest import ChunkEntry, Manifest, SessionEntry, next_number
from awf_archive.domain.session import Session, TurnEntry
from awf_archive.domain.transcript import Outline, Transcript
from awf_archive.domain.wording import Wording
from awf_archive.errors import ArchiveError, DamagedArchiveError, InputError
from awf_archive.readers import identify
from awf_archive.services.commit import Committer, entry_of
from awf_archive.services.keep import origin_of
from awf_archive.services.recover import recover
from awf_archive.services.vault_source import unpacked
from awf_archive.services.verify import rendered
from awf_archive.store import atomic
from awf_archive.store.archive import Archive, parse_object, read_bytes
from awf_archive.store.layout import METADATA, chunk_name
from awf_archive.store.lock import Lock, holding
from awf_archive.store.vault import Vault


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired:
    """One thing that was mended."""

    path: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Repairing:
    """How to repair."""

    archive: Archive
    vault: Vault | None
    now: str
    words: Wording
    threshold: int


def repair(repairing: Repairing) -> list[Repaired]:
    """Mend what can be mended in every feature; `verify` tells afterwards what could not."""
    archive = repairing.archive
    done: list[Repaired] = []
    with holding(archive.layout.lock) as lock:
        for feature in archive.layout.archived_specs():
            done.extend(_Feature(repairing, feature, lock).mend())
    return done


@dataclass(slots=True)
class _Feature:
    """Mends one feature."""

    repairing: Repairing
    feature: str
    lock: Lock

    @property
    def archive(self) -> Archive:
        """The archive."""
        return self.repairing.archive

    def mend(self) -> Iterator[Repaired]:
        """Mend the manifest first: everything else goes by it."""
        try:
            manifest = self.archive.manifest(self.feature)
        except DamagedArchiveError:
            manifest = None
        if manifest is None:
            manifest = self._rebuilt()
            if manifest is None:
                return
            yield self._told(self.archive.layout.manifest(self.feature), "rebuilt from the session folders")
        committer = Committer(
            archive=self.archive,
            feature=self.feature,
            lock=self.lock,
            now=self.repairing.now,
            words=self.repairing.words,
        )
        windows = {window for entry in manifest.sessions for window in entry.windows}
        recovered = recover(committer, manifest, windows, self.repairing.threshold)
        folder = self.archive.layout.sessions(self.feature)
        for session_id in recovered.adopted:
            yield self._told(folder / session_id, "complete, and listed again")
        if recovered.set_aside:
            yield Repaired(path=recovered.set_aside, what="what an interrupted run left was moved here")
        for entry in recovered.manifest.sessions:
            yield from self._mend_session(entry)

    def _told(self, path: Path, what: str) -> Repaired:
        return Repaired(path=self.archive.layout.relative(path), what=what)

    def _rebuilt(self) -> Manifest | None:
        """Make a manifest from the session folders and chunk files; a broken one is kept beside it."""
        layout = self.archive.layout
        entries = sorted(self._entries(), key=lambda entry: entry.global_range)
        if not entries:
            return None
        chunks = tuple(self._chunks())
        chunked = max((chunk.turn_range[1] for chunk in chunks), default=0)
        newest = entries[-1]
        saved = [replace(one, status="saved") for one in entries[:-1]]
        manifest = Manifest(
            spec_id=self.feature,
            last_updated=self.repairing.now,
            last_chunked=chunked,
            last_end=newest.global_range[1],
            chunks=chunks,
            recent=(*(one for one in saved if one.global_range[1] > chunked), newest),
            archived=tuple(one for one in saved if one.global_range[1] <= chunked),
        )
        path = layout.manifest(self.feature)
        if path.exists():
            atomic.move(path, path.with_name(f"{path.name}.corrupt-{self.repairing.now.replace(':', '')}"))
        atomic.write(path, json_pages(manifest.to_json()))
        return manifest

    def _entries(self) -> list[SessionEntry]:
        """Return an entry for every session whose metadata reads, in order of their folders."""
        folder = self.archive.layout.sessions(self.feature)
        found: list[SessionEntry] = []
        for path in sorted(folder.glob(f"session-*/{METADATA}")):
            data = read_bytes(path) or b""
            try:
                session = Session.from_json(parse_object(data))
            except (ValueError, KeyError, TypeError):
                continue
            digest = sha256(data).hexdigest()
            if session.turns:
                so_far = Manifest(spec_id=self.feature, recent=tuple(found))
                found.append(entry_of(session, Digest(digest), so_far))
            else:
                found.append(
                    SessionEntry(
                        session_id=session.session_id, global_range=session.global_range, status="saved"
                    )
                )
        return found

    def _chunks(self) -> Iterator[ChunkEntry]:
        folder = self.archive.layout.conversations(self.feature) / "semantic-chunks"
        paths = {next_number([path.stem]) - 1: path for path in folder.glob("chunk-*.md")}
        for number, path in sorted(paths.items()):
            title = path.read_text(encoding="utf-8", errors="replace").split("\n", 1)[0]
            if match := _RANGE.search(title):
                yield ChunkEntry(
                    chunk_id=chunk_name(number),
                    turn_range=(int(match["first"]), int(match["last"])),
                    file=f"semantic-chunks/{path.name}",
                )

    def _mend_session(self, entry: SessionEntry) -> Iterator[Repaired]:
        try:
            session = self.archive.session(self.feature, entry)
        except ArchiveError:
            return  # `verify` says so: only a backup or git has it
        folder = self.archive.layout.session(self.feature, entry.session_id)
        broken = []
        for turn in session.turns:
            data = read_bytes(folder / turn.file)
            if data is not None and sha256(data).hexdigest() == turn.sha256:
                continue
            plain = (data or b"").replace(b"\r\n", b"\n")
            if sha256(plain).hexdigest() == turn.sha256:
                atomic.write(folder / turn.file, plain)
                yield self._told(folder / turn.file, "line ends as they were saved")
            else:
                broken.append(turn)
        if broken:
            yield from self._from_vault(session, broken)

    def _from_vault(self, session: Session, broken: list[TurnEntry]) -> Iterator[Repaired]:
        """Write turns anew from the source's bytes where these give exactly what was saved."""
        vault = self.repairing.vault
        if vault is None:
            return
        window = vault.window(session.source.window)
        origin = origin_of(vault, session.source.window)
        with unpacked(window, Path(origin.get("path") or session.source.name)) as source:
            try:
                transcripts = list(identify(source, session.source.format or None).read(source))
            except InputError:
                return
            given: dict[str, tuple[Transcript, Outline]] = {
                outline.id: (transcript, outline)
                for transcript in transcripts
                for outline in transcript.outlines
            }
            for turn in broken:
                if turn.source_id in given:
                    yield from self._rewrite(session, turn, rendered(session, turn, *given[turn.source_id]))

    def _rewrite(self, session: Session, turn: TurnEntry, data: bytes) -> Iterator[Repaired]:
        path = self.archive.turn_path(self.feature, session.session_id, turn)
        if sha256(data).hexdigest() != turn.sha256:
            return
        if path.exists():
            stamp = self.repairing.now.replace(":", "").replace("-", "")
            aside = self.archive.layout.set_aside(self.feature) / stamp / f"{session.session_id}-{path.name}"
            atomic.move(path, aside)
        atomic.write(path, data)
        yield self._told(path, "written anew from the vault; what was there is set aside")


_RANGE = re.compile(r"(?P<first>\d+)\s*[-–]\s*(?P<last>\d+)\D*$")
"""The range at the end of a chunk's title, in any of our languages."""
