"""`awf-archive list`: the saved sessions."""

from pathlib import Path

import click

from awf_archive.cli import output, setup
from awf_archive.cli.damage_note import tell_unread
from awf_archive.domain.tool_lines import one_line
from awf_archive.domain.wording.model import ListWords
from awf_archive.domain.wording.trust_words import TRUST_WORDS, TrustWords
from awf_archive.errors import NegativeAnswerError
from awf_archive.services.findings import REPAIR
from awf_archive.services.lost import Lost
from awf_archive.services.show import Listed, listing


@click.command()
@click.option("--feature", help="Only the sessions of this feature.")
@setup.common
def command(*, feature: str | None, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """List the saved sessions, feature by feature."""
    ready = setup.prepare(workspace, lang)
    found, lost = listing(ready.archive, feature)
    code = setup.tell_damaged(ready, feature)
    for one in lost:
        code = one.problem.exit_code
        output.note(f"⚠️ {_told(one, TRUST_WORDS[ready.words.language])}")
    tell_unread(ready, feature)  # the sessions are all there, so this is no failure
    if as_json:
        output.json_object(
            {"sessions": [_json(one) for one in found], "lost": [_lost_json(one) for one in lost]}
        )
        return code or (0 if found else NegativeAnswerError.exit_code)
    if lost and not found:
        return code
    if not found:
        output.text(ready.words.listing.empty)
        return code or NegativeAnswerError.exit_code
    words = ready.words.listing
    output.paged(output.table([words.columns, *(_row(one, words) for one in found)]))
    return code


def _row(one: Listed, words: ListWords) -> tuple[str, ...]:
    first, last = one.entry.global_range
    date = next((turn.time for turn in one.session.turns if turn.time), one.session.created_at)[:10]
    mark = f" ({words.partial})" if one.session.source.partial else ""
    return (
        one.feature,
        one.entry.session_id,
        f"#{first}-{last}",
        date,
        one_line(one.session.heading, 70) + mark,
    )


def _told(one: Lost, words: TrustWords) -> str:
    first, last = one.entry.global_range
    return words.lost.format(place=f"{one.feature}/{one.entry.session_id}", turns=f"#{first}-{last}")


def _lost_json(one: Lost) -> dict[str, object]:
    return {
        "feature": one.feature,
        "session": one.entry.session_id,
        "globalRange": list(one.entry.global_range),
        "message": one.problem.message,
        "remedy": REPAIR,
    }


def _json(one: Listed) -> dict[str, object]:
    return {
        "feature": one.feature,
        "session": one.entry.session_id,
        "globalRange": list(one.entry.global_range),
        "turnCount": one.session.turn_count,
        "title": one.session.heading,
        "source": one.session.source.format,
        "window": one.session.source.window,
        "createdAt": one.session.created_at,
        "status": one.entry.status,
        "partial": one.session.source.partial,
    }
