"""A `decisions.json` that does not read, set aside and made anew from the turns that it came from."""

from collections.abc import Iterator

from awf_archive.domain.wording.damage_words import DAMAGE_WORDS
from awf_archive.errors import DamagedArchiveError
from awf_archive.services.decisions_file import why_unread, write_decisions
from awf_archive.services.decisions_harvest import harvest_anew
from awf_archive.services.repairing import Repaired, Work


def renew_decisions(work: Work) -> Iterator[Repaired]:
    """Find a feature's decisions anew where their file does not read; its bytes are kept.

    What a person said of them, and those recorded by hand, stand in no turn: where they still are is told.
    Raises DiskError.
    """
    archive, feature = work.archive, work.feature
    if not isinstance(why_unread(archive, feature), DamagedArchiveError):
        return
    path = archive.layout.decisions(feature)
    found = harvest_anew(archive, feature, work.repairing.now)
    kept = work.set_aside(path)
    write_decisions(archive.layout, feature, found)
    words = DAMAGE_WORDS[work.repairing.words.language]
    where = archive.layout.relative(kept) if kept else ""
    yield work.told(path, words.decisions_renewed.format(n=len(found), path=where))
