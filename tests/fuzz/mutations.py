"""Damage as disks, editors and other versions do it: files cut, spliced, with bytes flipped and types changed."""

import json
from dataclasses import dataclass

from hypothesis import strategies as st

VALUES = [
    None,
    True,
    0,
    -1,
    1e308,
    "",
    "text",
    "\ud800",
    [],
    [None],
    {},
    {"type": []},
    [[[[]]]],
    "2026-13-45T99:99:99Z",
]


@dataclass(frozen=True)
class Damaged:
    """A file after the damage, and how many bytes stand before it."""

    data: bytes
    intact: int
    how: str


def cut(draw, data):
    """A piece is missing: the end, or something in the middle."""
    start = draw(st.integers(0, max(len(data) - 1, 0)))
    length = draw(st.one_of(st.integers(1, 200), st.just(len(data))))
    return Damaged(data[:start] + data[start + length :], start, "cut")


def splice(draw, data):
    """A piece stands where it does not belong: the file's own, zeros, or something like a record."""
    at = draw(st.integers(0, len(data)))
    start = draw(st.integers(0, max(len(data) - 1, 0)))
    piece = draw(
        st.one_of(
            st.just(data[start : start + draw(st.integers(1, 4000))]),
            st.binary(min_size=1, max_size=60),
            st.sampled_from([b"\0" * 50, b"{", b"[[[[", b'"', b"\n", b"```\n", b'{"type":"user"}\n', b"\xff\xfe", b"]" * 9]),
        )
    )  # fmt: skip
    return Damaged(data[:at] + piece + data[at:], at, "splice")


def flip(draw, data):
    """Some bytes are others."""
    places = draw(st.lists(st.integers(0, max(len(data) - 1, 0)), min_size=1, max_size=8))
    changed = bytearray(data)
    for place in places:
        changed[place] ^= draw(st.integers(1, 255))
    return Damaged(bytes(changed), min(places), "flip")


def retype(draw, data):
    """A field of a record holds a value of another type, or is gone; the record stays valid JSON."""
    lines = data.split(b"\n")
    at = draw(st.integers(0, len(lines) - 1))
    try:
        record = json.loads(lines[at])
    except ValueError:
        return _retyped_whole(draw, data)
    before = sum(len(line) + 1 for line in lines[:at])
    return Damaged(b"\n".join([*lines[:at], _changed(draw, record), *lines[at + 1 :]]), before, "retype")


def _retyped_whole(draw, data):
    try:
        return Damaged(_changed(draw, json.loads(data)), 0, "retype")
    except ValueError:
        return flip(draw, data)


def _changed(draw, value):
    """Change one place of a JSON value."""
    path, inner = [], value
    while isinstance(inner, dict | list) and inner and draw(st.integers(0, 5)):
        key = draw(st.sampled_from(sorted(inner) if isinstance(inner, dict) else range(len(inner))))
        path.append((inner, key))
        inner = inner[key]
    new = draw(st.sampled_from(VALUES))
    if not path:
        return json.dumps(new).encode()
    holder, key = path[-1]
    if isinstance(holder, dict) and draw(st.booleans()):
        del holder[key]
    else:
        holder[key] = new
    return json.dumps(value).encode()


@st.composite
def damaged(draw, files):
    """One of `files` (name, reader, bytes), damaged once."""
    name, reader, data = draw(st.sampled_from(files))
    how = draw(st.sampled_from([cut, splice, flip, retype]))
    return name, reader, how(draw, data), data
