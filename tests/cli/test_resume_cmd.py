import pytest


@pytest.fixture
def saved(workspace, talk):
    workspace.save(talk.asks(15))
    workspace.save(talk.asks(9, "later"))
    return workspace


@pytest.mark.usefixtures("saved")
def test_spec_2_resume_shows_status_latest_session_chunks(awf):
    answer = awf("resume", "login", "--lang", "zh")

    assert answer.code == 0
    assert answer.out.startswith("# 恢复: login\n")
    assert "| 总对话轮数 | 24 轮 |" in answer.out
    assert "| 最近会话 | session-002 (第16-24轮) |" in answer.out
    assert answer.out.count("### 第") == 9
    assert "### 摘要-001 (第1-15轮)" in answer.out
    assert len(answer.out.encode()) <= 15 * 1024


@pytest.mark.parametrize(
    ("language", "headline", "check"),
    [
        (
            "zh",
            "❌ **无法恢复**",
            "功能 `nope` 没有保存的上下文。\n\n请检查：\n1. 功能名称是否正确\n2. 是否执行过保存",
        ),
        ("en", "❌ **Cannot resume**", "Feature `nope` has no saved context."),
        ("vi", "❌ **Không thể khôi phục**", "Tính năng `nope` chưa có context đã lưu."),
    ],
)
def test_spec_2_no_archive(awf, language, headline, check):
    answer = awf("resume", "nope", "--lang", language)

    assert answer.code == 1
    assert answer.out.startswith(headline)
    assert check in answer.out


def test_spec_9_no_archive_as_json(awf):
    answer = awf("resume", "nope", "--json")

    assert answer.code == 1
    assert answer.error["kind"] == "noArchive"


def test_spec_2_some_files_unreadable(awf, saved):
    sessions = saved.context / "conversations/sessions"
    (sessions / "session-002/turn-004.md").unlink()
    (saved.context / "conversations/semantic-chunks/chunk-001.md").unlink()

    answer = awf("resume", "login", "--lang", "en")

    assert answer.code == 0
    assert "⚠️ **Partly loaded**" in answer.out
    assert "session-002/turn-004.md" in answer.out
    assert "semantic-chunks/chunk-001.md" in answer.out
    assert answer.out.count("### Turn ") == 8


def test_spec_2_without_the_latest_session_the_one_before_is_shown(awf, saved):
    (saved.context / "conversations/sessions/session-002/metadata.json").write_bytes(b"{")

    answer = awf("resume", "login", "--lang", "en")

    assert "| Latest session | session-001 (turns 1–15) |" in answer.out
    assert "session-002/metadata.json" in answer.out
    assert "⋯ 3 earlier turns left out: `awf-archive show login#1-3`" in answer.out


@pytest.mark.usefixtures("saved")
def test_spec_2_max_bytes(awf):
    small, all_of_it = (
        awf("resume", "login", "--max-bytes", "1000"),
        awf("resume", "login", "--max-bytes", "0"),
    )

    assert len(small.out.encode()) <= 1000
    assert "earlier turns left out" in small.out
    assert "earlier turns left out" not in all_of_it.out
    assert awf("resume", "login", "--max-bytes", "10").code == 2


@pytest.mark.usefixtures("saved")
def test_spec_2_list(awf):
    assert "login" in awf("resume", "--list").out
    assert awf("resume", "--list", "--json").json["features"][0]["turnCount"] == 24


def test_spec_2_list_of_nothing(awf):
    assert awf("resume", "--list").code == 1


@pytest.mark.usefixtures("saved")
def test_without_a_name_it_is_the_feature_saved_last(awf):
    assert awf("resume", "--lang", "en").out.startswith("# Resume: login")


@pytest.mark.usefixtures("saved")
def test_spec_9_json_holds_the_parts(awf):
    parts = awf("resume", "login", "--json").json

    assert parts["totalTurns"] == 24
    assert len(parts["turns"]) == 9
    assert parts["chunks"][0]["turnRange"] == [1, 15]
    assert parts["text"].startswith("# ")


def test_a_strangers_escape_sequences_reach_no_terminal(awf, workspace, talk):
    talk.ask("\x1b]0;owned\x07hello", "\x1b[31mred")
    workspace.save(talk)

    assert "\x1b" not in awf("resume", "login").out
