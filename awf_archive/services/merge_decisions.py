"""Two lists of decisions become one: ids never collide, and what a person said of a decision since is kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from awf_archive.domain.decisions import Decision
from awf_archive.domain.decisions.joining import normalised
from awf_archive.domain.decisions.records import next_id
from awf_archive.domain.ids import SessionId
from awf_archive.services.merge_conflicts import DecisionConflict, Versions, before_of, known_by, settle


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedDecisions:
    """The list of both sides, and where they do not agree."""

    decisions: tuple[Decision, ...]
    conflicts: tuple[DecisionConflict, ...] = ()


def merged_decisions(
    ours: tuple[Decision, ...],
    theirs: tuple[Decision, ...],
    numbers: Mapping[int, tuple[int, SessionId]],
    last_end: int,
    before: Sequence[Decision] = (),
) -> MergedDecisions:
    """Return our decisions and those of the other side whose turns are here, under the next ids.

    What a person changed on one side alone since `before`, the list from which both went on, is taken; changed on
    both, ours stays, and the conflict is named.
    """
    merged = [one for one in ours if one.turn <= last_end or one.moved_to]
    places = {key: place for place, one in enumerate(merged) for key in _keys(one, one.turn)}
    ids: dict[str, str] = {}
    taken: dict[int, tuple[Decision, Decision]] = {}
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
        taken[place] = there, other
    parted, conflicts = before_of(before), []
    for place, (there, other) in taken.items():
        both = Versions(
            ours=merged[place], theirs=linked(there, ids), told=other, before=parted.get(known_by(other))
        )
        merged[place], conflict = settle(both)
        conflicts += [conflict] if conflict else []
    return MergedDecisions(decisions=tuple(merged), conflicts=tuple(conflicts))


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


def _keys(decision: Decision, turn: int) -> tuple[tuple[str, str], ...]:
    """What makes a decision unique: the call that shows it; without one its turn; without either its document."""
    words = normalised(decision.original)
    path = decision.place.path if decision.place else ""
    names = (decision.call_id, str(turn) if turn else "", "" if turn else f"file {path}")
    return tuple((name, words) for name in names if name)
