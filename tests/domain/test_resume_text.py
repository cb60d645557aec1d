import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from awf_archive.domain.resume import (
    Resumed,
    ResumedChunk,
    ResumedTurn,
    SpecDocument,
    chunk_parts,
    render,
    stories_in,
)
from awf_archive.domain.wording.resume_words import RESUME_WORDS

ZH = RESUME_WORDS["zh"]
TASKS = SpecDocument(name="tasks.md", path="specs/x/tasks.md", text="- [x] 1. 建表\n- [ ] 2. 接口\n")
NEEDS = SpecDocument(
    name="requirements.md",
    path="specs/x/requirements.md",
    text="# 需求\n\n作为用户，我希望屏蔽某人\n\n作为用户，我想取消屏蔽\n",
)
DESIGN = SpecDocument(name="design.md", path="specs/x/design.md", text=None)


def resumed(**more):
    facts = {
        "feature": "block-user",
        "total": 25,
        "phase": "design",
        "session": "session-003",
        "session_range": (24, 25),
        "turns": (
            ResumedTurn(turn=24, user="加个字段", assistant="好的。"),
            ResumedTurn(turn=25, user="继续", assistant="完成。"),
        ),
        "left_out": 0,
        "chunks": (
            ResumedChunk(number="001", turns=(1, 10), overview="讨论了需求。", decisions=("1. 复用表",)),
        ),
        "documents": (NEEDS, DESIGN, TASKS),
    }
    return Resumed(**(facts | more))


def test_spec_2_the_layout():
    assert render(resumed(), ZH) == (
        "# 恢复: block-user\n\n## 📊 状态概览\n\n| 项目 | 值 |\n|---|---|\n| 功能 | block-user |\n"
        "| 总对话轮数 | 25 轮 |\n| 当前阶段 | design |\n| 最近会话 | session-003 (第24-25轮) |\n\n"
        "## 📝 最近对话 (会话-003)\n\n### 第24轮\n\n**用户**:\n\n加个字段\n\n**助手**:\n\n好的。\n\n"
        "### 第25轮\n\n**用户**:\n\n继续\n\n**助手**:\n\n完成。\n\n"
        "## 📚 历史摘要\n\n### 摘要-001 (第1-10轮)\n\n讨论了需求。\n\n**关键决策**:\n1. 复用表\n\n"
        "## 📄 文档\n\n| 文档 | 状态 |\n|---|---|\n| requirements.md | ✅ 2 个用户故事 |\n| design.md | — |\n"
        "| tasks.md | ✅ 已完成 1/2 个任务 |\n\n**requirements.md**\n\n```markdown\n# 需求\n\n作为用户，我希望屏蔽某人\n\n"
        "作为用户，我想取消屏蔽\n```\n\n**tasks.md**\n\n```markdown\n- [x] 1. 建表\n- [ ] 2. 接口\n```\n\n"
        "## 🚀 继续工作\n\n上下文已加载，请继续之前的工作。\n"
    )


def test_spec_2_partly_loaded_names_the_files():
    text = render(resumed(unreadable=("a/turn-001.md",)), ZH)

    assert "⚠️ **部分加载**\n\n- a/turn-001.md\n" in text


def test_spec_2_a_preview_has_at_most_30_lines():
    long = SpecDocument(name="design.md", path="d.md", text="\n".join(f"line {n}" for n in range(99)))

    text = render(resumed(documents=(long,)), ZH)

    assert "line 29" in text
    assert "line 30" not in text


def test_spec_2_previews_go_first_then_older_turns_then_chunk_details():
    turns = tuple(
        ResumedTurn(turn=n, user=f"ask {n} " + "字" * 300, assistant="x" * 300) for n in range(14, 26)
    )
    chunks = tuple(
        ResumedChunk(number=f"{n:03d}", turns=(n, n), overview=f"overview {n} " + "y" * 200, decisions=())
        for n in range(1, 13)
    )
    whole = resumed(turns=turns, chunks=chunks, session_range=(14, 25))
    words = RESUME_WORDS["en"]

    def shown(size):
        text = render(whole, words, size)
        assert len(text.encode()) <= size
        return (
            text.count("```markdown"),
            sum(f"### Turn {n}\n" in text for n in range(14, 26)),
            sum(f"overview {n} " in text for n in range(1, 13)),
            text,
        )

    assert shown(60_000)[:3] == (2, 12, 12)
    size, seen = 17_500, []
    while size > 2_000:
        seen.append(shown(size)[:3])
        size -= 500
    assert seen == sorted(seen, reverse=True)
    assert all(turns == 12 for previews, turns, _ in seen if previews)
    assert all(details == 12 for _, turns, details in seen if turns > 1)
    assert "⋯ 9 earlier turns left out: `awf-archive show block-user#14-22`" in next(
        text for size in range(12_000, 4_000, -100) if (text := shown(size)[3]).count("### Turn ") == 3
    )


def test_spec_2_what_is_left_out_before_the_last_twelve_is_said():
    text = render(resumed(left_out=8, session_range=(16, 25)), RESUME_WORDS["vi"])

    assert "⋯ bỏ qua 8 lượt cũ hơn: `awf-archive show block-user#16-23`" in text


def test_spec_2_a_turn_larger_than_everything_is_cut_with_its_fence_closed():
    giant = ResumedTurn(turn=25, user="做", assistant="```py\n" + "代码 = 1\n" * 9_000)

    text = render(resumed(turns=(giant,)), ZH, 4_000)

    assert len(text.encode()) <= 4_000
    assert text.count("```") % 2 == 0
    assert "全文：`awf-archive show block-user#25`" in text
    assert "\ufffd" not in text


@given(
    st.lists(st.tuples(st.text(max_size=3_000), st.text(max_size=3_000)), max_size=12),
    st.lists(st.text(max_size=500), max_size=30),
    st.integers(1_000, 16_000),
)
@settings(max_examples=60, deadline=None)
def test_spec_2_no_text_goes_over_its_bytes(sides, overviews, size):
    turns = tuple(ResumedTurn(turn=n, user=a, assistant=b) for n, (a, b) in enumerate(sides, 1))
    chunks = tuple(
        ResumedChunk(number=f"{n:03d}", turns=(n, n), overview=text, decisions=(text,))
        for n, text in enumerate(overviews, 1)
    )

    text = render(resumed(turns=turns, chunks=chunks), ZH, size)

    assert len(text.encode()) <= size
    assert text.startswith("# 恢复: block-user")


def test_a_name_with_blanks_is_quoted_for_the_shell():
    assert "`awf-archive show 'đăng nhập#16-23'`" in render(
        resumed(feature="đăng nhập", left_out=8, session_range=(16, 25)), ZH
    )


@pytest.mark.parametrize(
    ("markdown", "count"),
    [
        ("As a user, I want to log in.\nAs an admin, I want to ban.", 2),
        ("### Requirement 1: login\n### Requirement 2: out", 2),
        ("Là khách hàng, tôi muốn huỷ đơn", 1),
        ("作为管理员，我想要封禁", 1),
        ("# Plan\nnothing here", 0),
    ],
)
def test_spec_2_user_stories_are_counted(markdown, count):
    assert stories_in(markdown) == count


def test_a_chunks_parts_are_found_by_their_headings():
    markdown = "# 摘要 001 (第1-15轮)\n\n## 概述\n讨论了功能。\n\n## 关键决策\n1. 使用 scenario\n2. 复用\n\n## 重要内容\n- 第3轮: x\n"

    assert chunk_parts(markdown, ["Overview", "概述"], ["关键决策"]) == (
        "讨论了功能。",
        ("1. 使用 scenario", "2. 复用"),
    )
