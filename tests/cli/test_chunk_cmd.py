"""`chunk rebuild`, and a checkpoint with a summary command in the settings (SPEC 1.8, 8)."""

import json
import sys

import pytest

ANSWERS = r"""
import sys
sys.stdin.read()
print("## Overview\nThe questions were answered.\n\n## Important points\n- Turn 1: The first answer was given.")
"""


@pytest.fixture
def saved(workspace, talk):
    """A workspace with 10 turns, and a conversation with 10 more."""
    workspace.save(talk.asks(10))
    return talk.asks(10)


def _configure(home, code, place=None):
    path = place or home / "home/config/awf-archive.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    command = json.dumps([sys.executable, "-c", code])
    path.write_text(f"[summary]\ncommand = {command}\nseconds = 20\n", encoding="utf-8")


def _chunk(workspace):
    return (workspace.context / "conversations/semantic-chunks/chunk-001.md").read_text(encoding="utf-8")


def test_a_checkpoint_lets_the_user_s_command_write_the_summary(awf, workspace, saved, tmp_path):
    _configure(tmp_path, ANSWERS)

    answer = awf("checkpoint", "--transcript", saved.write(), "--feature", "login", "--json")

    assert answer.code == 0
    assert answer.json["chunk"] == {"id": "chunk-001", "range": [1, 10]}
    assert "The questions were answered." in _chunk(workspace)
    assert awf("verify").code == 0


def test_a_checkpoint_never_fails_for_a_command_that_does(awf, workspace, saved, tmp_path):
    _configure(tmp_path, "import sys; sys.exit('no credit left')")

    answer = awf("checkpoint", "--transcript", saved.write(), "--feature", "login")

    assert answer.code == 0
    assert "no credit left" in answer.err
    assert "## Overview\nquestion 1. question 25." in _chunk(workspace)
    assert awf("verify").code == 0


def test_a_cloned_repository_runs_no_command(awf, workspace, saved, tmp_path):
    mark = tmp_path / "ran"
    _configure(tmp_path, f"open({str(mark)!r}, 'w')", workspace.root / "awf-archive.toml")

    answer = awf("checkpoint", "--transcript", saved.write(), "--feature", "login")

    assert answer.code == 0
    assert "summary runs a program and is ignored" in answer.err
    assert not mark.exists()


def test_rebuild_tells_each_summary_and_search_finds_the_new_words(awf, saved, tmp_path):
    awf("checkpoint", "--transcript", saved.write(), "--feature", "login")
    _configure(tmp_path, ANSWERS)

    answer = awf("chunk", "rebuild", "login", "chunk-001", "--json")

    assert answer.json == {
        "chunks": [
            {
                "feature": "login",
                "chunk": "chunk-001",
                "range": [1, 10],
                "path": ".claude/spec-workflow/specs/login/.context/conversations/semantic-chunks/chunk-001.md",
                "outcome": "made",
                "madeBy": "command",
                "why": None,
            }
        ]
    }
    found = awf("search", "questions were answered", "--kind", "chunk", "--json").json["hits"]
    assert [hit["turn"] for hit in found] == [1]


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "🔍 login chunk-001 (turns 1–10): would be made anew, in the turns' own words\n"),
        ("vi", "🔍 login chunk-001 (lượt 1–10): sẽ được tạo lại, bằng chính lời trong các lượt\n"),
        ("zh", "🔍 login chunk-001 (第1-10轮)：将重新生成，由各轮原话组成\n"),
    ],
)
def test_a_dry_run_speaks_three_languages(awf, saved, language, line):
    awf("checkpoint", "--transcript", saved.write(), "--feature", "login")

    answer = awf("chunk", "rebuild", "--dry-run", "--plain", "--lang", language)

    assert (answer.code, answer.out) == (0, line)


def test_a_summary_that_is_not_there_is_wrong_usage(awf, saved):
    awf("checkpoint", "--transcript", saved.write(), "--feature", "login")

    answer = awf("chunk", "rebuild", "login", "chunk-007")

    assert answer.code == 2
    assert "Summaries: chunk-001." in answer.err


def test_without_summaries_the_answer_is_no(awf):
    answer = awf("chunk", "rebuild")

    assert answer.code == 1
    assert "There is no summary yet" in answer.out
