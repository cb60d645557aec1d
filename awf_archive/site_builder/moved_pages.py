"""Old addresses of sessions that went to another feature: a page there leads on, also from the disk."""

from collections.abc import Iterator
from functools import partial

from awf_archive.domain.site_names import session_folder
from awf_archive.render.clean import title
from awf_archive.site_builder.page import Page, fill, page_key
from awf_archive.site_builder.places import page_name
from awf_archive.site_builder.views import FeatureView, MovedSession, SessionView, SiteView


def moved(site: SiteView) -> Iterator[Page]:
    """Make a page at each old address of a session's pages; where a session lies now, there is none."""
    taken = {one.folder for one in site.sessions}
    features = {one.name: one for one in site.features}
    for feature in site.features:
        for old in feature.moved_sessions:
            folder = session_folder(feature.name, old.session_id)
            there = _there(features, feature, old)
            if there is None or not there.facts or folder in taken:
                continue
            for number in range(1, len(there.facts.starts) + 1):
                yield Page(
                    uri=f"{folder}/{page_name(number).removesuffix('.html')}.md",
                    title=title(there.title),
                    key=page_key(old, there.mark, number),
                    make=partial(_stub, site, feature, old, there),
                )


def _there(features: dict[str, FeatureView], feature: FeatureView, old: MovedSession) -> SessionView | None:
    """Return the session that holds what was the old one's first turn."""
    for first, last, name, start in feature.moved:
        if first <= old.first <= last and name in features:
            number = start + old.first - first
            return next((one for one in features[name].sessions if one.first <= number <= one.last), None)
    return None


def _stub(
    site: SiteView, feature: FeatureView, old: MovedSession, there: SessionView, full: dict[str, str]
) -> str:
    del full
    return fill("moved.html", site.words, "../../../", feature=feature, old=old, there=there)
