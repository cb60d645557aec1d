"""Sentences of three languages: whole, never cut within a word, whatever the text (issue 8, point 5)."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awf_archive.domain.summary.boilerplate import plain
from awf_archive.domain.summary.gist import is_telling
from awf_archive.domain.summary.sentences import clip, prose, reading_words, sentences
from awf_archive.domain.summary.terms import topics

LINES = {
    "numbers and versions": ("Use v1.2.3. Then 3.11 works.", ["Use v1.2.3.", "Then 3.11 works."]),
    "abbreviations": (
        "See Fig. 3 of Dr. Li et al. for it. Done.",
        ["See Fig. 3 of Dr. Li et al. for it.", "Done."],
    ),
    "a list's number": ("1. First do this. 2. Then that.", ["1. First do this.", "2. Then that."]),
    "code": ("Run `a. B. c!` now. Ok.", ["Run `a. B. c!` now.", "Ok."]),
    "vietnamese": (
        "Deploy ở TP. HCM, v.v. rồi báo PGS. TS. Lan. Xong chưa? Rồi!",
        ["Deploy ở TP. HCM, v.v. rồi báo PGS. TS. Lan.", "Xong chưa?", "Rồi!"],
    ),
    "chinese": (
        "版本是3.2。（见第1节。）好了！下一步？",
        ["版本是3.2。", "（见第1节。）", "好了！", "下一步？"],
    ),
    "chinese typed in a chat": (
        "我想知道这个处理 因为实际上应该统一",
        ["我想知道这个处理", "因为实际上应该统一"],
    ),
}
EMPTY = [
    *(
        "Sure!",
        "I'll help you with that.",
        "Great question!",
        "Let me look at the code.",
        "Moving the directory, then updating all references.",
        "Would you like me to go on?",
    ),
    *(
        "Tôi sẽ giúp bạn sửa lỗi này.",
        "Chắc chắn rồi!",
        "Để tôi xem qua mã nguồn.",
        "Bạn có muốn tôi tiếp tục không?",
    ),
    *("好的，我来看看。", "当然可以！", "让我先检查代码。", "需要我继续吗？", "以下是我的分析："),
]


@pytest.mark.parametrize("case", LINES, ids=lambda name: name.replace(" ", "-"))
def test_sentences_end_where_they_end(case):
    line, expected = LINES[case]

    assert list(sentences(line)) == expected


@pytest.mark.parametrize("sentence", EMPTY)
def test_boilerplate_says_nothing(sentence):
    told = plain(sentence)

    assert not told or not is_telling(told)


@given(st.text())
def test_no_letter_of_a_line_is_lost_between_sentences(text):
    line = " ".join(text.split())

    assert "".join("".join(sentences(line)).split()) == "".join(line.split())


@given(st.text())
def test_prose_is_composed_text_on_one_line(text):
    for sentence in prose(text):
        assert sentence == unicodedata.normalize("NFC", sentence)
        assert "\n" not in sentence


_WORDS = st.lists(
    st.sampled_from(
        ["đăng", "nhập", "and", "server.py", "khi", "login", "fixed,", "(maybe)", "`code`", "với"]
    ),
    min_size=1,
    max_size=40,
)


@given(_WORDS, st.integers(min_value=4, max_value=20))
def test_a_cut_falls_between_words_and_keeps_the_limit(words, limit):
    sentence = " ".join(words)

    told = clip(sentence, limit)

    assert reading_words(told) <= limit
    if told != sentence:
        assert told.endswith("…")
        kept = re.findall(r"[^\W_]+", told)
        assert kept == re.findall(r"[^\W_]+", sentence)[: len(kept)]


def test_topics_are_names_and_words_not_what_everyone_says():
    vietnamese = topics(["thêm xác thực hai lớp cho trang thanh toán", "sửa lỗi xác thực giúp tôi nhé"])
    english = topics(
        ["please help me fix the OAuth callback", "ok thanks, now update callback_url in settings.py"]
    )

    assert vietnamese[0] == "xác thực"
    assert not {"giúp", "tôi", "nhé", "cho"} & set(vietnamese)
    assert {"callback_url", "OAuth"} <= set(english)
    assert not {"please", "help", "thanks", "fix"} & set(english)
