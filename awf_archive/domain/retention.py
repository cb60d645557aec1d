"""Which snapshots go: by age and by count, never the newest (SPEC 3.5, 3.7, 5)."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple


class Aged(NamedTuple):
    """Something that was made at a time."""

    id: str
    time: datetime


def expired(snapshots: Sequence[Aged], now: datetime, days: int) -> list[Aged]:
    """Return those older than `days`, oldest first; never the newest, however old."""
    return surplus(snapshots, now, most=len(snapshots), seconds=days * 86_400)


def surplus(snapshots: Sequence[Aged], now: datetime, *, most: int, seconds: int) -> list[Aged]:
    """Return those beyond the newest `most` and those older than `seconds`, oldest first; never the newest.

    >>> from datetime import UTC
    >>> times = [datetime(2026, 3, day, tzinfo=UTC) for day in (1, 2, 3)]
    >>> aged = [Aged(str(time.day), time) for time in times]
    >>> [one.id for one in surplus(aged, times[-1], most=2, seconds=10**9)]
    ['1']
    """
    oldest_first = sorted(snapshots, key=lambda one: (one.time, one.id))
    bound = now - timedelta(seconds=min(seconds, 10**9))
    kept = max(1, most)
    extra = max(0, len(oldest_first) - kept)
    return [one for place, one in enumerate(oldest_first[:-1]) if place < extra or one.time < bound]
