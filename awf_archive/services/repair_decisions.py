"""A `decisions.json` that does not read, set aside and made anew from the turns that it came from."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from awf_archive.domain.decisions import Decision
from awf_archive.domain.wording.damage_words import DAMAGE_WORDS
from awf_archive.errors import DamagedArchiveError
from awf_archive.services.decisions_file import why_unread, write_decisions
from awf_archive.services.decisions_harvest import harvest_anew
from awf_archive.services.repairing import Repaired, Work
from awf_archive.store.archive import read_bytes


def renew_decisions(work: Work) -> Iterator[Repaired]:
    """Find a feature's decisions anew where their file does not read; its bytes are kept.

    Records that are whole, before the place where it breaks, are taken over with their ids. What a person said of the
    others, and those recorded by hand, stand in no turn: where they still are is told.
    Raises DiskError.
    """
    archive, feature = work.archive, work.feature
    if not isinstance(why_unread(archive, feature), DamagedArchiveError):
        return
    path = archive.layout.decisions(feature)
    last = archive.require(feature).last_end
    whole = [one for one in whole_records(_text(path)) if one.turn <= last]
    found = harvest_anew(archive, feature, work.repairing.now, whole)
    kept = work.set_aside(path)
    write_decisions(archive.layout, feature, found)
    words = DAMAGE_WORDS[work.repairing.words.language]
    where = archive.layout.relative(kept) if kept else ""
    yield work.told(path, words.decisions_renewed.format(n=len(found), path=where))


def _text(path: Path) -> str:
    """Return what the file says, up to the first byte that is no text; nothing for a link, which is not followed."""
    data = b"" if path.is_symlink() else read_bytes(path) or b""
    return data.decode(errors="replace").partition("\N{REPLACEMENT CHARACTER}")[0]


def whole_records(text: str) -> Iterator[Decision]:
    """Yield the records of a broken list up to the first that does not read, each id once.

    >>> [one.id for one in whole_records('{"decisions": [')]
    []
    """
    start = text.find('"decisions"')
    place, seen = text.find("[", start) + 1, set[str]()
    if start < 0 or text[:start].strip() != "{" or not place:
        return
    while True:
        try:
            value, place = json.JSONDecoder().raw_decode(text, _end_of_blank(text, place))
            one = Decision.from_json(value)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return
        if one.id in seen:
            return
        seen.add(one.id)
        yield one


_BLANK = re.compile(r"[\s,]*")
"""What stands between two records."""


def _end_of_blank(text: str, place: int) -> int:
    found = _BLANK.match(text, place)
    return found.end() if found else place
