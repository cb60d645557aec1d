"""What the deeper levels of `recap` take from the archive: decisions and the latest turns (SPEC 4)."""

from collections.abc import Iterator, Sequence

from awf_archive.domain.decisions import Status
from awf_archive.domain.recap_levels import MOST_DECISIONS, Said
from awf_archive.domain.tool_lines import one_line
from awf_archive.domain.transcript import Block, Branch, Text, ToolCall, prompt_text
from awf_archive.domain.work_state import Pair
from awf_archive.errors import ArchiveError
from awf_archive.store.archive import Archive

_FEW_TOKENS = 40
"""A turn takes at least so many tokens; more turns than fit need not be read."""


def feature_in_work(archive: Archive, named: str) -> str:
    """Return the feature that the work is about: the one the work state names, else the one saved last."""
    features = archive.features()
    if named in features:
        return named
    saved = [(_last_updated(archive, feature), feature) for feature in features]
    return max(saved, default=("", ""))[1]


def _last_updated(archive: Archive, feature: str) -> str:
    try:
        manifest = archive.manifest(feature)
    except ArchiveError:
        return ""
    return manifest.last_updated if manifest else ""


def archived_decisions(archive: Archive, feature: str, proposed: str) -> Sequence[Pair]:
    """Return the archive's latest decisions that stand: the accepted, then the proposed if there is room.

    `proposed` marks what nobody confirmed. None where the file does not read: `verify` reports that.
    """
    try:
        found = archive.decisions(feature)
    except ArchiveError:
        return ()
    accepted = [one for one in found if one.status is Status.ACCEPTED][-MOST_DECISIONS:]
    waiting = [one for one in found if one.status is Status.PROPOSED]
    room = MOST_DECISIONS - len(accepted)
    return [
        *(Pair(one.text, one.reason) for one in accepted),
        *(
            Pair(f"({proposed}) {one.text}", one.reason)
            for one in waiting[len(waiting) - min(room, len(waiting)) :]
        ),
    ]


def latest_turns(archive: Archive, feature: str, budget: int) -> Sequence[Said]:
    """Return the last turns of a feature that the user stayed with, oldest first; not more than could fit."""
    found: list[Said] = []
    for said in _backwards(archive, feature):
        found.insert(0, said)
        if len(found) * _FEW_TOKENS >= budget:
            break
    return found


def _backwards(archive: Archive, feature: str) -> Iterator[Said]:
    """Yield turns, the newest first; what does not read is passed over: `verify` reports that."""
    for listed in reversed(archive.require(feature).sessions):
        try:
            session = archive.session(feature, listed)
        except ArchiveError:
            continue
        for entry in reversed(session.turns):
            if entry.branch is Branch.ABANDONED:
                continue
            try:
                turn = archive.turn(feature, session.session_id, entry)
            except ArchiveError:
                continue
            yield Said(
                turn=entry.turn,
                user=prompt_text(turn.user_blocks) or turn.user,
                assistant=last_words(turn.assistant_blocks),
            )


def last_words(blocks: Sequence[Block]) -> str:
    """Return what an assistant said last in a turn, else what it did last."""
    for block in reversed(blocks):
        if isinstance(block, Text) and block.text.strip():
            return block.text
    calls = [block.name for block in blocks if isinstance(block, ToolCall)]
    return one_line(" · ".join(dict.fromkeys(calls)))
