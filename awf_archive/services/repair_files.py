"""Turn files, attachments, line ends and summaries put right, from the vault where it still gives them."""

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from awf_archive.domain.ids import Digest
from awf_archive.domain.manifest import Manifest
from awf_archive.domain.numbering import Numbers
from awf_archive.domain.session import Session, TurnEntry
from awf_archive.errors import ArchiveError, DamagedArchiveError
from awf_archive.services.commit import with_digest
from awf_archive.services.grow_turns import Growth, keep_growth
from awf_archive.services.prove import look
from awf_archive.services.repairing import Repaired, Repairing, Work
from awf_archive.services.vault_turns import Given, give
from awf_archive.services.verify_feature import is_attachment
from awf_archive.store import atomic
from awf_archive.store.archive import read_bytes
from awf_archive.store.layout import ATTACHMENTS, METADATA
from awf_archive.store.lock import Lock

_ENDS = "line ends as they were saved"


def mend_metadata_ends(work: Work, manifest: Manifest | None) -> Iterator[Repaired]:
    """Undo line ends that git changed in metadata; without a manifest, in all of it: we never write CR LF there."""
    digests = {one.session_id: one.metadata_sha256 for one in manifest.sessions} if manifest else {}
    for path in sorted(work.archive.layout.sessions(work.feature).glob(f"session-*/{METADATA}")):
        data = read_bytes(path) or b""
        plain = data.replace(b"\r\n", b"\n")
        known = [digest for name, digest in digests.items() if name == path.parent.name]
        if plain != data and (manifest is None or sha256(plain).hexdigest() in known):
            atomic.write(path, plain)
            yield work.told(path, _ENDS)


def mend_line_ends(work: Work, session: Session) -> Iterator[Repaired]:
    """Undo line ends that git changed in turn files and earlier texts."""
    folder = work.archive.layout.session(work.feature, session.session_id)
    files = [(turn.file, turn.sha256) for turn in session.turns]
    files += [(one.file, one.sha256) for turn in session.turns for one in turn.revisions]
    for name, digest in files:
        data = read_bytes(folder / name) or b""
        plain = data.replace(b"\r\n", b"\n")
        if plain != data and sha256(plain).hexdigest() == digest:
            atomic.write(folder / name, plain)
            yield work.told(folder / name, _ENDS)


def mend_turns(work: Work, session: Session) -> Iterator[Repaired]:
    """Write turns and attachments anew that are missing or damaged, where the vault gives exactly what was saved."""
    folder = work.archive.layout.session(work.feature, session.session_id)
    broken = [turn for turn in session.turns if not _is_sound(folder, turn)]
    vault = work.repairing.vault
    if not broken or vault is None:
        return
    try:
        for given in give(vault, session, broken):
            yield from _write_anew(work, session, folder, given)
    except DamagedArchiveError:
        return  # the vault itself is damaged: `verify` says so


def _is_sound(folder: Path, turn: TurnEntry) -> bool:
    data = read_bytes(folder / turn.file)
    payloads = {name: read_bytes(folder / ATTACHMENTS / name) for name in turn.attachments}
    return (
        data is not None
        and sha256(data).hexdigest() == turn.sha256
        and all(payload is not None and is_attachment(name, payload) for name, payload in payloads.items())
    )


def _write_anew(work: Work, session: Session, folder: Path, given: Given) -> Iterator[Repaired]:
    wanted = {folder / given.entry.file: given.data}
    wanted |= {folder / ATTACHMENTS / name: data for name, data in given.payloads.items()}
    for path, data in wanted.items():
        if read_bytes(path) == data:
            continue
        work.set_aside(path, f"{session.session_id}-")
        atomic.write(path, data)
        yield work.told(path, "written anew from the vault; what was there is set aside")


def redo_chunks(work: Work, manifest: Manifest) -> Iterator[Repaired]:
    """Write summaries anew whose file is missing."""
    for place, chunk in enumerate(manifest.chunks):
        path = work.archive.layout.conversations(work.feature) / chunk.file
        if path.exists() or path != work.archive.layout.chunk(work.feature, chunk.chunk_id):
            continue
        earlier = replace(manifest, chunks=manifest.chunks[:place])
        first, last = chunk.turn_range
        try:
            made = work.committer().write_chunk(earlier, Numbers(start=first, end=last, chunk=(first, last)))
        except ArchiveError:
            continue  # a turn of it is damaged: `verify` says so
        if made:
            yield work.told(path, "made anew from its turns")


def renew_texts(repairing: Repairing, lock: Lock) -> Iterator[Repaired]:
    """Take over the text that the vault's bytes give where it differs from what is saved, which stays as a revision.

    A newer version of a reader may understand more of the same bytes.
    """
    if repairing.vault is None:
        return
    proof = look(repairing.archive, repairing.vault, with_texts=True)
    for key, (feature, session, entry, data) in proof.texts.items():
        if key in proof.turns:
            continue  # an earlier moment gives it as it was saved: the source was cut or rewritten since
        work = Work(repairing=repairing, feature=feature, lock=lock)
        path = repairing.archive.turn_path(feature, session.session_id, entry)
        old = read_bytes(path)
        if old is None or sha256(old).hexdigest() != entry.sha256:
            continue  # damaged: the vault does not give what was saved
        new = replace(entry, sha256=Digest(sha256(data).hexdigest()))
        _keep_both(work, Growth(session_id=session.session_id, entry=new, old=old, data=data))
        yield work.told(path, "the text that the vault gives now; the earlier one is a revision")


def _keep_both(work: Work, growth: Growth) -> None:
    committer = work.committer()
    manifest = work.archive.require(work.feature)
    listed = manifest.session(growth.session_id)
    if listed is None:
        return
    session = work.archive.session(work.feature, listed)
    entry = keep_growth(work.archive, work.feature, growth)
    turns = tuple(entry if one.local == entry.local else one for one in session.turns)
    digest = committer.write_metadata(replace(session, turns=turns))
    committer.write_manifest(with_digest(manifest, growth.session_id, digest, work.repairing.now))
