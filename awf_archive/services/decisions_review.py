"""What stood around a decision, so that a person can judge it."""

from dataclasses import dataclass

from awf_archive.domain.decisions import Decision, Side
from awf_archive.domain.transcript import prompt_text
from awf_archive.errors import ArchiveError
from awf_archive.store.archive import Archive

_BEFORE, _AFTER = 240, 480
"""Characters shown around the evidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """The words of both sides near the evidence; either may be empty."""

    user: str = ""
    assistant: str = ""
    user_is_later: bool = False
    """The user answers what the assistant said in the turn before."""


def around(archive: Archive, decision: Decision) -> Around:
    """Return what was said where a decision was found; nothing for documents, and where the turn does not read."""
    if not decision.turn:
        return Around()
    place = decision.place
    back = place.turns_back if place else 0
    try:
        user, assistant = _said(archive, decision.feature, decision.turn)
        if back > 0:
            _, assistant = _said(archive, decision.feature, decision.turn - back)
    except ArchiveError:
        return Around()
    at = place.offset if place and not place.call_id else 0
    is_user = place is not None and place.side is Side.USER
    return Around(
        user=_excerpt(user, at if is_user else 0),
        assistant=_excerpt(assistant, 0 if is_user else at),
        user_is_later=back > 0,
    )


def _said(archive: Archive, feature: str, number: int) -> tuple[str, str]:
    session, entry = archive.find(feature, number)
    turn = archive.turn(feature, session.session_id, entry)
    return prompt_text(turn.user_blocks), prompt_text(turn.assistant_blocks)


def _excerpt(text: str, at: int) -> str:
    """Return the words around a place, cut between words; what was cut is marked.

    >>> _excerpt("one two", 0)
    'one two'
    """
    first, last = max(0, at - _BEFORE), at + _AFTER
    cut = text[first:last].strip()
    if first:
        cut = "… " + cut.partition(" ")[2]
    return cut.rpartition(" ")[0] + " …" if last < len(text) and " " in cut else cut
