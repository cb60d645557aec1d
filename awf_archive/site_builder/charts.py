"""Charts as SVG made at build time: the year at a glance, turns a week, the hours of the week."""

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
_DAYS_LEFT = 28
_HOUR_STEP = 27
_BAR_HEIGHT = 90


def heatmap(site: SiteView) -> str:
    """Return the SVG of the year that ends with the newest turn; nothing for an archive without dates."""
    days: Counter[date] = Counter()
    for session in site.readable:
        for hour, turns in session.facts.hours.items() if session.facts else ():
            days[date.fromisoformat(hour[:10])] += turns
    if not days:
        return ""
    last = max(days)
    start = last - timedelta(days=last.weekday() + 7 * (_WEEKS - 1))
    most = max(n for day, n in days.items() if day >= start)
    cells = "".join(_cell(site, day, days[day], most, start) for day in _range(start, last))
    months = "".join(_months(start, last))
    width, height = _LEFT + _WEEKS * _STEP, _TOP + 7 * _STEP
    label = count(site.words.site.n_turns, sum(n for day, n in days.items() if day >= start))
    return _svg(f"{months}{cells}", (width, height), label)


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


def _hours(site: SiteView) -> Counter[str]:
    total: Counter[str] = Counter()
    for session in site.readable:
        if session.facts:
            total.update(session.facts.hours)
    return total


def hour_of_week(site: SiteView) -> str:
    """Return the SVG of when in the week turns began; nothing for an archive without times."""
    cells: Counter[tuple[int, int]] = Counter()
    for hour, turns in _hours(site).items():
        cells[date.fromisoformat(hour[:10]).weekday(), int(hour[11:13])] += turns
    if not cells:
        return ""
    words, most = site.words.site, max(cells.values())
    parts = []
    for day, name in enumerate(words.weekdays):
        parts.append(f'<text x="0" y="{_TOP + day * _STEP + 9}">{escape(name)}</text>')
        for at in range(24):
            turns = cells[day, at]
            level = -(-turns * _QUARTERS // most)
            css = f' class="awf-h{level}"' if level else ""
            tip = f"{name} {at:02d}:00: {count(words.n_turns, turns)}"
            told = f"<title>{escape(tip)}</title>" if turns else ""
            place = f'x="{_DAYS_LEFT + at * _HOUR_STEP}" y="{_TOP + day * _STEP}"'
            parts.append(f'<rect {place} width="{_HOUR_STEP - 2}" height="{_SIDE}" rx="2"{css}>{told}</rect>')
    marks = (
        f'<text x="{_DAYS_LEFT + hour * _HOUR_STEP}" y="9">{hour:02d}</text>' for hour in range(0, 24, 3)
    )
    size = (_DAYS_LEFT + 24 * _HOUR_STEP, _TOP + 7 * _STEP)
    return _svg("".join((*marks, *parts)), size, words.hours_of_week)


def weeks(site: SiteView) -> str:
    """Return the SVG of turns a week over the last year; nothing for an archive without times."""
    total: Counter[date] = Counter()
    for hour, turns in _hours(site).items():
        day = date.fromisoformat(hour[:10])
        total[day - timedelta(days=day.weekday())] += turns
    if not total:
        return ""
    last, most = max(total), max(total.values())
    words = site.words.site
    parts = [f'<text x="0" y="9">{most:,}</text>']
    for index in range(_WEEKS):
        monday = last - timedelta(weeks=_WEEKS - 1 - index)
        turns = total[monday]
        height = round(turns / most * _BAR_HEIGHT, 1)
        place = f'x="{_LEFT + index * _STEP}" y="{_TOP + _BAR_HEIGHT - height:.1f}"'
        if turns:
            told = escape(f"{monday.isoformat()}: {count(words.n_turns, turns)}")
            size = f'width="{_SIDE}" height="{max(height, 1)}"'
            parts.append(f'<rect {place} {size} rx="1.5" class="awf-h3"><title>{told}</title></rect>')
        if monday.day <= 7:  # noqa: PLR2004 - the first Monday of a month names it
            name = monday.year if monday.month == 1 else f"{monday.month:02d}"
            parts.append(f'<text x="{_LEFT + index * _STEP}" y="{_TOP + _BAR_HEIGHT + 11}">{name}</text>')
    return _svg("".join(parts), (_LEFT + _WEEKS * _STEP, _TOP + _BAR_HEIGHT + 16), words.turns_a_week)


def _svg(inside: str, size: tuple[int, int], label: str) -> str:
    width, height = size
    return (
        f'<div class="awf-heat" tabindex="0" role="group" aria-label="{escape(label)}">'
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'aria-label="{escape(label)}">{inside}</svg></div>'
    )
