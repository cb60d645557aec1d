"""`awf-archive import`: bring a whole history in (docs/import.md)."""

from datetime import date
from pathlib import Path

import click

from awf_archive import config
from awf_archive.cli import import_view as view
from awf_archive.cli import output, setup
from awf_archive.cli.import_index import IndexBeside
from awf_archive.domain.features import check_feature
from awf_archive.domain.wording.import_words import IMPORT_WORDS
from awf_archive.errors import InputError, NegativeAnswerError, UsageError
from awf_archive.readers import named_reader
from awf_archive.services.checkpoint import Request
from awf_archive.services.import_history import Imported, Plan, import_history
from awf_archive.services.import_target import layout_of
from awf_archive.services.places import PLACES, WORKSPACE, Candidate, folder_for, in_path, in_places
from awf_archive.services.workspace import find_workspace


@click.command(name="import")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--root", "roots", multiple=True, type=click.Path(path_type=Path), help="One more folder of a chat tool."
)
@click.option("--into", type=click.Path(path_type=Path), help="Put everything into this workspace.")
@click.option("--feature", help="Put everything under this feature.")
@click.option(
    "--since", default="", metavar="DATE", help="Leave out conversations that ended before this day."
)
@click.option("--format", "format_", help="The files' format. [default: from their content]")
@click.option("--no-index", is_flag=True, help="Leave the search index to the first search.")
@click.option("--dry-run", is_flag=True, help="Show what would be done and write nothing.")
@setup.common
def command(  # noqa: PLR0913 - click hands every option over as an argument
    *,
    paths: tuple[Path, ...],
    roots: tuple[Path, ...],
    into: Path | None,
    feature: str | None,
    since: str,
    format_: str | None,
    no_index: bool,
    dry_run: bool,
    as_json: bool,
    lang: str | None,
    workspace: Path | None,
) -> int:
    """Bring in every conversation of every chat tool on this machine, or those in PATHS.

    Each goes to the workspace where it took place. It can be stopped and run again: only what is new is saved.
    """
    ready = setup.prepare(workspace, lang, needs=("import_features",))
    _check(since, feature, format_, ready.settings)
    plan = Plan(
        layout=ready.layout,
        into=layout_of(find_workspace(Path.cwd(), into)) if into else None,
        since=since,
        rules=ready.settings.import_features,
        request=Request(
            transcript=Path(),
            now=setup.now(),
            format=format_,
            feature=feature,
            language=ready.words.language,
            threshold=ready.settings.chunk_threshold,
            redact=ready.settings.redact,
            vaults=ready.vaults,
            dry_run=dry_run,
        ),
    )
    return _run(
        plan,
        _candidates(paths, roots, ready.layout.root),
        _looked_in(paths, roots),
        with_index=not (dry_run or no_index),
        as_json=as_json,
    )


def _check(since: str, feature: str | None, format_: str | None, settings: config.Settings) -> None:
    """Refuse wrong words before anything is read. Raises UsageError."""
    for name in filter(None, (feature, *settings.import_features.values())):
        check_feature(name)
    if format_:
        named_reader(format_)
    if since:
        try:
            date.fromisoformat(since[:10])
        except ValueError as problem:
            raise UsageError(f"--since {since}: not a day.", "Write it like 2026-03-31.") from problem


def _candidates(paths: tuple[Path, ...], roots: tuple[Path, ...], root: Path) -> list[Candidate]:
    """Return the files to read. Raises UsageError for a path that is not there: no other place is looked in."""
    for path in (*paths, *roots):
        if not path.exists():
            raise UsageError(f"{path}: there is no such file or folder.", "Check the path.")
    if paths:
        return [candidate for path in paths for candidate in in_path(path)]
    return list(in_places(folder_for(root), roots))


def _looked_in(paths: tuple[Path, ...], roots: tuple[Path, ...]) -> list[str]:
    if paths:
        return [str(path) for path in paths]
    tools = (place.tool for place in PLACES if place.tool != WORKSPACE)
    return [str(path) for path in (*map(config.tool_folder, tools), *roots)]


def _run(
    plan: Plan, candidates: list[Candidate], looked_in: list[str], *, with_index: bool, as_json: bool
) -> int:
    teller = view.Teller(
        files=len(candidates), words=IMPORT_WORDS[plan.request.language], language=plan.request.language
    )
    beside = IndexBeside(is_wanted=with_index)

    def tell(one: Imported) -> None:
        teller.tell(one)
        beside.tell(one)

    try:
        import_history(plan, candidates, tell)
        teller.end()
        beside.finish()
    except KeyboardInterrupt:
        teller.end()
        output.note(teller.words.stopped)
        raise
    finally:
        beside.stop()
    if as_json:
        output.json_object(view.as_json(teller))
    else:
        output.text(view.report(teller, looked_in, is_dry=plan.request.dry_run))
    if teller.failures:
        return InputError.exit_code
    return 0 if teller.totals()["read"] else NegativeAnswerError.exit_code
