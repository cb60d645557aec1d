"""Proving that nothing is lost: every digest, every number, and the turns against the vault (SPEC 1.11)."""

from awf_archive.errors import DiskError
from awf_archive.services.findings import Finding, Proven, Report
from awf_archive.services.prove import prove
from awf_archive.services.verify_feature import FeatureCheck
from awf_archive.store.archive import Archive
from awf_archive.store.lock import holding
from awf_archive.store.vault import Vault

__all__ = ["Finding", "Proven", "Report", "verify"]


def verify(archive: Archive, vault: Vault | None, *, threshold: int, quick: bool = False) -> Report:
    """Check every feature; `quick` looks at names, numbers and metadata, and leaves turn files and vault unread.

    Nothing is locked while all is well, so that a checkpoint need not wait. What looks wrong is looked at once
    more while nothing else writes. Raises LockedError when something else does so for too long.
    """
    report = Report()
    for feature in archive.layout.archived_specs():
        check = FeatureCheck(archive=archive, feature=feature, threshold=threshold, quick=quick)
        findings, turns = check.run()
        if findings:
            try:
                with holding(archive.layout.lock):
                    findings, turns = check.run()
            except DiskError:
                pass  # a medium that cannot be written: nobody else writes there either
        report.findings.extend(findings)
        report.proven.turns += turns
    if vault and not quick:
        proof = prove(archive, vault)
        report.findings.extend(_not_yet_told(report, proof.all_findings()))
        report.notes.extend(_not_yet_told(report, list(proof.notes())))
        report.proven.bytes = sum(size for size, _ in proof.sizes.values())
        report.proven.lines = sum(lines for _, lines in proof.sizes.values())
        report.proven.from_vault = len(proof.turns)
    return report


def _not_yet_told(report: Report, more: list[Finding]) -> list[Finding]:
    """Return the findings about files of which nothing was said yet: one line a file is enough."""
    told = {one.path for one in report.findings}
    return [one for one in more if one.path not in told]
