"""Chunk files: literal headings in three languages, every line names its turn, nothing invented (SPEC 1.8)."""

import re
import unicodedata
from dataclasses import replace

import pytest

from awf_archive.domain.decisions import Decision, Status
from awf_archive.domain.summary import Gist, chunk_text, gist_of
from awf_archive.domain.summary.sentences import reading_words
from awf_archive.domain.summary.work import Failure, TaskStep
from awf_archive.domain.transcript import Text
from awf_archive.domain.wording import WORDINGS

GISTS = (
    Gist(
        turn=1,
        request=("讨论用户屏蔽功能的需求范围",),
        outcome=("已整理屏蔽需求，只影响私聊。",),
        changed=("requirements.md",),
    ),
    Gist(
        turn=3,
        request=("接口用 RESTful 还是 RPC 风格？",),
        outcome=("建议使用 RESTful 风格。",),
        changed=("design.md", "requirements.md"),
    ),
    Gist(turn=8, request=("试试把缓存换成 Redis",), is_abandoned=True),
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
起初：讨论用户屏蔽功能的需求范围。结果：建议使用 RESTful 风格。

## 关键决策
1. 使用 scenario 字段区分屏蔽类型 （第3轮）

## 重要内容
- 第1轮: 已整理屏蔽需求，只影响私聊
- 第3轮: 接口用 RESTful 还是 RPC 风格？
- 第8轮: 试试把缓存换成 Redis (已被回退放弃)

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
MORE_HEADINGS = {
    "zh": ["## 未决问题与待办", "## 错误与修复"],
    "en": ["## Open questions and tasks", "## Errors and fixes"],
    "vi": ["## Câu hỏi và việc còn mở", "## Lỗi và cách sửa"],
}
_WORDS = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau omega"
)
POINTS = {"zh": "- 第3轮: ", "en": "- Turn 3: ", "vi": "- Lượt 3: "}


def _text(language, gists=GISTS, decisions=(DECISION,)):
    return chunk_text(1, (1, 15), gists, decisions, words=WORDINGS[language])


def _section(text, heading):
    return text.partition(f"\n## {heading}\n")[2].partition("\n\n")[0].strip().split("\n")


def _said(turn, prompt, reply, **more):
    return gist_of(turn, (Text(text=prompt),), (Text(text=reply),), **more)


@pytest.mark.parametrize("language", sorted(HEADINGS))
def test_headings_are_literal(language):
    lines = _text(language).split("\n")

    assert [line for line in lines if line.startswith("#")] == HEADINGS[language]
    assert any(line.startswith(POINTS[language]) for line in lines)


@pytest.mark.parametrize("language", sorted(MORE_HEADINGS))
def test_open_tasks_and_errors_follow_under_headings_of_their_own(language):
    task = TaskStep(id="1", text="Write the migration for old rows", is_open=True, is_whole_list=True)
    gists = (
        *GISTS[:2],
        Gist(turn=9, failures=(Failure(error="KeyError: 'scenario'", key="pytest"),), tasks=(task,)),
    )

    lines = _text(language, gists).split("\n")

    assert [line for line in lines if line.startswith("## ")][4:] == MORE_HEADINGS[language]


def test_the_whole_file_is_literal():
    assert _text("zh") == ZH


def test_the_same_turns_always_give_the_same_text():
    assert _text("vi") == _text("vi")


def test_without_decisions_it_says_so_and_invents_none():
    assert "## Key decisions\nNone was recorded in these turns.\n" in _text("en", decisions=())


def test_settled_decisions_come_first_and_what_only_may_be_one_is_marked():
    proposed = replace(DECISION, id="D-000", text="Keep Redis", turn=2, status=Status.PROPOSED)
    rejected = replace(DECISION, id="D-003", text="Use Mongo", turn=4, status=Status.REJECTED)

    lines = _section(_text("en", decisions=(proposed, rejected, DECISION)), "Key decisions")

    assert lines == ["1. 使用 scenario 字段区分屏蔽类型 (turn 3)", "2. (proposed) Keep Redis (turn 2)"]


def test_a_stranger_cannot_break_out_of_its_line():
    evil = Gist(turn=2, request=("Look at a\x1b[31m red thing now",), changed=("x\n## Overview",))

    text = _text("en", (evil,))

    assert "\x1b" not in text
    assert text.count("\n## Overview\n") == 1


