"""What `repair` could not mend, and where it still is: git, a backup, or the vault's own files."""

from collections.abc import Iterator

from awf_archive.services.findings import BRING_BACK, Finding
from awf_archive.services.lost import Lost, lost_sessions
from awf_archive.services.prove import unsaved
from awf_archive.services.repairing import Repairing
from awf_archive.services.vault_sessions import windows_of


def left(repairing: Repairing) -> Iterator[Finding]:
    """Yield the sessions that are still lost, and the conversations of the vault that no session is of."""
    for feature, _ in repairing.archive.sound():
        for lost in lost_sessions(repairing.archive, feature):
            yield _still_lost(repairing, lost)
    if repairing.vault:
        yield from unsaved(repairing.archive, repairing.vault)


def _still_lost(repairing: Repairing, lost: Lost) -> Finding:
    layout = repairing.archive.layout
    window = next(iter(lost.entry.windows), "")
    is_kept = repairing.vault is not None and bool(window) and bool(windows_of(repairing.vault, window))
    ours = f"; awf-archive restore {window} --to FOLDER writes what the vault holds" if is_kept else ""
    return Finding(
        code="missing",
        path=layout.relative(layout.session(lost.feature, lost.entry.session_id)),
        message=f"{lost.problem.message} The vault does not give all of its turns.",
        remedy=BRING_BACK + ours,
    )
