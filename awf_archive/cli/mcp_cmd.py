"""`awf-archive mcp`: serve the archive to an assistant over the Model Context Protocol (SPEC 7, docs/mcp.md)."""

import sys
from importlib.util import find_spec
from pathlib import Path

import click

from awf_archive.cli import output
from awf_archive.domain.wording import WORDINGS
from awf_archive.errors import UsageError
from awf_archive.services.workspace import find_workspace


@click.command()
@click.option(
    "--workspace",
    type=click.Path(path_type=Path),
    help="The folder whose archive is meant. [default: the client's roots, else the current folder]",
)
@click.option("--lang", type=click.Choice(sorted(WORDINGS)), help="Language of recaps and of what is saved.")
def command(*, workspace: Path | None, lang: str | None) -> int:
    """Serve the archive to an AI assistant: search, recap, get_turns, list_sessions, checkpoint.

    A chat tool starts this by itself and talks to it on stdin and stdout (Model Context Protocol). Tell it once:

    \b
    claude mcp add awf-archive -- awf-archive mcp
    codex mcp add awf-archive -- awf-archive mcp
    gemini mcp add awf-archive awf-archive mcp
    """
    if find_spec("mcp_types") is None:  # comes with the SDK from its version 2 on
        raise UsageError("mcp needs one package more: pip install 'awf-archive[mcp]'")
    if workspace:
        find_workspace(Path.cwd(), workspace)  # refused before the SDK is loaded
    if sys.stdin.isatty():
        output.note("ℹ️ A chat tool starts this, and talks to it on stdin (docs/mcp.md). Ctrl-D ends it.")
    from awf_archive.integrations.mcp.server import serve

    serve(workspace, lang)
    return 0
