"""The commands as click runs them; loaded only when one runs, for click takes longer to load than help may take."""

import importlib

import click

from awf_archive import __version__
from awf_archive.cli import COMMANDS, help_text
from awf_archive.errors import UsageError


class _LazyGroup(click.Group):
    """Knows its commands from the table and loads the one that runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return [row.name for row in COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        row = next((row for row in COMMANDS if row.name == cmd_name), None)
        if row is None:
            return None
        command: click.Command = importlib.import_module(row.module).command
        return command

    def get_help(self, ctx: click.Context) -> str:  # noqa: ARG002
        return help_text()

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest command when there is none of that name."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as problem:
            from difflib import get_close_matches

            near = get_close_matches(args[0], [row.name for row in COMMANDS], n=1)
            hint = f"Did you mean {near[0]}?" if near else "awf-archive --help lists the commands."
            raise UsageError(f"{ascii(args[0])[1:-1]}: there is no such command.", hint) from problem


@click.group(
    cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, "-V", "--version", prog_name="awf-archive")
def cli() -> None:
    """Keep every conversation with AI assistants: saved whole, found by topic, read on a site."""


def as_usage_error(problem: click.ClickException) -> UsageError:
    """Return click's complaint as one of ours, with the command whose help tells more."""
    context = problem.ctx if isinstance(problem, click.UsageError) else None
    command = context.command_path if context else "awf-archive"
    return UsageError(problem.format_message(), f"{command} --help tells how.")
