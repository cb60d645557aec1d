"""`awf-archive skill`: the commands behind `/awf-recap` and the like, what was asked standing on stdin (SPEC 7).

A topic that a person pastes may hold a backtick or `$(…)`. On stdin it never meets a shell.
"""

import sys
from pathlib import Path

import click

from awf_archive.cli import checkpoint_cmd, decide_cmd, decisions_read_cmd, recap_cmd, resume_cmd, setup
from awf_archive.errors import InputError
from awf_archive.integrations.hook_input import CLAUDE_CODE
from awf_archive.integrations.setups import SETUPS
from awf_archive.services.conversation_places import newest
from awf_archive.services.workspace import find_workspace

_MOST = 2_000
"""Characters of a topic."""


@click.group()
def command() -> None:
    """Answer a skill of a chat tool: what was asked is read from stdin, never from the command line."""


_TOOL = click.argument(
    "tool", type=click.Choice([one.name for one in SETUPS]), default=CLAUDE_CODE, metavar="[TOOL]"
)
"""Which tool asks."""


@command.command("recap")
@_TOOL
def recap(tool: str) -> int:
    """Tell where the work stands, or search for the topic on stdin."""
    return _ran(recap_cmd.command, ["--place", tool, "--", *asked().split()])


@command.command("checkpoint")
@_TOOL
def checkpoint(tool: str) -> int:
    """Save the newest conversation of that tool in this workspace, under the feature named on stdin."""
    words = asked()
    found = newest(find_workspace(Path.cwd()), tool)
    if found is None:
        raise InputError(
            f"{Path.cwd()}: {tool} keeps no conversation of this folder, as far as its files tell.",
            "Name its file: awf-archive checkpoint --transcript FILE",
        )
    named = ["--transcript", str(found.path), "--format", tool]
    return _ran(checkpoint_cmd.command, [*named, *(["--feature", words] if words else [])])


@command.command("resume")
@_TOOL
def resume(tool: str) -> int:  # noqa: ARG001 - all are called alike
    """Print what a new window needs to go on with the feature named on stdin."""
    words = asked()
    return _ran(resume_cmd.command, ["--", words] if words else [])


@command.command("decide")
@_TOOL
def decide(tool: str) -> int:  # noqa: ARG001 - all are called alike
    """Record the decision on stdin."""
    return _ran(decide_cmd.command, ["--", asked()])


@command.command("decisions")
@_TOOL
def decisions(tool: str) -> int:  # noqa: ARG001 - all are called alike
    """Print turns to look for decisions in, of what is named on stdin; take an answer that stands there."""
    said = decisions_read_cmd.given()
    if said.lstrip()[:1] in {b"{", b"[", b"`"}:
        return decisions_read_cmd.taken(setup.prepare(None, None), said)
    words = _topic(said).split()
    turns = words.pop() if words and words[-1].strip("#")[:1].isdecimal() else ""
    named = [*(["--feature", " ".join(words)] if words else []), *(["--turns", turns] if turns else [])]
    return _ran(decisions_read_cmd.read, named)


def asked() -> str:
    """Return what stands on stdin, on one line; nothing where a terminal is, or the page's own placeholder."""
    if sys.stdin.isatty():
        return ""
    return _topic(sys.stdin.buffer.read(_MOST * 4))


def _topic(said: bytes) -> str:
    words = " ".join(said.decode("utf-8", "replace").split())[:_MOST]
    return "" if words == "TOPIC" else words


def _ran(wanted: click.Command, arguments: list[str]) -> int:
    code = wanted.main(args=arguments, prog_name="awf-archive", standalone_mode=False)
    return code if isinstance(code, int) else 0
