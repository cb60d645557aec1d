"""Topics as people type and paste them."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_archives import FIRST, said

from awf_archive.search.documents import Note
from awf_archive.search.query import AnyOf, Phrase, Prefix, Term, parse

NASTY = [
    "",
    " ",
    "\0",
    "a\0b",
    '"',
    '""',
    '"""',
    '"a',
    'a"b"c',
    "“curly”",
    "OR",
    "OR OR",
    "a OR",
    "OR a",
    "-",
    "--",
    "-a",
    "--flag",
    "-not",
    "*",
    "**",
    "a*b*",
    "*a*",
    ":",
    "kind:",
    "kind:x",
    "since:never",
    "since:2026-13",
    "until:9999-12-31",
    "session:x",
    "file://x/y",
    "feature:*",
    "role:admin a",
    "🎉",
    "a" * 5000,
    "ab " * 2000,
    "数" * 3000,
    "x.y" * 1500,
    "\ud800",
    "[0 TO",
    "{x TO y",
    "foo~99",
    "\\",
    "((((",
    "vis-timeline",
    "Traceback (most recent call last):\n  File \"x.py\", line 3, in <module>\nTypeError: 'NoneType' object",
]
CASE = Path(__file__).parents[3] / "shared" / "cases" / "J02-query-syntax" / "input.json"


@given(st.text(max_size=80) | st.text(alphabet='ab "-*:O R“”kind\0đ数', max_size=60))
def test_no_topic_is_an_error_to_read(topic):
    parse(topic)


def test_no_topic_is_an_error_to_search(fill, ask):
    fill({FIRST: [said(1, "a cache, a plan", "数据库 and src/x.py")]})
    shared = json.loads(CASE.read_text(encoding="utf-8")) if CASE.exists() else []

    for topic in [*NASTY, *shared]:
        result = ask(topic)
        assert result.total >= 0
        assert result.took_ms < 1000


@pytest.mark.parametrize("topic", ["***", "🎉", "()", ":", "a" * 100, '""', "\0"])
def test_a_topic_without_words_says_so(fill, ask, topic):
    fill({FIRST: [said(1, "anything at all")]})

    result = ask(topic)

    assert (result.total, result.note) == (0, Note.NO_WORDS)


@pytest.mark.parametrize(
    ("topic", "nodes"),
    [
        ("the cache", [Term("cach")]),
        ("the", [Term("the")]),
        ('"the cache"', [Phrase(("the", "cach"))]),
        ("mysql OR sqlite x", [AnyOf((Term("mysql"), Term("sqlite"))), Term("x")]),
        ("conf*", [Prefix("conf")]),
        ("a-b", [Phrase(("a", "b"))]),
        ("-alone", [Term("alon")]),
        ("tar -xz --file", [Term("tar"), Term("xz"), Term("file")]),
    ],
)
def test_a_topic_is_read_as(topic, nodes):
    assert [clause.strict for clause in parse(topic).clauses] == nodes


@pytest.mark.parametrize(
    ("topic", "name", "value"),
    [
        ("x kind:decision", "kind", "decision"),
        ("x kind:tool", "kind", "tools"),
        ('x feature:"my feature"', "feature", "my feature"),
        ("x session:3", "session", "session-003"),
        ("x file:./src\\a.ts", "file", "src/a.ts"),
        ("x role:me", "role", "user"),
        ("x since:1970-01-02", "since", 86400),
        ("x until:1970-01-01", "until", 86400),
        ("x since:2d", "since", 8 * 86400),
        ("x kind:nonsense", "kind", ""),
        ("x file://host/a", "file", ""),
    ],
)
def test_a_filter_is_read_as(topic, name, value):
    query = parse(topic, now="1970-01-11T00:00:00Z")

    assert getattr(query.filters, name) == value
    assert query.clauses[0].strict == Term("x")
