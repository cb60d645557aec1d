"""Draws how figures went from run to run, as one SVG that needs nothing else: no script, no font, no request."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from math import ceil, log10

Point = tuple[str, str, float]
"""When, which commit, how much."""

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 260, 56, 190, 34, 34
COLOURS = ("#0b6e99", "#b5460f", "#2f7d32", "#7a3fa0", "#8a6d00")
"""Readable on white and on the dark of a code forge; each line also bears its name at its end."""


def lines(title: str, unit: str, series: Mapping[str, Sequence[Point]]) -> str:
    """Return a picture of one line a name, the newest run on the right."""
    moments = sorted({point[0] for points in series.values() for point in points})
    top = _round_up(max(point[2] for points in series.values() for point in points))
    body = "".join((*_axis(top, unit), *_lines(series, moments, top), *_ends(moments)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif"'
        f' font-size="11" fill="#777"><title>{escape(title)}</title>'
        f'<text x="{LEFT}" y="18" font-size="13" font-weight="bold">{escape(title)}, CPU in {unit}</text>'
        f"{body}</svg>\n"
    )


def _round_up(value: float) -> float:
    """Return the next number that reads well on an axis."""
    power = 10.0 ** int(log10(value)) if value >= 1 else 0.1
    return ceil(value / power) * power


def _y(value: float, top: float) -> float:
    return round(HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM), 1)


def _x(moment: str, moments: Sequence[str]) -> float:
    place = moments.index(moment) / (len(moments) - 1) if len(moments) > 1 else 1.0
    return round(LEFT + place * (WIDTH - LEFT - RIGHT), 1)


def _axis(top: float, unit: str) -> Iterator[str]:
    for part in range(5):
        value = top * part / 4
        y = _y(value, top)
        yield f'<path d="M{LEFT} {y}H{WIDTH - RIGHT}" stroke="#999" stroke-opacity=".35"/>'
        yield f'<text x="{LEFT - 6}" y="{y + 4}" text-anchor="end">{value:g}{"" if part else f" {unit}"}</text>'


def _lines(series: Mapping[str, Sequence[Point]], moments: Sequence[str], top: float) -> Iterator[str]:
    taken: list[float] = []
    for (name, points), colour in zip(series.items(), COLOURS, strict=False):
        places = [(_x(when, moments), _y(value, top)) for when, _, value in points]
        path = "L".join(f"{x} {y}" for x, y in places)
        yield f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
        for (x, y), (when, commit, value) in zip(places, points, strict=True):
            told = escape(f"{name}, {when[:10]}, {commit}: {value:.3g}")
            yield f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"><title>{told}</title></circle>'
        label = places[-1][1]
        while any(abs(label - other) < 13 for other in taken):  # noqa: PLR2004 - a line of text
            label -= 13
        taken.append(label)
        words = escape(f"{name} {points[-1][2]:.3g}")
        yield f'<text x="{WIDTH - RIGHT + 8}" y="{label + 4}" fill="{colour}">{words}</text>'


def _ends(moments: Sequence[str]) -> Iterator[str]:
    yield f'<text x="{LEFT}" y="{HEIGHT - 10}">{moments[0][:10]}</text>'
    if len(moments) > 1:
        yield f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 10}" text-anchor="end">{moments[-1][:10]}</text>'
