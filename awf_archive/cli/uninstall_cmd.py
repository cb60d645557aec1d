"""`awf-archive uninstall`: take back what `install` added (SPEC 7)."""

import click

from awf_archive.cli import install_awf, install_claude, install_git


@click.group()
def command() -> None:
    """Take back exactly what `install` added. What was saved stays."""


command.add_command(install_claude.uninstall)
command.add_command(install_awf.uninstall)
command.add_command(install_git.uninstall)
