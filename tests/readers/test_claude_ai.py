"""Claude.ai's export: blocks, attachments, branches, damage."""

import json

import pytest
from hypothesis import given, settings
from json_cases import (
    CORPUS,
    SHARED,
    cases,
    damaged,
    expected,
    prompts,
    reads_or_says_why,
    shown,
    source_file,
    with_wrong_types,
    words,
)
from json_exports import packed
from sources import BytesSource, PathSource

from awf_archive.errors import InputError
from awf_archive.readers import READERS
from awf_archive.readers.claude_ai import reader as claude_ai

CASES = cases("claude_ai")
TEXTS = [source_file(case).read_bytes() for case in CASES]


def chat(number):
    return {
        "uuid": f"c{number}",
        "name": f"t{number}",
        "created_at": "2026-01-01T08:00:00Z",
        "chat_messages": [
            {"uuid": f"u{number}", "sender": "human", "text": f"prompt {number}"},
            {"uuid": f"a{number}", "sender": "assistant", "text": f"answer {number}"},
        ],
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_reads_as_expected(case):
    source = PathSource(source_file(case))

    assert shown(claude_ai.read(source)) == expected(case)
    assert [reader.name for reader in READERS if reader.accepts(source)] == ["claude-ai"]


@given(damaged(TEXTS))
@settings(max_examples=150, deadline=None)
def test_damage_raises_nothing_but_our_own_errors(data):
    reads_or_says_why(claude_ai.READER, BytesSource(data))


@given(with_wrong_types(TEXTS))
@settings(max_examples=150, deadline=None)
def test_wrong_types_raise_nothing_but_our_own_errors(value):
    reads_or_says_why(claude_ai.READER, BytesSource(json.dumps(value).encode()))


def test_a_broken_conversation_costs_only_what_follows_the_damage_in_it():
    text = json.dumps([chat(one) for one in range(4)]).replace('"answer 1"', '"answer 1', 1)

    found = list(claude_ai.read(BytesSource(text.encode())))

    assert prompts(found) == ["prompt 0", "prompt 1", "prompt 2", "prompt 3"]
    assert [len(one.problems) for one in found] == [0, 1, 0, 0]


def test_shards_in_a_zip_are_read_in_order():
    members = {f"conversations-{number:03d}.json": json.dumps([chat(number)]) for number in (1, 0)}
    source = BytesSource(packed(members | {"users.json": "[]", "projects.json": "[]"}))

    assert [reader.name for reader in READERS if reader.accepts(source)] == ["claude-ai"]
    assert prompts(claude_ai.read(source)) == ["prompt 0", "prompt 1"]


def test_messages_of_which_none_can_be_read_are_an_error():
    value = [{"uuid": "c", "name": "", "created_at": "", "chat_messages": ["one", "two", "three", "four"]}]

    with pytest.raises(InputError, match="no conversation in it can be read"):
        list(claude_ai.read(BytesSource(json.dumps(value).encode())))


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "turns"),
    [
        ("01-bakery-chat.json", 2),
        ("02-debugging.json", 2),
        ("03-creative-writing.json", 3),
        ("07-conversations.json", 4),
    ],
)
def test_corpus_holds_every_prompt_once_and_every_answer(file, turns):
    path = CORPUS / "claude-ai-export" / file
    found = list(claude_ai.read(PathSource(path)))

    assert sum(len(one.outlines) for one in found) == turns  # as many as MANIFEST's typed prompts
    said, typed = words(found), prompts(found)
    for sender, text in _said_in(json.loads(path.read_bytes())):
        assert text in (typed if sender == "human" else said)


def _said_in(value):
    for one in value if isinstance(value, list) else [value]:
        for message in one["chat_messages"]:
            blocks = message.get("content") or [{"type": "text", "text": message["text"]}]
            yield from ((message["sender"], block["text"]) for block in blocks if block["type"] == "text")


@pytest.mark.shared
def test_f01_archives_attachments_and_artifacts_and_counts_empty_chats():
    first, second = claude_ai.read(PathSource(SHARED / "cases" / "F01-claude-ai-export" / "input.json"))

    assert [outline.id for outline in first.outlines] == ["m1", "m3"]
    assert prompts([first])[0] == "VĂN-BẢN-DÁN dài trong tệp đính kèm"
    assert next(first.turns()).assistant[2].input["content"] == "# NỘI-DUNG-ARTIFACT"
    assert "The file anh.png is not in the export." in words([first])
    assert second.outlines == ()
