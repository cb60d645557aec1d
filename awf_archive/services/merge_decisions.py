"""Two lists of decisions become one: ids never collide, and what a person said of a decision since is kept."""

from collections.abc import Mapping
from dataclasses import replace

from awf_archive.domain.decisions import Decision, Status
from awf_archive.domain.decisions.records import next_id
from awf_archive.domain.ids import SessionId

_BY_HAND = (Status.SUPERSEDED, Status.REJECTED)
"""What only a person says of a decision; the program itself proposes and accepts."""


def merged_decisions(
    ours: tuple[Decision, ...],
    theirs: tuple[Decision, ...],
    numbers: Mapping[int, tuple[int, SessionId]],
    last_end: int,
) -> tuple[Decision, ...]:
    """Return our decisions and those of the other side whose turns are here, under the next ids."""
    merged = [one for one in ours if one.turn <= last_end or one.moved_to]
    places = {_key(one, one.turn): place for place, one in enumerate(merged)}
    for other in theirs:
        if other.moved_to or other.turn not in numbers:
            continue
        turn, session_id = numbers[other.turn]
        place = places.get(_key(other, turn))
        if place is None:
            places[_key(other, turn)] = len(merged)
            merged.append(replace(other, id=next_id(merged), turn=turn, session=session_id))
        elif other.status in _BY_HAND and merged[place].status not in _BY_HAND:
            merged[place] = replace(merged[place], status=other.status)
    return tuple(merged)


def _key(decision: Decision, turn: int) -> tuple[str, str]:
    """What makes a decision unique: the call that shows it; without one, its turn."""
    return decision.call_id or str(turn), decision.text
