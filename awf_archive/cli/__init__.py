"""The command line: the only place that prints, and the only one that turns errors into exit codes (SPEC 9)."""

import importlib
from dataclasses import dataclass

import click

from awf_archive import __version__, config
from awf_archive.cli import output
from awf_archive.errors import ArchiveError, UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandRow:
    """One command: its module is loaded only when it runs, so help and start-up stay quick."""

    name: str
    module: str
    summary: str


COMMANDS: tuple[CommandRow, ...] = (
    CommandRow(
        name="checkpoint",
        module="awf_archive.cli.checkpoint_cmd",
        summary="Save what is new in a conversation.",
    ),
    CommandRow(
        name="search",
        module="awf_archive.cli.search_cmd",
        summary="Find a topic in everything ever said.",
    ),
    CommandRow(
        name="list",
        module="awf_archive.cli.list_cmd",
        summary="List the saved sessions.",
    ),
    CommandRow(
        name="show",
        module="awf_archive.cli.show_cmd",
        summary="Show a session, a turn or a range of turns.",
    ),
    CommandRow(
        name="site",
        module="awf_archive.cli.site_cmd",
        summary="Build the site of the archive.",
    ),
)
"""Every command; help, completion and docs come from here."""


class _LazyGroup(click.Group):
    """Knows its commands from the table and loads the one that runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return [row.name for row in COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        row = next((row for row in COMMANDS if row.name == cmd_name), None)
        if row is None:
            return None
        command: click.Command = importlib.import_module(row.module).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands without loading any."""
        with formatter.section("Commands"):
            formatter.write_dl([(row.name, row.summary) for row in COMMANDS])

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
    """Keep every conversation with AI assistants: saved whole, found by topic, read on a site.

    \b
    awf-archive checkpoint        after a chat, in the folder where it took place
    awf-archive search TOPIC      later
    awf-archive site build        for the team
    """


def run(arguments: list[str]) -> int:
    """Run one command; return its exit code. Nothing but this turns an error into output."""
    output.prepare_streams()
    try:
        code = cli.main(args=arguments, prog_name="awf-archive", standalone_mode=False)
    except (click.exceptions.Abort, KeyboardInterrupt):
        return 130
    except BrokenPipeError:
        output.close_quietly()
        return 0
    except Exception as problem:  # the last line of defence: a person must not meet a traceback
        if config.is_debugging():
            raise
        return _told(problem, as_json="--json" in arguments)
    return code if isinstance(code, int) else 0


def _told(problem: Exception, *, as_json: bool) -> int:
    """Print an error for a person or a program; return its exit code."""
    if isinstance(problem, click.ClickException):
        problem = _usage(problem)
    if not isinstance(problem, ArchiveError):
        problem = output.ours(problem)
    output.error(problem, as_json=as_json)
    return problem.exit_code


def _usage(problem: click.ClickException) -> UsageError:
    command = (
        problem.ctx.command_path if isinstance(problem, click.UsageError) and problem.ctx else "awf-archive"
    )
    return UsageError(problem.format_message(), f"{command} --help tells how.")
