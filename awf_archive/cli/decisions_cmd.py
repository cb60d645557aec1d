"""`awf-archive decisions`: what was decided, and what a person says of it."""

from pathlib import Path

import click

from awf_archive.cli import output, setup
from awf_archive.cli.damage_note import tell_unread
from awf_archive.cli.decisions_bulk import export, harvest
from awf_archive.cli.decisions_one import accept, edit, reject, show, supersede
from awf_archive.cli.decisions_read_cmd import read, take
from awf_archive.cli.decisions_review_cmd import review
from awf_archive.cli.decisions_view import listed
from awf_archive.domain.decisions import Status
from awf_archive.domain.wording.decision_words import DECISION_WORDS
from awf_archive.errors import NegativeAnswerError, UsageError
from awf_archive.services.decisions_list import Asked, asked_for

_FEATURE = click.option("--feature", help="Only this feature.")


@click.group(invoke_without_command=True)
@_FEATURE
@click.option(
    "--status",
    "statuses",
    multiple=True,
    type=click.Choice([one.value for one in Status]),
    help="Only these; may be given several times.",
)
@click.option(
    "--since", default="", metavar="DATE", help="Decided on this day or later: 2026-01-31, 2026-01, 2026."
)
@click.option("--until", default="", metavar="DATE", help="Decided on this day or before.")
@click.option("--by", default="", type=click.Choice(["", "user", "assistant"]), help="Who decided.")
@click.option("--text", default="", help="Words in it, with or without marks.")
@setup.common
@click.pass_context
def command(context: click.Context, /, **given: object) -> int:
    """List what was decided: the accepted first. Without a further word; the others change or show one.

    \b
    awf-archive decisions --status proposed --text "sqlite"
    awf-archive decisions show D-003
    awf-archive decisions review
    """
    if context.invoked_subcommand:
        if used := [name for name, value in given.items() if value]:
            raise UsageError(
                f"--{used[0].replace('as_', '')} stands before {context.invoked_subcommand}, where it means nothing.",
                f"Put it behind: awf-archive decisions {context.invoked_subcommand} …",
            )
        return 0
    return _list(**given)  # type: ignore[arg-type]


def _list(  # noqa: PLR0913 - one option a line
    *,
    feature: str | None,
    statuses: tuple[str, ...],
    since: str,
    until: str,
    by: str,
    text: str,
    as_json: bool,
    lang: str | None,
    workspace: Path | None,
) -> int:
    ready = setup.prepare(workspace, lang)
    words = DECISION_WORDS[ready.words.language]
    asked = Asked(
        feature=feature or "",
        statuses=tuple(map(Status, statuses)),
        since=since,
        until=until,
        by=by,
        text=text,
    )
    found = asked_for(ready.archive, asked)
    code = setup.tell_damaged(ready, feature) or tell_unread(ready, feature)
    if as_json:
        output.json_object({"decisions": [one.to_json() for one in found]})
    elif found:
        output.paged(listed(found, words))
    else:
        is_narrowed = any((feature, statuses, since, until, by, text))
        output.text(words.none_fits if is_narrowed else words.none)
    return code or (0 if found else NegativeAnswerError.exit_code)


for one in (show, accept, reject, supersede, edit, review, harvest, read, take, export):
    command.add_command(one)