def test_boilerplate_of_three_languages_is_not_in_it():
    gists = (
        _said(
            1,
            "Hi! Please add a --since option to the export command",
            "Sure! I'll help you with that. Let me look.",
        ),
        _said(
            2,
            "Thêm kiểm thử cho lệnh export",
            "Chắc chắn rồi! Tôi sẽ giúp bạn. Đã thêm 12 kiểm thử cho lệnh export.",
        ),
        _said(3, "把导出命令写进文档", "好的，我来处理。已在 README 中补充导出命令的说明。需要我继续吗？"),
    )

    text = _text("en", gists, ())

    assert "Đã thêm 12 kiểm thử cho lệnh export" in text
    assert "已在 README 中补充导出命令的说明" in text
    for empty in ("Sure", "help you", "Let me", "Chắc chắn", "Tôi sẽ", "好的", "我来", "需要我", "Hi!"):
        assert empty not in text


def test_code_tables_and_logs_are_not_in_it():
    reply = (
        "Fixed the paging of the export.\n\n```py\nprint('never shown')\n```\n\n| a | b |\n|---|---|\n| cell | x |\n\n"
        "Traceback (most recent call last):\n  File \"x.py\", line 3\nKeyError: 'page'\n"
    )

    text = _text("en", (_said(1, "Why does paging fail in the export?", reply),), ())

    assert "Fixed the paging of the export" in text
    for noise in ("never shown", "cell", "Traceback"):
        assert noise not in text


def test_what_was_said_twice_is_told_once():
    twice = "The export writes the archive's pages twice because of the cache"
    gists = tuple(_said(turn, twice, f"{twice}.") for turn in range(1, 9))

    assert _text("en", gists, ()).count("writes the archive") == 1


def test_points_cover_the_range_from_end_to_end():
    words = _WORDS.split()
    gists = tuple(
        _said(
            turn,
            f"Move the {word} module behind the {word} interface",
            f"Moved {word} and its {word}x tests.",
        )
        for turn, word in enumerate(words, 1)
    )

    lines = _section(chunk_text(1, (1, 20), gists, (), words=WORDINGS["en"]), "Important points")
    turns = [int(line.split()[2].rstrip(":")) for line in lines]

    assert turns == sorted(set(turns))
    assert 5 <= len(turns) <= 12
    assert turns[0] <= 4
    assert turns[-1] >= 17


def test_a_long_range_is_read_in_under_a_minute():
    sentence = "The {n} report of the {n} module explains at length how the {n} cache is filled, emptied and filled anew"
    gists = tuple(
        _said(
            n,
            sentence.format(n=f"name{n}a") + "?",
            ". ".join(sentence.format(n=f"name{n}{k}") for k in "bcde") + ".",
        )
        for n in range(1, 41)
    )

    assert reading_words(_text("en", gists, ())) <= 235


def test_decomposed_letters_are_told_as_composed_ones():
    prompt = unicodedata.normalize("NFD", "Sửa lỗi đăng nhập khi mật khẩu có dấu tiếng Việt")

    text = _text("vi", (_said(1, prompt, ""),), ())

    assert "Sửa lỗi đăng nhập khi mật khẩu có dấu tiếng Việt" in text


def test_an_error_is_told_with_what_mended_it():
    report = "I get this:\nImportError: cannot import name 'QAction' from 'PySide6.QtWidgets' (/home/x/y.so)"
    gists = (
        _said(
            20,
            report,
            "You're right. QAction must be imported from PySide6.QtGui, not QtWidgets. I added a test.",
        ),
    )

    (line,) = _section(_text("en", gists, ()), "Errors and fixes")
    error, _, fix = line.partition(" → ")
    assert error == "- Turn 20: ImportError: cannot import name 'QAction' from 'PySide6.QtWidgets'"
    assert fix == "QAction must be imported from PySide6.QtGui, not QtWidgets"


def test_many_files_are_told_by_folder_and_none_is_lost_from_the_count():
    gists = (
        Gist(
            turn=1,
            request=("Move every reader into a folder",),
            changed=tuple(f"src/r{n}.py" for n in range(14)),
        ),
    )

    assert _section(_text("en", gists, ()), "Files") == [
        "- src/: r0.py, r1.py, r2.py, r3.py, r4.py, r5.py, r6.py and 7 more"
    ]


_SAYINGS = {
    "en": "The {n}mod of {n}svc explains at length how {n}cache is {n}filled and then {n}emptied by {n}job",
    "vi": "Phần {n}mod của {n}svc giải thích rất dài cách {n}cache được {n}nạp vào rồi {n}xóa đi bởi {n}job",
    "zh": "模块{n}mod详细说明缓存{n}cache如何写入{n}svc以及如何由{n}job清空{n}db并写入{n}log",
}
_FULL = {"gists": 20, "decisions": 30, "files": 60, "errors": 8, "tasks": 12}
FULL_SECTIONS = {
    name: _FULL | {other: 0 for other in _FULL if other not in {name, "gists"}} for name in _FULL
}
FULL_SECTIONS["everything"] = _FULL
FULL_SECTIONS["files with blanks"] = _FULL | {"blanks": 12}


