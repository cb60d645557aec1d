"""GitHub Copilot: VS Code's chats, the command line's events, two debug exports."""

import json

import pytest
from hypothesis import given, settings
from json_cases import (
    CORPUS,
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
from sources import BytesSource, PathSource

from awf_archive.errors import InputError
from awf_archive.readers import READERS
from awf_archive.readers.copilot import reader as copilot

CASES = cases("copilot")
TEXTS = [source_file(case).read_bytes() for case in CASES]
RECORDS = [line for text in TEXTS for line in text.split(b"\n") if line.startswith(b'{"')]
OBJECTS = [text for text in TEXTS if text.startswith(b"{\n")]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_reads_as_expected(case):
    source = PathSource(source_file(case))

    assert shown(copilot.read(source)) == expected(case)
    assert [reader.name for reader in READERS if reader.accepts(source)] == ["copilot"]


@given(damaged(TEXTS))
@settings(max_examples=150, deadline=None)
def test_damage_raises_nothing_but_our_own_errors(data):
    reads_or_says_why(copilot.READER, BytesSource(data))


@given(with_wrong_types(OBJECTS))
@settings(max_examples=100, deadline=None)
def test_wrong_types_in_a_chat_raise_nothing_but_our_own_errors(value):
    reads_or_says_why(copilot.READER, BytesSource(json.dumps(value).encode()))


@given(with_wrong_types(RECORDS))
@settings(max_examples=100, deadline=None)
def test_wrong_types_in_a_record_raise_nothing_but_our_own_errors(value):
    text = TEXTS[0] if b"kind" in TEXTS[0] else TEXTS[1]
    reads_or_says_why(copilot.READER, BytesSource(text + json.dumps(value).encode()))


def test_a_chat_that_is_cut_keeps_its_first_requests():
    requests = [
        {
            "requestId": f"r{one}",
            "message": {"text": f"prompt {one}"},
            "response": [{"value": f"answer {one}"}],
        }
        for one in range(3)
    ]
    text = json.dumps({"responderUsername": "GitHub Copilot", "requests": requests, "sessionId": "s"})

    [found] = copilot.read(BytesSource(text[: text.index("answer 2")].encode()))

    assert prompts([found]) == ["prompt 0", "prompt 1", "prompt 2"]
    assert [problem.code for problem in found.problems] == ["unreadable"]


def test_a_chat_without_requests_is_empty():
    text = json.dumps({"version": 3, "responderUsername": "GitHub Copilot", "requests": []})

    [found] = copilot.read(BytesSource(text.encode()))

    assert found.outlines == ()


def test_requests_of_which_none_can_be_read_are_an_error():
    text = json.dumps({"responderUsername": "GitHub Copilot", "requests": [1, 2]})

    with pytest.raises(InputError, match="no request in it can be read"):
        list(copilot.read(BytesSource(text.encode())))


TABLE = {
    "01-chat-1request.json": (1, 1, ""),
    "03-chatreplay.json": (1, 3, "one prompt, whose second and third request to the model repeat it"),
    "05-visualstudio-traces-1.jsonl": (1, 1, "what was typed is not in the trace; the turn says so"),
}
"""Turns, MANIFEST's typed prompts, and why they differ."""


@pytest.mark.shared
@pytest.mark.parametrize("file", TABLE)
def test_corpus_has_as_many_turns_as_the_table_says(file):
    found = list(copilot.read(PathSource(CORPUS / "copilot-chat" / file)))

    assert sum(len(one.outlines) for one in found) == TABLE[file][0]
    assert all(turn.assistant and turn.user for one in found for turn in one.turns())


@pytest.mark.shared
def test_a_real_chat_loses_no_word_and_has_its_tools_input_and_output():
    path = CORPUS / "copilot-chat" / "01-chat-1request.json"
    [found] = copilot.read(PathSource(path))
    request = json.loads(path.read_bytes())["requests"][0]

    said = words([found])
    assert prompts([found]) == [request["message"]["text"]]
    assert all(part["value"] in said for part in request["response"] if "kind" not in part)
    [turn] = found.turns()
    calls = [block for block in turn.assistant if hasattr(block, "input")]
    assert [call.name for call in calls][:3] == ["read_file", "read_file", "semantic_search"]
    assert all(call.input and call.result.blocks for call in calls)
