"""`awf-archive checkpoint`: save what is new in a conversation (SPEC 1)."""

import sys
from dataclasses import replace
from pathlib import Path

import click

from awf_archive import config
from awf_archive.cli import checkpoint_view as view
from awf_archive.cli import output, setup
from awf_archive.domain.features import DEFAULT_FEATURE
from awf_archive.errors import ArchiveError, InputError
from awf_archive.services.checkpoint import PHASES, Checkpoint, Request, checkpoint
from awf_archive.services.conversation_places import newest
from awf_archive.services.discovery import no_transcript, transcripts


@click.command()
@click.option(
    "--transcript",
    type=click.Path(path_type=Path, readable=False),
    help="The conversation's file. [default: the newest of this workspace]",
)
@click.option("--all", "everything", is_flag=True, help="Save every conversation of this workspace.")
@click.option("--feature", help="The strand of work to save under.")
@click.option("--phase", type=click.Choice(PHASES), help="Phase of the work. [default: from what was done]")
@click.option("--format", "format_", help="The transcript's format. [default: from its content]")
@click.option(
    "--keep-all", is_flag=True, help="Save also turns that are nothing but a save or resume command."
)
@click.option("--auto", is_flag=True, help="Go on with the conversation's open session, as auto-save does.")
@click.option("--dry-run", is_flag=True, help="Show the plan and write nothing.")
@setup.common
def command(  # noqa: PLR0913 - click hands every option over as an argument
    *,
    transcript: Path | None,
    everything: bool,
    feature: str | None,
    phase: str | None,
    format_: str | None,
    keep_all: bool,
    auto: bool,
    dry_run: bool,
    as_json: bool,
    lang: str | None,
    workspace: Path | None,
) -> int:
    """Save what is new in a conversation, whole, under global numbers, in plain Markdown.

    Without --transcript it takes the newest conversation of this workspace that Claude Code, Codex CLI, Gemini CLI or
    Cursor's agent keeps. Saving twice saves nothing the second time.
    """
    if everything and transcript:
        raise click.UsageError("--all and --transcript do not go together.")
    ready = setup.prepare(workspace, lang)
    is_asking = sys.stdin.isatty() and sys.stderr.isatty() and not as_json and not everything
    request = Request(
        transcript=transcript or Path(),
        now=setup.now(),
        format=format_,
        feature=feature,
        phase=phase,
        language=ready.words.language,
        threshold=ready.settings.chunk_threshold,
        redact=ready.settings.redact,
        vaults=ready.vaults,
        keep_all=keep_all,
        dry_run=dry_run,
        extend=auto,
        ask=_ask if is_asking else None,
    )
    if everything:
        return _save_all(ready, request, print_json=as_json)
    if transcript is None:
        found = newest(ready.layout.root)
        if found is None:
            raise no_transcript(ready.layout.root, config.tool_folder("claude-code"))
        request = replace(request, transcript=found.path, format=format_ or found.format)
    done = checkpoint(ready.layout, request)
    _follow(ready, [done])
    _print(ready, done, print_json=as_json)
    _summarise(ready, [done])
    return 0


def _ask(features: list[str]) -> str:
    """Ask for the feature, offering those that exist."""
    if features:
        output.note("  ".join(features))
    answer: str = click.prompt(
        "Feature", default=features[0] if len(features) == 1 else DEFAULT_FEATURE, err=True
    )
    return answer


def _print(ready: setup.Setup, done: Checkpoint, *, print_json: bool) -> None:
    if print_json:
        output.json_object(view.as_json(done, ready.words.language))
    else:
        output.text(view.table(done, ready.words))


def _save_all(ready: setup.Setup, request: Request, *, print_json: bool) -> int:
    """Save every transcript of the workspace, oldest first, so that numbers follow time; go on after a failure."""
    paths = list(transcripts(ready.layout.root, config.tool_folder("claude-code")))
    if not paths:
        raise no_transcript(ready.layout.root, config.tool_folder("claude-code"))
    known = request.format or "claude-code"
    done: list[Checkpoint] = []
    failures: list[tuple[Path, ArchiveError]] = []
    bar = output.progress("checkpoint")
    for place, path in enumerate(reversed(paths), 1):
        try:
            done.append(checkpoint(ready.layout, replace(request, transcript=path, format=known)))
        except InputError as problem:
            failures.append((path, problem))
        bar(place, len(paths))
    _follow(ready, done)
    if print_json:
        output.json_object(view.totals_json(done, failures, ready.words.language))
        _summarise(ready, done)
        return InputError.exit_code if failures else 0
    for one in done:
        if one.saved or one.updated:
            output.text(view.table(one, ready.words) + "\n")
    for _, failure in failures:
        output.error(failure, as_json=False)
    output.text(view.totals_line(done, failures, ready.words))
    _summarise(ready, done)
    return InputError.exit_code if failures else 0


def _follow(ready: setup.Setup, done: list[Checkpoint]) -> None:
    """Bring the index along; if that fails the archive is safe, and the next search mends it."""
    if not any((one.saved or one.updated or one.adopted) and not one.is_dry for one in done):
        return
    from awf_archive.integrations.worker_team import wake_for_team
    from awf_archive.services.index import sync

    try:
        sync(ready.archive, output.progress("index"))
    except ArchiveError as problem:
        output.note(f"{problem.message} {problem.hint}")
    wake_for_team(ready.layout, ready.settings)


def _summarise(ready: setup.Setup, done: list[Checkpoint]) -> None:
    """Let the configured command write the summaries just made; all is saved and told by now."""
    made = [(one.feature, one.chunk.chunk_id) for one in done if one.chunk and not one.is_dry]
    if not made or not ready.settings.summary.command:
        return
    from awf_archive.cli.chunk_cmd import tell_failures, working
    from awf_archive.cli.decisions_read_cmd import read_beside
    from awf_archive.services.chunk_rebuild import rebuild

    try:
        for feature, chunk_id in made:
            made_anew = list(rebuild(working(ready), feature, [chunk_id]))
            tell_failures(made_anew, ready.words)
            if ready.settings.summary.decisions:
                read_beside(ready, feature, made_anew[0].turns)
    except ArchiveError as problem:
        output.note(f"{problem.message} {problem.hint}")
    _follow(ready, done)
