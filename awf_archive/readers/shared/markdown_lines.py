"""A Markdown transcript as lines, and which of them stand in code fences: there nothing is structure (case K02)."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from awf_archive.domain.transcript import Origin, Problem
from awf_archive.readers.base import Source

HEAD = 1 << 18
_LOOK = 4096
_MOST_NULS = 10
"""A text may hold a few NUL bytes after a crash; where every tenth byte is one, it is none."""
_JSON = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\{\s*\"|\[\s*[\[{])")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)", re.DOTALL)


class Lines(NamedTuple):
    """The lines of a file, their ends aside."""

    text: list[str]
    problems: tuple[Problem, ...]


def lines_of(source: Source) -> Lines:
    """Read a whole file; bytes that are no UTF-8 are kept as surrogate escapes and reported."""
    data = source.read(0, source.size)
    text, is_bad = decoded(data)
    problems = []
    if is_bad:
        problems.append(_problem("bad-utf8", "Bytes that are no UTF-8 stand in the file."))
    stripped = text.rstrip("\0")
    if len(stripped) < len(text):
        problems.append(_problem("padding", "NUL bytes stand at the end of the file."))
    return Lines(split(stripped), tuple(problems))


def head_lines(source: Source, size: int = HEAD) -> list[str]:
    """Return the lines of the first 256 KB, or less; none for what is no text, or JSON."""
    data = source.read(0, size)
    if _JSON.match(data):
        return []
    start = data[:_LOOK].rstrip(b"\0")
    if start.count(b"\0") > len(start) / _MOST_NULS and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return []
    return split(decoded(data)[0])


def decoded(data: bytes) -> tuple[str, bool]:
    """Return bytes as text, whatever they are; UTF-16 only with its mark."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace"), False
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return data.decode(), False
    except UnicodeDecodeError:
        return data.decode(errors="surrogateescape"), True


def split(text: str) -> list[str]:
    r"""Split at line feeds; a carriage return before one belongs to the line's end.

    >>> split("a\r\nb\n")
    ['a', 'b', '']
    """
    return text.replace("\r\n", "\n").split("\n")


def fenced(lines: Sequence[str]) -> list[bool]:
    """Tell of each line whether it is in a code fence or is its opening or end.

    A fence that nothing ends hides nothing: an answer that was cut off must not swallow what follows.

    >>> fenced(["a", "```", "# b", "```", "~~~", "c"])
    [False, True, True, True, False, False]
    """
    inside = [False] * len(lines)
    endless: dict[str, int] = {}
    at = 0
    while at < len(lines):
        opening = _FENCE.match(lines[at])
        if not opening or not _opens(opening, endless):
            at += 1
            continue
        end = _end_of(lines, at, opening[1])
        if end is None:
            endless[opening[1][0]] = len(opening[1])
            at += 1
            continue
        inside[at : end + 1] = [True] * (end + 1 - at)
        at = end + 1
    return inside


def _opens(opening: re.Match[str], endless: dict[str, int]) -> bool:
    mark, info = opening[1], opening[2]
    return len(mark) < endless.get(mark[0], len(mark) + 1) and not (mark[0] == "`" and "`" in info)


def _end_of(lines: Sequence[str], start: int, mark: str) -> int | None:
    for at in range(start + 1, len(lines)):
        line = lines[at]
        if mark[0] not in line[:8]:
            continue
        closing = _FENCE.match(line)
        if closing and closing[1].startswith(mark) and not closing[2].strip():
            return at
    return None


def is_blank(lines: Sequence[str], at: int) -> bool:
    """Tell whether a line is empty or beyond either end."""
    return not 0 <= at < len(lines) or not lines[at].strip()


def trimmed(lines: Sequence[str]) -> str:
    """Return lines as a text without the empty ones around it."""
    start, end = 0, len(lines)
    while start < end and not lines[start].strip():
        start += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    return "\n".join(lines[start:end])


def _problem(code: str, message: str) -> Problem:
    return Problem(code=code, message=message, origin=Origin(file="", line=1))
