"""Which numbers turns bore on the other side of a merge: `mergedTurns` of the manifest (docs/git.md)."""

from collections.abc import Iterable
from dataclasses import replace
from typing import cast

from awf_archive.domain.manifest import Manifest
from awf_archive.domain.session import TurnEntry
from awf_archive.domain.transcript import Json

MERGED = "mergedTurns"


def with_old_numbers(manifest: Manifest, entries: Iterable[TurnEntry], commit: str) -> Manifest:
    """Note which numbers turns bore before, as ranges."""
    ranges: list[dict[str, Json]] = []
    last = (0, 0)
    for old, new in sorted(
        (old, int(one.turn)) for one in entries for old in one.formerly if old != one.turn
    ):
        if ranges and (old - 1, new - 1) == last:
            cast("list[Json]", ranges[-1]["turnRange"])[1] = old
        else:
            ranges.append({"turnRange": [old, old], "start": new, "commit": commit})
        last = old, new
    if not ranges:
        return manifest
    noted = cast("list[Json]", manifest.extra.get(MERGED) or [])
    return replace(manifest, extra={**manifest.extra, MERGED: [*noted, *ranges]})


def numbers_after_merge(manifest: Manifest, number: int) -> list[int]:
    """Return where the turns are now that bore a number on another side of a merge."""
    found: dict[int, None] = {}
    for one in cast("list[dict[str, Json]]", manifest.extra.get(MERGED) or []):
        first, last = cast("list[int]", one["turnRange"])
        if first <= number <= last:
            found[cast("int", one["start"]) + number - first] = None
    return list(found)
