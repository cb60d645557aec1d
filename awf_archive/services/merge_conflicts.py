"""A decision that was changed on both sides: ours stays, the other side's is told and kept beside (docs/git.md)."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from awf_archive.domain.decisions import Decision, Status
from awf_archive.domain.decisions.joining import LIVE, normalised
from awf_archive.domain.decisions.records import EDITABLE
from awf_archive.domain.escape import json_pages
from awf_archive.domain.transcript import Json
from awf_archive.store import atomic
from awf_archive.store.archive import read_bytes
from awf_archive.store.layout import Layout

_WRITTEN = ("reason", "options", "files")
"""What `decide` writes down beside the text: a person's words like an edit."""

_JOINED = "supersedes"
"""Links of both sides stand together: there is nothing to choose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldConflict:
    """What both sides say of one field, as a line holds it."""

    field: str
    ours: str
    theirs: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionConflict:
    """A decision that both sides changed, each in its own way."""

    decision: str
    """Its id here."""
    fields: tuple[FieldConflict, ...]
    theirs: Decision
    """As the other side has it, under our id and numbers."""
    kept: str = ""
    """Where the other side's stands, relative to the workspace."""

    @property
    def key(self) -> str:
        """Equal when the other side says the same of the same decision, whatever ours says by now."""
        said = {one.field: one.theirs for one in self.fields}
        known = (normalised(self.theirs.original), self.theirs.call_id, said)
        return sha256(json.dumps(known).encode()).hexdigest()[:8]


@dataclass(frozen=True, slots=True, kw_only=True)
class Versions:
    """One decision three times: here, there, and as both sides had it when they parted."""

    ours: Decision
    theirs: Decision
    """With links to our ids."""
    told: Decision
    """As the other side wrote it, with links to its own ids."""
    before: Decision | None
    """None when it is newer than that, or cannot be told from another."""


def before_of(decisions: Iterable[Decision]) -> Mapping[tuple[str, str], Decision]:
    """Return decisions by what they are known by on either side, whose ids may differ; without those alike."""
    found: dict[tuple[str, str], list[Decision]] = {}
    for one in decisions:
        found.setdefault(known_by(one), []).append(one)
    return {key: same[0] for key, same in found.items() if len(same) == 1}


def known_by(one: Decision) -> tuple[str, str]:
    """Return what a decision is known by whatever its id and number."""
    return normalised(one.original), one.call_id


def settle(both: Versions) -> tuple[Decision, DecisionConflict | None]:
    """Return our decision with what a person changed on the other side alone, and what both changed apart."""
    ours, theirs = both.ours, both.theirs
    new = [name for name in EDITABLE if _is_new(both, name)]
    changes = {name: getattr(theirs, name) for name in new}
    if "text" in changes:
        changes["found_text"] = theirs.original
    is_older = theirs.status not in LIVE and ours.status in LIVE and "status" not in ours.edited
    if "status" in changes or is_older:
        changes |= {"status": theirs.status, "superseded_by": theirs.superseded_by}
    if ours.superseded_by == "" and theirs.status is Status.SUPERSEDED and ours.status is Status.SUPERSEDED:
        changes["superseded_by"] = theirs.superseded_by
    edited = {*ours.edited, *(name for name in new if name in theirs.edited)}
    links = {
        name: tuple(dict.fromkeys((*getattr(ours, name), *getattr(theirs, name))))
        for name in ("supersedes", "may_supersede", "also")
    }
    after = replace(ours, **(links | changes), edited=tuple(name for name in EDITABLE if name in edited))
    fields = tuple(_conflict(ours, theirs, name) for name in EDITABLE if _is_apart(both, name))
    if not fields:
        return after, None
    return after, DecisionConflict(decision=ours.id, fields=fields, theirs=replace(theirs, id=ours.id))


def _is_new(both: Versions, name: str) -> bool:
    """Whether the other side alone changed a field."""
    if name == _JOINED:
        return name in both.theirs.edited and name not in both.ours.edited
    return _is_changed(both.told, both.before, name) and not _is_changed(both.ours, both.before, name)


def _is_apart(both: Versions, name: str) -> bool:
    """Whether both sides changed a field, each to something else."""
    if name == _JOINED or not all(_is_changed(one, both.before, name) for one in (both.ours, both.told)):
        return False
    one, two = both.ours, both.theirs
    if name == "status" and one.status is two.status is Status.SUPERSEDED:
        return bool(one.superseded_by and two.superseded_by and one.superseded_by != two.superseded_by)
    return bool(getattr(one, name) != getattr(two, name))


def _is_changed(one: Decision, before: Decision | None, name: str) -> bool:
    is_edited = name in one.edited
    is_written = one.found_by == "command" and name in _WRITTEN and bool(getattr(one, name))
    if before is None or (is_edited and name not in before.edited):
        return is_edited or is_written
    return (is_edited or is_written) and _value(one, name) != _value(before, name)


def _value(one: Decision, name: str) -> object:
    return (one.status, one.superseded_by) if name == "status" else getattr(one, name)


def _conflict(ours: Decision, theirs: Decision, name: str) -> FieldConflict:
    return FieldConflict(field=name, ours=_shown(ours, name), theirs=_shown(theirs, name))


def _shown(one: Decision, name: str) -> str:
    if name == "status":
        return f"{one.status.value} ({one.superseded_by})" if one.superseded_by else one.status.value
    value = getattr(one, name)
    return value if isinstance(value, str) else "; ".join(value)


def keep(
    layout: Layout, feature: str, conflicts: Sequence[DecisionConflict], commit: str
) -> list[DecisionConflict]:
    """Keep the other side's decisions in `conversations/merged/`; return those that were not kept already."""
    new = []
    for one in conflicts:
        path = _merged(layout, feature) / f"decision-{one.key}.json"
        if not path.exists():
            atomic.write(path, json_pages(_note(one, commit)))
            new.append(replace(one, kept=layout.relative(path)))
    return new


def _note(one: DecisionConflict, commit: str) -> dict[str, Json]:
    fields: list[Json] = [
        {"field": each.field, "ours": each.ours, "theirs": each.theirs} for each in one.fields
    ]
    return {"decision": one.decision, "commit": commit, "changed": fields, "theirs": one.theirs.to_json()}


def bring(theirs: Layout, ours: Layout, feature: str) -> None:
    """Take over what the other side kept of its own merges: no merge loses what an earlier one kept."""
    folder = _merged(theirs, feature)
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        kept = _merged(ours, feature) / path.name
        data = read_bytes(path)
        if data is not None and not kept.exists():
            atomic.write(kept, data)


def _merged(layout: Layout, feature: str) -> Path:
    return layout.conversations(feature) / "merged"
