"""What narrows a search: `feature: kind: file: tool: role: session: since: until:`.

A value that a filter cannot use is no filter but text, so `role:admin` and `file://x` are searched as words.
"""

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from awf_archive.search.documents import Kind, Part, Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Each empty value lets everything through."""

    feature: str = ""
    kind: str = ""
    """A `Kind` or a `Part`."""
    role: str = ""
    tool: str = ""
    file: str = ""
    session: str = ""
    since: int | None = None
    """Seconds since 1970, inclusive."""
    until: int | None = None
    """Seconds since 1970, exclusive."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is filtered."""
        return self == Filters()

    def with_value(self, name: str, value: str, now: str) -> "Filters | None":
        """Return these with one more, or None where that is no filter."""
        read = FILTERS.get(name)
        meant: Any = read(value, now) if read else None
        return None if meant is None else replace(self, **{name: meant})


def from_request(request: Request) -> tuple[Filters, tuple[str, ...]]:
    """Return the filters that were given as options, and the names of those that could not be read."""
    filters, unread = Filters(), []
    for name in FILTERS:
        value = getattr(request, name)
        changed = filters.with_value(name, value, request.now) if value else filters
        if changed is None:
            unread.append(name)
        else:
            filters = changed
    return filters, tuple(unread)


def merged(typed: Filters, given: Filters) -> Filters:
    """Return both; where both name one, the typed is more particular."""
    chosen = {name: getattr(typed, name) or getattr(given, name) for name in FILTERS}
    return Filters(**chosen)


_KINDS = (
    {kind.value: kind.value for kind in Kind}
    | {part.value: part.value for part in Part}
    | {"tool": Part.TOOLS.value, "turns": Kind.TURN.value, "chunks": Kind.CHUNK.value}
    | {"decisions": Kind.DECISION.value}
)
_ROLES = {"user": "user", "assistant": "assistant", "me": "user", "ai": "assistant"}
_SESSION = re.compile(r"(?:session-)?0*([0-9]{1,6})", re.IGNORECASE)


def _words(value: str, _now: str) -> str | None:
    return value.strip() or None


def _file(value: str, _now: str) -> str | None:
    path = value.strip().replace("\\", "/")
    return None if path.startswith("//") else path.removeprefix("./").strip("/") or None


def _session(value: str, _now: str) -> str | None:
    """Read `session-003`, `003` or `3`."""
    match = _SESSION.fullmatch(value.strip())
    return f"session-{int(match[1]):03}" if match else None


def _since(value: str, now: str) -> int | None:
    span = _span(value.strip(), now)
    return None if span is None else int(span[0].timestamp())


def _until(value: str, now: str) -> int | None:
    span = _span(value.strip(), now)
    return None if span is None else int(span[1].timestamp())


FILTERS: dict[str, Callable[[str, str], str | int | None]] = {
    "feature": _words,
    "kind": lambda value, _now: _KINDS.get(value.strip().lower()),
    "role": lambda value, _now: _ROLES.get(value.strip().lower()),
    "tool": _words,
    "file": _file,
    "session": _session,
    "since": _since,
    "until": _until,
}
"""Each filter and how its value is read; None where it makes no sense."""

_AGO = re.compile(r"([0-9]{1,4})([dwmy])", re.IGNORECASE)
_DAYS = {"d": 1, "w": 7, "m": 30, "y": 365}
_DATE = re.compile(r"([0-9]{4})(?:-([0-9]{1,2})(?:-([0-9]{1,2}))?)?")


def seconds(time: str) -> int | None:
    """Return an ISO time as seconds since 1970; a time without a zone is UTC.

    >>> seconds("2026-03-02T09:00:01.000Z"), seconds("soon")
    (1772442001, None)
    """
    moment = _moment(time)
    return None if moment is None else int(moment.timestamp())


def _moment(time: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(time)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def _span(value: str, now: str) -> tuple[datetime, datetime] | None:
    """Return the beginning of what is meant and the first moment after it."""
    if match := _AGO.fullmatch(value):
        moment = _moment(now)
        then = moment - timedelta(days=int(match[1]) * _DAYS[match[2].lower()]) if moment else None
        return (then, then) if then else None
    if match := _DATE.fullmatch(value):
        return _calendar_span(int(match[1]), match[2], match[3])
    exact = _moment(value)
    return (exact, exact + timedelta(seconds=1)) if exact else None


def _calendar_span(year: int, month: str | None, day: str | None) -> tuple[datetime, datetime] | None:
    try:
        start = datetime(year, int(month or 1), int(day or 1), tzinfo=UTC)
        days = 1 if day else monthrange(year, start.month)[1] if month else (366 if _is_leap(year) else 365)
        return start, start + timedelta(days=days)
    except (ValueError, OverflowError):
        return None


def _is_leap(year: int) -> bool:
    return monthrange(year, 2)[1] == 29  # noqa: PLR2004 - days of February
