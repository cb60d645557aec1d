"""What a person says of decisions: accepted, rejected, replaced, put in other words, recorded by hand.

Each change is made under the lock, on the list as it is then, and written in one step.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from awf_archive.domain.decisions import Decision, Found, Status
from awf_archive.domain.decisions.joining import Shown, joined, saying, superseded
from awf_archive.domain.decisions.records import EDITABLE, named_id
from awf_archive.domain.escape import json_pages
from awf_archive.domain.features import check_feature
from awf_archive.domain.manifest import Manifest
from awf_archive.domain.tool_lines import one_line
from awf_archive.errors import NoArchiveError, UsageError
from awf_archive.services.decisions_file import write_decisions
from awf_archive.store import atomic
from awf_archive.store.archive import Archive
from awf_archive.store.lock import holding

Change = Callable[[Sequence[Decision]], Sequence[Decision]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """What to change of a decision; None leaves a part as it is."""

    text: str | None = None
    reason: str | None = None
    options: tuple[str, ...] | None = None
    files: tuple[str, ...] | None = None


def change(archive: Archive, feature: str, what: Change) -> tuple[Decision, ...]:
    """Change a feature's decisions under the lock; return them as they are then."""
    with holding(archive.layout.lock) as lock:
        before = archive.all_decisions(feature)
        after = tuple(what(before))
        lock.check()
        if after != before:
            _found_archive(archive, feature)
            write_decisions(archive.layout, feature, after)
    return after


