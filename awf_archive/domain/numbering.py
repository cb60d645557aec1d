"""Which global numbers new turns get, and which older turns are summarised now (SPEC 1.3, 1.4)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """The numbers of one checkpoint."""

    start: int
    end: int
    chunk: tuple[int, int] | None
    """Range of older turns to summarise now."""


def plan_numbers(
    *, last_end: int, last_chunked: int, new: int, threshold: int, open_since: int | None = None
) -> Numbers:
    """Return the numbers of `new` turns that follow `last_end`.

    `open_since` is the first number of the session that is being extended, if one is; the session now written
    is never chunked, and the first save never chunks, however long.

    >>> plan_numbers(last_end=10, last_chunked=0, new=12, threshold=20)
    Numbers(start=11, end=22, chunk=(1, 10))
    >>> plan_numbers(last_end=30, last_chunked=22, new=5, threshold=20).chunk is None
    True
    """
    end = last_end + new
    older_end = last_end if open_since is None else open_since - 1
    is_due = end - last_chunked >= threshold and older_end > last_chunked
    return Numbers(
        start=last_end + 1,
        end=end,
        chunk=(last_chunked + 1, older_end) if is_due else None,
    )
