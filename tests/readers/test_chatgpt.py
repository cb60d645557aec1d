"""ChatGPT's export: trees, tools, files, damage."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
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
from json_exports import conversation, message, packed
from sources import BytesSource, PathSource

from awf_archive.errors import InputError
from awf_archive.readers import READERS
from awf_archive.readers.chatgpt import reader as chatgpt
from awf_archive.readers.chatgpt.marks import readable

CASES = cases("chatgpt")
TEXTS = [source_file(case).read_bytes() for case in CASES]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_reads_as_expected(case):
    source = PathSource(source_file(case))

    assert shown(chatgpt.read(source)) == expected(case)
    assert [reader.name for reader in READERS if reader.accepts(source)] == ["chatgpt"]


# Damage


@given(damaged(TEXTS))
@settings(max_examples=150, deadline=None)
def test_damage_raises_nothing_but_our_own_errors(data):
    reads_or_says_why(chatgpt.READER, BytesSource(data))


@given(with_wrong_types(TEXTS))
@settings(max_examples=150, deadline=None)
def test_wrong_types_raise_nothing_but_our_own_errors(value):
    reads_or_says_why(chatgpt.READER, BytesSource(json.dumps(value).encode()))


@given(st.integers(0, 8), st.data())
@settings(max_examples=60, deadline=None)
def test_what_stands_before_a_cut_is_kept(number, data):
    text = json.dumps([conversation(one) for one in range(9)])
    place = data.draw(st.integers(text.index(f'"answer {number}"') + 30, len(text)))

    found = words(chatgpt.read(BytesSource(text[:place].encode())))

    assert [f"answer {one}" for one in range(number + 1)] == [
        word for word in found if word in _answers(number)
    ]


def _answers(number):
    return {f"answer {one}" for one in range(number + 1)}


def test_a_broken_conversation_costs_only_what_follows_the_damage_in_it():
    text = json.dumps([conversation(one) for one in range(4)]).replace('"answer 1"', '"answer 1', 1)

    found = list(chatgpt.read(BytesSource(text.encode())))

    assert prompts(found) == ["prompt 0", "prompt 1", "prompt 2", "prompt 3"]
    assert [len(one.problems) for one in found] == [0, 1, 0, 0]


@pytest.mark.parametrize("bracket", ["}", "]"], ids=["lost brace", "lost bracket"])
def test_a_lost_bracket_does_not_swallow_the_conversations_after_it(bracket):
    text = json.dumps([conversation(one) for one in range(4)])
    place = text.index(bracket, text.index("answer 1"))

    found = list(chatgpt.read(BytesSource((text[:place] + text[place + 1 :]).encode())))

    assert {"prompt 0", "prompt 1", "prompt 2", "prompt 3"} <= set(words(found))


def test_records_that_are_no_conversations_are_an_error():
    with pytest.raises(InputError, match="no conversation in it can be read"):
        list(chatgpt.read(BytesSource(json.dumps([{"mapping": "x" * 100}]).encode())))


def test_an_export_without_conversations_is_empty():
    assert list(chatgpt.read(BytesSource(b"[]"))) == []


def test_a_tree_of_ten_thousand_branches_is_read():
    nodes = {"u": {"id": "u", "parent": None, "message": message("u", "user", "prompt")}}
    for number in range(10_000):
        name = f"a{number}"
        nodes[name] = {"id": name, "parent": "u", "message": message(name, "assistant", f"answer {number}")}
    value = {"conversation_id": "c", "title": "t", "mapping": nodes, "current_node": "a5"}

    [found] = chatgpt.read(BytesSource(json.dumps(value).encode()))

    assert len(found.outlines) == 10_000
    assert [outline.id for outline in found.outlines if outline.branch == "main"] == ["u"]


# Files


IMAGE = b"\x89PNG\r\n\x1a\n" + b"pixels"
PICTURE = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-Image1234567890"}


def with_picture():
    return json.dumps([conversation(0, parts=[PICTURE, "look"])])


@pytest.mark.parametrize(
    "name", ["file-Image1234567890-a.png", "dalle-generations/file-Image1234567890-x.webp"]
)
def test_a_pictures_bytes_come_from_the_zip(name):
    data = packed({"conversations.json": with_picture(), name: IMAGE, "user.json": "{}"})

    [turn] = [turn for one in chatgpt.read(BytesSource(data)) for turn in one.turns()]

    assert list(turn.payloads.values()) == [IMAGE]
    assert turn.user[0].media_type == "image/png"
    assert turn.user[0].file.endswith(".png")


def test_a_pictures_bytes_come_from_beside_an_unpacked_export():
    source = BytesSource(with_picture().encode(), "conversations", {"file-Image1234567890-a.png": IMAGE})

    [turn] = [turn for one in chatgpt.read(source) for turn in one.turns()]

    assert list(turn.payloads.values()) == [IMAGE]


@pytest.mark.parametrize("is_stored", [True, False], ids=["stored", "deflated"])
def test_shards_in_a_zip_of_zips_are_read_in_order(is_stored):
    parts = {f"conversations-{number:03d}.json": json.dumps([conversation(number)]) for number in (1, 0)} | {
        "file-Image1234567890-a.png": IMAGE
    }
    data = packed({"part1.zip": packed(parts), "chat.html": "<p>"}, is_stored=is_stored)
    source = BytesSource(data)

    assert [reader.name for reader in READERS if reader.accepts(source)] == ["chatgpt"]
    assert prompts(chatgpt.read(source)) == ["prompt 0", "prompt 1"]


def test_a_bomb_is_an_error_that_says_so():
    bomb = with_picture()[:-1] + " " * (80 << 20) + "]"
    source = BytesSource(packed({"conversations.json": bomb}))

    assert chatgpt.accepts(source)
    with pytest.raises(InputError, match="unpacks to far more"):
        list(chatgpt.read(source))


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_a_damaged_zip_raises_nothing_but_our_own_errors(data):
    whole = packed({"conversations.json": with_picture(), "file-Image1234567890-a.png": IMAGE})

    reads_or_says_why(chatgpt.READER, BytesSource(data.draw(damaged([whole]))))


# Marks


@pytest.mark.parametrize(
    ("text", "metadata", "shown_as"),
    [
        ("plain 【not†closed", {}, "plain 【not†closed"),
        ("a\ue200cite\ue202turn0search1\ue201b", {}, "ab"),
        ("\ue200navlist\ue202News\ue202turn0\ue201x", {}, "x"),
        ("see 【4:0†file.pdf】", {}, "see 【4:0†file.pdf】"),
        (
            "a\ue200cite\ue202t\ue201",
            {
                "content_references": [
                    {"matched_text": "\ue200cite\ue202t\ue201", "items": [{"title": "T", "url": "u:/"}]}
                ]
            },
            "a ([T](u:/))",
        ),
    ],
    ids=["none", "no reference", "list of links", "old without reference", "links of the items"],
)
def test_marks_become_words(text, metadata, shown_as):
    assert readable(text, metadata) == shown_as


# Shared


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "turns"), [("01-tools-real.json", 8), ("03-example.json", 3), ("05-sample.json", 7)]
)
def test_corpus_holds_every_prompt_once_and_every_answer(file, turns):
    path = CORPUS / "chatgpt-export" / file
    found = list(chatgpt.read(PathSource(path)))

    assert sum(len(one.outlines) for one in found) == turns  # as many as MANIFEST's typed prompts
    said = words(found)
    typed = prompts(found)
    for role, text in _said_in(json.loads(path.read_bytes())):
        assert text in (typed if role == "user" else said)


def _said_in(value):
    for one in value if isinstance(value, list) else [value]:
        for node in one["mapping"].values():
            for part in (node.get("message") or {}).get("content", {}).get("parts", []):
                if part:
                    yield node["message"]["author"]["role"], part


@pytest.mark.shared
@pytest.mark.parametrize("file", ["input.json", "single-object.input.json"])
def test_e01_keeps_left_branches_apart_and_hides_no_context(file):
    path = SHARED / "cases" / "E01-chatgpt-tree" / file
    first = next(iter(chatgpt.read(PathSource(path))))

    main = [outline.id for outline in first.outlines if outline.branch == "main"]

    assert main == ["u1", "u2b"]
    assert [outline.id for outline in first.outlines if outline.branch == "abandoned"] == ["a_old", "u2"]
    assert not any("\ue200" <= mark <= "\ue2ff" for word in words([first]) for mark in word)
    assert prompts([first]) == ["Viết khẩu hiệu", "", "NHÁNH-SỬA-CŨ", "thêm tiếng Trung"]
