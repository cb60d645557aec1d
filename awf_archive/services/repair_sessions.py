"""Sessions whose metadata is gone, made anew under their numbers from the vault (SPEC 1.11).

Turn files that lie there and are whole stay as they are; nothing is guessed: a session of which the vault does not
give every turn is left, and told.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from awf_archive.domain.ids import Digest
from awf_archive.domain.redaction import mask
from awf_archive.domain.redaction_turns import same_but_for_masks
from awf_archive.domain.session import Session, TurnEntry
from awf_archive.domain.wording import choose
from awf_archive.services.commit import with_digest
from awf_archive.services.lost import lost_sessions
from awf_archive.services.redact_saving import Watch, watch
from awf_archive.services.redacted_archive import masked_session
from awf_archive.services.repairing import Repaired, Work
from awf_archive.services.save_turns import NewTurns, save_turns
from awf_archive.services.session_files import attachments_of, language_of, revisions_of
from awf_archive.services.vault_sessions import Recovered, Search, search
from awf_archive.services.verify_feature import is_attachment
from awf_archive.services.write_session import Saving, Target, session_of
from awf_archive.store import atomic
from awf_archive.store.archive import read_bytes
from awf_archive.store.layout import ATTACHMENTS, METADATA, turn_name


def rebuild_sessions(work: Work) -> Iterator[Repaired]:
    """Make lost sessions of a feature anew, the oldest first: a later one is told by what is left."""
    vault = work.repairing.vault
    for lost in lost_sessions(work.archive, work.feature) if vault else ():
        folder = work.archive.layout.session(work.feature, lost.entry.session_id)
        if vault is None or folder.is_symlink() or (folder / METADATA).is_symlink():
            continue  # a link leads where nothing may be written: `verify` says so
        sought = search(work.archive, lost)
        for recovered in sought.found(vault):
            yield _Rebuilding(work=work, search=sought, folder=folder, recovered=recovered).run()
            break


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rebuilding:
    """One session that is made anew: turn files first, metadata then, the manifest last."""

    work: Work
    search: Search
    folder: Path
    recovered: Recovered

    def run(self) -> Repaired:
        """Write what is missing of the session; return what is told of it. Raises DiskError and LockedError."""
        target = self._target()
        transcript = self._watch.over(self.recovered.transcript)
        new = NewTurns(
            outlines=transcript.outlines,
            session_id=target.session_id,
            first_turn=target.first_turn,
            first_local=1,
            keep_all=True,
            words=choose(target.saving.language),
        )
        kept: dict[str, _Kept] = {}
        gathered = save_turns(transcript, new, lambda name, data: self._put(name, data, kept))
        gathered.entries = [self._entry(one, kept.get(one.file)) for one in gathered.entries]
        session = session_of(transcript, target, gathered)
        if session and any(one.is_masked for one in kept.values()):
            session = masked_session(session, lambda text: mask(text, self._watch.allowed)[0])
        if session:
            self._commit(session)
        return self.work.told(self.folder, f"made anew from the vault, {len(gathered.entries)} turns")

    @property
    def _watch(self) -> Watch:
        return watch(self.work.archive.layout, self.work.repairing.redact)

    def _target(self) -> Target:
        entry, outlines = self.search.entry, self.recovered.transcript.outlines
        times = [one.time for one in outlines if one.time]
        saving = Saving(
            source_name=self.recovered.name,
            now=times[-1] if times else self.work.repairing.now,
            phase=None,
            language=language_of(self.search.files, self.work.repairing.words.language),
            threshold=self.work.repairing.threshold,
            keep_all=True,
            extend=False,
        )
        return Target(
            session_id=entry.session_id,
            extended=None,
            first_turn=entry.global_range[0],
            continues=self.recovered.continues,
            saving=saving,
        )

    def _put(self, name: str, data: bytes, kept: dict[str, "_Kept"]) -> None:
        """Write a turn's file or attachment, but where the one that was saved lies there and is whole."""
        path = self.folder / name
        there = read_bytes(path)
        lying = self.search.files.get(self._number_of(name))
        if lying is not None:
            if lying.data != data:
                is_masked = same_but_for_masks(lying.data, data)
                kept[name] = _Kept(data=lying.data, is_masked=is_masked)
            data = lying.data
        if there == data or (
            name.startswith(f"{ATTACHMENTS}/") and there and is_attachment(path.name, there)
        ):
            return
        if there is not None and there.replace(b"\r\n", b"\n") != data:
            self.work.set_aside(path, f"{self.folder.name}-")
        atomic.write(path, data)

    def _number_of(self, name: str) -> int:
        first, last = self.search.entry.global_range
        names = {turn_name(number - first + 1): number for number in range(first, last + 1)}
        return names.get(name, 0)

    def _entry(self, entry: TurnEntry, kept: "_Kept | None") -> TurnEntry:
        """Return a turn's entry for the file that stands, which may say more than the vault's bytes do."""
        entry = replace(entry, revisions=revisions_of(self.folder, entry.local))
        if kept is None:
            return entry
        shown = attachments_of(self.folder, kept.data)
        return replace(
            entry,
            sha256=Digest(sha256(kept.data).hexdigest()),
            fingerprint=entry.fingerprint if kept.is_masked else Digest(""),
            attachments=tuple(dict.fromkeys((*entry.attachments, *shown))),
        )

    def _commit(self, session: Session) -> None:
        committer = self.work.committer()
        self.work.set_aside(self.folder / METADATA, f"{self.folder.name}-")
        digest = committer.write_metadata(session)
        manifest = self.work.archive.require(self.work.feature)
        committer.write_manifest(with_digest(manifest, session.session_id, digest, self.work.repairing.now))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """A turn file that lay there, is whole, and says something else than the vault's bytes."""

    data: bytes
    is_masked: bool
    """It is theirs but for masked secrets; else the vault's are from another time, and a later save compares."""
