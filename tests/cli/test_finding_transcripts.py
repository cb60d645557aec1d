"""Which transcript is meant when none is named, and `--all` (SPEC 1, 9)."""

import json
import os

import pytest


@pytest.fixture
def projects(tmp_path):
    """Claude Code's folder, as CLAUDE_CONFIG_DIR names it."""
    return tmp_path / "home/claude/projects"


@pytest.fixture
def placed(projects, talk_class):
    """Put a conversation of a folder where Claude Code keeps it; later ones are newer."""
    placed = []

    def place(folder, number, *, project="-work-app", turns=1):
        window = f"0000aaaa-1111-4111-8111-{number:012d}"
        talk = talk_class(projects / project / f"{window}.jsonl", window, cwd=str(folder))
        talk.asks(turns, f"window {number}:").write()
        time = 1_700_000_000 + len(placed) * 60
        os.utime(talk.path, (time, time))
        placed.append(talk)
        return talk

    return place


def test_the_newest_conversation_of_this_folder_is_taken(awf, workspace, placed):
    placed(workspace.root, 1)
    newest = placed(workspace.root / "src/deep", 2)
    placed("/somewhere/else", 3)

    assert awf("checkpoint", "--json").json["window"] == newest.window


def test_it_may_be_another_tool_s(awf, workspace, placed, tmp_path, monkeypatch):
    placed(workspace.root, 1)
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    records = [
        ("session_meta", {"id": "01a22faa", "cwd": str(workspace.root)}),
        ("event_msg", {"type": "user_message", "message": "say hi"}),
        ("event_msg", {"type": "agent_message", "message": "Hello."}),
    ]
    path = tmp_path / "codex/sessions/2026/12/01/rollout-2026-12-01T03-33-21-01a22faa.jsonl"
    path.parent.mkdir(parents=True)
    lines = [
        json.dumps({"timestamp": "2026-12-01T03:33:21Z", "type": kind, "payload": body})
        for kind, body in records
    ]
    path.write_text("\n".join(lines) + "\n")

    assert awf("checkpoint", "--json").json["window"] == "01a22faa"


def test_the_name_of_the_folder_under_projects_is_not_asked(awf, workspace, placed):
    mine = placed(workspace.root, 1, project="-somewhere-else")
    placed("/somewhere/else", 2, project="-" + str(workspace.root).strip("/").replace("/", "-"))

    assert awf("checkpoint", "--json").json["window"] == mine.window


def test_a_folder_that_only_begins_alike_is_another(awf, workspace, placed):
    placed(f"{workspace.root}-old", 1)

    assert awf("checkpoint").code == 3


def test_the_folder_is_found_behind_records_that_name_none(awf, workspace, placed):
    mine = placed(workspace.root, 1)
    head = '{"type": "file-history-snapshot", "snapshot": {"trackedFileBackups": {}}}\n{broken\n'
    mine.path.write_text(head + mine.path.read_text(encoding="utf-8"), encoding="utf-8")

    assert awf("checkpoint", "--json").json["window"] == mine.window


def test_files_of_sub_agents_are_no_conversations(awf, workspace, placed):
    mine = placed(workspace.root, 1)
    agent = placed(workspace.root, 2)
    agent.path.rename(agent.path.with_name("agent-a29f.jsonl"))

    assert awf("checkpoint", "--json").json["window"] == mine.window


def test_all_saves_the_oldest_first(awf, workspace, placed):
    for number in (3, 1, 2):
        placed(workspace.root, number)
    placed("/somewhere/else", 4)

    done = awf("checkpoint", "--all", "--json").json

    assert [one["window"][-1] for one in done["results"]] == ["3", "1", "2"]
    assert [one["globalRange"] for one in done["results"]] == [[1, 1], [2, 2], [3, 3]]
    assert done["totals"] == {"files": 3, "new": 3, "unchanged": 0, "empty": 0, "failed": 0, "turns": 3}
    assert done["failures"] == []


def test_all_goes_on_after_a_bad_file_and_ends_with_code_3(awf, workspace, placed):
    placed(workspace.root, 1)
    bad = placed(workspace.root, 2)
    broken = {"type": "user", "uuid": "u", "sessionId": "s", "cwd": str(workspace.root), "message": []}
    bad.path.write_text(json.dumps(broken) + "\n", encoding="utf-8")
    placed(workspace.root, 3)

    answer = awf("checkpoint", "--all", "--json")

    assert answer.code == 3
    assert answer.json["totals"] == {
        "files": 3,
        "new": 2,
        "unchanged": 0,
        "empty": 0,
        "failed": 1,
        "turns": 2,
    }
    assert [
        (one["path"], "nothing in it can be read" in one["message"]) for one in answer.json["failures"]
    ] == [(str(bad.path), True)]


def test_all_tells_a_person_the_totals(awf, workspace, placed):
    placed(workspace.root, 1)
    placed(workspace.root, 2)
    awf("checkpoint", "--all")
    placed(workspace.root, 3, turns=2)

    out = awf("checkpoint", "--all").out

    assert out.endswith("3 files: 1 with new turns, 2 unchanged, 0 empty, 0 failed; 2 turns saved.\n")


def test_all_with_nothing_to_find_is_said(awf):
    answer = awf("checkpoint", "--all")

    assert answer.code == 3
    assert "no transcript of this workspace" in answer.err


def test_the_workspace_is_the_nearest_folder_upwards_with_a_sign(awf, workspace, placed, monkeypatch):
    inner = workspace.root / "packages/app/src"
    inner.mkdir(parents=True)
    (workspace.root / "packages/.git").mkdir()
    placed(inner, 1)
    monkeypatch.chdir(inner)

    awf("checkpoint", "--feature", "login")

    assert workspace.context.is_dir()


def test_without_a_sign_the_git_root_is_the_workspace(awf, tmp_path, placed, monkeypatch):
    root = tmp_path / "repository"
    (root / ".git").mkdir(parents=True)
    (root / "src").mkdir()
    placed(root / "src", 1)
    monkeypatch.chdir(root / "src")

    assert awf("checkpoint").code == 0
    assert (root / ".claude/spec-workflow/specs/general/.context/manifest.json").is_file()
