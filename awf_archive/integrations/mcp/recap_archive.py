"""The short recap of a feature from the archive: for a project without a work state, or when a feature is named."""

from collections.abc import Iterator

from awf_archive.domain.tool_lines import one_line
from awf_archive.domain.transcript import Branch
from awf_archive.integrations.mcp.desk import Desk
from awf_archive.integrations.mcp.places import cite

_PROMPTS, _DECISIONS = 6, 5
_LINE = 160


def short(desk: Desk, feature: str) -> str:
    """Return a feature's latest session in a few lines: its last prompts and decisions, each with its place.

    Raises NoArchiveError when nothing was saved, DamagedArchiveError when what was saved last does not read.
    """
    return "\n".join(_lines(desk, feature))


def _lines(desk: Desk, feature: str) -> Iterator[str]:
    manifest = desk.archive.require(feature)
    yield f"{feature}: {manifest.last_end} turns, {len(manifest.sessions)} sessions"
    if not manifest.sessions:
        return
    session = desk.archive.session(feature, manifest.sessions[-1])
    kept = [one for one in session.turns if one.branch is not Branch.ABANDONED]
    date = next((one.time for one in reversed(kept) if one.time), session.created_at)[:10]
    facts = (session.session_id, date, session.phase, one_line(session.title, _LINE))
    yield f"Latest: {' · '.join(filter(None, facts))}"
    yield "Last prompts:"
    yield from (f"- {cite(feature, one.turn)} {one_line(one.title, _LINE)}" for one in kept[-_PROMPTS:])
    if decisions := desk.archive.decisions(feature)[-_DECISIONS:]:
        yield "Last decisions:"
        yield from (f"- {cite(feature, one.turn)} {one_line(one.text, _LINE)}" for one in decisions)
