"""Decisions from structure: every row was worked out by a person from what the tools write."""

import json

import pytest

from awf_archive.domain.decisions import (
    NO_CONTEXT,
    Found,
    Side,
    Status,
    adr,
    headings,
    plans,
    questions,
    recorded,
    refusals,
)
from awf_archive.domain.decisions.harvest import harvest
from awf_archive.domain.transcript import Text, ToolCall, ToolResult, Unknown

STORE = {
    "question": "Which store do we use?",
    "header": "Store",
    "options": [
        {"label": "Redis", "description": "a server"},
        {"label": "SQLite", "description": "no server"},
    ],
}


def call(name, given, answer, *, is_error=False, more=()):
    blocks = (Text(text=answer), *more) if answer else tuple(more)
    return ToolCall(id="call-1", name=name, input=given, result=ToolResult(blocks=blocks, is_error=is_error))


def found_by(module, *blocks) -> list[Found]:
    return list(module.find("", blocks, NO_CONTEXT))


ANSWERED = {
    "Claude Code": (
        "AskUserQuestion",
        {"questions": [STORE]},
        'User has answered your questions: "Which store do we use?"="SQLite". You can now continue.',
        "Store: SQLite",
    ),
    "Codex": (
        "request_user_input",
        {"questions": [STORE | {"id": "store"}]},
        '{"answers":{"store":{"answers":["SQLite","user_note: WAL mode"]}}}',
        "Store: SQLite, WAL mode",
    ),
    "Gemini CLI": ("ask_user", {"questions": [STORE]}, '{"answers":{"0":"SQLite"}}', "Store: SQLite"),
    "opencode": (
        "question",
        {"questions": [STORE]},
        'User has answered your questions: "Which store do we use?"="Redis, SQLite".',
        "Store: Redis, SQLite",
    ),
    "Copilot in VS Code": (
        "vscode_askQuestions",
        {"questions": [STORE]},
        '{"answers":{"Store":{"selected":["SQLite"],"freeText":"for now","skipped":false}}}',
        "Store: SQLite, for now",
    ),
    "Copilot CLI": (
        "ask_user",
        {"question": "Which store do we use?", "choices": ["Redis", "SQLite"]},
        "User selected: SQLite",
        "Which store do we use?: SQLite",
    ),
    "Cursor": (
        "ask_question",
        {"questions": [{"id": "q1", "prompt": "Which store?", "options": [{"id": "b", "label": "SQLite"}]}]},
        '{"answers":[{"questionId":"q1","selectedOptionIds":["b"]}]}',
        "Which store?: SQLite",
    ),
}


@pytest.mark.parametrize(("name", "given", "answer", "text"), ANSWERED.values(), ids=ANSWERED)
def test_an_answered_question_is_accepted_at_once(name, given, answer, text):
    (one,) = found_by(questions, call(name, given, answer))

    assert (one.text, one.status, one.by, one.confidence) == (text, Status.ACCEPTED, "user", 1.0)
    assert one.call_id == one.place.call_id == "call-1"


def test_question_options_and_matter_stand_in_the_record():
    (one,) = found_by(questions, call(*ANSWERED["Claude Code"][:3]))

    assert one.reason == "Which store do we use?"
    assert one.options == ("Redis: a server", "SQLite: no server")
    assert one.matter == "Store"


NOT_ANSWERED = {
    "an error": call(
        "AskUserQuestion", {"questions": [STORE]}, '"Which store do we use?"="SQLite"', is_error=True
    ),
    "opencode, nobody answered": call(
        "question", {"questions": [STORE]}, '"Which store do we use?"="Unanswered"'
    ),
    "Copilot, skipped": call(
        "vscode_askQuestions",
        {"questions": [STORE]},
        '{"answers":{"Store":{"selected":[],"freeText":null,"skipped":true}}}',
    ),
    "asked back": call("AskUserQuestion", {"questions": [STORE]}, '"Which store do we use?"="what is WAL?"'),
    "no result yet": ToolCall(id="c", name="AskUserQuestion", input={"questions": [STORE]}),
    "rubbish": call("request_user_input", {"questions": "?"}, '{"answers": 3}'),
    "rubbish answers": call("request_user_input", {"questions": [STORE, 3]}, '{"answers": [3, {"id": 4}]}'),
    "another tool": call("Bash", {"questions": [STORE]}, '"Which store do we use?"="SQLite"'),
}


