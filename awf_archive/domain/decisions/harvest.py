"""The harvesters, and running them over a turn."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from awf_archive.domain.decisions import headings, plans, questions, recorded, refusals, text
from awf_archive.domain.decisions.found import NO_CONTEXT, Context, Found
from awf_archive.domain.transcript import Block

Harvester: TypeAlias = Callable[[str, Sequence[Block], Context], Iterable[Found]]
"""The user's words, the assistant's blocks, the turns before: see `domain.decisions`."""

HARVESTERS: tuple[Harvester, ...] = (
    questions.find,
    plans.find,
    recorded.find,
    headings.find,
    refusals.find,
    text.find,
)
"""In order of trust: of two that find the same, the first one's stays."""


def harvest(user: str, blocks: Sequence[Block], context: Context = NO_CONTEXT) -> tuple[Found, ...]:
    """Return the decisions that one turn shows, those of each harvester in turn."""
    return tuple(found for find in HARVESTERS for found in find(user, blocks, context))