def _full(language, sizes):
    say = _SAYINGS[language].format
    path = "src/m{n}/" + "a very long name " * sizes.get("blanks", 0) + "file{n}.py"
    tasks = tuple(
        TaskStep(id=str(n), text=say(n=f"t{n}"), is_open=True, is_whole_list=n == 0)
        for n in range(sizes["tasks"])
    )
    failures = tuple(
        Failure(error=f"KeyError: {say(n=f'e{n}')}", key=f"run {n}") for n in range(sizes["errors"])
    )
    gists = [
        Gist(
            turn=n,
            request=(f"{say(n=f'a{n}')}?",),
            outcome=(f"{say(n=f'b{n}')}.", f"Fixed {say(n=f'c{n}')}."),
            changed=tuple(path.format(n=at) for at in range(n - 1, sizes["files"], 20)),
            failures=failures[n - 1 : n],
            passed=frozenset(f"run {at}" for at in range(n - 1)),
            tasks=tasks if n == sizes["gists"] else (),
        )
        for n in range(1, sizes["gists"] + 1)
    ]
    decisions = [
        replace(DECISION, id=f"D-{n:03d}", text=say(n=f"d{n}"), turn=n % 20 + 1)
        for n in range(sizes["decisions"])
    ]
    return chunk_text(1, (1, 20), gists, decisions, words=WORDINGS[language])


@pytest.mark.parametrize("language", _SAYINGS)
@pytest.mark.parametrize("sizes", FULL_SECTIONS.values(), ids=FULL_SECTIONS)
def test_a_summary_is_read_in_a_minute_whatever_its_sections_hold(language, sizes):
    text = _full(language, sizes)

    headings = [line for line in text.split("\n") if line.startswith("## ")]
    assert reading_words(text) <= 240
    assert len(headings) == 4 + bool(sizes["tasks"]) + bool(sizes["errors"]) - (not sizes["files"])
    if sizes["decisions"]:
        (counted,) = re.findall(r"\d+", _section(text, headings[1][3:])[-1].split("decisions.json")[0])
        assert int(counted) + len(_section(text, headings[1][3:])) - 1 == sizes["decisions"]


def test_what_is_shortened_says_how_much_more_there_is():
    text = _full("en", _FULL)

    shown = re.findall(r"file\d+\.py", text)
    more = [int(n) for n in re.findall(r"and (\d+) more(?! in decisions)", text)]
    assert shown
    assert len(shown) + sum(more) == _FULL["files"]


TOLD_DECISIONS = {
    "an open bracket": ("Extend rendering to dotted names (e.g", "Extend rendering to dotted names"),
    "a word that leads on": ("This repo is the one we publish to, so", "This repo is the one we publish to"),
    "một từ nối": ("Dùng SQLite cho hàng đợi, nên", "Dùng SQLite cho hàng đợi"),
    "连词": ("搜索用 zhparser，所以", "搜索用 zhparser"),
    "what an option bore": ("Login: Session cookie (Recommended)", "Login: Session cookie"),
    "an apostrophe": ("let's stick to one package", "Let's stick to one package"),
}


@pytest.mark.parametrize(("text", "told"), TOLD_DECISIONS.values(), ids=TOLD_DECISIONS)
def test_a_decision_is_told_without_what_its_words_leave_open(text, told):
    lines = _section(_text("en", decisions=(replace(DECISION, text=text),)), "Key decisions")

    assert lines == [f"1. {told} (turn 3)"]


def test_what_looks_like_a_tag_stays_in_code():
    gist = _said(
        1, "Where is the archive?", "Added `archive/refs/tags/<tag>.tar.gz` for <b>every</b> release tag."
    )

    assert "`archive/refs/tags/<tag>.tar.gz` for every release tag" in _text("en", (gist,), ())


def test_a_cut_leaves_no_quotation_mark_open():
    said = (
        'The accountant said "better use a spreadsheet for the stock in the small shop downtown at the river"'
    )

    (line,) = _section(_text("en", (_said(1, said, ""),), ()), "Important points") or [""]
    assert line.count('"') % 2 == 0


def test_chinese_that_ends_in_a_name_ends_as_chinese():
    assert "现在只能导出 HTML。" in _text("zh", (_said(1, "我想支持导出 PDF，现在只能导出 HTML", ""),), ())
