"""PAGES: one template and one function per page of the site, sessions aside (`shell` writes those)."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, TypeVar

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from awf_archive.domain.decisions import Decision
from awf_archive.domain.wording import Wording
from awf_archive.render.clean import clean, one_line, title
from awf_archive.render.sheet import count
from awf_archive.render.turn import time_element
from awf_archive.site_builder.collect import FEATURE_ROOT
from awf_archive.site_builder.heatmap import heatmap
from awf_archive.site_builder.places import slug, templates
from awf_archive.site_builder.views import FeatureView, SessionView, SiteView

_LATEST = 10
_ROWS = 200
"""Sessions on one page of a list."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page that MkDocs wraps in the theme."""

    uri: str
    """Its source's name for MkDocs: `features/index.md`."""
    title: str
    """Harmless even unescaped."""
    html: str
    toc: tuple[tuple[str, str], ...] = ()
    """Anchor and title of each section; titles are harmless too."""
    tab: str = ""
    """Its name among the site's tabs; empty for pages that have none."""
    full: dict[str, str] = field(default_factory=dict)
    """Whole texts to lie beside it."""

    @property
    def is_in_nav(self) -> bool:
        """Tell whether it is one of the site's tabs."""
        return bool(self.tab)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageKind:
    """How pages of one kind are made."""

    template: str
    make: Callable[[SiteView], Iterator[Page]]


@cache
def _environment(folder: Path) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters |= {
        "when": lambda time: Markup(time_element(time)),  # noqa: S704 - escapes its parts
        "line": one_line,
        "clean": clean,
        "slug": slug,
        "decision_anchor": decision_anchor,
        "safe_html": Markup,
        "n": _counted,
        "span": _span,
    }
    return environment


def _counted(number: int, template: str) -> str:
    return count(template, number)


def _span(view: SessionView) -> str:
    return f"#{view.first}" if view.first == view.last else f"#{view.first}–{view.last}"


def fill(template: str, words: Wording, root: str, **values: Any) -> str:  # noqa: ANN401 - templates take anything
    """Return a template's HTML. Values are escaped; `root` leads from the page to the site's root."""
    environment = _environment(templates() / "pages")
    return environment.get_template(template).render(w=words.site, words=words, root=root, **values)


def make_pages(site: SiteView) -> Iterator[Page]:
    """Yield every page of the site but the sessions'."""
    for kind in PAGES:
        yield from kind.make(site)


def _home(site: SiteView) -> Iterator[Page]:
    words = site.words
    sessions = [one for one in site.sessions if one.session]
    html = fill(
        "home.html",
        words,
        "",
        site=site,
        sessions=sessions[:_LATEST],
        decisions=site.decisions[:_LATEST],
        features=site.features[:_LATEST],
        heatmap=heatmap(site),
        counters=(
            (len(site.features), words.site.features, "features/index.html"),
            (len(sessions), words.site.sessions, "sessions/index.html"),
            (sum(len(one.turns) for one in sessions), words.site.turns, ""),
            (len(site.decisions), words.site.decisions, "decisions/index.html"),
        ),
    )
    yield Page(uri="index.md", title=words.site.home, html=html, tab=words.site.home)


def _features(site: SiteView) -> Iterator[Page]:
    words = site.words
    html = fill("features.html", words, "../", site=site)
    yield Page(uri="features/index.md", title=words.site.features, html=html, tab=words.site.features)


def _feature(site: SiteView) -> Iterator[Page]:
    for feature in site.features:
        for number, pages, sessions in _split(list(reversed(feature.sessions))):
            yield _feature_page(site, feature, sessions, (number, pages))


def _feature_page(
    site: SiteView, feature: FeatureView, sessions: Sequence[SessionView], place: tuple[int, int]
) -> Page:
    number, pages = place
    words = site.words.site
    html = fill(
        "feature.html", site.words, FEATURE_ROOT, feature=feature, sessions=sessions, page=number, pages=pages
    )
    sections = (
        ("timeline", words.timeline, sessions),
        ("decisions", words.decisions, feature.decisions if number == 1 else ()),
        ("summaries", words.summaries, feature.chunks if number == 1 else ()),
        ("files", words.files_touched, feature.files if number == 1 else ()),
        ("documents", words.documents, feature.documents if number == 1 else ()),
    )
    return Page(
        uri=f"{feature.folder}/{_file(number)}",
        title=title(feature.name),
        html=html,
        toc=tuple((anchor, name) for anchor, name, content in sections if content),
        full=dict(feature.full or {}) if number == 1 else {},
    )


