"""Moments as a number of milliseconds, which several tools write."""

from datetime import UTC, datetime

from awf_archive.domain.transcript import Json


def iso(milliseconds: Json) -> str:
    """Return a moment as ISO 8601 in UTC; "" for what is none.

    >>> iso(1767225600123), iso("soon")
    ('2026-01-01T00:00:00.123Z', '')
    """
    if not isinstance(milliseconds, int | float):
        return ""
    try:
        moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    except (OverflowError, OSError, ValueError):
        return ""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