@pytest.mark.parametrize("block", NOT_ANSWERED.values(), ids=NOT_ANSWERED)
def test_what_nobody_answered_decides_nothing(block):
    assert found_by(questions, block) == []


def test_the_structured_copy_is_believed_before_the_tools_words():
    copy = Unknown(kind="answers", json=json.dumps({"Which store do we use?": 'a "b" c'}))

    (one,) = found_by(questions, call("AskUserQuestion", {"questions": [STORE]}, "cut off", more=[copy]))

    assert one.text == 'Store: a "b" c'


PLANS = {
    "Claude Code": (
        "ExitPlanMode",
        {"plan": "# Move to SQLite\n\nsteps"},
        "User has approved your plan.",
        "Move to SQLite",
    ),
    "plan in a file": ("ExitPlanMode", {}, "User has approved.\n## Approved Plan:\n# Retry\n", "Retry"),
    "Gemini CLI": (
        "exit_plan_mode",
        {"plan_filename": "plans/retry.md"},
        "Plan approved. Switching to Auto-Edit mode.",
        "plans/retry.md",
    ),
    "opencode": (
        "plan_exit",
        {"plan": "- [ ] one lock"},
        "User approved switching to build agent.",
        "one lock",
    ),
    "refused": ("exit_plan_mode", {"plan": "# X"}, "Plan rejected. Not approved: too large", None),
    "asked for more": ("ExitPlanMode", {"plan": "# X"}, "The user wants changes first.", None),
    "Codex's own list": ("update_plan", {"plan": [{"step": "x"}]}, "Plan updated, approved", None),
}


@pytest.mark.parametrize(("name", "given", "answer", "text"), PLANS.values(), ids=PLANS)
def test_an_approved_plan_is_a_decision(name, given, answer, text):
    assert [one.text for one in found_by(plans, call(name, given, answer))] == ([text] if text else [])


def test_a_refusal_with_words_is_proposed():
    said = (
        "The user doesn't want to proceed with this tool use. The tool use was rejected. "
        "To tell you how to proceed, the user said:\nuse pnpm, never npm"
    )

    (one,) = found_by(refusals, call("Bash", {"command": "npm install"}, said, is_error=True))

    assert (one.text, one.status) == ("use pnpm, never npm", Status.PROPOSED)
    assert "npm install" in one.reason


def test_a_refusal_without_words_decides_nothing():
    said = "The user doesn't want to proceed with this tool use. STOP what you are doing."

    assert found_by(refusals, call("Bash", {"command": "npm install"}, said, is_error=True)) == []


def test_what_a_command_recorded_tells_its_turn():
    blocks = (
        call(
            "Bash",
            {"command": "awf-archive skill decide <<'E'\nx\nE"},
            "✅ D-004 · dùng SQLite\nĐã ghi vào pay.",
        ),
        call("mcp__awf-archive__record_decision", {"text": "use WAL"}, "{}"),
        call("Bash", {"command": "cat notes"}, "✅ D-009 · not ours"),
    )

    assert [one.text for one in found_by(recorded, *blocks)] == ["dùng SQLite", "use WAL"]


LISTS = {
    "vi": (
        "## Quyết định chính\n1. **Lưu trữ**: dùng SQLite\n   - Lý do: khỏi cần máy chủ\n",
        "Lưu trữ: dùng SQLite",
        "khỏi cần máy chủ",
    ),
    "zh": ("## 关键决策\n1、使用 Redis。\n", "使用 Redis", ""),
    "zh, numbered heading": ("### 决策 2：只保留一个锁\n- 原因：简单\n", "只保留一个锁", "简单"),
    "en, a bold line": (
        "**Key Design Decisions:**\n\n- use one `lock_file`\n  * nested\n",
        "use one `lock_file`",
        "",
    ),
    "en, a plain line": ("Decisions made:\n* keep *both* parsers\nthen text", "keep both parsers", ""),
    "en, a table": (
        "### Decisions\n\n| # | Topic | Decision | Why |\n|--|--|--|--|\n| 1 | Store | SQLite | small |\n",
        "Store: SQLite",
        "small",
    ),
}


