"""Writing `decisions.json`: whole, in one step, under the lock that its caller holds."""

from collections.abc import Sequence

from awf_archive.domain.decisions import Decision
from awf_archive.domain.escape import json_pages
from awf_archive.store import atomic
from awf_archive.store.layout import Layout


def write_decisions(layout: Layout, feature: str, decisions: Sequence[Decision]) -> None:
    """Replace a feature's decisions. Raises DiskError when they cannot be written; then the old ones stand."""
    data = json_pages({"decisions": [one.to_json() for one in decisions]})
    atomic.write(layout.decisions(feature), data)
