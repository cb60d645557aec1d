"""`awf-archive hook`: what tools call at each step; `__main__` takes a shorter way there (SPEC 7)."""

import click

from awf_archive.integrations import hook


@click.command()
@click.argument("tool", type=click.Choice(tuple(hook.TOOLS)))
@click.argument("arguments", nargs=-1)
def command(tool: str, arguments: tuple[str, ...]) -> None:
    """Answer a tool's hook: one JSON object on stdin. `awf-archive install` registers it.

    Always exits 0; what goes wrong is in .awf-archive/log/hook.log. codex-notify is told the event in its last
    argument, git the folder.
    """
    hook.main(tool, arguments)