def _found_archive(archive: Archive, feature: str) -> None:
    """Give a feature without an archive an empty one: what is decided before the first checkpoint is found too."""
    if archive.manifest(feature) is None:
        archive.layout.context(feature).mkdir(parents=True, exist_ok=True)
        data = json_pages(Manifest(spec_id=feature).to_json())
        atomic.write(archive.layout.manifest(feature), data)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What recording a decision by hand did."""

    decision: Decision
    known_as: Status | None = None
    """How one of the same words stood before; None when there was none."""
    is_new_feature: bool = False
    """Whether nothing was ever saved under its feature."""


def record(archive: Archive, feature: str, found: Found, now: str) -> Decision:
    """Record a decision by hand as `recorded` does; return it."""
    return recorded(archive, feature, found, now).decision


def recorded(archive: Archive, feature: str, found: Found, now: str) -> Recorded:
    """Record a decision by hand; what says the same already is accepted by that and not recorded twice.

    Raises UsageError for an empty text, NoArchiveError when it supersedes what is not there.
    """
    feature = check_feature(feature)
    if not found.text.strip():
        raise UsageError(
            "the decision has no text.", 'Say what was decided: awf-archive decide "use SQLite".'
        )

    known: list[Status] = []
    is_new = archive.manifest(feature) is None

    def added(before: Sequence[Decision]) -> Sequence[Decision]:
        known.extend(one.status for one in [saying(before, found.text)] if one)
        for old in found.supersedes:
            require(before, old, feature)
        after = joined(before, [Shown(found=found, date=now)], feature)
        new = saying(after, found.text)
        if new is None:
            return after
        if new.status is not Status.ACCEPTED:
            after = tuple(_settled(after, new, Status.ACCEPTED))
        return _superseding(after, found.supersedes, new.id)

    after = change(archive, feature, added)
    decision = saying(after, found.text) or after[-1]
    return Recorded(decision=decision, known_as=next(iter(known), None), is_new_feature=is_new)


def accept(archive: Archive, feature: str, decision_id: str) -> Decision:
    """Accept a decision; what its own words replace is superseded, and one that was superseded stands again.

    Raises NoArchiveError when there is no such decision.
    """

    def accepted(before: Sequence[Decision]) -> Sequence[Decision]:
        one = require(before, decision_id, feature)
        freed = [_without(other, one.id) if other.id == one.superseded_by else other for other in before]
        after = _settled(freed, one, Status.ACCEPTED)
        return _superseding(after, one.supersedes, one.id)

    return require(change(archive, feature, accepted), decision_id, feature)


def reject(archive: Archive, feature: str, decision_id: str) -> Decision:
    """Reject a decision; what it had replaced stands again. Raises NoArchiveError when there is no such decision."""

    def rejected(before: Sequence[Decision]) -> Sequence[Decision]:
        one = require(before, decision_id, feature)
        freed = [_standing_again(other) if other.superseded_by == one.id else other for other in before]
        freed = [_without(other, one.id) if other.id == one.superseded_by else other for other in freed]
        return _settled(freed, replace(one, supersedes=()), Status.REJECTED)

    return require(change(archive, feature, rejected), decision_id, feature)


def supersede(archive: Archive, feature: str, old: str, by: str) -> tuple[Decision, Decision]:
    """Let decision `by` take the place of `old`; return both. If it was proposed or rejected, it is accepted by that.

    Raises NoArchiveError when one of them is not there, UsageError when it would replace itself, also by others.
    """

    def replaced(before: Sequence[Decision]) -> Sequence[Decision]:
        require(before, old, feature)
        later = require(before, by, feature)
        if old in _replaced_by(before, later):
            raise UsageError(
                f"{old} cannot be superseded by {by}: {by} is {old} itself, or was superseded by it.",
                f"awf-archive decisions show {by} tells what replaced what.",
            )
        is_open = later.status is not Status.SUPERSEDED  # else it stays replaced: there is a chain
        return _superseding(_settled(before, later, Status.ACCEPTED) if is_open else before, (old,), by)

    after = change(archive, feature, replaced)
    return require(after, old, feature), require(after, by, feature)


def keep_both(archive: Archive, feature: str, decision_id: str) -> Decision:
    """Say that a decision replaces none of those it seemed to contradict."""

    def kept(before: Sequence[Decision]) -> Sequence[Decision]:
        require(before, decision_id, feature)
        return [
            replace(one, may_supersede=(), edited=_with(one.edited, "supersedes"))
            if one.id == decision_id
            else one
            for one in before
        ]

    return require(change(archive, feature, kept), decision_id, feature)


def edit(archive: Archive, feature: str, decision_id: str, new: Edit) -> Decision:
    """Put a decision in other words; no harvest changes what was edited.

    Raises NoArchiveError when there is no such decision, UsageError for an empty text.
    """
    if new.text is not None and not new.text.strip():
        raise UsageError(
            "a decision needs a text.", "awf-archive decisions reject takes one out of the list."
        )
    values = {
        "text": one_line(new.text, 300) if new.text is not None else None,
        "reason": one_line(new.reason, 300) if new.reason is not None else None,
        "options": new.options,
        "files": new.files,
    }

    def edited(before: Sequence[Decision]) -> Sequence[Decision]:
        one = require(before, decision_id, feature)
        changes = {
            name: value for name, value in values.items() if value is not None and value != getattr(one, name)
        }
        if "text" in changes:
            changes["found_text"] = one.original
        changed = replace(one, **changes, edited=_with(one.edited, *(set(changes) - {"found_text"})))  # type: ignore[arg-type]
        return [changed if other.id == one.id else other for other in before]

    return require(change(archive, feature, edited), decision_id, feature)


def require(decisions: Sequence[Decision], decision_id: str, feature: str) -> Decision:
    """Return a decision by its id, as a person typed it. Raises NoArchiveError when there is none that is here."""
    name = named_id(decision_id)
    found = next((one for one in decisions if one.id == name), None)
    if found is None:
        ids = [one.id for one in decisions]
        held = f"{feature} holds {ids[0]} to {ids[-1]}." if ids else f"{feature} holds no decisions."
        raise NoArchiveError(f"{feature} {name or decision_id}: there is no such decision.", held)
    if found.moved_to:
        raise NoArchiveError(
            f"{feature} {name}: went with its conversation to another feature.",
            f"It is {found.moved_to} now.",
        )
    return found


def _settled(decisions: Sequence[Decision], which: Decision, status: Status) -> list[Decision]:
    """Return the list with a status that a person gave."""
    settled = replace(
        which,
        status=status,
        superseded_by="",
        may_supersede=which.may_supersede if status is Status.ACCEPTED else (),
        edited=_with(which.edited, "status"),
    )
    return [settled if one.id == which.id else one for one in decisions]


def _superseding(decisions: Sequence[Decision], old: Sequence[str], by: str) -> list[Decision]:
    """Return the list in which a person said what replaced what."""
    gone = {named_id(one) for one in old}
    told = [
        replace(one, edited=_with(one.edited, "status" if one.id in gone else "supersedes"))
        if gone and one.id in {*gone, by}
        else one
        for one in decisions
    ]
    return list(superseded(told, by, gone))


def _without(one: Decision, old: str) -> Decision:
    return replace(one, supersedes=tuple(other for other in one.supersedes if other != old))


def _standing_again(one: Decision) -> Decision:
    return replace(one, status=Status.ACCEPTED, superseded_by="")


def _replaced_by(decisions: Sequence[Decision], one: Decision) -> set[str]:
    """Return a decision's id and those of all that took its place, one after the other."""
    by_id = {other.id: other for other in decisions}
    seen: set[str] = set()
    name = one.id
    while name and name not in seen:
        seen.add(name)
        name = by_id[name].superseded_by if name in by_id else ""
    return seen


def _with(edited: tuple[str, ...], *names: str) -> tuple[str, ...]:
    return tuple(name for name in EDITABLE if name in {*edited, *names})
