"""`awf-archive skill`: the commands behind `/awf-recap` and the like, what was asked standing on stdin (SPEC 7).

A topic that a person pastes may hold a backtick or `$(…)`. On stdin it never meets a shell.
"""

import sys

import click

from awf_archive.cli import checkpoint_cmd, recap_cmd, resume_cmd

_MOST = 2_000
"""Characters of a topic."""


@click.group()
def command() -> None:
    """Answer a skill of a chat tool: what was asked is read from stdin, never from the command line."""


@command.command("recap")
def recap() -> int:
    """Tell where the work stands, or search for the topic on stdin."""
    return _ran(recap_cmd.command, ["--place", "claude-code", "--", *asked().split()])


@command.command("checkpoint")
def checkpoint() -> int:
    """Save the newest conversation of this workspace, under the feature named on stdin."""
    words = asked()
    return _ran(checkpoint_cmd.command, ["--feature", words] if words else [])


@command.command("resume")
def resume() -> int:
    """Print what a new window needs to go on with the feature named on stdin."""
    words = asked()
    return _ran(resume_cmd.command, ["--", words] if words else [])


def asked() -> str:
    """Return what stands on stdin, on one line; nothing where a terminal is, or the page's own placeholder."""
    if sys.stdin.isatty():
        return ""
    words = " ".join(sys.stdin.buffer.read(_MOST * 4).decode("utf-8", "replace").split())[:_MOST]
    return "" if words == "TOPIC" else words


def _ran(wanted: click.Command, arguments: list[str]) -> int:
    code = wanted.main(args=arguments, prog_name="awf-archive", standalone_mode=False)
    return code if isinstance(code, int) else 0
