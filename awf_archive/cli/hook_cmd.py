"""`awf-archive hook`: what chat tools call at each step; `__main__` takes a shorter way there (SPEC 7)."""

import click


@click.group()
def command() -> None:
    """Answer a chat tool's hook: one JSON object on stdin. `awf-archive install` registers it."""


@command.command("claude-code")
def claude_code() -> None:
    """Answer an event of Claude Code. Always exits 0; what goes wrong is in .awf-archive/log/hook.log."""
    from awf_archive.integrations import hook

    hook.main()
