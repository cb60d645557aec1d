"""What `checkpoint` prints: the seed's table in three languages, one object for programs (SPEC 1.9, 9)."""

import re

import pytest

TABLES = {
    "zh": """✅ **保存完成！**

| 项目 | 值 |
|------|-----|
| 功能 | login |
| 会话 | session-002 |
| 保存轮数 | 10 轮 |
| 全局编号 | 第16-25轮 |
| 摘要 | ✅ 已生成 chunk-001 (第1-15轮) |

**建议**：新开窗口执行恢复继续工作。
""",
    "en": """✅ **Checkpoint saved!**

| Item | Value |
|------|-----|
| Feature | login |
| Session | session-002 |
| Turns saved | 10 |
| Global numbers | 16–25 |
| Summary | ✅ chunk-001 (turns 1–15) |

**Next**: open a new window and resume there.
""",
    "vi": """✅ **Đã lưu checkpoint!**

| Mục | Giá trị |
|------|-----|
| Tính năng | login |
| Session | session-002 |
| Số lượt lưu | 10 |
| Số thứ tự | 16–25 |
| Tóm tắt | ✅ chunk-001 (lượt 1–15) |

**Gợi ý**: mở cửa sổ mới rồi resume để làm tiếp.
""",
}
NOTHING_NEW = {
    "zh": "没有新的对话需要保存。\n",
    "en": "Nothing new to save.\n",
    "vi": "Không có gì mới để lưu.\n",
}
LAST_ROW = {"zh": "| 摘要 | — |", "en": "| Summary | — |", "vi": "| Tóm tắt | — |"}

KEYS = {
    *("feature", "featureRule", "session", "window", "savedTurns", "updatedTurns", "globalRange", "chunk"),
    *("skippedTurns", "continues", "problems"),
}
"""SPEC 9; ours come beside them."""


@pytest.mark.parametrize("language", sorted(TABLES))
def test_the_result_is_the_seeds_table(awf, workspace, talk, language):
    workspace.save(talk.asks(15))

    answer = awf(
        "checkpoint", "--transcript", talk.asks(10).write(), "--feature", "login", "--lang", language
    )

    assert answer.code == 0
    assert answer.out.startswith(TABLES[language])
    assert answer.err == ""


@pytest.mark.parametrize("language", sorted(TABLES))
def test_without_a_chunk_the_last_row_is_a_dash(awf, talk, language):
    answer = awf("checkpoint", "--transcript", talk.asks(1).write(), "--lang", language)

    assert LAST_ROW[language] in answer.out


@pytest.mark.parametrize("language", sorted(TABLES))
def test_nothing_new_is_said_and_changes_nothing(awf, workspace, talk, language, snapshot):
    awf("checkpoint", "--transcript", talk.asks(1).write())
    before = snapshot(workspace.root)

    answer = awf("checkpoint", "--transcript", talk.path, "--lang", language)

    assert (answer.code, answer.out) == (0, NOTHING_NEW[language])
    assert snapshot(workspace.root) == before


def test_the_result_says_which_rule_chose_the_feature(awf, talk):
    answer = awf("checkpoint", "--transcript", talk.asks(1).write(), "--feature", "login")

    assert answer.out.endswith("Feature login: named with --feature\n")


def test_updated_and_skipped_turns_have_a_row_only_when_there_are_any(awf, talk):
    talk.ask("question", "first part")
    talk.write()
    assert "updated" not in awf("checkpoint", "--transcript", talk.path).out
    talk.reply("second part")
    talk.ask("保存", "执行保存...")

    answer = awf("checkpoint", "--transcript", talk.write())

    assert "| Turns updated | 1 |" in answer.out
    assert "| Turns skipped | 1 |" in answer.out


def test_json_gives_the_same_facts_as_one_object(awf, workspace, talk):
    workspace.save(talk.asks(15))
    talk.ask("保存", "执行保存...")

    done = awf("checkpoint", "--transcript", talk.asks(10).write(), "--json").json

    assert set(done) >= KEYS
    assert {name: done[name] for name in KEYS - {"skippedTurns"}} == {
        "feature": "login",
        "featureRule": "saved",
        "session": "session-002",
        "window": talk.window,
        "savedTurns": 10,
        "updatedTurns": 0,
        "globalRange": [16, 25],
        "chunk": {"id": "chunk-001", "range": [1, 15]},
        "continues": "session-001",
        "problems": [],
    }
    assert [(one["text"], one["reason"]) for one in done["skippedTurns"]] == [("保存", "command")]


def test_json_of_nothing_new_has_no_session_and_no_range(awf, talk):
    awf("checkpoint", "--transcript", talk.asks(1).write())

    done = awf("checkpoint", "--transcript", talk.path, "--json").json

    assert (done["session"], done["globalRange"], done["chunk"], done["savedTurns"]) == (None, None, None, 0)


def test_problems_name_their_line(awf, talk):
    with talk.asks(1).write().open("a") as file:
        file.write("{broken\n")
    talk_path = talk.path

    done = awf("checkpoint", "--transcript", talk_path, "--json").json

    assert [(one["line"], bool(one["message"])) for one in done["problems"]] == [(3, True)]
    assert (done["records"], done["unreadable"]) == (2, 1)


def test_a_dry_run_prints_the_plan_and_writes_nothing(awf, workspace, talk, snapshot):
    workspace.save(talk.asks(15))
    before = snapshot(workspace.root)

    answer = awf("checkpoint", "--transcript", talk.asks(10).write(), "--dry-run")

    assert "Plan only, nothing was written" in answer.out
    assert "| Global numbers | 16–25 |" in answer.out
    assert "| Summary | ✅ chunk-001 (turns 1–15) |" in answer.out
    assert snapshot(workspace.root) == before


def test_a_dry_run_in_an_empty_folder_makes_no_folder(awf, workspace, talk):
    (workspace.root / ".awf-archive").rmdir()

    assert awf("checkpoint", "--transcript", talk.asks(1).write(), "--dry-run").code == 0
    assert list(workspace.root.iterdir()) == []


def test_what_an_interrupted_run_left_is_told(awf, workspace, talk):
    workspace.save(talk.asks(1))
    half = workspace.context / "conversations/sessions/session-002"
    half.mkdir()
    (half / "turn-001.md").write_text("half")

    answer = awf("checkpoint", "--transcript", talk.asks(1).write())

    where = re.search(r"unfinished files were moved to (\S+)\.", answer.out)
    assert where
    assert (workspace.root / where[1] / "session-002/turn-001.md").read_text() == "half"


def test_auto_extends_the_open_session(awf, talk):
    awf("checkpoint", "--transcript", talk.asks(1).write())

    assert (
        awf("checkpoint", "--transcript", talk.asks(1).write(), "--auto", "--json").json["session"]
        == "session-001"
    )


def test_a_phase_that_is_named_is_kept(awf, workspace, talk):
    awf("checkpoint", "--transcript", talk.asks(1).write(), "--phase", "review", "--feature", "login")

    assert workspace.metadata("session-001")["phase"] == "review"


def test_the_index_follows_each_checkpoint(awf, talk):
    talk.ask("Chúng ta chọn kho nào?", "SQLite.")
    awf("checkpoint", "--transcript", talk.write())

    assert awf("search", "sqlite", "--json").json["total"] == 1
