"""PAGES: one template and one function per page of the site, sessions aside (`shell` writes those)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape

from markupsafe import Markup

from awf_archive.domain.decisions import Decision, Status
from awf_archive.render.clean import one_line
from awf_archive.render.sheet import count
from awf_archive.site_builder.charts import heatmap, hour_of_week
from awf_archive.site_builder.feature_pages import features
from awf_archive.site_builder.moved_pages import moved
from awf_archive.site_builder.page import (
    Page,
    PageKind,
    Place,
    as_script_data,
    by_standing,
    decision_folder,
    fill,
    page_key,
    split_pages,
    summary_name,
    unmarked,
)
from awf_archive.site_builder.pages_by_subject import files, timeline, topics
from awf_archive.site_builder.statistics_page import statistics
from awf_archive.site_builder.views import FeatureView, SessionView, SiteView

_LATEST = 10
_LATEST_DECISIONS = 6
"""Fewer, so that the features below them are seen too."""

_NEWS = 100
"""Newest sessions that the home page can tell as new."""


def make_pages(site: SiteView) -> Iterator[Page]:
    """Yield every page of the site but the sessions'."""
    for kind in PAGES:
        yield from kind.make(site)


def _home(site: SiteView) -> Iterator[Page]:
    words = site.words
    sessions = site.readable
    html = fill(
        "home.html",
        words,
        "",
        site=site,
        sessions=sessions[:_LATEST],
        decisions=_standing(site)[:_LATEST_DECISIONS],
        features=site.features[:_LATEST],
        heatmap=heatmap(site),
        hours=hour_of_week(site),
        news=_news(site),
        counters=[
            (number, count(words.site.counters[what], number), link)
            for what, number, link in (
                ("features", len(site.features), "features/index.html"),
                ("sessions", len(sessions), "sessions/index.html"),
                ("turns", sum(one.turn_count for one in site.features), "statistics/index.html"),
                ("decisions", len(site.decisions), "decisions/index.html"),
            )
        ],
    )
    yield Page(uri="index.md", title=words.site.home, html=html, tab=words.site.home)


def _news(site: SiteView) -> Markup:
    """Return what the home page's script needs to tell what is new since a reader's last visit."""
    rows = [
        [one.last_date, one.title, f"{one.folder}/index.html", one.feature]
        for one in sorted(site.readable, key=lambda one: one.last_date, reverse=True)[:_NEWS]
    ]
    return as_script_data(rows)


def _sessions(site: SiteView) -> Iterator[Page]:
    words = site.words
    for place, sessions in split_pages(site.readable):
        yield Page(
            uri=f"sessions/{place.name}.md",
            title=words.site.sessions,
            key=page_key(place, [one.mark for one in sessions]),
            make=partial(_session_list, site, sessions, place),
            tab=words.site.sessions if place.number == 1 else "",
        )


def _session_list(site: SiteView, sessions: Sequence[SessionView], place: Place, full: dict[str, str]) -> str:
    del full
    return fill("sessions.html", site.words, "../", sessions=sessions, place=place)


def _standing(site: SiteView) -> list[tuple[FeatureView, Decision]]:
    """Return the decisions that stand, the newest first, those that nobody confirmed yet behind the others."""
    stand = [pair for pair in site.decisions if pair[1].status in {Status.ACCEPTED, Status.PROPOSED}]
    return sorted(stand, key=lambda pair: pair[1].status is Status.PROPOSED)


def _decisions(site: SiteView) -> Iterator[Page]:
    words = site.words
    yield Page(
        uri="decisions/index.md",
        title=words.site.decisions,
        key=page_key(site.decided, [feature.link_to(one.turn) for feature, one in site.decisions]),
        make=partial(_decision_list, site),
        tab=words.site.decisions,
    )


def _decision_list(site: SiteView, full: dict[str, str]) -> str:
    del full
    features = {one.name: one for one in site.features}
    groups = [
        (statuses, [(features[one.feature], one) for one in those])
        for statuses, those in by_standing(site.decided)
    ]
    statuses = [status for used, _ in groups for status in used]
    return fill("decisions.html", site.words, "../", groups=groups, statuses=statuses, site=site)


def _search(site: SiteView) -> Iterator[Page]:
    words = site.words.site
    html = fill("search.html", site.words, "../", site=site)
    yield Page(uri="search/index.md", title=words.search, html=html, tab=words.search)


def _permalinks(site: SiteView) -> Iterator[Page]:
    """Make the page that leads from `#<feature>-843` to a turn; its table holds only numbers and our folders."""
    places = {
        (one.feature, one.first): [one.folder, *one.facts.starts[1:]]
        for feature in site.features
        for one in feature.sessions
        if one.facts
    }
    table = {
        feature.name: [
            [first, last, *places[there]]
            for first, last, there in (
                *((one.first, one.last, (one.feature, one.first)) for one in feature.sessions),
                *((first, last, (name, start)) for first, last, name, start in feature.moved),
            )
            if there in places
        ]
        for feature in site.features
    }
    words = site.words.site
    newest = next(iter(site.readable), None)
    html = fill(
        "permalinks.html",
        site.words,
        "../",
        data=as_script_data(table),
        note=words.permalink_note.split("{example}"),
        example=f"{newest.feature}#{newest.last}" if newest else "feature#843",
    )
    yield Page(uri="t/index.md", title=words.permalink, html=html)


PAGES: tuple[PageKind, ...] = (
    PageKind(template="home.html", make=_home),
    PageKind(template="feature.html", make=features),
    PageKind(template="sessions.html", make=_sessions),
    PageKind(template="decisions.html", make=_decisions),
    PageKind(template="timeline.html", make=timeline),
    PageKind(template="files.html", make=files),
    PageKind(template="topics.html", make=topics),
    PageKind(template="statistics.html", make=statistics),
    PageKind(template="search.html", make=_search),
    PageKind(template="permalinks.html", make=_permalinks),
    PageKind(template="moved.html", make=moved),
)
"""A page is a template, a function and a row here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What Material's search box knows of a page; both texts are escaped HTML, as its worker wants them."""

    location: str
    title: str
    text: str


_INDEXED = 4000
"""Characters of a text that the search box finds."""

_LONGEST_LINE = 300


def search_entries(site: SiteView) -> Iterator[Entry]:
    """Yield features, sessions, summaries and decisions; never what was said in the turns (site.md 4.3)."""
    for feature in site.features:
        yield _entry(feature.link, feature.name, feature.goal)
        for session in feature.sessions:
            if session.facts:
                yield _entry(session.link, session.title, " · ".join((feature.name, *session.facts.topics)))
        for chunk in feature.chunks:
            heading = summary_name(feature, chunk, site.words)
            yield _entry(f"{feature.link}#{chunk.chunk_id}", heading, chunk.text)
        for decision in feature.decisions:
            place = f"{decision_folder(decision.feature, decision.id)}/index.html"
            yield _entry(
                place,
                f"{decision.id} · {decision.text}",
                " · ".join(filter(None, (decision.reason, feature.name))),
            )


def _entry(location: str, heading: str, text: str) -> Entry:
    return Entry(
        location=location,
        title=escape(one_line(unmarked(heading), 200), quote=False),
        text=_paragraphs(text),
    )


def _paragraphs(text: str) -> str:
    """Return a text a paragraph a line, without marks: Material shows those that hold a word that was sought."""
    lines = (one_line(line, _LONGEST_LINE) for line in unmarked(text[:_INDEXED]).splitlines())
    kept = [escape(line, quote=False) for line in lines if line]
    return kept[0] if len(kept) == 1 else "".join(f"<p>{line}</p>" for line in kept)
