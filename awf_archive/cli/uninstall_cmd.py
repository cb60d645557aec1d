"""`awf-archive uninstall`: take back what `install` added (SPEC 7)."""

import click

from awf_archive.cli import install_awf, install_git, install_tool
from awf_archive.integrations.setups import SETUPS


@click.group()
def command() -> None:
    """Take back exactly what `install` added. What was saved stays."""


for _tool in SETUPS:
    command.add_command(install_tool.uninstall_of(_tool))
command.add_command(install_tool.uninstall_notify)
command.add_command(install_awf.uninstall)
command.add_command(install_git.uninstall)
