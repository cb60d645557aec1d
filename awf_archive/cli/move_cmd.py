"""`awf-archive move`: put a conversation under another feature (SPEC 1.1)."""

from pathlib import Path

import click

from awf_archive.cli import output, setup
from awf_archive.domain.wording.import_words import IMPORT_WORDS
from awf_archive.services.index import sync
from awf_archive.services.move import Moving, move


@click.command()
@click.argument("window")
@click.option("--to", "target", required=True, metavar="FEATURE", help="The feature it belongs to.")
@setup.common
def command(*, window: str, target: str, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Put a whole conversation under another feature.

    WINDOW is a session of it, such as login/session-003, or its window's id or the beginning of that. Its turns
    get new numbers there, and the old numbers lead to them.
    """
    ready = setup.prepare(workspace, lang)
    moving = Moving(
        archive=ready.archive,
        now=setup.now(),
        words=ready.words,
        threshold=ready.settings.chunk_threshold,
    )
    done = move(moving, window, target)
    sync(ready.archive, output.progress("index"))
    if as_json:
        output.json_object(
            {
                "window": done.window,
                "from": done.source,
                "to": done.target,
                "globalRange": list(done.numbers),
                "pointers": [one.to_json() for one in done.pointers],
            }
        )
        return 0
    first, last = done.numbers
    words = IMPORT_WORDS[ready.words.language]
    output.text(words.moved.format(window=done.window, feature=done.target, a=first, b=last))
    return 0
