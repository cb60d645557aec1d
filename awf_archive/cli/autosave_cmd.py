"""`awf-archive autosave`: save the work state by itself, for workflow files and hooks (SPEC 3)."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

from awf_archive import config
from awf_archive.cli import autosave_view as view
from awf_archive.cli import output, setup
from awf_archive.cli.recap_view import spelled
from awf_archive.domain.recap import RECAP_COMMANDS
from awf_archive.domain.triggers import Trigger
from awf_archive.errors import InputError
from awf_archive.services import autosave
from awf_archive.services.autosave_transcript import WORKFLOW_NAMES
from awf_archive.services.discovery import newest_transcript

_Command = TypeVar("_Command", bound=Callable[..., object])


@click.group()
def command() -> None:
    """Save the work state (.brain/session.json) when a message, a workflow or a person calls for it.

    \b
    awf-archive autosave message "mai làm tiếp nhé"
    awf-archive autosave workflow-end code
    awf-archive autosave manual
    """


def _options(function: _Command) -> _Command:
    for option in (
        click.option(
            "--window", default=autosave.DEFAULT_WINDOW, help="The conversation's id, for counting."
        ),
        click.option(
            "--transcript",
            type=click.Path(path_type=Path),
            help="The conversation's file. [default: the newest]",
        ),
        click.option(
            "--place",
            "shown_in",
            type=click.Choice(sorted(RECAP_COMMANDS)),
            default="shell",
            help="Where notices are shown, for the names of commands.",
        ),
    ):
        function = option(function)
    return setup.common(function)


@command.command("message")
@click.argument("text", required=False)
@_options
def message(  # noqa: PLR0913 - click hands every option over as an argument
    *,
    text: str | None,
    window: str,
    transcript: Path | None,
    shown_in: str,
    as_json: bool,
    lang: str | None,
    workspace: Path | None,
) -> int:
    """Look at a user's message (TEXT, or stdin) and save when it says so: leaving, a decision, every 15th."""
    ready = setup.prepare(workspace, lang)
    words = sys.stdin.read() if text is None else text
    done = autosave.on_message(_place(ready), words, window=window, transcript=transcript)
    return _told(ready, done, shown_in, print_json=as_json)


@command.command("reply")
@click.argument("text", required=False)
@click.option("--error-dumps", default=0, type=click.IntRange(0), help="Tool results that were errors.")
@_options
def reply(  # noqa: PLR0913 - click hands every option over as an argument
    *,
    text: str | None,
    error_dumps: int,
    window: str,
    transcript: Path | None,  # noqa: ARG001 - every subcommand has the same options
    shown_in: str,
    as_json: bool,
    lang: str | None,
    workspace: Path | None,
) -> int:
    """Count what the assistant said (TEXT, or stdin); saves nothing."""
    ready = setup.prepare(workspace, lang)
    words = sys.stdin.read() if text is None else text
    done = autosave.on_reply(_place(ready), words, window=window, error_dumps=error_dumps)
    return _told(ready, done, shown_in, print_json=as_json)


@command.command("cleared")
@_options
def cleared(  # noqa: PLR0913 - click hands every option over as an argument
    *,
    window: str,
    transcript: Path | None,  # noqa: ARG001 - every subcommand has the same options
    shown_in: str,
    as_json: bool,
    lang: str | None,
    workspace: Path | None,
) -> int:
    """Start counting anew: the conversation was cleared or compacted."""
    ready = setup.prepare(workspace, lang)
    done = autosave.on_cleared(_place(ready), window=window)
    return _told(ready, done, shown_in, print_json=as_json)


@command.command("workflow-end")
@click.argument("workflow", type=click.Choice(WORKFLOW_NAMES))
@_options
def workflow_end(  # noqa: PLR0913 - click hands every option over as an argument
    *,
    workflow: str,
    window: str,
    transcript: Path | None,
    shown_in: str,
    as_json: bool,
    lang: str | None,
    workspace: Path | None,
) -> int:
    """Save what a workflow leaves, with a snapshot: put it at the end of the workflow's file."""
    ready = setup.prepare(workspace, lang)
    path = transcript or _newest(ready)
    done = autosave.on_workflow_end(_place(ready), workflow, window=window, transcript=path)
    return _told(ready, done, shown_in, print_json=as_json)


@command.command("manual")
@click.option("--emergency", is_flag=True, help="The context is about to be lost: leave a snapshot too.")
@_options
def manual(  # noqa: PLR0913 - click hands every option over as an argument
    *,
    emergency: bool,
    window: str,
    transcript: Path | None,
    shown_in: str,
    as_json: bool,
    lang: str | None,
    workspace: Path | None,
) -> int:
    """Save now, also where auto-save is switched off."""
    ready = setup.prepare(workspace, lang)
    trigger = Trigger.EMERGENCY if emergency else Trigger.MANUAL
    path = transcript or _newest(ready)
    done = autosave.on_request(_place(ready), trigger=trigger, window=window, transcript=path)
    return _told(ready, done, shown_in, print_json=as_json)


def _place(ready: setup.Setup) -> autosave.Place:
    return autosave.Place(
        layout=ready.layout,
        leaving_phrases=ready.settings.leaving_phrases,
        decision_phrases=ready.settings.decision_phrases,
    )


def _newest(ready: setup.Setup) -> Path | None:
    """Return the newest transcript of the workspace, if there is one."""
    try:
        return newest_transcript(ready.layout.root, config.tool_folder("claude-code"))
    except InputError:
        return None


def _told(ready: setup.Setup, done: autosave.Saved, shown_in: str, *, print_json: bool) -> int:
    """Print the notices; a failure also goes to stderr and makes the exit code."""
    if print_json:
        output.json_object(view.as_json(done))
    else:
        for line in view.notices(done, ready.words.language, shown_in):
            output.text(spelled(line, sys.stdout.encoding))
    for problem in done.problems:
        output.note(problem)
    if done.failure:
        output.error(done.failure, as_json=print_json)
        return done.failure.exit_code
    return 0
