"""`recap TOPIC`: the search of the archive, which holds what the work state and the brain say too (SPEC 4)."""

from awf_archive.search.documents import Progress, Request, no_progress
from awf_archive.services.search import Answer, search
from awf_archive.store.archive import Archive


def recap_topic(archive: Archive, request: Request, progress: Progress = no_progress) -> Answer:
    """Return what all tiers say of a topic, best first.

    Raises NoArchiveError when there is neither an archive nor a `.brain`.
    """
    return search(archive, request, progress)
