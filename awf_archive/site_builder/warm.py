"""Renders what was just saved, so that the next build finds it (issue 9, point 7)."""

from collections.abc import Iterable
from itertools import product

from awf_archive.domain.wording import WORDINGS
from awf_archive.site_builder.prepare import SessionRenderer, Task
from awf_archive.store.archive import Archive
from awf_archive.store.layout import Layout


def warm(layout: Layout, features: Iterable[str]) -> int:
    """Render the newest session of these features, in each language that a site was built in.

    Return how many were seen to: none where nobody builds a site. Raises ArchiveError when a manifest does not read.
    """
    languages = [one for one in WORDINGS if (layout.render_cache / one).is_dir()]
    archive = Archive(layout=layout)
    entries = [
        (feature, manifest.sessions[-1])
        for feature in (features if languages else ())
        if (manifest := archive.manifest(feature)) and manifest.sessions
    ]
    for (feature, entry), language in product(entries, languages):
        SessionRenderer(layout=layout, language=language)(Task(feature=feature, entry=entry))
    return len(entries) * len(languages)
