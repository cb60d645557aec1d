"""Decisions as MADR files, one each.

Planned first: nothing is written when a file of someone else is in the way.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from awf_archive.domain.decisions import Decision
from awf_archive.domain.decisions.madr import exported_id, file_name, madr
from awf_archive.errors import UsageError
from awf_archive.store import atomic
from awf_archive.store.archive import read_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """One file."""

    decision: Decision
    path: Path
    data: bytes
    is_new: bool
    """Whether it is not there yet with these words."""


def plan_export(decisions: Sequence[Decision], target: Path) -> list[Exported]:
    """Return the files to write below `target`: in a folder per feature when there are several.

    A file that was exported before keeps its name, also when the decision was put in other words since: links to
    it stay right. Raises UsageError when a file that someone else wrote has a name that we need.
    """
    features = dict.fromkeys(one.feature for one in decisions)
    plan = []
    for feature in features:
        folder = target / feature if len(features) > 1 else target
        own = [one for one in decisions if one.feature == feature]
        known = _known(folder)
        names = {one.id: known.get(f"{feature} {one.id}", "") or file_name(one) for one in own}
        for one in own:
            path = folder / names[one.id]
            data = madr(one, names, _place(one)).encode(errors="replace")
            before = read_bytes(path)
            if before is not None and exported_id(before.decode(errors="replace")) != f"{feature} {one.id}":
                raise UsageError(
                    f"{path}: stands there already, and is not the file of {feature} {one.id}.",
                    "Move it away, or export to another folder. Nothing was written.",
                )
            plan.append(Exported(decision=one, path=path, data=data, is_new=before != data))
    return plan


def write_export(plan: Sequence[Exported]) -> None:
    """Write what is new. Raises DiskError when a file cannot be written; those before it are there."""
    for one in plan:
        if one.is_new:
            one.path.parent.mkdir(parents=True, exist_ok=True)
            atomic.write(one.path, one.data)


def _known(folder: Path) -> dict[str, str]:
    """Return the names of the files exported before, by feature and id."""
    found = {}
    for path in sorted(folder.glob("*.md")) if folder.is_dir() else ():
        if name := exported_id((read_bytes(path) or b"").decode(errors="replace")):
            found[name] = path.name
    return found


def _place(one: Decision) -> str:
    """Return where a decision was made, as `awf-archive show` takes it."""
    return f"{one.feature}#{one.turn}" if one.turn else ""
