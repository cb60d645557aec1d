"""The tokenizer: offsets, positions, forms."""

import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from awf_archive.search.analysis import Form, fold, tokens

TEXTS = st.text(max_size=200) | st.text(
    alphabet="aB1_ -'’./+#đĐạ\u0323\u0301数据ﾃﾞ결ᄀ\x1b[m0\ud800", max_size=60
)


@given(TEXTS, st.sampled_from(["index", "query"]))
@example("ﾃﾞｰﾀ移行", "index")
@example("K\u0302e\u0301t", "index")
@example("İstanbul ß ﬁ ㎏ ﷺ", "query")
def test_every_token_lies_inside_the_text_and_positions_rise(text, mode):
    last = 0
    for token in tokens(text, mode):
        assert 0 <= token.start < token.end <= len(text)
        assert token.text
        assert token.position >= last
        last = token.position


@given(TEXTS)
def test_a_query_has_one_term_per_position(text):
    positions = [token.position for token in tokens(text, "query")]

    assert len(positions) == len(set(positions))
    assert all(token.form is Form.PLAIN for token in tokens(text, "query"))


@given(TEXTS)
def test_whatever_a_query_looks_for_the_index_holds_at_the_same_place(text):
    held = {(token.text, token.position) for token in tokens(text)}

    assert all((token.text, token.position) in held for token in tokens(text, "query"))


@given(st.text(max_size=60))
def test_folding_twice_changes_nothing(text):
    assert fold(fold(text)) == fold(text)


def test_offsets_point_into_the_text_as_it_was_given():
    text = "x ﾃﾞｰﾀ getUserName Đằng"

    slices = {token.text: text[token.start : token.end] for token in tokens(text)}

    assert slices["デー"] == "ﾃﾞｰ"
    assert slices["user"] == "User"
    assert slices["dang"] == "Đằng"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("\x1b[31mFAILED\x1b[0m", ["fail"]),
        ("\x1b]0;title\x07done", ["done"]),
        (r"\u001b[1;32mok", ["ok"]),
        ("⟦U+001B⟧[31mFAILED", ["fail"]),
        ("a" * 65, []),
        (
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==",
            [],
        ),
        ("/home/user/projects/awf/archive/specs/feature/context/sessions/session/turns/files", None),
    ],
)
def test_noise_is_no_word(text, words):
    found = [token.text for token in tokens(text, "query")]

    assert found == words if words is not None else "session" in found


def test_importing_the_analysis_loads_no_engine():
    code = "import sys, awf_archive.search.analysis, awf_archive.search.documents; print('whoosh' in sys.modules)"

    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"
