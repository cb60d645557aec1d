"""`awf-archive uninstall`: the other half of `install`."""

from awf_archive.cli.install_cmd import uninstall_command as command

__all__ = ["command"]