@pytest.mark.parametrize(("markdown", "text", "reason"), LISTS.values(), ids=LISTS)
def test_a_list_under_a_decision_heading_is_accepted(markdown, text, reason):
    said = f"Xong.\n\n{markdown}"

    (one,) = found_by(headings, Text(text=said))

    assert (one.text, one.reason, one.status, one.by) == (text, reason, Status.ACCEPTED, "assistant")
    assert said[one.place.offset :].startswith(one.evidence)
    assert one.place.side is Side.ASSISTANT


NO_LISTS = {
    "a question": "## Decisions\n- which store?\n",
    "open": "## Quyết định\n- chưa chốt: kho dữ liệu\n",
    "none": "## 决策\n- 无\n",
    "what is to be decided": "## Decisions needed\n- use SQLite\n",
    "about decisions": "## Architecture Decision Records (ADR)\n- see docs/adr\n",
    "code": "```\n## Decisions\n- use SQLite\n```\n",
    "another heading came first": "## Decisions\n\n## Next\n- use SQLite\n",
    "words": "Decisions are hard.\n- use SQLite\n",
}


@pytest.mark.parametrize("markdown", NO_LISTS.values(), ids=NO_LISTS)
def test_what_is_open_or_no_list_of_decisions_is_left(markdown):
    assert found_by(headings, Text(text=markdown)) == []


@pytest.mark.parametrize("mark", ["#", " ", "|", "*", "-", "决策", "quyết định "])
def test_a_hostile_line_costs_little(mark):
    said = "## Decisions\n- " + mark * 50_000 + "\n" + mark * 50_000 + ":\n"

    found = found_by(headings, Text(text=said))

    assert all(len(one.text) <= 300 for one in found)


NYGARD = """# 12. Use Redis for the queue

Date: 2024-05-06

## Status

Superseded by [13. Use Postgres](0013-use-postgres.md)

## Context

We need a queue.

More words.

## Decision

We will use Redis.
"""
MADR = """---
status: "proposed"
date: 2024-01-02
---
# Tests

## Context and Problem Statement

Which?

## Considered Options

* [Plain](plain.md)
* Hamcrest

## Decision Outcome

Chosen option: "Plain", because it is small.
"""


def test_nygards_form_is_read():
    record = adr.read(NYGARD, "docs/adr/0012-use-redis.md")

    assert record.found.text == "Use Redis for the queue"
    assert (record.found.status, record.found.reason) == (Status.SUPERSEDED, "We need a queue.")
    assert (record.date, record.replaced_by) == ("2024-05-06", "0013-use-postgres.md")


def test_madrs_form_is_read():
    record = adr.read(MADR, "docs/decisions/0001-tests.md")

    assert record.found.text == "Tests: Plain"
    assert (record.found.status, record.found.reason) == (Status.PROPOSED, "it is small.")
    assert (record.found.options, record.date) == (("Plain", "Hamcrest"), "2024-01-02")


def test_a_page_that_decides_nothing_is_no_adr():
    assert adr.read("# Read me\n\nHow to write an ADR.\n", "docs/adr/README.md") is None


def test_a_turn_gives_each_of_its_decisions_once_in_order_of_trust():
    blocks = (call(*ANSWERED["Gemini CLI"][:3]), Text(text="## Decisions\n- one lock a workspace\n"))

    assert [one.found_by for one in harvest("", blocks)] == ["question", "heading"]


def test_a_decision_bears_the_files_that_its_turn_changed_relative_to_the_chat():
    question = ToolCall(
        id="q",
        name="AskUserQuestion",
        input={"questions": [{"question": "Which store?", "header": "Store", "options": []}]},
        result=ToolResult(blocks=(Text(text='User has answered your questions: "Which store?"="SQLite"'),)),
    )
    edit = ToolCall(id="e", name="Edit", input={"file_path": "/srv/shop/src/store.py"})
    look = ToolCall(id="r", name="Read", input={"file_path": "/srv/shop/README.md"})

    (found,) = harvest("go on", [question, edit, look], files=["src/store.py", "README.md"])

    assert found.files == ("src/store.py",)
