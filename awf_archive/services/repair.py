"""Bringing an archive back to what its own files and the vault say; nothing is ever deleted (SPEC 1.11)."""

from collections.abc import Iterator
from dataclasses import replace

from awf_archive.domain.manifest import Manifest, SessionEntry
from awf_archive.errors import ArchiveError, DamagedArchiveError
from awf_archive.services.recover import recover
from awf_archive.services.repair_decisions import renew_decisions
from awf_archive.services.repair_files import (
    mend_line_ends,
    mend_metadata_ends,
    mend_turns,
    redo_chunks,
    renew_texts,
)
from awf_archive.services.repair_manifest import lost_sessions, rebuilt, with_watermarks
from awf_archive.services.repair_sessions import rebuild_sessions
from awf_archive.services.repairing import Repaired, Repairing, Work
from awf_archive.store.lock import holding
from awf_archive.store.vault_append import mend_ledger, set_aside

__all__ = ["Repaired", "Repairing", "repair"]


def repair(repairing: Repairing) -> list[Repaired]:
    """Mend what can be mended in every feature and in the vault; `verify` tells afterwards what could not.

    Raises LockedError and DiskError.
    """
    archive = repairing.archive
    done: list[Repaired] = []
    with holding(archive.layout.lock) as lock:
        done.extend(_mend_vault(repairing))
        for feature in archive.layout.archived_specs():
            done.extend(_mend_feature(Work(repairing=repairing, feature=feature, lock=lock)))
        done.extend(renew_texts(repairing, lock))
    return done


def _mend_feature(work: Work) -> Iterator[Repaired]:
    """Mend the manifest first: everything else goes by it."""
    manifest = _readable(work)
    yield from mend_metadata_ends(work, manifest)
    if manifest is None:
        manifest = rebuilt(work)
        if manifest is None:
            return
        yield work.told(work.archive.layout.manifest(work.feature), "rebuilt from the session folders")
    yield from _adopt(work, manifest)
    yield from _relist(work)
    yield from rebuild_sessions(work)
    manifest = work.archive.require(work.feature)
    for entry in manifest.sessions:
        yield from _mend_session(work, entry)
    yield from renew_decisions(work)
    yield from redo_chunks(work, manifest)


def _readable(work: Work) -> Manifest | None:
    try:
        return work.archive.manifest(work.feature)
    except DamagedArchiveError:
        return None


def _adopt(work: Work, manifest: Manifest) -> Iterator[Repaired]:
    """Finish or set aside what an interrupted run left."""
    windows = {window for entry in manifest.sessions for window in entry.windows}
    recovered = recover(work.committer(), manifest, windows, work.repairing.threshold)
    folder = work.archive.layout.sessions(work.feature)
    for session_id in recovered.adopted:
        yield work.told(folder / session_id, "complete, and listed again")
    if recovered.set_aside:
        yield Repaired(path=recovered.set_aside, what="what an interrupted run left was moved here")


def _relist(work: Work) -> Iterator[Repaired]:
    """Name whole sessions again that the manifest has lost, and put its watermarks right."""
    manifest = work.archive.require(work.feature)
    folder = work.archive.layout.sessions(work.feature)
    found = lost_sessions(work, manifest)
    mended = with_watermarks(replace(manifest, recent=(*manifest.recent, *found)))
    marks = (manifest.last_end, manifest.last_chunked)
    if not found and marks == (mended.last_end, mended.last_chunked):
        return
    work.committer().write_manifest(replace(mended, last_updated=work.repairing.now))
    for entry in found:
        yield work.told(folder / entry.session_id, "listed again")
    if not found:
        yield work.told(
            work.archive.layout.manifest(work.feature), "its watermarks follow its sessions again"
        )


def _mend_session(work: Work, entry: SessionEntry) -> Iterator[Repaired]:
    try:
        session = work.archive.session(work.feature, entry)
    except ArchiveError:
        return  # `verify` says so: only a backup or git has it
    yield from mend_line_ends(work, session)
    yield from mend_turns(work, session)


def _mend_vault(repairing: Repairing) -> Iterator[Repaired]:
    """Take a torn last line off ledgers, and set aside what they do not name."""
    vault = repairing.vault
    if vault is None or not vault.root.is_dir():
        return
    with holding(vault.lock):
        for window in vault.windows():
            try:
                segments = window.segments()
            except DamagedArchiveError:
                continue  # `verify` says so: only a backup has it
            if window.is_torn():
                mend_ledger(window)
                yield Repaired(path=str(window.ledger), what="a last line that was cut off is gone")
            for moved in set_aside(window, window.unnamed(segments)):
                yield Repaired(path=str(moved), what="not named by the ledger, and set aside")
