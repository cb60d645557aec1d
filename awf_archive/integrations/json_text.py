"""Editing a settings file as text: what a person wrote, comments and odd spacing too, stays as it is (issue 7).

A settings file is read into values that know where they stand; changes are cuts and insertions at those places.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn

from awf_archive.errors import InputError


@dataclass(slots=True, kw_only=True)
class Node:
    """A value and where it stands."""

    value: object
    start: int
    end: int
    members: "dict[str, Member]" = field(default_factory=dict)
    """Of an object."""
    items: "list[Node]" = field(default_factory=list)
    """Of a list."""


@dataclass(slots=True, kw_only=True)
class Member:
    """A name in an object, and its value."""

    start: int
    """Where the name begins."""
    node: Node


_BLANK = re.compile(r"(?:[ \t\r\n]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_SCALAR = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null')
_DEEPEST = 200


class _Parser:
    """Reads JSON with comments and trailing commas."""

    def __init__(self, text: str, name: str) -> None:
        self._text = text
        self._name = name

    def whole(self) -> Node:
        """Return the value of the whole text. Raises InputError."""
        node = self._value(self._blank(0), 0)
        end = self._blank(node.end)
        if end != len(self._text):
            self._refuse(end, "something stands after the end")
        return node

    def _value(self, at: int, depth: int) -> Node:
        if depth > _DEEPEST:
            self._refuse(at, "nested too deeply")
        match self._text[at : at + 1]:
            case "{":
                return self._object(at, depth)
            case "[":
                return self._list(at, depth)
            case _:
                return self._scalar(at)

    def _scalar(self, at: int) -> Node:
        match = _SCALAR.match(self._text, at)
        if match is None:
            self._refuse(at, "no JSON value")
        return Node(value=json.loads(match[0]), start=at, end=match.end())

    def _object(self, at: int, depth: int) -> Node:
        node = Node(value={}, start=at, end=at)
        for place in self._places(node, "}"):
            key = self._scalar(place)
            if not isinstance(key.value, str):
                self._refuse(place, "a name in quotes was expected")
            if key.value in node.members:
                self._refuse(place, f"{key.value!r} stands there twice")
            colon = self._blank(key.end)
            if self._text[colon : colon + 1] != ":":
                self._refuse(colon, "a colon was expected")
            found = self._value(self._blank(colon + 1), depth + 1)
            node.members[key.value] = Member(start=place, node=found)
            node.end = found.end
        node.value = {name: member.node.value for name, member in node.members.items()}
        return node

    def _list(self, at: int, depth: int) -> Node:
        node = Node(value=[], start=at, end=at)
        for place in self._places(node, "]"):
            found = self._value(place, depth + 1)
            node.items.append(found)
            node.end = found.end
        node.value = [item.value for item in node.items]
        return node

    def _places(self, node: Node, closing: str) -> Iterator[int]:
        """Yield where each entry begins; whoever asks sets `node.end` to the entry's end."""
        at = self._blank(node.start + 1)
        while self._text[at : at + 1] != closing:
            yield at
            at = self._blank(node.end)
            if self._text[at : at + 1] == ",":
                at = self._blank(at + 1)
            elif self._text[at : at + 1] != closing:
                self._refuse(at, f"a comma or {closing} was expected")
        node.end = at + 1

    def _blank(self, at: int) -> int:
        match = _BLANK.match(self._text, at)
        return match.end() if match else at

    def _refuse(self, at: int, what: str) -> NoReturn:
        line = self._text.count("\n", 0, at) + 1
        column = at - self._text.rfind("\n", 0, at)
        raise InputError(
            f"{self._name}, line {line}, column {column}: {what}.",
            "Mend the file and run the command again; nothing was changed.",
        )


