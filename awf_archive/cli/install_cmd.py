"""`awf-archive install`: set a tool up so that it saves by itself (SPEC 7)."""

import click

from awf_archive.cli import install_awf, install_git, install_tool
from awf_archive.integrations.setups import SETUPS


@click.group()
def command() -> None:
    """Set a tool up so that conversations are saved by themselves. Each change is shown first with --dry-run."""


for _tool in SETUPS:
    command.add_command(install_tool.install_of(_tool))
command.add_command(install_tool.install_notify)
command.add_command(install_awf.install)
command.add_command(install_git.install)
