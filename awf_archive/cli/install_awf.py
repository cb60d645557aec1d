"""`install awf` and `uninstall awf` (issue 7, point 4)."""

from pathlib import Path

import click

from awf_archive.cli import output, setup
from awf_archive.cli.install_tool import diff
from awf_archive.domain.wording.install_words import INSTALL_WORDS
from awf_archive.integrations import awf
from awf_archive.integrations.changes import Change, written

_SCOPE = click.option(
    "--scope",
    type=click.Choice(awf.SCOPES),
    default="project",
    help="The workflows of this folder (.agent/workflows), or your global ones.  [default: project]",
)
_DRY = click.option("--dry-run", is_flag=True, help="Show what would change and write nothing.")


@click.command("awf")
@_SCOPE
@_DRY
@setup.common
def install(*, scope: str, dry_run: bool, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Have AWF's workflows begin with the recap and end with a save; its /recap runs ours.

    Adds sections between marks to each workflow file; every other byte stays. Twice changes nothing.
    """
    ready = setup.prepare(workspace, lang)
    folder = awf.folder_of(scope, ready.layout.root, Path.home())
    words = INSTALL_WORDS[ready.words.language]
    told = (words.installed_awf.format(path=folder), words.unchanged)
    return _done(awf.plan_install(folder), told, dry_run=dry_run, print_json=as_json)


@click.command("awf")
@_SCOPE
@_DRY
@setup.common
def uninstall(*, scope: str, dry_run: bool, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Take our sections out of AWF's workflow files, and nothing else."""
    ready = setup.prepare(workspace, lang)
    folder = awf.folder_of(scope, ready.layout.root, Path.home())
    words = INSTALL_WORDS[ready.words.language]
    told = (words.removed.format(path=folder), words.nothing)
    return _done(awf.plan_uninstall(folder), told, dry_run=dry_run, print_json=as_json)


def _done(plan: tuple[Change, ...], told: tuple[str, str], *, dry_run: bool, print_json: bool) -> int:
    """Carry a plan out, or show it."""
    changes = [change for change in plan if not change.is_none]
    if not dry_run:
        for change in changes:
            written(change)
    if print_json:
        output.json_object({"changed": [str(change.path) for change in changes], "dryRun": dry_run})
    elif not changes:
        output.text(told[1])
    else:
        output.text("\n".join(diff(changes)) if dry_run else told[0])
    return 0
