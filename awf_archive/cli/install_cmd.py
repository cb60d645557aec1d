"""`awf-archive install`: set a tool up so that it saves by itself (SPEC 7)."""

import click

from awf_archive.cli import install_awf, install_claude, install_git


@click.group()
def command() -> None:
    """Set a tool up so that conversations are saved by themselves. Each change is shown first with --dry-run."""


command.add_command(install_claude.install)
command.add_command(install_awf.install)
command.add_command(install_git.install)
