"""Two lists of decisions become one: ids never collide, and what a person said of a decision since is kept."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from awf_archive.domain.decisions import Decision, Status
from awf_archive.domain.decisions.joining import LIVE, normalised
from awf_archive.domain.decisions.records import EDITABLE, next_id
from awf_archive.domain.ids import SessionId


def merged_decisions(
    ours: tuple[Decision, ...],
    theirs: tuple[Decision, ...],
    numbers: Mapping[int, tuple[int, SessionId]],
    last_end: int,
) -> tuple[Decision, ...]:
    """Return our decisions and those of the other side whose turns are here, under the next ids.

    What a person changed on one side alone is taken; changed on both, ours stays.
    """
    merged = [one for one in ours if one.turn <= last_end or one.moved_to]
    places = {key: place for place, one in enumerate(merged) for key in _keys(one, one.turn)}
    ids: dict[str, str] = {}
    taken: dict[int, Decision] = {}
    for other in theirs:
        if other.moved_to or (other.turn and other.turn not in numbers):
            continue
        there = _at(other, numbers)
        place = next((places[key] for key in _keys(other, there.turn) if key in places), None)
        if place is None:
            place = len(merged)
            bare = replace(there, supersedes=(), may_supersede=(), superseded_by="")
            merged.append(replace(bare, id=next_id(merged)))
            places.update(dict.fromkeys(_keys(other, there.turn), place))
        ids[other.id] = merged[place].id
        taken[place] = there
    for place, there in taken.items():
        merged[place] = _with_edits(merged[place], linked(there, ids))
    return tuple(merged)


def moved_decisions(
    there: Sequence[Decision], moved: Sequence[Decision], feature: str, session: SessionId, offset: int
) -> list[Decision]:
    """Return a feature's list with decisions of turns that moved there, under the next ids."""
    after, ids = list(there), dict[str, str]()
    for one in moved:
        also = tuple(turn + offset for turn in one.also)
        place = replace(one, feature=feature, session=session, turn=one.turn + offset, also=also)
        after.append(replace(place, id=next_id(after)))
        ids[one.id] = after[-1].id
    new = set(ids.values())
    return [linked(one, ids) if one.id in new else one for one in after]


def linked(one: Decision, ids: Mapping[str, str]) -> Decision:
    """Return a decision whose links lead to the ids of another list; what is not there has no link."""

    def named(old: Sequence[str]) -> tuple[str, ...]:
        return tuple(ids[name] for name in old if name in ids)

    return replace(
        one,
        supersedes=named(one.supersedes),
        may_supersede=named(one.may_supersede),
        superseded_by=ids.get(one.superseded_by, ""),
    )


def _at(other: Decision, numbers: Mapping[int, tuple[int, SessionId]]) -> Decision:
    """Return a decision of the other side with the numbers that its turns have here."""
    also = tuple(numbers[turn][0] for turn in other.also if turn in numbers)
    if not other.turn:
        return replace(other, also=also)
    turn, session_id = numbers[other.turn]
    return replace(other, turn=turn, session=session_id, also=also)


def _with_edits(ours: Decision, theirs: Decision) -> Decision:
    """Return our decision with what a person changed of it on the other side alone."""
    new = [name for name in EDITABLE if name in theirs.edited and name not in ours.edited]
    changes = {name: getattr(theirs, name) for name in new}
    if "text" in changes:
        changes["found_text"] = theirs.original
    is_older = theirs.status not in LIVE and ours.status in LIVE and "status" not in ours.edited
    if "status" in changes or is_older:
        changes |= {"status": theirs.status, "superseded_by": theirs.superseded_by}
    if ours.superseded_by == "" and theirs.status is Status.SUPERSEDED and ours.status is Status.SUPERSEDED:
        changes["superseded_by"] = theirs.superseded_by
    edited = tuple(name for name in EDITABLE if name in {*ours.edited, *new})
    links = {
        name: tuple(dict.fromkeys((*getattr(ours, name), *getattr(theirs, name))))
        for name in ("supersedes", "may_supersede", "also")
    }
    return replace(ours, **(links | changes), edited=edited)


def _keys(decision: Decision, turn: int) -> tuple[tuple[str, str], ...]:
    """What makes a decision unique: the call that shows it; without one its turn; without either its document."""
    words = normalised(decision.original)
    path = decision.place.path if decision.place else ""
    names = (decision.call_id, str(turn) if turn else "", "" if turn else f"file {path}")
    return tuple((name, words) for name in names if name)
