"""`awf-archive decisions show | accept | reject | supersede | edit`: one decision."""

from pathlib import Path

import click

from awf_archive.cli import output, setup
from awf_archive.cli.decisions_view import card
from awf_archive.cli.secret_note import tell_secrets
from awf_archive.domain.decisions import Decision
from awf_archive.domain.wording.decision_words import DECISION_WORDS
from awf_archive.errors import UsageError
from awf_archive.services import decisions_changes as changes
from awf_archive.services.decisions_list import place_of

_FEATURE = click.option(
    "--feature", default="", help="The feature that holds it. [default: the only one that does]"
)


@click.command()
@click.argument("name", metavar="D-…")
@_FEATURE
@setup.common
def show(*, name: str, feature: str, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Show everything that is known of a decision, named D-003 or payment-retry/D-003."""
    ready = setup.prepare(workspace, lang)
    where, number = place_of(ready.archive, name, feature)
    held = ready.archive.all_decisions(where)
    one = changes.require(held, number, where)
    if as_json:
        output.json_object(one.to_json())
    else:
        output.paged(card(one, held, DECISION_WORDS[ready.words.language]))
    return 0


@click.command()
@click.argument("name", metavar="D-…")
@_FEATURE
@setup.common
def accept(*, name: str, feature: str, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Say that it was decided so."""
    ready = setup.prepare(workspace, lang)
    one = changes.accept(ready.archive, *place_of(ready.archive, name, feature))
    return _told([one], DECISION_WORDS[ready.words.language].accepted.format(id=one.id), as_json=as_json)


@click.command()
@click.argument("name", metavar="D-…")
@_FEATURE
@setup.common
def reject(*, name: str, feature: str, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Say that it is none, or is one no longer; it stays in the list, and no harvest brings it back."""
    ready = setup.prepare(workspace, lang)
    one = changes.reject(ready.archive, *place_of(ready.archive, name, feature))
    return _told([one], DECISION_WORDS[ready.words.language].rejected.format(id=one.id), as_json=as_json)


@click.command()
@click.argument("name", metavar="D-…")
@click.option("--by", "by", required=True, metavar="D-…", help="The one that takes its place.")
@_FEATURE
@setup.common
def supersede(  # noqa: PLR0913 - one option a line
    *, name: str, by: str, feature: str, as_json: bool, lang: str | None, workspace: Path | None
) -> int:
    """Say that another decision of the same feature took its place."""
    ready = setup.prepare(workspace, lang)
    where, old = place_of(ready.archive, name, feature)
    there, new = place_of(ready.archive, by, "" if "/" in by or "#" in by else where)
    if there != where:
        raise UsageError(
            f"{by}: is of {there}, {old} is of {where}.",
            "A decision takes the place of one of its own feature.",
        )
    both = changes.supersede(ready.archive, where, old, new)
    words = DECISION_WORDS[ready.words.language]
    return _told(both, words.superseded.format(old=both[0].id, new=both[1].id), as_json=as_json)


@click.command()
@click.argument("name", metavar="D-…")
@click.option("--text", help="What was decided, in better words.")
@click.option("--reason", help="Why.")
@click.option(
    "--option", "options", multiple=True, help="What was considered; replaces the options there are."
)
@click.option("--file", "files", multiple=True, help="A file that it is about; replaces the files there are.")
@_FEATURE
@setup.common
def edit(  # noqa: PLR0913 - one option a line
    *,
    name: str,
    text: str | None,
    reason: str | None,
    options: tuple[str, ...],
    files: tuple[str, ...],
    feature: str,
    as_json: bool,
    lang: str | None,
    workspace: Path | None,
) -> int:
    """Put it in other words. No later harvest, import or merge takes that back."""
    ready = setup.prepare(workspace, lang)
    words = DECISION_WORDS[ready.words.language]
    where, number = place_of(ready.archive, name, feature)
    if text is None and reason is None and not options and not files:
        raise UsageError("edit: nothing to change was given.", "Give --text, --reason, --option or --file.")
    new = changes.Edit(text=text, reason=reason, options=options or None, files=files or None)
    one = changes.edit(ready.archive, where, number, new)
    tell_secrets(ready, one)
    return _told([one], words.edited.format(id=one.id), as_json=as_json)


def _told(changed: "list[Decision] | tuple[Decision, ...]", words: str, *, as_json: bool) -> int:
    if as_json:
        output.json_object({"decisions": [one.to_json() for one in changed]})
    else:
        output.text(words)
    return 0
