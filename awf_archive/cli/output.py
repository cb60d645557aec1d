"""Everything that reaches a terminal or a pipe passes here: free of a stranger's escape sequences."""

import json
import sys
from collections.abc import Mapping, Sequence

import click

from awf_archive.domain.escape import json_line, visible
from awf_archive.errors import ArchiveError, DiskError

_PAGE = 40
"""Lines from which a terminal gets a pager."""


def text(words: str) -> None:
    """Print text for a person."""
    click.echo(visible(words))


def table(rows: Sequence[Sequence[str]]) -> str:
    """Align columns by what they take on a screen: Chinese characters take two places."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in rows
    )


def _width(words: str) -> int:
    import unicodedata

    return sum(
        0 if unicodedata.combining(mark) else 1 + (unicodedata.east_asian_width(mark) in "WF")
        for mark in words
    )


def paged(words: str) -> None:
    """Print text for a person, through a pager when it is long and a terminal shows it."""
    shown = visible(words)
    if sys.stdout.isatty() and shown.count("\n") > _PAGE:
        click.echo_via_pager(shown + "\n")
    else:
        click.echo(shown)


def json_object(value: Mapping[str, object]) -> None:
    """Print one JSON object, and nothing else, for a program."""
    click.echo(_for_stream(json_line(value), sys.stdout))


def _for_stream(line: str, stream: object) -> str:
    """Return JSON as a stream can hold it: one that is not UTF-8 gets escapes, so that nothing is lost."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    if encoding.lower().replace("-", "") == "utf8":
        return line
    return json.dumps(json.loads(line))


def note(words: str) -> None:
    """Tell a person something beside the result, on stderr."""
    click.echo(visible(words), err=True)


def error(problem: ArchiveError, *, as_json: bool) -> None:
    """Say what went wrong and what to do next, on stderr."""
    if as_json:
        fields = {"kind": problem.kind, "message": problem.message, "hint": problem.hint}
        click.echo(_for_stream(json_line({"error": fields}), sys.stderr), err=True)
        return
    click.echo(f"awf-archive: {visible(problem.message)}", err=True)
    if problem.hint:
        click.echo(f"  → {visible(problem.hint)}", err=True)


def ours(problem: Exception) -> ArchiveError:
    """Return what to tell about an error that nobody foresaw: the disk's, or our fault."""
    if isinstance(problem, OSError) and problem.filename:
        return DiskError(
            f"{problem.filename}: {problem.strerror or problem}.",
            "Check who owns the folder and whether it may be read and written.",
        )
    return ArchiveError(
        f"something of ours went wrong ({type(problem).__name__}: {problem}).",
        "Please report it, with what AWF_ARCHIVE_DEBUG=1 prints. Nothing of the archive is lost.",
    )


def progress(label: str) -> "Bar":
    """Return a progress line on stderr; silent where no terminal shows it."""
    return Bar(label)


class Bar:
    """A line that counts; used where something may take seconds."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._is_shown = sys.stderr.isatty()

    def __call__(self, done: int, total: int) -> None:
        """Show how far it is."""
        if self._is_shown and total > 1:
            end = "\n" if done >= total else ""
            click.echo(f"\r{self._label} {done}/{total}{end}", err=True, nl=False)
