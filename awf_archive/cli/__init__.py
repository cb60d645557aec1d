"""The command line: the only place that prints, and the only one that turns errors into exit codes (SPEC 9).

This module loads next to nothing, so that help and version come at once; `group` loads click.
"""

import contextlib
import io
import os
import sys
from typing import NamedTuple

from awf_archive import __version__
from awf_archive.errors import ArchiveError


class CommandRow(NamedTuple):
    """One command: its module is loaded only when it runs."""

    name: str
    module: str
    summary: str


COMMANDS: tuple[CommandRow, ...] = (
    CommandRow("checkpoint", "awf_archive.cli.checkpoint_cmd", "Save what is new in a conversation."),
    CommandRow("import", "awf_archive.cli.import_cmd", "Bring in every conversation of every chat tool."),
    CommandRow("recap", "awf_archive.cli.recap_cmd", "Tell where the work stands, in three levels."),
    CommandRow("resume", "awf_archive.cli.resume_cmd", "Print what a new window needs to go on."),
    CommandRow(
        "autosave", "awf_archive.cli.autosave_cmd", "Save the work state by itself: for hooks and workflows."
    ),
    CommandRow("status", "awf_archive.cli.status_cmd", "Say on one screen where the work stands."),
    CommandRow("search", "awf_archive.cli.search_cmd", "Find a topic in everything ever said."),
    CommandRow(
        "index", "awf_archive.cli.index_cmd", "Look after the search index: status, rebuild, optimize."
    ),
    CommandRow("chunk", "awf_archive.cli.chunk_cmd", "Make the summaries of old turns anew."),
    CommandRow("team", "awf_archive.cli.team_cmd", "Send this archive to a search that a team shares."),
    CommandRow("list", "awf_archive.cli.list_cmd", "List the saved sessions."),
    CommandRow("show", "awf_archive.cli.show_cmd", "Show a session, a turn or a range of turns."),
    CommandRow("decide", "awf_archive.cli.decide_cmd", "Record a decision."),
    CommandRow("decisions", "awf_archive.cli.decisions_cmd", "List, review and export what was decided."),
    CommandRow("site", "awf_archive.cli.site_cmd", "Build the site of the archive."),
    CommandRow("move", "awf_archive.cli.move_cmd", "Put a conversation under another feature."),
    CommandRow("merge", "awf_archive.cli.merge_cmd", "Take in another branch's archive."),
    CommandRow("formats", "awf_archive.cli.formats_cmd", "List the formats that can be read."),
    CommandRow("doctor", "awf_archive.cli.doctor_cmd", "Say what is set up and what is at risk."),
    CommandRow("verify", "awf_archive.cli.verify_cmd", "Prove that nothing is lost."),
    CommandRow("repair", "awf_archive.cli.repair_cmd", "Mend what can be mended; nothing is deleted."),
    CommandRow("restore", "awf_archive.cli.restore_cmd", "Write the original transcript files back."),
    CommandRow("scan", "awf_archive.cli.scan_cmd", "Find secrets in the archive and the site."),
    CommandRow("redact", "awf_archive.cli.redact_cmd", "Mask secrets in the archive's files."),
    CommandRow("backup", "awf_archive.cli.backup_cmd", "Write everything into one file, or unpack it."),
    CommandRow("install", "awf_archive.cli.install_cmd", "Set a tool up so that it saves by itself."),
    CommandRow("uninstall", "awf_archive.cli.uninstall_cmd", "Take back what install added."),
    CommandRow("trust", "awf_archive.cli.trust_cmd", "Let what came with this folder count."),
    CommandRow("skill", "awf_archive.cli.skill_cmd", "Answer a skill, what was asked on stdin."),
    CommandRow("hook", "awf_archive.cli.hook_cmd", "Answer a chat tool's hook."),
    CommandRow("mcp", "awf_archive.cli.mcp_cmd", "Serve the archive to an assistant (MCP)."),
    CommandRow("watch", "awf_archive.cli.watch_cmd", "Save what tools without hooks write, as it grows."),
    CommandRow("worker", "awf_archive.cli.worker_cmd", "Work off what hooks handed over."),
    CommandRow("config", "awf_archive.cli.config_cmd", "Show every setting and where it comes from."),
)
"""Every command; help, completion and docs come from here."""

_ABOUT = """\
Usage: awf-archive [OPTIONS] COMMAND [ARGS]...

  Keep every conversation with AI assistants: saved whole, found by topic,
  read on a site.

  awf-archive checkpoint      after a chat, in the folder where it took place
  awf-archive search TOPIC    later
  awf-archive site build      for the team

Options:
  -V, --version  Show the version and exit.
  -h, --help     Show this message and exit.

Commands:
"""


def help_text() -> str:
    """Return the help of the whole program, its commands from the table."""
    width = max(len(row.name) for row in COMMANDS)
    return _ABOUT + "\n".join(f"  {row.name:<{width}}  {row.summary}" for row in COMMANDS)


def run(arguments: list[str]) -> int:
    """Run one command; return its exit code. Nothing but this turns an error into output."""
    _prepare_streams()
    if len(arguments) < 2 and (answer := _at_once(*arguments)):  # noqa: PLR2004 - one word or none
        print(answer)
        return 0
    import click

    from awf_archive.cli.group import as_usage_error, cli

    try:
        code = cli.main(args=arguments, prog_name="awf-archive", standalone_mode=False)
    except (click.exceptions.Abort, KeyboardInterrupt):
        return 130
    except BrokenPipeError:
        _let_go_of_pipe()
        return 0
    except click.ClickException as problem:
        return _told(as_usage_error(problem), as_json="--json" in arguments)
    except Exception as problem:  # the last line of defence: a person must not meet a traceback
        from awf_archive import config

        if config.is_debugging():
            raise
        return _told(problem, as_json="--json" in arguments)
    return code if isinstance(code, int) else 0


def _at_once(word: str = "--help") -> str:
    """Return what can be answered without loading a command."""
    if word in {"--help", "-h"}:
        return help_text()
    return f"awf-archive, version {__version__}" if word in {"--version", "-V"} else ""


def _told(problem: Exception, *, as_json: bool) -> int:
    """Print an error for a person or a program; return its exit code."""
    from awf_archive.cli import output

    ours = problem if isinstance(problem, ArchiveError) else output.ours(problem)
    output.error(ours, as_json=as_json)
    return ours.exit_code


def _prepare_streams() -> None:
    """Make output survive a terminal that lacks a character: it shows a replacement, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _let_go_of_pipe() -> None:
    """Close a pipe whose reader has left, so that nothing complains at the end."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
