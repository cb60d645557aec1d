"""The harvesters, and running them over a turn."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import TypeAlias

from awf_archive.domain.decisions.found import NO_CONTEXT, Context, Found
from awf_archive.domain.transcript import Block

Harvester: TypeAlias = Callable[[str, Sequence[Block], Context], Iterable[Found]]
"""The user's words, the assistant's blocks, the turns before: see `domain.decisions`."""

HARVESTERS = ("questions", "plans", "recorded", "headings", "refusals", "text")
"""Modules with a `find` each, in order of trust: of two that find the same, the first one's stays."""


@cache
def _finders() -> tuple[Harvester, ...]:
    """Load them with the first turn: where nothing is new, nobody pays the 30 ms."""
    return tuple(import_module(f"awf_archive.domain.decisions.{name}").find for name in HARVESTERS)


def harvest(
    user: str, blocks: Sequence[Block], context: Context = NO_CONTEXT, files: Iterable[str] = ()
) -> tuple[Found, ...]:
    """Return the decisions that one turn shows, those of each harvester in turn.

    One that names no file gets those that the turn changed; `files` are the turn's as the archive shows them, by
    which paths are made relative.
    """
    found = tuple(one for find in _finders() for one in find(user, blocks, context))
    if all(one.files for one in found):
        return found
    from awf_archive.domain.summary.files import changed, without_root  # most turns decide nothing

    paths = without_root(changed(blocks), files)[:_MOST_FILES]
    return tuple(one if one.files else replace(one, files=paths) for one in found)


_MOST_FILES = 20
