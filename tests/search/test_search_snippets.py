"""The passage that is shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awf_archive.search.documents import Role
from awf_archive.search.query import parse
from awf_archive.search.snippets import best, snippet

PARTS = st.sampled_from(
    ["cache ", "数据库", "đã quyết định ", "\x1b[31m", "\n", "。", "x" * 30, " ", "\u202e", "é́", "\ud800"]
)


def marked(text: str, topic: str, width: int = 160) -> list[str]:
    cut = snippet(text, parse(topic).marks, width)
    return [cut.text[start:end] for start, end in cut.marks]


@given(st.lists(PARTS, max_size=60).map("".join), st.integers(20, 200))
def test_a_snippet_is_one_clean_line_with_marks_inside(text, width):
    cut = snippet(text, parse("cache 数据库 quyet").marks, width)

    assert cut.text == "" or cut.text.isprintable() or "\u0301" in cut.text
    assert len(cut.text) <= width + 6
    assert all(0 <= start < end <= len(cut.text) for start, end in cut.marks)
    assert all(one[1] < other[0] for one, other in zip(cut.marks, cut.marks[1:], strict=False))


@pytest.mark.parametrize(
    ("text", "topic", "words"),
    [
        ("chúng ta đã quyết định", "quyet dinh", ["quyết", "định"]),
        ("我们决定采用凤凰网关处理", "凤凰网关", ["凤凰网关"]),
        ("call getUserName() now", "getusername", ["getUserName"]),
        ("call getUserName() now", "user name", ["UserName"]),
        ("the configuration", "conf*", ["configuration"]),
        ("\x1b[31mFAILED\x1b[0m", "failed", ["FAILED"]),
        ("we run\n\n  it", '"run it"', ["run", "it"]),
    ],
)
def test_the_words_that_were_found_are_marked(text, topic, words):
    assert marked(text, topic) == words


def test_the_best_passage_is_chosen_and_cut_between_words():
    text = (
        "cache "
        + "filler words here " * 40
        + "so the cache layer uses redis now. "
        + "other words there " * 40
    )

    cut = snippet(text, ["cach", "redis"], 60)

    assert "cache layer uses redis" in cut.text
    assert cut.text.startswith("…")
    assert cut.text.endswith("…")
    assert cut.text.strip("…").strip().split()[0] in text.split()


def test_a_chinese_passage_begins_after_a_full_stop():
    text = (
        "前面的话没有意思而且很长很长很长很长很长很长。我们决定采用凤凰网关。后面的话也没有意思而且很长"
        + "很长" * 60
    )

    assert snippet(text, ["凤凰", "凰网", "网关"], 50).text.startswith("…我们决定")


def test_without_a_match_the_beginning_is_shown():
    assert snippet("hello\nworld", ["zzz"]).text == "hello world"


def test_the_side_that_shows_more_is_chosen():
    role, cut = best(
        [(Role.USER, "about redis"), (Role.ASSISTANT, "redis timeout")], ["redis", "timeout"], Role.NONE
    )

    assert (role, cut.text) == (Role.ASSISTANT, "redis timeout")
