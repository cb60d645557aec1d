"""`awf-archive resume`: what a new window needs to go on with a feature (SPEC 2)."""

import sys
from pathlib import Path

import click

from awf_archive.cli import output, resume_view, setup
from awf_archive.cli.damage_note import tell_unread
from awf_archive.cli.recap_view import spelled
from awf_archive.domain.resume import DEFAULT_BYTES, LEAST_BYTES, render
from awf_archive.domain.wording.resume_words import RESUME_WORDS
from awf_archive.errors import NegativeAnswerError, NoArchiveError, UsageError
from awf_archive.services.recap_archive import feature_in_work
from awf_archive.services.redacted_archive import redacted
from awf_archive.services.resume import features, resume


@click.command()
@click.argument("feature", required=False)
@click.option(
    "--max-bytes",
    type=click.IntRange(0),
    default=DEFAULT_BYTES,
    help="Bytes to keep to; 0 for everything.  [default: 15360]",
)
@click.option("--list", "is_list", is_flag=True, help="List the features that can be resumed.")
@setup.common
def command(  # noqa: PLR0913 - click hands every option over as an argument
    *,
    feature: str | None,
    max_bytes: int,
    is_list: bool,
    as_json: bool,
    lang: str | None,
    workspace: Path | None,
) -> int:
    """Print where a feature stands: its status, the latest conversation, summaries, documents.

    Without FEATURE it is the one saved last.
    """
    if 0 < max_bytes < LEAST_BYTES:
        raise UsageError(
            f"--max-bytes {max_bytes}: too few.", f"At least {LEAST_BYTES}, or 0 for everything."
        )
    ready = setup.prepare(workspace, lang)
    if is_list:
        return _list(ready, print_json=as_json)
    name = feature or feature_in_work(ready.archive, "")
    words = RESUME_WORDS[ready.words.language]
    try:
        resumed = resume(redacted(ready.layout), name or "general")  # it goes to a model
    except NoArchiveError:
        if as_json:
            raise
        said = resume_view.cannot(name or "general", words)
        output.text(spelled(said, sys.stdout.encoding))
        return NegativeAnswerError.exit_code
    tell_unread(ready, name)
    text = render(resumed, words, max_bytes)
    if as_json:
        output.json_object(resume_view.as_json(resumed, text))
    else:
        output.paged(spelled(text.rstrip("\n"), sys.stdout.encoding))
    return 0


def _list(ready: setup.Setup, *, print_json: bool) -> int:
    found = list(features(ready.archive))
    words = RESUME_WORDS[ready.words.language]
    if print_json:
        output.json_object({"features": [resume_view.listed_json(one) for one in found]})
    else:
        output.text(resume_view.listing(found, words))
    return 0 if found else NegativeAnswerError.exit_code
