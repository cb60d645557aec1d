"""Markdown whose messages stand under headings or bold labels that are a role's name and nothing else."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from awf_archive.readers.shared.markdown_lines import fenced, is_blank

_MARKED = re.compile(
    r"(?P<level>#{1,6})[ \t]+(?P<words>\S.*?)[ \t]*#*[ \t]*|(?P<bold>\*\*|__)(?P<label>\S.*?)[ \t]*"
)
_DECORATION = re.compile(r"^[^\w]+|[^\w]+$")


class Heading(NamedTuple):
    """A line that begins a message."""

    at: int
    is_user: bool
    style: str
    """`##`, `**` …: a chat writes all headings of one role alike, so others are somebody's text."""


class Section(NamedTuple):
    """One message."""

    at: int
    is_user: bool
    lines: Sequence[str]


def headings(lines: Sequence[str], roles: Mapping[str, bool]) -> list[Heading]:
    """Return the role headings outside code; `roles` says of a name in lower case whether it is the user's.

    >>> [one.at for one in headings(["## User", "hi", "### User", "## AI:"], {"user": True, "ai": False})]
    [0, 3]
    """
    found = [one for at, line in enumerate(lines) if (one := _heading(at, line, roles))]
    if not found:
        return []
    inside = fenced(lines)
    visible = [one for one in found if not inside[one.at]]
    styles = {one.is_user: one.style for one in reversed(visible)}
    return [one for one in visible if one.style == styles[one.is_user]]


def _heading(at: int, line: str, roles: Mapping[str, bool]) -> Heading | None:
    if line[:1] not in ("#", "*", "_"):
        return None
    match = _MARKED.fullmatch(line)
    if match is None:
        return None
    words = match["words"] or match["label"]
    if match["bold"] and match["bold"] not in words:
        return None
    name = _DECORATION.sub("", words.replace("**", "")).casefold()
    if name not in roles:
        return None
    return Heading(at, roles[name], match["level"] or match["bold"])


def sections(lines: Sequence[str], found: Sequence[Heading]) -> Iterator[Section]:
    """Yield the messages under their headings, without the rule that may stand between two."""
    ends = [*(heading.at for heading in found[1:]), len(lines)]
    for heading, end in zip(found, ends, strict=False):
        yield Section(heading.at, heading.is_user, without_rule(lines[heading.at + 1 : end]))


def without_rule(lines: Sequence[str]) -> Sequence[str]:
    """Take a rule off the end, where it stands between two messages."""
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    return (
        lines[: end - 1]
        if end and lines[end - 1].strip() == "---" and is_blank(lines, end - 2)
        else lines[:end]
    )
