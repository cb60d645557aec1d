"""Finishing or setting aside what an interrupted run left, before anything new is written (SPEC 1.10)."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from awf_archive.domain.decisions import Found
from awf_archive.domain.ids import SessionId, WindowId
from awf_archive.domain.manifest import Manifest
from awf_archive.domain.numbering import plan_numbers
from awf_archive.domain.session import Session, TurnEntry
from awf_archive.services.commit import Committer, with_digest
from awf_archive.services.decisions_context import Heard
from awf_archive.store.recovery import Unfinished, leftovers, set_aside, sweep, unfinished


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovered:
    """What was done about an interrupted run."""

    manifest: Manifest
    adopted: tuple[SessionId, ...] = ()
    set_aside: str = ""
    """Where half-done files went, relative to the workspace."""


def recover(
    committer: Committer, manifest: Manifest, windows: Collection[WindowId], threshold: int
) -> Recovered:
    """Bring the archive to a state that the manifest describes; commit what was complete."""
    layout, feature = committer.archive.layout, committer.feature
    adopted = []
    for found in list(unfinished(layout, feature, manifest, windows)):
        manifest = _adopt(committer, manifest, found, threshold)
        adopted.append(found.session.session_id)
    sweep(layout)
    moved = set_aside(layout, feature, leftovers(layout, feature, manifest, windows), committer.now)
    return Recovered(
        manifest=manifest,
        adopted=tuple(adopted),
        set_aside=layout.relative(moved) if moved else "",
    )


def _adopt(committer: Committer, manifest: Manifest, found: Unfinished, threshold: int) -> Manifest:
    session = found.session
    committer.write_decisions(manifest, _shown(committer, session), [session])
    new = session.global_range[1] - manifest.last_end
    if new <= 0:
        manifest = with_digest(manifest, session.session_id, found.digest, committer.now)
        committer.write_manifest(manifest)
        return manifest
    numbers = plan_numbers(
        last_end=manifest.last_end,
        last_chunked=manifest.last_chunked,
        new=new,
        threshold=threshold,
        open_since=session.global_range[0] if found.is_extended else None,
    )
    manifest, _ = committer.with_session(manifest, session, found.digest, numbers)
    committer.write_manifest(manifest)
    return manifest


def _shown(committer: Committer, session: Session) -> Iterator[tuple[SessionId, TurnEntry, Found]]:
    """Yield the decisions of a session; those already recorded are told apart by their calls."""
    heard = Heard()
    for entry in session.turns:
        turn = committer.archive.turn(committer.feature, session.session_id, entry)
        for decision in heard.harvest(entry, turn):
            yield session.session_id, entry, decision
