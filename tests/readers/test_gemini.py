"""Gemini CLI: both generations, rewinds, sub-agents and damage."""

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shown import show
from sources import BytesSource, PathSource

from awf_archive.domain.transcript import Text, prompt_digest
from awf_archive.errors import ArchiveError, InputError
from awf_archive.readers import READERS
from awf_archive.readers.gemini import reader as gemini

CASES = sorted(Path(__file__).with_name("gemini").iterdir())
HEADER = {
    "sessionId": "d98c-a",
    "projectHash": "abab",
    "startTime": "2026-05-22T14:59:00.000Z",
    "kind": "main",
}


def said(name, kind, content, **more):
    second = int("".join(filter(str.isdigit, name)) or 0)
    return {
        "id": name,
        "timestamp": f"2026-05-22T15:00:{second:02}.000Z",
        "type": kind,
        "content": content,
        **more,
    }


def as_lines(*records):
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def as_object(*messages, indent=2):
    return json.dumps({**HEADER, "messages": list(messages)}, ensure_ascii=False, indent=indent).encode()


def read(data, beside=None):
    return gemini.read(BytesSource(data, "session-x", beside or {}))


def shown(transcript):
    return json.loads(json.dumps(show(transcript)))


def sides(transcript):
    return [(turn["user"], turn["assistant"]) for turn in shown(transcript)["turns"]]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_reads_as_expected(case):
    expected = json.loads((case / "expected.json").read_bytes())

    assert shown(gemini.read(PathSource(next(case.glob("input.*"))))) == expected


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_exactly_this_reader_accepts_every_case(case):
    source = PathSource(next(case.glob("input.*")))

    assert [reader.name for reader in READERS if reader.accepts(source)] == ["gemini-cli"]


MESSAGES = [
    said("m1", "user", [{"text": "tìm lỗi"}]),
    said("m2", "gemini", "", model="gemini-3-pro", tokens={"input": 10, "output": 1, "cached": 4}),
    said("m3", "gemini", [{"text": "Lỗi ở bộ đệm."}]),
    said("m4", "user", "sửa luôn"),
    said("m5", "gemini", "Đã sửa."),
    said("m6", "info", "Request cancelled."),
]


@pytest.mark.parametrize(
    "data",
    [
        as_lines(HEADER, *MESSAGES),
        as_lines({**HEADER, "messages": MESSAGES}),
        as_lines(HEADER, {"$set": {"messages": MESSAGES}}),
        as_object(*MESSAGES),
        as_object(*MESSAGES, indent=None),
    ],
    ids=["lines", "header", "set", "pretty", "one-line"],
)
def test_every_layout_reads_as_the_same_turns(data):
    transcript, lines = read(data), read(as_lines(HEADER, *MESSAGES))

    assert transcript.outlines == lines.outlines
    assert sides(transcript) == sides(lines)
    assert sides(lines)[1] == (
        [["text", "sửa luôn"]],
        [["text", "Đã sửa."], ["note interrupt", "Request cancelled."]],
    )


def test_a_rewind_to_nowhere_takes_everything_back_and_loses_nothing():
    data = as_lines(HEADER, *MESSAGES, {"$rewindTo": "nowhere"}, said("m7", "user", "từ đầu"))

    assert [(one.id, one.branch) for one in read(data).outlines] == [
        ("m1", "abandoned"),
        ("m4", "abandoned"),
        ("m7", "main"),
    ]


def test_a_rewind_into_a_turn_keeps_what_stands_with_its_prompt():
    data = as_lines(HEADER, *MESSAGES[:3], {"$rewindTo": "m3"}, said("m9", "gemini", "Lỗi ở chỗ khác."))

    transcript = read(data)

    assert [(one.id, one.branch) for one in transcript.outlines] == [("m1", "main"), ("m3", "abandoned")]
    assert sides(transcript)[0] == ([["text", "tìm lỗi"]], [["text", "Lỗi ở chỗ khác."]])


def test_new_versions_of_all_messages_replace_the_old_ones_and_keep_the_rest_as_abandoned():
    data = as_lines(
        HEADER, *MESSAGES, {"$set": {"messages": [MESSAGES[3], said("m5", "gemini", "Đã sửa lại.")]}}
    )

    transcript = read(data)

    assert [(one.id, one.branch) for one in transcript.outlines] == [("m1", "abandoned"), ("m4", "main")]
    assert sides(transcript)[1][1][0] == ["text", "Đã sửa lại."]


@pytest.mark.parametrize("count", range(2, len(MESSAGES) + 1))
def test_growth_changes_only_the_last_turn(count):
    whole, part = read(as_lines(HEADER, *MESSAGES)), read(as_lines(HEADER, *MESSAGES[:count]))

    assert part.outlines[:-1] == whole.outlines[: len(part.outlines) - 1]
    assert [one.id for one in part.outlines] == [one.id for one in whole.outlines][: len(part.outlines)]


def test_a_sub_agents_chat_stands_after_the_call_that_names_it():
    call = {"id": "t1", "name": "agent", "args": {}, "status": "success", "agentId": "0la501"}
    data = as_lines(HEADER, MESSAGES[0], said("m2", "gemini", "", toolCalls=[call]))
    child = as_lines(
        {**HEADER, "sessionId": "child", "kind": "subagent"},
        said("s1", "user", "việc con"),
        said("s2", "gemini", "xong"),
    )

    transcript = read(data, {"d98c-a/0la501.jsonl": child})

    agent = ["agent", ["child", "", "", "t1"], ["prompt", "việc con"], ["text", "xong"]]
    assert sides(transcript)[0][1] == [["call", "t1", "agent", {}], agent]
    assert transcript.outlines[0].fingerprint != read(data).outlines[0].fingerprint
    assert [one.start for one in read(child).outlines] == ["machine"]


