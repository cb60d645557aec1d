"""`awf-archive import`: bring a whole history in (docs/import.md)."""

import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import click

from awf_archive import config
from awf_archive.cli import checkpoint_view as view
from awf_archive.cli import output, setup
from awf_archive.domain.tool_lines import one_line
from awf_archive.domain.wording.import_words import IMPORT_WORDS, ImportWords
from awf_archive.errors import ArchiveError, InputError, NegativeAnswerError, UsageError
from awf_archive.services.checkpoint import Request
from awf_archive.services.import_history import Imported, Outcome, Plan, import_history
from awf_archive.services.places import PLACES, Candidate, in_path, in_places
from awf_archive.services.workspace import find_workspace
from awf_archive.store.archive import Archive
from awf_archive.store.layout import Layout


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
    dry_run: bool,
    as_json: bool,
    lang: str | None,
    workspace: Path | None,
) -> int:
    """Bring in every conversation of every chat tool on this machine, or those in PATHS.

    Each goes to the workspace where it took place. It can be stopped and run again: only what is new is saved.
    """
    ready = setup.prepare(workspace, lang)
    candidates = _candidates(paths, roots)
    plan = Plan(
        layout=ready.layout,
        into=_layout(into) if into else None,
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
    teller = _Teller(len(candidates), IMPORT_WORDS[ready.words.language])
    import_history(plan, candidates, teller.tell)
    teller.end()
    if not dry_run:
        _follow(teller.workspaces)
    return _report(teller, _looked_in(paths, roots), as_json=as_json)


def _candidates(paths: tuple[Path, ...], roots: tuple[Path, ...]) -> list[Candidate]:
    """Return the files to read. Raises UsageError for a path that is not there: no other place is looked in."""
    for path in (*paths, *roots):
        if not path.exists():
            raise UsageError(f"{path}: there is no such file or folder.", "Check the path.")
    if paths:
        return [candidate for path in paths for candidate in in_path(path)]
    return list(in_places(config.tool_folder, roots))


def _layout(root: Path) -> Layout:
    root = find_workspace(Path.cwd(), root)
    return Layout(root=root, archive_dir=config.load(root).archive_dir)


def _looked_in(paths: tuple[Path, ...], roots: tuple[Path, ...]) -> list[str]:
    if paths:
        return [str(path) for path in paths]
    return [str(path) for path in (*(config.tool_folder(place.tool) for place in PLACES), *roots)]


@dataclass(slots=True)
class _Teller:
    """Keeps count and shows how far the import is: a moving line on a terminal, a line a failure elsewhere."""

    files: int
    words: ImportWords
    results: list[Imported] = field(default_factory=list)
    counts: Counter[Outcome] = field(default_factory=Counter)
    workspaces: set[Path] = field(default_factory=set)
    _seen: set[Path] = field(default_factory=set)
    _began: float = field(default_factory=time.monotonic)
    _is_shown: bool = field(default_factory=sys.stderr.isatty)

    def tell(self, one: Imported) -> None:
        """Take one answer in."""
        self.counts[one.outcome] += one.conversations
        self._seen.add(one.path)
        if one.outcome in (Outcome.NEW, Outcome.FAILED):
            self.results.append(one)
        if one.workspace and one.outcome is Outcome.NEW:
            self.workspaces.add(one.workspace)
        if one.outcome is Outcome.FAILED:
            output.note(f"✗ {one.message}")
        if self._is_shown:
            self._show()

    def _show(self) -> None:
        done, passed = len(self._seen), max(time.monotonic() - self._began, 0.001)
        rate = done / passed
        left = (self.files - done) / rate if rate else 0
        line = self.words.progress.format(
            done=f"{done}/{self.files}", rate=f"{rate:.0f}", left=f"{left:.0f} s"
        )
        click.echo(f"\r{line:<60}", err=True, nl=False)

    def end(self) -> None:
        """Leave the moving line."""
        if self._is_shown and self._seen:
            click.echo(err=True)

    def totals(self) -> dict[str, int]:
        """Return the numbers of the table: read = new + unchanged + empty + failed."""
        counted = {one.value: self.counts[one] for one in Outcome if one is not Outcome.IGNORED}
        turns = sum(one.checkpoint.saved for one in self.results if one.checkpoint)
        return {"files": len(self._seen), "read": sum(counted.values()), **counted, "turns": turns}


def _follow(workspaces: set[Path]) -> None:
    """Bring the index of every workspace along; if that fails the archive is safe, and a search mends it."""
    from awf_archive.services.search import sync

    for root in sorted(workspaces):
        archive = Archive(layout=Layout(root=root, archive_dir=config.load(root).archive_dir))
        try:
            sync(archive, output.progress("index"))
        except ArchiveError as problem:
            output.note(f"{problem.message} {problem.hint}")


def _report(teller: _Teller, looked_in: list[str], *, as_json: bool) -> int:
    totals = teller.totals()
    failed = [one for one in teller.results if one.outcome is Outcome.FAILED]
    if as_json:
        output.json_object(
            {
                "results": [
                    view.as_json(one.checkpoint) | {"path": str(one.path), "workspace": str(one.workspace)}
                    for one in teller.results
                    if one.checkpoint
                ],
                "totals": totals | {"ignored": teller.counts[Outcome.IGNORED]},
                "failures": [{"path": str(one.path), "message": one.message} for one in failed],
            }
        )
    else:
        _print(teller, totals, looked_in)
    if failed:
        return InputError.exit_code
    return 0 if totals["read"] else NegativeAnswerError.exit_code


def _print(teller: _Teller, totals: dict[str, int], looked_in: list[str]) -> None:
    words = teller.words
    if not totals["read"]:
        output.text(words.nothing_found.format(places=", ".join(dict.fromkeys(looked_in))))
    else:
        for (workspace, feature), count in _where(teller).items():
            output.text(words.where.format(n=count, feature=feature, workspace=workspace))
        cells = [str(totals[name]) for name in ("read", "new", "unchanged", "empty", "failed", "turns")]
        output.text(f"\n| {' | '.join(words.columns)} |\n|{'--:|' * len(cells)}\n| {' | '.join(cells)} |")
    if ignored := teller.counts[Outcome.IGNORED]:
        output.text(words.ignored.format(n=ignored))


def _where(teller: _Teller) -> Counter[tuple[str, str]]:
    return Counter(
        (str(one.workspace), one_line(one.checkpoint.feature))
        for one in teller.results
        if one.checkpoint and one.outcome is Outcome.NEW
    )
