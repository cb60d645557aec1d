"""The home page's year at a glance: turns a day as an SVG made at build time."""

from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from html import escape

from awf_archive.render.sheet import count
from awf_archive.site_builder.views import SiteView

_WEEKS = 53
_STEP = 13
_SIDE = 11
_LEFT = 4
_TOP = 14
_QUARTERS = 4


def heatmap(site: SiteView) -> str:
    """Return the SVG of the year that ends with the newest turn; nothing for an archive without dates."""
    days = Counter(day for day in map(_day, _times(site)) if day)
    if not days:
        return ""
    last = max(days)
    start = last - timedelta(days=last.weekday() + 7 * (_WEEKS - 1))
    most = max(n for day, n in days.items() if day >= start)
    cells = "".join(_cell(site, day, days[day], most, start) for day in _range(start, last))
    months = "".join(_months(start, last))
    width, height = _LEFT + _WEEKS * _STEP, _TOP + 7 * _STEP
    label = escape(count(site.words.site.n_turns, sum(n for day, n in days.items() if day >= start)))
    return (
        f'<div class="awf-heat" tabindex="0"><svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{label}">{months}{cells}</svg></div>'
    )


def _times(site: SiteView) -> Iterator[str]:
    for session in site.sessions:
        for turn in session.turns:
            yield turn.time


def _day(time: str) -> date | None:
    try:
        return date.fromisoformat(time[:10])
    except ValueError:
        return None


def _range(first: date, last: date) -> Iterator[date]:
    for offset in range((last - first).days + 1):
        yield first + timedelta(days=offset)


def _cell(site: SiteView, day: date, turns: int, most: int, start: date) -> str:
    week = (day - start).days // 7
    level = -(-turns * _QUARTERS // most)
    css = f' class="awf-h{level}"' if level else ""
    told = escape(f"{day.isoformat()}: {count(site.words.site.n_turns, turns)}")
    place = f'x="{_LEFT + week * _STEP}" y="{_TOP + day.weekday() * _STEP}"'
    tip = f"<title>{told}</title>" if turns else ""
    return f'<rect {place} width="{_SIDE}" height="{_SIDE}" rx="2"{css}>{tip}</rect>'


def _months(first: date, last: date) -> Iterator[str]:
    """Name each month at the week it begins in, as `2026-01` in January and else by its number."""
    for day in _range(first, last):
        if day.day == 1:
            x = _LEFT + (day - first).days // 7 * _STEP
            yield f'<text x="{x}" y="9">{day.year if day.month == 1 else f"{day.month:02d}"}</text>'
