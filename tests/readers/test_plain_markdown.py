"""Chats as plain Markdown, and turn files."""

import pytest
from hypothesis import given, settings
from json_cases import CORPUS, SHARED, cases, damaged, expected, reads_or_says_why, shown, source_file
from sources import BytesSource, PathSource

from awf_archive.domain import turn_file
from awf_archive.domain.ids import SessionId
from awf_archive.domain.transcript import Text, ToolCall, ToolResult
from awf_archive.domain.wording import WORDINGS
from awf_archive.readers import READERS
from awf_archive.readers.claude_ai import reader as claude_ai
from awf_archive.readers.plain_markdown import reader as plain_markdown

CASES = cases("plain_markdown")
TEXTS = [source_file(case).read_bytes() for case in CASES]


def accepted(text):
    source = BytesSource(text.encode(), "note")
    return [reader.name for reader in READERS if reader.accepts(source)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_reads_as_expected(case):
    source = PathSource(source_file(case))

    assert shown([plain_markdown.read(source)]) == expected(case)
    assert [reader.name for reader in READERS if reader.accepts(source)] == ["markdown"]


@given(damaged(TEXTS))
@settings(max_examples=150, deadline=None)
def test_damage_raises_nothing_but_our_own_errors(data):
    reads_or_says_why(plain_markdown.READER, BytesSource(data))


@pytest.mark.parametrize(
    "text",
    [
        "# Meeting\n\nUser: this is just a note\n",
        "## User\n\nhas a name and an address.\n",
        "# API\n\n## Prompt\n\nx\n\n## Response\n\ny\n",
        "```\n## User\n\nhi\n\n## Assistant\n\nhello\n```\n",
        "## User guide\n\nx\n\n## Assistant manager\n\ny\n",
        "",
    ],
    ids=["role at a line's start", "one role", "an API's words", "in code", "more than the role", "nothing"],
)
def test_a_note_is_no_chat(text):
    assert accepted(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "## User\n\nhi\n\n## Assistant\n\nhello\n",
        "### 👤 You said:\n\nhi\n\n### 🤖 ChatGPT said:\n\nhello\n",
        "**Human**\n\nhi\n\n**Claude**\n\nhello\n",
        "# 用户\n\n嗨\n\n# 助手\n\n你好\n",
        "## Người dùng\r\n\r\nchào\r\n\r\n## Trợ lý\r\n\r\nchào bạn\r\n",
    ],
    ids=["English", "decorated", "bold", "Chinese", "Vietnamese with CR LF"],
)
def test_both_roles_make_a_chat(text):
    assert accepted(text) == ["markdown"]
    assert len(plain_markdown.read(BytesSource(text.encode())).outlines) == 1


@pytest.mark.parametrize("language", WORDINGS)
def test_our_own_turn_file_comes_back_block_for_block(language):
    chat = (
        b'[{"uuid": "c", "name": "", "created_at": "2026-01-01T08:00:00Z", "chat_messages": ['
        b'{"uuid": "u", "sender": "human", "text": "## Assistant\\nis a heading"},'
        b'{"uuid": "a", "sender": "assistant", "content": [{"type": "text", "text": "## User"},'
        b'{"type": "tool_use", "id": "t", "name": "x", "input": {"a": 1}},'
        b'{"type": "tool_result", "tool_use_id": "t", "content": "done"}]}]}]'
    )
    [turn] = next(claude_ai.read(BytesSource(chat))).turns()
    place = turn_file.Place(turn=18, session=SessionId("session-002"), local=3, format="claude-ai")
    source = BytesSource(turn_file.write(turn, place, WORDINGS[language]), "whatever")

    assert [reader.name for reader in READERS if reader.accepts(source)] == ["markdown"]
    [read] = plain_markdown.read(source).turns()

    assert (read.outline.id, read.user) == ("u", (Text(text="## Assistant\nis a heading"),))
    result = ToolResult(blocks=(Text(text="done"),))
    assert read.assistant == (Text(text="## User"), ToolCall(id="t", name="x", input={"a": 1}, result=result))


@pytest.mark.shared
def test_a_turn_of_the_original_skill_keeps_a_heading_in_its_answer():
    folder = CORPUS / "spec-context" / "01-doc-example-v2" / ".context" / "conversations" / "sessions"
    [turn] = plain_markdown.read(PathSource(folder / "session-002" / "turn-024.md")).turns()

    assert turn.user == (Text(text="把上面的内容写到 design.md"),)
    assert "## 用户" in turn.assistant[0].text


@pytest.mark.shared
@pytest.mark.parametrize("file", ["notes.input.md", "input.jsonl", "generic.input.json"])
def test_b21_is_nobodys(file):
    source = PathSource(SHARED / "cases" / "B21-wrong-format-detection" / file)

    assert [reader.name for reader in READERS if reader.accepts(source)] == []
