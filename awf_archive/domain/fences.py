"""Code fences around and inside a stranger's Markdown (case K02)."""

import re

_BACKTICKS = re.compile("`{3,}")
_FENCE_LINE = re.compile(r" {0,3}(?P<mark>`{3,}|~{3,})(?P<info>[^\n]*)")


def fence_for(text: str) -> str:
    """Return a run of backticks longer than any in `text`.

    >>> fence_for("plain"), fence_for("a ```` b")
    ('```', '`````')
    """
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=2)
    return "`" * (longest + 1)


def open_fence(text: str) -> str:
    """Return the fence that `text` leaves open, or an empty string.

    Follows CommonMark for fences outside lists and quotations; an unclosed one inside those ends with them.

    >>> open_fence("```py\\nx = 1"), open_fence("~~~\\n```\\n~~~"), open_fence("a ``` b")
    ('```', '', '')
    """
    fence = ""
    for line in text.split("\n"):
        match = _FENCE_LINE.match(line)
        if not match:
            continue
        mark, info = match["mark"], match["info"].strip()
        if not fence:
            if not (mark[0] == "`" and "`" in info):
                fence = mark
        elif mark[0] == fence[0] and len(mark) >= len(fence) and not info:
            fence = ""
    return fence
