"""Which turns the user left by rewinding, and which another window wrote (cases B01, B04, B05, B18)."""

from collections.abc import Sequence

from awf_archive.domain.transcript import Start
from awf_archive.readers.claude_code.facts import Facts
from awf_archive.readers.claude_code.plan import TurnPlan
from awf_archive.readers.claude_code.tree import NOWHERE, Tree

_BY_FOLLOWING = {Start.QUEUED, Start.MACHINE}
"""Starts whose records hang beside the chain: such a turn shares the fate of the one before it."""


def foreign_sessions(turns: Sequence[TurnPlan], tree: Tree, main: int) -> list[int]:
    """Return each turn's session where another window wrote the turn into this file, else 0.

    A second id whose chain goes on from this window's is a resumed window (B01). A second id that hangs on
    nothing here, while this window goes on afterwards, is a stranger (B18).
    """
    if all(turn.opening.session in {0, main} for turn in turns):
        return [0] * len(turns)
    roots = tree.roots()
    ours = [place for place, turn in enumerate(turns) if turn.opening.session == main]
    our_roots = {roots[turns[place].opening.node] for place in ours if turns[place].opening.node != NOWHERE}
    last = ours[-1] if ours else 0
    return [
        turn.opening.session
        if turn.opening.session not in {0, main}
        and turn.opening.node != NOWHERE
        and roots[turn.opening.node] not in our_roots
        and place < last
        else 0
        for place, turn in enumerate(turns)
    ]


def left_behind(turns: Sequence[TurnPlan], tree: Tree, facts: Facts, foreign: Sequence[int]) -> list[bool]:
    """Tell for each turn whether the user rewound to before it and went on elsewhere."""
    starts = [
        NOWHERE if stranger or turn.opening.start in _BY_FOLLOWING else turn.opening.node
        for turn, stranger in zip(turns, foreign, strict=True)
    ]
    left = tree.abandoned(starts, tree.leaves(_noted_leaf(tree, facts)))
    for place, turn in enumerate(turns[1:], 1):
        if turn.opening.start in _BY_FOLLOWING and not foreign[place]:
            left[place] = left[place - 1]
    return left


def _noted_leaf(tree: Tree, facts: Facts) -> int:
    """Return the current branch's end as the tool noted it, unless the conversation went on since."""
    is_fresh = facts.leaf and facts.leaf_after > tree.newest_talk()
    return tree.number(facts.leaf) if is_fresh else NOWHERE