def parsed(text: str, name: str) -> Node:
    """Return the value of a JSON text, comments allowed, and where each part stands. Raises InputError.

    >>> node = parsed('{"a": [1, 2], /* why */ "b": {},}', "settings.json")
    >>> node.value, node.members["a"].node.start
    ({'a': [1, 2], 'b': {}}, 6)
    """
    return _Parser(text, name).whole()


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a file is laid out."""

    indent: str = "  "
    newline: str = "\n"


def style_of(text: str) -> Style:
    """Return the layout of a file, from its first indented line."""
    match = re.search(r'\n([ \t]+)"', text)
    return Style(indent=match[1] if match else "  ", newline="\r\n" if "\r\n" in text else "\n")


def rendered(value: object, style: Style, depth: int) -> str:
    """Return a value laid out as the file is, for a place `depth` levels down."""
    lines = json.dumps(value, indent=style.indent, ensure_ascii=False).split("\n")
    return f"{style.newline}{style.indent * depth}".join(lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What is added to an object, with its key, or to a list, without."""

    value: object
    key: str = ""

    @property
    def name(self) -> str:
        """The key as it stands before the value."""
        return f"{json.dumps(self.key)}: " if self.key else ""


def with_entry(text: str, node: Node, entry: Entry, depth: int, style: Style) -> str:
    """Return the text with an entry added at the end of an object or a list that lies `depth` levels down.

    >>> text = '{"a": 1 // why\\n}'
    >>> with_entry(text, parsed(text, ""), Entry(value=2, key="b"), 0, Style())
    '{"a": 1, // why\\n  "b": 2\\n}'
    """
    spans = _spans(node)
    last = spans[-1][1] if spans else node.start + 1
    rest = text[last : node.end - 1]
    kept = rest.rstrip()
    if spans and not _has_comma(rest):
        kept = f",{kept}"
    inner = style.newline + style.indent * (depth + 1)
    outer = (
        rest[len(rest.rstrip()) :]
        if "\n" in rest[len(rest.rstrip()) :]
        else style.newline + style.indent * depth
    )
    is_inline = "\n" not in text[node.start : node.end] and bool(spans)
    if is_inline:
        inner, outer = " ", ""
    value = (
        json.dumps(entry.value, ensure_ascii=False) if is_inline else rendered(entry.value, style, depth + 1)
    )
    return f"{text[:last]}{kept}{inner}{entry.name}{value}{outer}{text[node.end - 1 :]}"


def without(text: str, node: Node, place: int) -> str:
    """Return the text without one entry of an object or a list, and without the comma that went with it.

    >>> text = '[1, 2 /* two */, 3]'
    >>> [without(text, parsed(text, ""), place) for place in range(3)]
    ['[2 /* two */, 3]', '[1, /* two */ 3]', '[1, 2 /* two */]']
    """
    spans = _spans(node)
    start, end = spans[place]
    before_start = spans[place - 1][1] if place else node.start + 1
    is_last = place + 1 == len(spans)
    after_end = node.end - 1 if is_last else spans[place + 1][0]
    before, after = text[before_start:start], text[end:after_end]
    if not is_last or _has_comma(after):
        after = _without_comma(after).lstrip() if not is_last else _without_comma(after)
        return f"{text[:before_start]}{before if not is_last else before.rstrip()}{after}{text[after_end:]}"
    before = _without_comma(before).rstrip()
    is_empty = len(spans) == 1 and not (before + after).strip()
    return f"{text[:before_start]}{before}{'' if is_empty else after}{text[after_end:]}"


def _spans(node: Node) -> list[tuple[int, int]]:
    return [(one.start, one.node.end) for one in node.members.values()] or [
        (one.start, one.end) for one in node.items
    ]


_COMMENT_OR_COMMA = re.compile(r"//[^\n]*|/\*.*?\*/|,", re.DOTALL)


def _has_comma(text: str) -> bool:
    """Whether there is a comma outside of comments."""
    return "," in _COMMENT_OR_COMMA.findall(text)


def _without_comma(text: str) -> str:
    """Take the first comma out that stands in no comment."""
    match = next((one for one in _COMMENT_OR_COMMA.finditer(text) if one[0] == ","), None)
    return text[: match.start()] + text[match.end() :] if match else text
