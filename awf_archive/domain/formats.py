"""How much of a conversation each format keeps: which copy of the same one tells more (issue 3, point 5)."""

from collections.abc import Mapping
from enum import IntEnum, StrEnum


class Kept(IntEnum):
    """What a file in some format holds of a conversation, from little to all."""

    PROMPTS = 1
    """Only what the person typed."""
    WORDS = 2
    """What both sides said; what tools did is missing, shortened or rewritten."""
    COPY = 3
    """All of it, but copied from elsewhere, and maybe before it went on."""
    WHOLE = 4
    """The chat tool's own record."""


LOSSY: Mapping[str, Kept] = {
    "claude-history": Kept.PROMPTS,
    "specstory": Kept.WORDS,
    "markdown": Kept.WORDS,
    "ai-log": Kept.WORDS,
    "context": Kept.COPY,
}
"""Formats that hold less than the tool's own record; every other format is that record."""

HISTORY = "claude-history"
"""The format of ghosts: conversations of which nothing but the prompts is left."""

_NAMELESS = "history-"


def kept_by(name: str) -> Kept:
    """Return how much a format keeps.

    >>> kept_by("specstory") < kept_by("context") < kept_by("claude-code")
    True
    """
    return LOSSY.get(name, Kept.WHOLE)


class Standing(StrEnum):
    """What a turn that was found is to the same turn as it was saved."""

    OWN = "own"
    """Of the same format: it may have grown."""
    COPY = "copy"
    """Of a format that keeps no more: what was saved stays."""
    PEER = "peer"
    """The whole and a copy of it, maybe from a later day: what says more counts."""
    BETTER = "better"
    """Of a format that keeps more: its text takes the place, the earlier one becomes a revision."""


def standing(saved: str, found: str) -> Standing:
    """Return what a turn in the format `found` is to one that was saved from the format `saved`.

    >>> standing("claude-history", "claude-code").value, standing("claude-code", "specstory").value
    ('better', 'copy')
    """
    if saved == found:
        return Standing.OWN
    if {kept_by(saved), kept_by(found)} == {Kept.COPY, Kept.WHOLE}:
        return Standing.PEER
    return Standing.BETTER if kept_by(found) > kept_by(saved) else Standing.COPY


def is_partial(name: str) -> bool:
    """Whether only prompts are known of a conversation in this format."""
    return kept_by(name) is Kept.PROMPTS


def nameless_window(digest: str) -> str:
    """Return a made-up window for prompts of which nobody wrote down the conversation."""
    return f"{_NAMELESS}{digest}"


def is_nameless(window: str) -> bool:
    """Whether a window is such a made-up one: another window may turn out to be the same conversation."""
    return window.startswith(_NAMELESS)


def vault_name(window: str, name: str) -> str:
    """Return under which name the vault keeps a conversation's file: a copy never beside the tool's own.

    >>> vault_name("9c1f", "claude-code"), vault_name("9c1f", "specstory")
    ('9c1f', '9c1f+specstory')
    """
    return window if kept_by(name) is Kept.WHOLE else f"{window}+{name}"
