"""How far an import is and what it did: a moving line on a terminal, lines elsewhere, and a table at the end."""

import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import click

from awf_archive.cli import checkpoint_view as view
from awf_archive.cli import output
from awf_archive.domain.tool_lines import one_line
from awf_archive.domain.wording.counted import counted
from awf_archive.domain.wording.import_words import ImportWords
from awf_archive.services.import_history import Imported, Outcome

_LINE_EVERY = 10.0
"""Seconds between two lines where no terminal shows a moving one."""
_MOVE_EVERY = 0.1
_READ = (Outcome.NEW, Outcome.UNCHANGED, Outcome.EMPTY, Outcome.FAILED)


@dataclass(slots=True)
class Teller:
    """Keeps count and shows how far the import is."""

    files: int
    words: ImportWords
    results: list[Imported] = field(default_factory=list)
    counts: Counter[Outcome] = field(default_factory=Counter)
    workspaces: set[Path] = field(default_factory=set)
    clock: Callable[[], float] = time.monotonic
    language: str = "en"
    warnings: dict[str, None] = field(default_factory=dict)
    """What does not read in the archives beside the turns, each file once."""
    is_terminal: bool = field(default_factory=sys.stderr.isatty)
    _seen: set[Path] = field(default_factory=set)
    _began: float = 0
    _shown_at: float = 0

    def __post_init__(self) -> None:
        self._began = self._shown_at = self.clock()

    def tell(self, one: Imported) -> None:
        """Take one answer in."""
        self.counts[one.outcome] += one.conversations
        self._seen.add(one.path)
        if one.checkpoint:
            self.warnings |= dict.fromkeys(view.warnings(one.checkpoint, self.language))
        if one.outcome in (Outcome.NEW, Outcome.FAILED):
            self.results.append(one)
        if one.workspace and one.outcome is Outcome.NEW:
            self.workspaces.add(one.workspace)
        now = self.clock()
        if now - self._shown_at >= (_MOVE_EVERY if self.is_terminal else _LINE_EVERY):
            self._shown_at = now
            self._show(now)

    def _show(self, now: float) -> None:
        done, passed = len(self._seen), max(now - self._began, 0.001)
        rate = sum(self.counts.values()) / passed
        left = (self.files - done) * passed / done
        line = self.words.progress.format(
            done=f"{done}/{self.files}", rate=f"{rate:.0f}", left=f"{left:.0f} s"
        )
        if self.is_terminal:
            click.echo(f"\r{line:<60}", err=True, nl=False)
        else:
            output.note(line)

    def end(self) -> None:
        """Wipe the moving line away."""
        if self.is_terminal:
            click.echo(f"\r{'':<60}\r", err=True, nl=False)

    def totals(self) -> dict[str, int]:
        """Return the numbers of the table: read = new + unchanged + empty + failed."""
        counted = {one.value: self.counts[one] for one in _READ}
        turns = sum(one.checkpoint.saved for one in self.results if one.checkpoint)
        return {"files": len(self._seen), "read": sum(counted.values()), **counted, "turns": turns}

    @property
    def failures(self) -> list[Imported]:
        """What could not be read."""
        return [one for one in self.results if one.outcome is Outcome.FAILED]

    @property
    def saved(self) -> list[Imported]:
        """What was new."""
        return [one for one in self.results if one.outcome is Outcome.NEW]


def as_json(teller: Teller) -> dict[str, object]:
    """Return the object of SPEC 9."""
    return {
        "results": [
            view.as_json(one.checkpoint, teller.language)
            | {"path": str(one.path), "workspace": str(one.workspace)}
            for one in teller.saved
            if one.checkpoint
        ],
        "totals": teller.totals() | {"ignored": teller.counts[Outcome.IGNORED]},
        "failures": [{"path": str(one.path), "message": one.message} for one in teller.failures],
        "warnings": list(teller.warnings),
    }


def report(teller: Teller, looked_in: list[str], *, is_dry: bool) -> str:
    """Return the result for a person."""
    words, totals = teller.words, teller.totals()
    lines = [words.dry_run, ""] if is_dry else []
    if totals["read"]:
        for (workspace, feature), count in _where(teller).items():
            lines.append(words.where.format(n=count, feature=feature, workspace=workspace))
        if ghosts := sum(one.is_partial for one in teller.saved):
            lines.append(words.partial.format(n=ghosts))
        cells = [str(totals[name]) for name in ("read", "new", "unchanged", "empty", "failed", "turns")]
        lines += [
            "",
            f"| {' | '.join(words.columns)} |",
            f"|{'--:|' * len(cells)}",
            f"| {' | '.join(cells)} |",
        ]
    else:
        lines.append(words.nothing_found.format(places=", ".join(dict.fromkeys(looked_in))))
    lines += [f"⚠️ {warning}" for warning in teller.warnings]
    if teller.failures:
        lines += ["", words.failures.format(n=len(teller.failures))]
        lines += [f"✗ {_with_path(one)}" for one in teller.failures]
    if ignored := teller.counts[Outcome.IGNORED]:
        lines.append(counted(words.ignored, n=ignored))
    return "\n".join(lines)


def _with_path(one: Imported) -> str:
    return one.message if str(one.path) in one.message else f"{one.path}: {one.message}"


def _where(teller: Teller) -> Counter[tuple[str, str]]:
    return Counter(
        (str(one.workspace), one_line(one.checkpoint.feature)) for one in teller.saved if one.checkpoint
    )
