"""The shape of one language's patterns.

All are regular expressions over folded text: lower case, no marks (`tạm biệt` is `tam biet`, `đ` is `d`). A
clause is what stands between punctuation. It fires when it is openers, a phrase, closers, and nothing else; so a
phrase inside a request (`thêm nút đóng app`) does not.
"""

from typing import NamedTuple


class Patterns(NamedTuple):
    """What one language says."""

    language: str
    openers: str
    """What may stand before a phrase: who speaks, `well`, `then`."""
    closers: str
    """What may stand after it: particles, `now`, `please`."""
    joint: str
    """What parts words: blanks, or nothing in Chinese."""
    leaving: tuple[str, ...]
    """Whole clauses on leaving."""
    leaving_open: tuple[str, ...]
    """Beginnings on leaving; anything may follow."""
    deciding: tuple[str, ...]
    """Whole clauses on deciding."""
    deciding_open: tuple[str, ...]
    """Beginnings on deciding; anything may follow that asks nothing."""
    agreeing: tuple[str, ...]
    """Weak words: they decide only when no request follows in the message."""
    filler: tuple[str, ...]
    """Clauses that ask for nothing: thanks, praise."""
    asking: str
    """What makes a sentence a question or a condition, with or without a question mark."""
    when: str
    """How a sentence begins that speaks of a case, not of now: `if`, `when`."""
    needs: str
    """What a text must hold to be in this language at all; others are not tried."""
