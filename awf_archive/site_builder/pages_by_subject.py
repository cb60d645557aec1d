"""Pages that cut across features: by month, by file, by topic."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby

from awf_archive.domain.decisions import Decision
from awf_archive.render.clean import title
from awf_archive.site_builder.page import Page, file_folder, fill, page_key, standing
from awf_archive.site_builder.topics import Topic, find_topics
from awf_archive.site_builder.views import FeatureView, FileView, SessionView, SiteView, files_of

_FILES_LISTED = 1000
_FILES_WITH_PAGES = 400
_TURNS_LISTED = 8
"""Of a file on the list; all of them stand on its own page."""

_NEWEST = 3
"""Sessions of a topic that stand open; the others are folded."""

_TOPIC_ROWS = 40


def timeline(site: SiteView) -> Iterator[Page]:
    """Make a page for each month, and one that lists the months."""
    words = site.words.site
    dated = [one for one in site.readable if one.date]
    dated.sort(key=lambda one: (one.date, one.feature, one.first), reverse=True)
    months = [(month, tuple(rows)) for month, rows in groupby(dated, key=lambda one: one.date[:7])]
    decided = _by_month(site)
    names = [month for month, _ in months]
    for index, (month, sessions) in enumerate(months):
        beside = (names[index + 1] if index + 1 < len(names) else "", names[index - 1] if index else "")
        made = decided.get(month, [])
        yield Page(
            uri=f"timeline/{month}/index.md",
            title=month,
            key=page_key(beside, [one.mark for one in sessions], [one for _, one in made]),
            make=partial(_month, site, sessions, made, beside),
        )
    rows = [
        (month, len(sessions), _turns(sessions), len(decided.get(month, ())), _features_of(sessions))
        for month, sessions in months
    ]
    most = max((turns for _, _, turns, _, _ in rows), default=1)
    html = fill("timeline.html", site.words, "../", months=rows, most=max(1, most))
    yield Page(uri="timeline/index.md", title=words.timeline, html=html, tab=words.timeline)


def _month(
    site: SiteView,
    sessions: Sequence[SessionView],
    decisions: Sequence[tuple[FeatureView, Decision]],
    beside: tuple[str, str],
    full: dict[str, str],
) -> str:
    del full
    return fill(
        "month.html",
        site.words,
        "../../",
        month=sessions[0].date[:7],
        days=[(day, list(rows)) for day, rows in groupby(sessions, key=lambda one: one.date[:10])],
        turns=_turns(sessions),
        decisions=sorted(decisions, key=lambda pair: standing(pair[1])),
        older=beside[0],
        newer=beside[1],
    )


def _turns(sessions: Sequence[SessionView]) -> int:
    return sum(one.facts.turns for one in sessions if one.facts)


def _features_of(sessions: Sequence[SessionView]) -> list[str]:
    return list(dict.fromkeys(one.feature for one in sessions))


def _by_month(site: SiteView) -> dict[str, list[tuple[FeatureView, Decision]]]:
    found: dict[str, list[tuple[FeatureView, Decision]]] = {}
    for feature, decision in site.decisions:
        found.setdefault(decision.date[:7], []).append((feature, decision))
    return found


def files(site: SiteView) -> Iterator[Page]:
    """Make the list of files that turns touched, and a page for each that several sessions did."""
    words = site.words.site
    everything = files_of(site.readable)
    own = {one.path for one in [one for one in everything if len(one.turns) > 1][:_FILES_WITH_PAGES]}
    yield Page(
        uri="files/index.md",
        title=words.files,
        key=page_key(site.mark),
        make=partial(_file_list, site, everything, own),
        tab=words.files,
    )
    for file in everything:
        if file.path in own:
            yield Page(
                uri=f"{file_folder(file.path)}/index.md",
                title=title(file.shown),
                key=page_key(file.shown, "\n".join(one.mark for one, _ in file.turns)),
                make=partial(_file, site, file),
            )


def _file_list(site: SiteView, everything: Sequence[FileView], own: set[str], full: dict[str, str]) -> str:
    del full
    return fill(
        "files.html",
        site.words,
        "../",
        files=everything[:_FILES_LISTED],
        more=max(0, len(everything) - _FILES_LISTED),
        own=own,
        few=_TURNS_LISTED,
    )


def _file(site: SiteView, file: FileView, full: dict[str, str]) -> str:
    del full
    return fill("file.html", site.words, "../../", file=file)


def topics(site: SiteView) -> Iterator[Page]:
    """Make the page of words that several sessions share."""
    words = site.words.site
    yield Page(
        uri="topics/index.md",
        title=words.topics,
        key=page_key(site.mark),
        make=partial(_topic_list, site),
        tab=words.topics,
    )


def _topic_list(site: SiteView, full: dict[str, str]) -> str:
    del full
    found = find_topics(site.readable)
    sizes = _sizes(found)
    return fill("topics.html", site.words, "../", topics=found, sizes=sizes, newest=_NEWEST, most=_TOPIC_ROWS)


def _sizes(topics_: Sequence[Topic]) -> dict[str, int]:
    """Return a size from 1 to 4 for each topic of the cloud."""
    most = max((len(one.sessions) for one in topics_), default=1)
    return {one.name: -(-4 * len(one.sessions) // most) for one in topics_}
