"""`awf-archive chunk`: look after the summaries of old turns (docs/summaries.md)."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from awf_archive import config
from awf_archive.cli import output, setup
from awf_archive.domain.wording import Wording, choose
from awf_archive.domain.wording.chunk_words import CHUNK_WORDS
from awf_archive.errors import NegativeAnswerError
from awf_archive.services.chunk_model import Model
from awf_archive.services.chunk_rebuild import COMMAND, Rebuilding, Rebuilt
from awf_archive.services.chunk_rebuild import rebuild as rebuild_chunks
from awf_archive.services.redacted_archive import allowed_in


@click.group()
def command() -> None:
    """Look after the summaries of old turns: each is made when it is due."""


@command.command()
@click.argument("feature", required=False)
@click.argument("chunks", nargs=-1, metavar="[CHUNK]...")
@click.option(
    "--plain", is_flag=True, help="In the turns' own words, also where a summary command is configured."
)
@click.option(
    "--dry-run", is_flag=True, help="Say what would be made anew; run no command and write nothing."
)
@setup.common
def rebuild(  # noqa: PLR0913 - each is an option
    feature: str | None,
    chunks: tuple[str, ...],
    *,
    plain: bool,
    dry_run: bool,
    as_json: bool,
    lang: str | None,
    workspace: Path | None,
) -> int:
    """Make summaries anew: of every feature, of one, or only those named, such as chunk-001.

    What stood there before is kept in conversations/set-aside. Exit code 1 when one could not be made anew.
    """
    ready = setup.prepare(workspace, lang, needs=() if plain else ("summary",))
    work = replace(working(ready, plain=plain), words=choose(lang) if lang else None, is_dry=dry_run)
    if work.model is None and not plain and not as_json:
        output.note(CHUNK_WORDS[ready.words.language].no_command)
    done = [
        one
        for name in ([feature] if feature else ready.archive.features())
        for one in rebuild_chunks(work, name, chunks)
    ]
    code = NegativeAnswerError.exit_code if not done or any(one.outcome == "kept" for one in done) else 0
    if as_json:
        output.json_object({"chunks": [as_object(one) for one in done]})
        return code
    for one in done:
        output.text(told(one, ready.words))
    if not done:
        said = CHUNK_WORDS[ready.words.language].nothing
        output.text(said.format(threshold=ready.settings.chunk_threshold))
    tell_failures(done, ready.words)
    return code


def working(ready: setup.Setup, *, plain: bool = False) -> Rebuilding:
    """Return how summaries are made in a workspace: by the command of the settings, if there is one."""
    summary = ready.settings.summary
    model = Model(
        command=summary, environment=config.summary_environment(), allowed=allowed_in(ready.layout.root)
    )
    return Rebuilding(
        archive=ready.archive,
        now=setup.now(),
        fallback=ready.words,
        model=model if summary.command and not plain else None,
    )


def told(one: Rebuilt, words: Wording) -> str:
    """Return the line that says what became of a summary."""
    said = CHUNK_WORDS[words.language]
    how = said.by_command if one.made_by == COMMAND else said.by_turns
    line: str = getattr(said, one.outcome)
    return line.format(
        feature=one.feature, chunk=one.chunk_id, a=one.turns[0], b=one.turns[1], how=how, why=one.why
    )


def tell_failures(done: Sequence[Rebuilt], words: Wording) -> None:
    """Warn of summaries that the command should have written and did not."""
    for one in done:
        if one.why and one.outcome != "kept":
            said = CHUNK_WORDS[words.language].failed
            output.note(said.format(feature=one.feature, chunk=one.chunk_id, why=one.why))


def as_object(one: Rebuilt) -> dict[str, object]:
    """Return the object that `--json` holds of a summary (docs/json.md)."""
    return {
        "feature": one.feature,
        "chunk": one.chunk_id,
        "range": list(one.turns),
        "path": one.path,
        "outcome": one.outcome,
        "madeBy": one.made_by or None,
        "why": one.why or None,
    }
