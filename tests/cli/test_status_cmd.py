import json

import pytest


@pytest.fixture
def brain(workspace):
    path = workspace.root / ".brain/session.json"
    path.parent.mkdir()
    state = {
        "updated_at": "2026-03-05T10:00:00Z",
        "summary": {
            "project": "ThaoCoffe",
            "current_feature": "login",
            "current_task": "Form",
            "status": "coding",
            "progress_percent": 65,
            "next_step": "Add password validation",
        },
        "working_on": {"blockers": ["CI is down"]},
        "context_checkpoints": [{"timestamp": "2026-03-05T10:00:00Z", "trigger": "user_leaving"}],
    }
    path.write_text(json.dumps(state))
    return path


@pytest.fixture
def chat(workspace, talk, tmp_path):
    """A conversation where Claude Code keeps it."""
    talk.path = tmp_path / "home/claude/projects/-x/talk.jsonl"
    talk.cwd = str(workspace.root)
    return talk


@pytest.mark.usefixtures("brain")
def test_issue_6_status_is_one_screen(awf, chat):
    chat.asks(3).write()

    answer = awf("status", "--lang", "en")

    assert answer.code == 0
    for part in (
        "📍 Project: ThaoCoffe",
        "📍 Working on: login",
        "   └─ Task: Form",
        "   └─ Status: coding (65%)",
        "🚧 Blocked by: CI is down",
        "⏭️ Next step: Add password validation",
        "(by user_leaving)",
        "🗄️ Archive: never",
        "📥 Not yet archived: 3 turns in 1 conversation",
        "📊 Context: about 900 tokens – safe",
        "💡 What to do: Save what is new: awf-archive checkpoint",
    ):
        assert part in answer.out
    assert answer.out.count("\n") < 20


@pytest.mark.usefixtures("brain")
def test_issue_6_status_after_a_checkpoint(awf, chat):
    chat.asks(3).write()
    awf("checkpoint", "--feature", "login")

    status = awf("status", "--json").json

    assert status["archive"] == {"turns": 3, "sessions": 1, "features": 1}
    assert status["waiting"] == []
    assert status["advice"] == "Go on: Add password validation"


def test_issue_6_status_counts_only_what_is_new(awf, chat):
    chat.asks(3).write()
    awf("checkpoint", "--feature", "login")
    chat.asks(2).write()

    assert awf("status", "--json").json["waiting"][0]["turns"] == 2


def test_issue_6_a_full_context_is_said_first(awf, workspace):
    (workspace.root / ".awf-archive/windows.json").write_text(json.dumps({"w": {"messages": 700}}))

    answer = awf("status", "--lang", "vi")

    assert "khoảng 105000 token – sắp đầy" in answer.out
    assert "Lưu rồi mở cửa sổ mới" in answer.out


@pytest.mark.parametrize("language", ["en", "vi", "zh"])
def test_an_empty_workspace_has_a_status_too(awf, language):
    answer = awf("status", "--lang", language)

    assert answer.code == 0
    assert "None" not in answer.out


def test_status_writes_nothing(awf, chat, workspace, snapshot):
    chat.asks(3).write()
    before = snapshot(workspace.root)

    awf("status")

    assert snapshot(workspace.root) == before


def test_status_tells_the_archives_last_save_without_a_work_state(awf, chat):
    chat.asks(1).write()
    awf("checkpoint", "--feature", "login")

    status = awf("status", "--lang", "en")

    assert "🕐 Last saved: just now" in status.out
    assert "🗄️ Archive: 1 turn in 1 session of 1 feature" in status.out
    assert awf("status", "--json").json["lastSave"]["time"]


@pytest.mark.usefixtures("brain")
def test_status_tells_the_later_of_work_state_and_archive(awf, chat):
    chat.asks(1).write()
    awf("checkpoint", "--feature", "login")

    assert awf("status", "--json").json["lastSave"]["trigger"] is None
