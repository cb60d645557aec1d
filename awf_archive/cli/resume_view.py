"""What `resume` prints beside the text itself (SPEC 2, 9)."""

import unicodedata
from collections.abc import Sequence

from awf_archive.domain.resume import Resumed
from awf_archive.domain.wording.resume_words import ResumeWords
from awf_archive.services.resume import ListedFeature


def cannot(feature: str, words: ResumeWords) -> str:
    """Return what is said when a feature has no archive."""
    return f"{words.cannot}\n\n{words.cannot_body.format(feature=feature)}"


def listing(found: Sequence[ListedFeature], words: ResumeWords) -> str:
    """Return the features as a table for a person."""
    if not found:
        return words.list_empty
    rows = [
        words.list_columns,
        *((one.feature, str(one.turns), one.phase, one.last_updated[:16].replace("T", " ")) for one in found),
    ]
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in rows
    )


def _width(text: str) -> int:
    """Return the places that a text takes on a screen: Chinese characters take two."""
    return sum(
        0 if unicodedata.combining(mark) else 1 + (unicodedata.east_asian_width(mark) in "WF")
        for mark in text
    )


def as_json(resumed: Resumed, text: str) -> dict[str, object]:
    """Return the object of SPEC 9: the text and the parts it was made of."""
    return {
        "text": text,
        "feature": resumed.feature,
        "totalTurns": resumed.total,
        "phase": resumed.phase,
        "session": resumed.session or None,
        "globalRange": list(resumed.session_range) if resumed.session else None,
        "turns": [{"turn": one.turn, "user": one.user, "assistant": one.assistant} for one in resumed.turns],
        "chunks": [
            {
                "number": one.number,
                "turnRange": list(one.turns),
                "overview": one.overview,
                "decisions": list(one.decisions),
            }
            for one in resumed.chunks
        ],
        "documents": [
            {"name": one.name, "path": one.path, "isThere": one.text is not None} for one in resumed.documents
        ],
        "unreadable": list(resumed.unreadable),
    }


def listed_json(one: ListedFeature) -> dict[str, object]:
    """Return one feature of `resume --list --json`."""
    return {
        "feature": one.feature,
        "turnCount": one.turns,
        "phase": one.phase,
        "lastUpdated": one.last_updated,
    }
