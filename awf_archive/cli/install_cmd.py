"""`awf-archive install`, `uninstall`: set up the tools around the archive, and take that back (docs/git.md)."""

from collections.abc import Callable
from pathlib import Path

import click

from awf_archive.cli import install_claude, output, setup
from awf_archive.domain.wording.git_words import GIT_WORDS
from awf_archive.services.git_setup import Change, install, uninstall
from awf_archive.store.layout import Layout


@click.group()
def command() -> None:
    """Set up the tools around the archive; twice changes nothing, uninstall takes it back."""


@click.group()
def uninstall_command() -> None:
    """Take back exactly what install added."""


command.add_command(install_claude.install)
uninstall_command.add_command(install_claude.uninstall)


@command.command()
@setup.common
def git(*, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Keep two people's sessions apart in merges, and secrets out of commits."""
    return _run(install, "installed", "unchanged", as_json=as_json, place=(lang, workspace))


@uninstall_command.command(name="git")
@setup.common
def uninstall_git(*, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Take the hook, the driver and the attributes out of this repository."""
    return _run(uninstall, "removed", "not_there", as_json=as_json, place=(lang, workspace))


def _run(
    act: Callable[[Layout], list[Change]],
    done: str,
    nothing: str,
    *,
    as_json: bool,
    place: tuple[str | None, Path | None],
) -> int:
    lang, workspace = place
    ready = setup.prepare(workspace, lang)
    changes = act(ready.layout)
    if as_json:
        output.json_object({"changed": [one.what for one in changes]})
        return 0
    words = GIT_WORDS[ready.words.language]
    output.text(getattr(words, done if changes else nothing))
    for one in changes:
        output.text(f"  {one.what}")
    return 0
