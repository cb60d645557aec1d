"""Chunk files: literal headings in three languages, every line names its turn, nothing invented (SPEC 1.8)."""

import pytest

from awf_archive.domain.decisions import Decision, Status
from awf_archive.domain.summary import Brief, chunk_text
from awf_archive.domain.wording import WORDINGS

BRIEFS = (
    Brief(turn=1, title="讨论了用户屏蔽功能的需求", files=("requirements.md",)),
    Brief(turn=3, title="确定 API 风格", files=("design.md", "requirements.md")),
    Brief(turn=8, title="试试 Redis", files=(), is_abandoned=True),
)
DECISION = Decision(
    id="D-001",
    text="使用 scenario 字段区分屏蔽类型",
    reason="",
    options=(),
    status=Status.ACCEPTED,
    feature="block-user",
    session="session-001",
    turn=3,
    date="",
    by="user",
    found_by="question",
    evidence="",
    call_id="t",
)
ZH = """# 摘要 001 (第1-15轮)

## 概述
讨论了用户屏蔽功能的需求。确定 API 风格。

## 关键决策
1. 使用 scenario 字段区分屏蔽类型 （第3轮）

## 重要内容
- 第1轮: 讨论了用户屏蔽功能的需求
- 第3轮: 确定 API 风格
- 第8轮: 试试 Redis (已被回退放弃)

## 涉及文件
- requirements.md
- design.md
"""
HEADINGS = {
    "zh": ["# 摘要 001 (第1-15轮)", "## 概述", "## 关键决策", "## 重要内容", "## 涉及文件"],
    "en": [
        "# Summary 001 (turns 1–15)",
        "## Overview",
        "## Key decisions",
        "## Important points",
        "## Files",
    ],
    "vi": [
        "# Tóm tắt 001 (lượt 1–15)",
        "## Tổng quan",
        "## Quyết định chính",
        "## Nội dung quan trọng",
        "## File liên quan",
    ],
}
POINTS = {"zh": "- 第3轮: ", "en": "- Turn 3: ", "vi": "- Lượt 3: "}


def _text(language, briefs=BRIEFS, decisions=(DECISION,)):
    return chunk_text(1, (1, 15), briefs, decisions, words=WORDINGS[language])


@pytest.mark.parametrize("language", sorted(HEADINGS))
def test_headings_are_literal(language):
    lines = _text(language).split("\n")

    assert [line for line in lines if line.startswith("#")] == HEADINGS[language]
    assert any(line.startswith(POINTS[language]) for line in lines)


def test_the_whole_file_is_literal():
    assert _text("zh") == ZH


def test_the_same_turns_always_give_the_same_text():
    assert _text("vi") == _text("vi")


def test_without_decisions_it_says_so_and_invents_none():
    assert "## Key decisions\nNone was recorded in these turns.\n" in _text("en", decisions=())


def test_a_stranger_cannot_break_out_of_its_line():
    evil = Brief(turn=2, title="a\x1b[31m", files=("x\n## Overview",))

    text = _text("en", (evil,))

    assert "\x1b" not in text
    assert text.count("\n## Overview\n") == 1
