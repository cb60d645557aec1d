"""The statistics page: charts as SVG and bars made at build time, from the sessions' facts."""

from collections import Counter
from collections.abc import Iterator

from awf_archive.site_builder.charts import hour_of_week, weeks
from awf_archive.site_builder.page import Page, fill
from awf_archive.site_builder.views import SiteView

_BARS = 15


def statistics(site: SiteView) -> Iterator[Page]:
    """Make the page of charts."""
    words = site.words.site
    tables = (
        (words.tools_used, _top(_summed(site, "tools"))),
        (words.models_used, _top(_summed(site, "answered"))),
        (words.formats_used, _top(_formats(site))),
        (words.turns_by_feature, _top(Counter({one.name: one.turn_count for one in site.features}))),
    )
    tokens = _summed(site, "tokens")
    html = fill(
        "statistics.html",
        site.words,
        "../",
        weeks=weeks(site),
        hours=hour_of_week(site),
        tables=[(name, rows) for name, rows in tables if rows],
        tokens=[(words.token_kinds[kind], tokens[kind]) for kind in words.token_kinds if tokens[kind]],
        failed=sum(one.facts.failed for one in site.readable if one.facts),
        calls=_summed(site, "tools").total(),
    )
    yield Page(uri="statistics/index.md", title=words.statistics, html=html, tab=words.statistics)


def _summed(site: SiteView, name: str) -> Counter[str]:
    total: Counter[str] = Counter()
    for session in site.readable:
        total.update(getattr(session.facts, name))
    return total


def _formats(site: SiteView) -> Counter[str]:
    total: Counter[str] = Counter()
    for session in site.readable:
        if session.facts and session.facts.format:
            total[session.facts.format] += session.facts.turns
    return total


def _top(counted: Counter[str]) -> list[tuple[str, int, int]]:
    """Return name, number and width in percent of the longest bars."""
    rows = sorted(((name, n) for name, n in counted.items() if n), key=lambda row: (-row[1], row[0]))[:_BARS]
    return [(name, n, max(1, round(100 * n / rows[0][1]))) for name, n in rows]
