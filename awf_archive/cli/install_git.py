"""`install git` and `uninstall git` (docs/git.md)."""

from pathlib import Path

import click

from awf_archive.cli import output, setup
from awf_archive.domain.wording.git_words import GIT_WORDS
from awf_archive.services import git_setup
from awf_archive.services.git_setup import Change

_DRY = click.option("--dry-run", is_flag=True, help="Show what would change and write nothing.")


@click.command("git")
@_DRY
@setup.common
def install(*, dry_run: bool, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Keep two people's sessions apart in merges, and secrets out of commits.

    Sets up this repository's attributes, a merge driver that refuses, and a pre-commit hook beside those that are
    there. Twice changes nothing.
    """
    ready = setup.prepare(workspace, lang)
    words = GIT_WORDS[ready.words.language]
    changes = git_setup.plan_install(ready.layout)
    return _done(changes, words.installed, words.unchanged, dry_run=dry_run, as_json=as_json)


@click.command("git")
@_DRY
@setup.common
def uninstall(*, dry_run: bool, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Take back what `install git` added, and nothing else."""
    ready = setup.prepare(workspace, lang)
    words = GIT_WORDS[ready.words.language]
    changes = git_setup.plan_uninstall(ready.layout)
    return _done(changes, words.removed, words.not_there, dry_run=dry_run, as_json=as_json)


def _done(changes: list[Change], done: str, nothing: str, *, dry_run: bool, as_json: bool) -> int:
    """Carry changes out unless they are only to be shown; say what they are."""
    if not dry_run:
        for change in changes:
            change.carry_out()
    if as_json:
        output.json_object({"changed": [change.what for change in changes], "dryRun": dry_run})
        return 0
    if not (changes and dry_run):
        output.text(done if changes else nothing)
    for change in changes:
        output.text(f"  {change.what}")
    return 0
