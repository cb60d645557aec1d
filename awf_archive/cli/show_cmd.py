"""`awf-archive show`: a session, a turn or a range of turns, in full."""

from pathlib import Path

import click

from awf_archive.cli import output, setup
from awf_archive.cli.show_view import turn_text
from awf_archive.domain.block_json import blocks_json
from awf_archive.domain.formats import is_partial
from awf_archive.domain.wording.git_words import GIT_WORDS
from awf_archive.services.show import ShownTurn, merged_into, names_one_turn, turns


@click.command()
@click.argument("place", nargs=-1, required=True)
@setup.common
def command(*, place: tuple[str, ...], as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Show turns in full: FEATURE#16, FEATURE#16-20, FEATURE/session-002, or a whole FEATURE."""
    ready = setup.prepare(workspace, lang)
    where = " ".join(place)
    found = turns(ready.archive, where)
    if as_json:
        shown = [_json(one) for one in found]
        output.json_object(shown[0] if names_one_turn(ready.archive, where) else {"turns": shown})
        return 0
    output.paged("\n\n".join(turn_text(one, ready.words) for one in found))
    for feature, old, new in merged_into(ready.archive, where):
        output.note("ℹ️ " + GIT_WORDS[ready.words.language].formerly.format(feature=feature, old=old, new=new))
    return 0


def _json(one: ShownTurn) -> dict[str, object]:
    return {
        "feature": one.feature,
        "session": one.session.session_id,
        "turn": one.entry.turn,
        "formerly": list(one.entry.formerly),
        "time": one.entry.time or one.turn.time,
        "branch": one.entry.branch.value,
        "partial": is_partial(one.session.format_of(one.entry)),
        "user": one.turn.user,
        "assistant": one.turn.assistant,
        "blocks": [
            {"side": side, **block}
            for side, blocks in (("user", one.turn.user_blocks), ("assistant", one.turn.assistant_blocks))
            for block in blocks_json(blocks)
        ],
    }
