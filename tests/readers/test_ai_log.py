"""AWF's `.ai-log`: sessions of several tools in one file."""

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
from awf_archive.readers.ai_log import reader as ai_log

CASES = cases("ai_log")
TEXTS = [source_file(case).read_bytes() for case in CASES]
RECORD = TEXTS[0].split(b"\n")[0]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_reads_as_expected(case):
    source = PathSource(source_file(case))

    assert shown(ai_log.read(source)) == expected(case)
    assert [reader.name for reader in READERS if reader.accepts(source)] == ["ai-log"]


@given(damaged(TEXTS))
@settings(max_examples=100, deadline=None)
def test_damage_raises_nothing_but_our_own_errors(data):
    reads_or_says_why(ai_log.READER, BytesSource(data))


@given(with_wrong_types([RECORD]))
@settings(max_examples=60, deadline=None)
def test_wrong_types_raise_nothing_but_our_own_errors(value):
    reads_or_says_why(ai_log.READER, BytesSource(json.dumps(value).encode()))


def test_records_of_which_none_can_be_read_are_an_error():
    with pytest.raises(InputError, match="no record in it can be read"):
        list(ai_log.read(BytesSource(b'{"ts": "2026"}\n')))


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "sessions", "turns"),
    [
        # MANIFEST counts 18 typed prompts: 13 were typed, 5 are what the assistant asked its agents.
        ("01-claude-hooks-vi.jsonl", 3, 13),
        ("02-opencode-hooks-vi.jsonl", 1, 24),
    ],
)
def test_corpus_holds_every_prompt_once(file, sessions, turns):
    path = CORPUS / "ai-log" / file
    found = list(ai_log.read(PathSource(path)))

    assert len(found) == sessions
    assert sum(len(one.outlines) for one in found) == turns
    typed, said = prompts(found), words(found)
    for record in map(json.loads, path.read_text().splitlines()):
        if record["event"] == "UserPromptSubmit":
            assert sum(record["prompt"].endswith(prompt) for prompt in set(typed)) == 1
        if record.get("tool_response"):
            assert record["tool_response"] in said
