"""A feature's page: goal, timeline, decisions, summaries, files and the documents of its spec."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from awf_archive.domain.wording import WORDINGS
from awf_archive.render.clean import title
from awf_archive.render.markdown import Kind, render_markdown
from awf_archive.render.sheet import Sheet
from awf_archive.site_builder.page import Page, Place, fill, page_key, split_pages
from awf_archive.site_builder.views import ChunkView, FeatureView, SessionView, SiteView

_ROOT = "../../"
"""From a feature's page to the site's root."""


def features(site: SiteView) -> Iterator[Page]:
    """Make the list of features, and the page of each."""
    words = site.words
    html = fill("features.html", words, "../", site=site)
    yield Page(uri="features/index.md", title=words.site.features, html=html, tab=words.site.features)
    for feature in site.features:
        for place, sessions in split_pages(_by_time(feature.sessions)):
            yield _page(site, feature, sessions, place)


def _by_time(sessions: Iterable[SessionView]) -> list[SessionView]:
    """Return sessions newest first; numbers follow the order of saving, and an import saves old ones late."""
    return sorted(sessions, key=lambda one: (one.last_date, one.last), reverse=True)


def _page(site: SiteView, feature: FeatureView, sessions: Sequence[SessionView], place: Place) -> Page:
    words = site.words.site
    is_first = place.number == 1
    sections = (
        ("timeline", words.timeline, sessions),
        ("decisions", words.decisions, feature.decisions if is_first else ()),
        ("summaries", words.summaries, feature.chunks if is_first else ()),
        ("files", words.files_touched, feature.has_files if is_first else ()),
        ("documents", words.documents, feature.documents if is_first else ()),
    )
    marks = [one.mark for one in (feature.sessions if is_first else sessions)]
    rest = (feature.decisions, feature.chunks, feature.documents) if is_first else ()
    return Page(
        uri=f"{feature.folder}/{place.name}.md",
        title=title(feature.name),
        key=page_key(place, feature.name, feature.goal, marks, rest),
        make=partial(_make, site, feature, sessions, place),
        toc=tuple((anchor, name) for anchor, name, content in sections if content),
    )


def _make(
    site: SiteView, feature: FeatureView, sessions: Sequence[SessionView], place: Place, full: dict[str, str]
) -> str:
    sheet = Sheet(words=site.words, name="text", files=full)
    is_first = place.number == 1
    chunks = [
        (one, _linked(render_markdown(one.text, sheet, Kind.DOCUMENT), one, feature.sessions))
        for one in (feature.chunks if is_first else ())
    ]
    documents = [
        (one.name, render_markdown(one.text, sheet, Kind.DOCUMENT))
        for one in (feature.documents if is_first else ())
    ]
    return fill(
        "feature.html",
        site.words,
        _ROOT,
        feature=feature,
        sessions=sessions,
        place=place,
        chunks=chunks,
        documents=documents,
    )


_POINT = re.compile(
    "<li>("
    + "|".join(
        re.escape(words.chunk.point.removeprefix("- ").partition("{turn}")[0]) for words in WORDINGS.values()
    )
    + r")(\d{1,9})(?!\d)"
)


def _linked(html: str, chunk: ChunkView, sessions: Iterable[SessionView]) -> str:
    """Let each point of a summary lead to its turn."""
    links = {
        session.number(local): session.link_to(local)
        for session in sessions
        if session.facts and session.first <= chunk.last and session.last >= chunk.first
        for local in range(1, session.last - session.first + 2)
    }

    def link(match: re.Match[str]) -> str:
        target = links.get(int(match[2]))
        label = f"{match[1]}{match[2]}"
        return f'<li><a href="{_ROOT}{target}">{label}</a>' if target else match[0]

    return _POINT.sub(link, html)
