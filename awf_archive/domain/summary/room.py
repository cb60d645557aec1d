"""How much each section of a summary may take, from roomy to tight: the first that fits a minute is used."""

from dataclasses import dataclass, replace

MOST = 240
"""Reading words of a whole summary with its headings: about a minute."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """How many lines of each section, and how many reading words of each line."""

    overview: int
    """Words of each of its sentences."""
    decisions: int
    decision: int
    points: int
    """At least so many lines, where so many turns tell something."""
    request: int
    outcome: int
    alone: int
    files: int
    """Files of a folder, and files on one line."""
    folders: int
    path: int
    """Of a name with blanks in it."""
    open: int
    task: int
    errors: int
    error: int
    fix: int


_ROOMY = Room(
    overview=20,
    decisions=6,
    decision=13,
    points=7,
    request=9,
    outcome=12,
    alone=16,
    files=7,
    folders=6,
    path=6,
    open=4,
    task=14,
    errors=3,
    error=11,
    fix=13,
)
_SHORTER = replace(
    _ROOMY,
    overview=16,
    points=5,
    request=8,
    outcome=10,
    alone=13,
    open=3,
    task=12,
    errors=2,
    error=10,
    fix=11,
)
_SHORT = replace(
    _ROOMY,
    overview=14,
    decision=11,
    points=4,
    request=7,
    outcome=9,
    alone=11,
    open=2,
    task=10,
    errors=1,
    error=9,
    fix=9,
)
_TIGHT = replace(
    _SHORT, overview=10, decisions=4, decision=9, points=2, request=6, outcome=8, alone=10, open=1, task=9
)

ROOMS = (
    _ROOMY,
    replace(_ROOMY, points=5),
    _SHORTER,
    _SHORT,
    replace(_SHORT, files=5),
    replace(_SHORT, files=3),
    replace(_TIGHT, files=2, folders=3, path=3, error=7, fix=7),
)
"""Sentences give way before names: a file's name is read at a glance, and is what one looks for."""