def test_messages_of_which_none_can_be_read_are_an_error():
    with pytest.raises(InputError, match="nothing in it"):
        read(as_lines(HEADER, {"id": "m1", "timestamp": "x", "type": "oracle", "content": "?"}))


def test_a_header_alone_is_an_empty_conversation():
    assert read(as_lines(HEADER)).outlines == ()


# Damage

LINES = as_lines(
    HEADER, *MESSAGES, {"$rewindTo": "m4"}, said("m7", "user", "lại"), said("m8", "gemini", "rồi")
)
OBJECT = as_object(*MESSAGES)
FIRST = sides(read(LINES))[0]


@settings(max_examples=400, deadline=None)
@given(st.sampled_from([LINES, OBJECT]), st.data())
def test_damage_loses_no_turn_that_stands_before_it(whole, data):
    place = data.draw(st.integers(0, len(whole)))
    put = data.draw(st.binary(max_size=10))
    source = BytesSource(whole[:place] + put + whole[place + data.draw(st.integers(0, 50)) :])
    found = []
    if gemini.accepts(source):
        with suppress(ArchiveError):
            found = sides(gemini.read(source))

    if place >= whole.index(b'"m4"'):
        assert found[0][0] == FIRST[0]
        assert found[0][1][: len(FIRST[1])] == FIRST[1]


def test_an_answer_under_an_earlier_answer_s_id_takes_nobody_s_place():
    whole = as_lines(
        HEADER,
        said("m1", "user", "one"),
        said("m2", "gemini", "first"),
        said("m3", "user", "two"),
        said("m2", "gemini", "second"),
    )

    assert [answer for _, answer in sides(read(whole))] == [[["text", "first"]], [["text", "second"]]]


@settings(max_examples=300, deadline=None)
@given(st.sampled_from([LINES, OBJECT]), st.data())
def test_a_flipped_bit_loses_no_turn_that_stands_before_it(whole, data):
    bit = data.draw(st.integers(whole.index(b'"m4"') * 8, len(whole) * 8 - 1))
    flipped = bytearray(whole)
    flipped[bit // 8] ^= 1 << bit % 8

    found = sides(read(bytes(flipped)))

    assert found[0][0] == FIRST[0]
    assert found[0][1][: len(FIRST[1])] == FIRST[1]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["id", "text", "functionResponse"]), inner)
    ),
    max_leaves=4,
)
KEYS = [
    "id",
    "type",
    "content",
    "displayContent",
    "toolCalls",
    "thoughts",
    "tokens",
    "timestamp",
    "$set",
    "$rewindTo",
]


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 5), st.sampled_from(KEYS), JSON, st.booleans())
def test_a_field_of_a_wrong_type_raises_nothing_but_our_own_errors(place, key, value, nested):
    call = {"id": "t", "name": "n", "args": {}, "result": value, "resultDisplay": value}
    changed = {**MESSAGES[place], **({"toolCalls": [call]} if nested else {key: value})}
    messages = [*MESSAGES[:place], changed, *MESSAGES[place + 1 :]]

    for data in (
        as_lines(HEADER, *messages),
        as_object(*messages),
        as_lines(HEADER, {"$set": {"messages": messages}}),
    ):
        with suppress(ArchiveError):
            shown(read(data))


# ../shared

SHARED = Path(__file__).parents[3] / "shared"
CORPUS = {
    "01-session.json": 2,
    "03-session.json": 1,
    "05-session.json": 1,
    "11-fixture-standard_session.json": 2,
    "13-fixture-thinking_only.json": 1,
}
"""MANIFEST's typed prompts; no file differs."""


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.exists(), reason="../shared is not here")
@pytest.mark.parametrize(("name", "turns"), CORPUS.items())
def test_every_typed_prompt_is_one_turn_and_no_answer_is_lost(name, turns):
    path = SHARED / "corpus" / "gemini-cli" / name
    messages = json.loads(path.read_bytes())["messages"]

    read_turns = list(gemini.read(PathSource(path)).turns())

    told = [block.text for turn in read_turns for block in turn.user if isinstance(block, Text)]
    answers = [block.text for turn in read_turns for block in turn.assistant if isinstance(block, Text)]
    assert told == [one["content"] for one in messages if one["type"] == "user"]
    assert answers == [one["content"] for one in messages if one["type"] == "gemini" and one["content"]]
    assert len(read_turns) == turns
    assert all(prompt_digest(turn.user) == turn.outline.prompt_digest for turn in read_turns)


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.exists(), reason="../shared is not here")
@pytest.mark.parametrize(
    ("name", "title", "ids"),
    [
        ("input.jsonl", "Tìm rò rỉ", ["m1", "m4", "m6"]),
        ("legacy.input.json", "bản json cũ", ["m1"]),
        ("snapshot.input.jsonl", "chỉ nằm trong $set", ["x1"]),
    ],
)
def test_case_d01_holds(name, title, ids):
    transcript = gemini.read(PathSource(SHARED / "cases" / "D01-gemini-generations" / name))

    assert transcript.title == title
    assert [outline.id for outline in transcript.outlines] == ids
