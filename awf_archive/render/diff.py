"""An edit as the lines that went and the lines that came."""

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from html import escape
from itertools import groupby
from operator import itemgetter

from awf_archive.render.clean import clean
from awf_archive.render.code import cut_lines, full_link
from awf_archive.render.sheet import Sheet

_MATCHED_LINES = 400
"""Longer sides are not compared line by line: the work grows with the square."""

_SHOWN_LINES = 40
_CONTEXT = 3
_CLASSES = {"-": "gd", "+": "gi", " ": "", "…": "gu"}


def diff_block(old: str, new: str, sheet: Sheet) -> str:
    """Return the difference as HTML; a long one in part, with a link to the whole."""
    lines = list(diff_lines(clean(old), clean(new)))
    if not lines:
        return ""
    note = sheet.words.site.truncated_line
    kept = ((mark, cut_lines(text, note)) for mark, text in lines[:_SHOWN_LINES])
    shown = "".join(_stretch(mark, those) for mark, those in groupby(kept, key=itemgetter(0)))
    block = f'<div class="language-diff highlight awf-diff"><pre><code>{shown}</code></pre></div>'
    if len(lines) <= _SHOWN_LINES:
        return block
    return block + full_link("\n".join(mark + text for mark, text in lines), sheet)


def _stretch(mark: str, lines: Iterable[tuple[str, str]]) -> str:
    css = _CLASSES[mark]
    inner = escape("".join(f"{mark}{text}\n" for _, text in lines), quote=False)
    return f'<span class="{css}">{inner}</span>' if css else f"<span>{inner}</span>"


def diff_lines(old: str, new: str) -> Iterator[tuple[str, str]]:
    r"""Yield each line with its mark; unchanged stretches keep three lines on either side.

    >>> list(diff_lines("a\nb", "a\nc"))
    [(' ', 'a'), ('-', 'b'), ('+', 'c')]
    """
    before = old.split("\n") if old else []
    after = new.split("\n") if new else []
    if max(len(before), len(after)) > _MATCHED_LINES:
        yield from (("-", line) for line in before)
        yield from (("+", line) for line in after)
        return
    for tag, start, end, new_start, new_end in SequenceMatcher(
        None, before, after, autojunk=False
    ).get_opcodes():
        if tag == "equal":
            yield from _context(before[start:end])
            continue
        yield from (("-", line) for line in before[start:end])
        yield from (("+", line) for line in after[new_start:new_end])


def _context(lines: list[str]) -> Iterator[tuple[str, str]]:
    if len(lines) <= 2 * _CONTEXT + 1:
        yield from ((" ", line) for line in lines)
        return
    yield from ((" ", line) for line in lines[:_CONTEXT])
    yield "…", f" {len(lines) - 2 * _CONTEXT}"
    yield from ((" ", line) for line in lines[-_CONTEXT:])
