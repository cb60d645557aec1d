"""The decisions of a checkpoint: what its turns and the feature's design show joins the list (SPEC 1.10)."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain

from awf_archive.domain.decisions import Decision, Found, Status
from awf_archive.domain.decisions.joining import LIVE, Shown, joined
from awf_archive.domain.ids import GlobalTurn, SessionId
from awf_archive.domain.manifest import Manifest
from awf_archive.domain.session import Session, TurnEntry
from awf_archive.domain.transcript import Branch
from awf_archive.services.decisions_documents import design
from awf_archive.services.decisions_file import why_unread, write_decisions
from awf_archive.store.archive import Archive

FoundInTurn = tuple[SessionId, TurnEntry, Found]


def commit_decisions(
    archive: Archive,
    manifest: Manifest,
    found: Iterable[FoundInTurn],
    sessions: Iterable[Session],
    now: str,
) -> None:
    """Add decisions that are not there yet, and mark those in `sessions` by the branch of their turn.

    `manifest` is the one on disk: decisions of turns that were never committed are dropped first. A file that does
    not read is left as it is: the turns are saved all the same, and `repair` finds their decisions anew.
    """
    feature = manifest.spec_id
    if why_unread(archive, feature):
        return
    before = archive.all_decisions(feature)
    branches = {entry.turn: entry.branch for session in sessions for entry in session.turns}
    known = [_marked(one, branches) for one in before if one.turn <= manifest.last_end]
    turns = (shown_in(session_id, entry, one) for session_id, entry, one in found)
    after = joined(known, chain(turns, design(archive.layout, feature, now)), feature)
    if after != before:
        write_decisions(archive.layout, feature, after)


def shown_in(session_id: SessionId, entry: TurnEntry, found: Found) -> Shown:
    """Return what a turn shows, with its place."""
    return Shown(
        found=found,
        session=session_id,
        turn=entry.turn,
        date=entry.time,
        is_abandoned=entry.branch is Branch.ABANDONED,
    )


def _marked(decision: Decision, branches: Mapping[GlobalTurn, Branch]) -> Decision:
    """Return a decision as the branch of its turn now has it; what a person said of it since stays."""
    branch = branches.get(GlobalTurn(decision.turn))
    if branch is None or decision.status not in LIVE or "status" in decision.edited:
        return decision
    status = Status.PROPOSED if branch is Branch.ABANDONED else decision.found_status
    return replace(decision, status=status)