def _sessions(site: SiteView) -> Iterator[Page]:
    words = site.words
    for number, pages, sessions in _split([one for one in site.sessions if one.session]):
        html = fill("sessions.html", words, "../", sessions=sessions, page=number, pages=pages)
        yield Page(
            uri=f"sessions/{_file(number)}",
            title=words.site.sessions,
            html=html,
            tab=words.site.sessions if number == 1 else "",
        )


def _decisions(site: SiteView) -> Iterator[Page]:
    words = site.words
    used = dict.fromkeys(decision.status.value for _, decision in site.decisions)
    html = fill("decisions.html", words, "../", decisions=site.decisions, statuses=list(used), site=site)
    yield Page(uri="decisions/index.md", title=words.site.decisions, html=html, tab=words.site.decisions)


def _permalinks(site: SiteView) -> Iterator[Page]:
    """Make the page that leads from `#<feature>-843` to a turn; its table holds only numbers and our folders."""
    places = {
        (one.feature, one.first): [one.folder, *one.starts[1:]]
        for feature in site.features
        for one in feature.sessions
        if one.session
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
    data = json.dumps(table, separators=(",", ":")).replace("<", "\\u003c").replace("&", "\\u0026")
    html = fill("permalinks.html", site.words, "../", data=Markup(data))  # noqa: S704 - holds no < and no &
    yield Page(uri="t/index.md", title=site.words.site.permalink, html=html)


def _split(everyone: Sequence[_T]) -> Iterator[tuple[int, int, Sequence[_T]]]:
    """Yield page number, pages in all, and the page's part of a long list; one empty page of an empty list."""
    pages = max(1, -(-len(everyone) // _ROWS))
    for number in range(1, pages + 1):
        yield number, pages, everyone[(number - 1) * _ROWS : number * _ROWS]


def _file(number: int) -> str:
    return "index.md" if number == 1 else f"page-{number}.md"


PAGES: tuple[PageKind, ...] = (
    PageKind(template="home.html", make=_home),
    PageKind(template="features.html", make=_features),
    PageKind(template="feature.html", make=_feature),
    PageKind(template="sessions.html", make=_sessions),
    PageKind(template="decisions.html", make=_decisions),
    PageKind(template="permalinks.html", make=_permalinks),
)
"""A page is a template, a function and a row here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What Material's search box knows of a page; both texts are escaped HTML, as its worker wants them."""

    location: str
    title: str
    text: str


def search_entries(site: SiteView) -> Iterator[Entry]:
    """Yield features, sessions, summaries and decisions; never what was said in the turns (site.md 4.3)."""
    for feature in site.features:
        yield _entry(feature.link, feature.name, feature.goal)
        for session in feature.sessions:
            if session.session:
                yield _entry(session.link, session.title, " · ".join((feature.name, *session.topics)))
        for chunk in feature.chunks:
            heading = f"{feature.name} · {chunk.chunk_id}"
            yield _entry(f"{feature.link}#{chunk.chunk_id}", heading, chunk.text[:4000])
        for decision in feature.decisions:
            place = f"decisions/index.html#{decision_anchor(decision)}"
            yield _entry(place, f"{decision.id} · {decision.text}", f"{decision.reason} · {feature.name}")


def _entry(location: str, heading: str, text: str) -> Entry:
    return Entry(
        location=location,
        title=escape(one_line(heading, 200), quote=False),
        text=escape(clean(text), quote=False),
    )


def decision_anchor(decision: Decision) -> str:
    """Return a decision's place on the decisions page.

    >>> from types import SimpleNamespace
    >>> decision_anchor(SimpleNamespace(feature="block-user", id="D-001"))
    'block-user-d-001'
    """
    return f"{slug(decision.feature)}-{slug(decision.id.lower())}"
