"""`recap` where no work state was ever written tells where the archive stands."""

from datetime import UTC, datetime

import pytest

from awf_archive.domain.decisions import Found
from awf_archive.domain.recap import LEVEL_BUDGETS, estimate_tokens
from awf_archive.services.decisions_changes import record
from awf_archive.services.recap import Request, make_recap

NOW = datetime(2026, 3, 5, 12, tzinfo=UTC)


def told(workspace, level="1", **more):
    request = Request(level=level, now=NOW, zone=UTC, **({"language": "en"} | more))
    return make_recap(workspace.archive, request)


@pytest.fixture
def two_features(workspace, talk, talk_class, tmp_path):
    """An archive of two features, `pay` saved last, and a decision in each."""
    talk.ask("Add a login form to the shop", "There it is.")
    workspace.save(talk, feature="login", now="2026-03-04T10:00:00Z")
    other = talk_class(tmp_path / "other.jsonl", window="0000bbbb-1111-4111-8111-000000000002")
    other.ask("Retry failed payments twice", "Twice it is.")
    workspace.save(other, feature="pay", now="2026-03-05T10:00:00Z")
    record(
        workspace.archive,
        "login",
        Found(text="use NextAuth", by="user", found_by="command", evidence=""),
        "2026-03-04T11:00:00Z",
    )
    record(
        workspace.archive,
        "pay",
        Found(text="retry twice", by="user", found_by="command", evidence=""),
        "2026-03-05T10:00:00Z",
    )
    return workspace


@pytest.mark.parametrize(
    ("language", "go_on"),
    [
        ("en", "Go on: awf-archive resume pay, or awf-archive recap TOPIC"),
        ("vi", "Làm tiếp: awf-archive resume pay, hoặc awf-archive recap CHỦ-ĐỀ"),
        ("zh", "继续：awf-archive resume pay，或 awf-archive recap 主题"),
    ],
)
def test_it_tells_the_newest_sessions_the_decisions_and_how_to_go_on(two_features, language, go_on):
    made = told(two_features, language=language)

    lines = made.text.split("\n")
    sessions = [line for line in lines if "/session-001" in line]
    assert [line.split("/")[0] for line in sessions] == ["  • pay", "  • login"]
    assert "Retry failed payments twice" in sessions[0]
    assert lines.index("  • retry twice") < lines.index("  • use NextAuth")
    assert lines[-1] == f"💡 {go_on}"
    assert not made.is_empty


@pytest.mark.parametrize("level", LEVEL_BUDGETS)
@pytest.mark.parametrize("language", ["en", "vi", "zh"])
def test_spec_4_it_keeps_the_levels_budget(workspace, talk_class, tmp_path, level, language):
    for number in range(12):
        talk = talk_class(tmp_path / f"{number}.jsonl", window=f"0000bbbb-1111-4111-8111-{number:012d}")
        talk.ask(f"{number} " + "请你分析一下这列的处理，我想知道为什么 " * 20, "Xong rồi nhé. " * 50)
        workspace.save(talk, feature=f"strand-{number}")

    text = told(workspace, level, language=language).text

    assert estimate_tokens(text) <= LEVEL_BUDGETS[level]
    assert "awf-archive resume" in text


def test_deep_ends_with_the_latest_conversation(two_features):
    assert "Assistant: Twice it is." in told(two_features, "deep").text
    assert "Assistant:" not in told(two_features, "full").text


def test_one_damaged_feature_does_not_hide_the_others(two_features):
    two_features.layout.manifest("pay").write_text("{")

    assert "login/session-001" in told(two_features).text


def test_nothing_goes_into_a_system_prompt_and_nothing_is_written(two_features, snapshot):
    before = snapshot(two_features.root)

    assert told(two_features, is_inject=True).text == ""
    assert told(two_features).text
    assert snapshot(two_features.root) == before
