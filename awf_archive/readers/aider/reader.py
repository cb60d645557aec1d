"""Aider's chat history: one Markdown file to which every run appends (docs/formats/aider.md)."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import NamedTuple

from awf_archive.domain.fences import open_fence
from awf_archive.domain.transcript import Problem, Transcript
from awf_archive.readers.aider.runs import read_run
from awf_archive.readers.base import Reader, Source
from awf_archive.readers.shared.drafts import Facts, transcript
from awf_archive.readers.shared.markdown_lines import fenced, head_lines, is_blank, lines_of

_STARTED = re.compile(r"# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*")
_OWN_LINES = ("# aider chat started", "#### ", "> ", "-*-")
"""How a history begins, also one whose beginning was cut off."""
_USUAL_NAME = ".aider.chat.history.md"


def accepts(source: Source) -> bool:
    """Tell whether a run starts in the file, outside code."""
    lines = head_lines(source)
    starts = [at for at in range(len(lines)) if _is_start(lines, at)]
    if not starts:
        return False
    first = next(line for line in lines if line.strip())
    if first.startswith(_OWN_LINES):
        return True
    inside = fenced(lines)
    return any(not inside[at] for at in starts)


def _is_start(lines: Sequence[str], at: int) -> bool:
    """Tell whether a line starts a run: aider leaves an empty line before and after it."""
    return (
        lines[at].startswith("# aider chat")
        and _STARTED.fullmatch(lines[at]) is not None
        and is_blank(lines, at - 1)
        and is_blank(lines, at + 1)
    )


class _Run(NamedTuple):
    """One run's lines."""

    start: str
    """Local time; "" for what stands before the first start."""
    first: int
    lines: list[str]
    is_over: bool = True
    """Another run started after it."""


def _runs(lines: list[str]) -> Iterator[_Run]:
    """Split a history into runs.

    A start in a code fence counts, because an interrupted answer leaves its fence open; unless it is older
    than the run that it stands in, as a quoted one is.
    """
    begun, start = 0, ""
    for at in range(len(lines)):
        if not _is_start(lines, at):
            continue
        match = _STARTED.fullmatch(lines[at])
        time = match[1] if match else ""
        if time < start and open_fence("\n".join(lines[begun:at])):
            continue
        yield _Run(start, begun, lines[begun:at])
        begun, start = at + 1, time
    yield _Run(start, begun, lines[begun:], is_over=False)


def read(source: Source) -> Iterator[Transcript]:
    """Read each run in which something was asked as a conversation of its own."""
    lines = lines_of(source)
    problems: tuple[Problem, ...] = lines.problems
    folder = PurePath(source.name).parent
    is_in_place = PurePath(source.name).name == _USUAL_NAME and folder.is_absolute()
    is_empty = True
    for run in _runs(lines.text):
        said = read_run(run.lines, run.start, run.first, is_over=run.is_over)
        if not said.drafts:
            continue
        facts = Facts(
            format=READER.name,
            windows=(said.window,),
            cwd=str(folder) if is_in_place else "",
            tool_version=said.version,
            records=len(said.drafts),
            problems=(*problems, *said.problems),
        )
        yield transcript(said.drafts, facts)
        problems, is_empty = (), False
    if is_empty:
        yield transcript([], Facts(format=READER.name, windows=(source.stem,), problems=problems))


READER = Reader(name="aider", title="Aider", accepts=accepts, read=read)
