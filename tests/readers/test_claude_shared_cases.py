"""Failures that people reported of tools like this one, as ../shared/cases tells them, at the reader's level."""

import json
from collections import Counter
from pathlib import Path

import pytest
from shown import blocks_within, show
from sources import BytesSource, PathSource

from awf_archive.domain.transcript import Attachment, Link, Note, SubAgent, Text, ToolCall, Unknown
from awf_archive.errors import InputError
from awf_archive.readers.claude_code import reader as claude_code

CASES = Path(__file__).parents[2].parent / "shared" / "cases"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not CASES.is_dir(), reason="../shared/cases is not beside the project"),
]


def case(name, file="input.jsonl"):
    return PathSource(next(CASES.glob(f"{name}*")) / file)


def read(name, file="input.jsonl"):
    return claude_code.read(case(name, file))


def words(blocks):
    return [block.text for block in blocks if isinstance(block, Text)]


def turns(transcript):
    return [(words(turn.user), words(turn.assistant)) for turn in transcript.turns()]


def problems(transcript):
    return [(problem.code, problem.origin.line, problem.count) for problem in transcript.problems]


def test_a01_a_cut_last_line_takes_nothing_with_it():
    source = case("A01")

    transcript = claude_code.read(source)

    assert [user for user, _ in turns(transcript)] == [
        ["Chọn SQLite hay Postgres cho bản đầu?"],
        ["Đồng ý, ghi lại quyết định."],
    ]
    assert problems(transcript) == [("partial", 4, 1)]
    assert (transcript.records, transcript.unreadable) == (3, 1)


def test_a01_the_completed_line_appears_exactly_once():
    source = case("A01")
    data = source.read(0, source.size)
    rest = (
        b'ntent": [{"type": "text", "text": "completed"}]}, "uuid": "c", "timestamp": "2026-03-02T09:00:04Z"}'
    )
    cut = data[: data.rindex(b'"co') + 3]

    transcript = claude_code.read(BytesSource(cut + rest))

    assert turns(transcript)[1][1] == ["completed"]
    assert problems(transcript) == []


def test_a02_damage_in_the_middle_is_counted_line_by_line():
    transcript = read("A02")

    assert turns(transcript) == [
        (["first question"], ["first answer"]),
        (["question after the damage"], ["answer after the damage"]),
    ]
    assert problems(transcript) == [("unreadable", line, 1) for line in (3, 5, 6, 7, 8)]
    assert (transcript.records, transcript.unreadable) == (4, 5)


def test_a04_nul_padding_is_no_lost_turn():
    transcript = read("A04")

    assert turns(transcript) == [
        (["trước sự cố"], ["câu trả lời trước sự cố"]),
        (["sau sự cố"], ["tiếp tục bình thường"]),
    ]
    assert problems(transcript) == [("padding", 2, 3)]
    assert transcript.unreadable == 0


def test_a05_a_lone_surrogate_is_kept_and_reported():
    transcript = read("A05")
    (turn,) = transcript.turns()

    assert problems(transcript) == [("lone-surrogate", 2, 1)]
    assert "\ud82d 깊이" in turn.assistant[0].input["questions"][0]["options"][0]["description"]
    assert words(turn.assistant) == ["Đã chọn A 🙂 và tiếp tục."]
    assert words(turn.assistant[0].result.blocks) == ["User has answered: A"]


def test_a07_only_0x0a_ends_a_line():
    transcript = read("A07")
    (turn,) = transcript.turns()

    assert transcript.records == 4
    (result,) = words(turn.assistant[0].result.blocks)
    assert {"\u2028", "\u2029", "\u0085"} <= set(result)


def test_a08_nothing_is_lost_around_a_huge_line():
    (turn,) = read("A08").turns()

    (result,) = words(turn.assistant[0].result.blocks)
    assert result.endswith("NEEDLE-AT-THE-END")
    assert len(result) > 200_000
    assert words(turn.assistant) == ["done after the big line"]


def test_a09_control_characters_stay_as_they_are():
    (turn,) = read("A09").turns()

    (result,) = words(turn.assistant[0].result.blocks)
    assert result.startswith(
        "\x1b[31mFAILED\x1b[0m tests/test_a.py::test_x\x00 \x07bell \x08back\x02wzxhzdk:0\x03"
    )
    assert Note(kind="output", text="Set mode to \x1b[1mdefault\x1b[22m") in turn.assistant


def test_a11_line_ends_and_byte_order_mark_do_not_matter():
    source = case("A11")
    plain = source.read(0, source.size).removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")

    transcript = claude_code.read(source)

    assert turns(transcript) == [(["một"], ["hai"])]
    assert transcript.outlines == claude_code.read(BytesSource(plain)).outlines


def test_b01_two_ids_are_one_window():
    transcript = read("B01")

    assert turns(transcript) == [(["lần một"], ["trả lời một"]), (["tiếp tục sau --resume"], ["trả lời hai"])]
    assert transcript.windows == (
        "00000014-1111-4111-8111-111111111111",
        "20202020-9999-4999-8999-999999999999",
    )
    assert [outline.foreign for outline in transcript.outlines] == [None, None]


def test_b02_replayed_records_count_once():
    transcript = read("B02")

    assert turns(transcript) == [(["hello"], ["hi"]), (["second"], ["two"]), (["third"], ["three"])]
    assert (transcript.records, transcript.duplicates) == (6, 6)


def test_b04_a_broken_chain_drops_and_abandons_nothing():
    transcript = read("B04")

    assert turns(transcript) == [
        (["làm bước một"], ["đang làm bước một", "xong bước một"]),
        (["làm bước hai"], ["xong bước hai"]),
        (["bước ba"], ["xong bước ba"]),
    ]
    assert problems(transcript) == [("unknown-parent", 7, 1)]
    assert {outline.branch for outline in transcript.outlines} == {"main"}


def test_b05_a_rewound_branch_is_kept_and_marked():
    transcript = read("B05")

    assert [user for user, _ in turns(transcript)] == [
        ["câu hỏi gốc"],
        ["nhánh A: dùng Redis"],
        ["nhánh B: dùng bộ nhớ trong"],
    ]
    assert [outline.branch for outline in transcript.outlines] == ["main", "abandoned", "main"]


def test_b07_a_compaction_is_a_marker_and_a_summary():
    transcript = read("B07")
    first, second = transcript.turns()

    assert Note(kind="compaction", text="auto, 155025 tokens") in first.assistant
    (summary,) = [
        block.text for block in first.assistant if isinstance(block, Note) and block.kind == "summary"
    ]
    assert "SYNTHETIC-SUMMARY" in summary
    assert words(first.assistant) == ["đồng ý WAL mode", "Tiếp tục từ tóm tắt."]
    assert words(second.user) == ["sau khi nén: bật checksum"]
    assert transcript.title == "trước khi nén: chọn WAL mode"


def test_b09_one_message_is_counted_once():
    (turn,) = read("B09").turns()

    kinds = [type(block).__name__ for block in turn.assistant]
    assert kinds == ["Thinking", "Text", "ToolCall", "ToolCall", "Text"]
    assert words(turn.assistant) == ["Tôi sẽ sửa hàm parse.", "Xong."]
    calls = [block for block in turn.assistant if isinstance(block, ToolCall)]
    assert [words(call.result.blocks) for call in calls] == [["The file has been updated."], ["2 passed"]]
    assert turn.usage.output == 631 + 20


def test_b10_sub_agents_belong_to_their_session():
    (path,) = next(CASES.glob("B10*")).glob("projects/*/*.jsonl")
    transcript = claude_code.read(PathSource(path))
    (turn,) = transcript.turns()

    agents = [block for block in turn.assistant if isinstance(block, SubAgent)]
    assert [(agent.id, agent.kind, agent.description, agent.call_id) for agent in agents] == [
        ("a29f", "Explore", "tìm lỗi", "toolu_29a"),
        ("b29f", "", "", ""),
    ]
    said = words(blocks_within(agents))
    assert said == ["SUBAGENT-ONLY-TEXT: kiểm tra dòng 10", "WORKFLOW-ONLY-TEXT"]


def test_b11_each_queued_prompt_appears_once():
    transcript = read("B11")

    assert Counter(text for user, _ in turns(transcript) for text in user) == {
        "câu đầu tiên": 1,
        "QUEUED-ABSORBED: dùng tiếng Việt": 1,
        "QUEUED-THEN-SENT: nhớ viết test": 1,
    }


def test_b12_unknown_types_are_counted_not_flooded():
    transcript = read("B12")

    assert turns(transcript) == [(["nội dung thật"], ["trả lời thật"])]
    assert problems(transcript) == [("unknown-type", 10, 1)]
    assert transcript.title == "Sửa lỗi đọc tệp"


def test_b14_the_users_title_wins_whole():
    assert read("B14").title == "Bản tin: ngày 2/3 #1"


@pytest.mark.parametrize(
    ("gone", "title"),
    [
        (("custom-title",), "auto title"),
        (("custom-title", "ai-title"), "old style summary"),
        (("custom-title", "ai-title", "summary"), "/morning-briefing"),
    ],
)
def test_b14_the_next_best_title_follows(gone, title):
    source = case("B14")
    kept = [
        line
        for line in source.read(0, source.size).splitlines(keepends=True)
        if json.loads(line)["type"] not in gone
    ]

    assert claude_code.read(BytesSource(b"".join(kept))).title == title


def test_b15_images_are_stored_once_and_nothing_is_fetched():
    transcript = read("B15")
    every = list(transcript.turns())
    blocks = [block for turn in every for block in blocks_within((*turn.user, *turn.assistant))]

    files = [block.file for block in blocks if isinstance(block, Attachment)]
    assert sorted(Counter(Path(file).suffix for file in files).items()) == [
        (".pdf", 1),
        (".png", 2),
        (".svg", 1),
    ]
    assert len({file for file in files if file.endswith(".png")}) == 1
    assert {name for turn in every for name in turn.payloads} == set(files)
    assert [block.url for block in blocks if isinstance(block, Link)] == ["https://example.invalid/a.png"]
    assert [block.kind for block in blocks if isinstance(block, Unknown)] == ["image"]
    assert [problem.code for turn in every for problem in turn.problems] == ["bad-base64"]


def test_b16_the_project_is_the_records_folder():
    paths = next(CASES.glob("B16*")).glob("projects/*/*.jsonl")

    folders = {claude_code.read(PathSource(path)).cwd for path in paths}

    assert folders == {"/srv/dev/外主/app", "/srv/dev/个人/app", "/srv/dev/spec-rl", "/srv/dev/spec/rl"}


def test_b18_a_strangers_record_is_kept_and_flagged():
    transcript = read("B18")

    assert [user for user, _ in turns(transcript)] == [
        ["của phiên này"],
        ["của phiên KHÁC"],
        ["tiếp của phiên này"],
    ]
    stranger = "00000029-1111-4111-8111-111111111111"
    assert [outline.foreign for outline in transcript.outlines] == [None, stranger, None]
    assert {outline.branch for outline in transcript.outlines} == {"main"}


def test_b19_a_session_without_turns_is_empty():
    assert claude_code.accepts(case("B19"))
    assert read("B19").outlines == ()
    assert not claude_code.accepts(case("B19", "empty.input.jsonl"))


@pytest.mark.parametrize(
    "file", ["input.jsonl", "codexlike.input.jsonl", "generic.input.json", "notes.input.md"]
)
def test_b21_what_only_looks_alike_is_refused(file):
    assert not claude_code.accepts(case("B21", file))


def test_b21_rows_of_another_tool_are_an_error_when_forced():
    with pytest.raises(InputError, match="nothing in it can be read"):
        read("B21")


def test_h01_a_growing_file_gains_turns_and_loses_none():
    steps = ["input.jsonl", "step2.input.jsonl", "step3.input.jsonl", "step4.input.jsonl"]
    read_steps = [read("H01", step) for step in steps]

    assert [len(step.outlines) for step in read_steps] == [1, 1, 2, 2]
    assert [problems(step) for step in read_steps] == [[], [("partial", 3, 1)], [], []]
    assert turns(read_steps[-1]) == [(["một"], ["hai"]), (["ba"], ["bốn"])]
    assert len({step.outlines[0] for step in read_steps}) == 1
    complete = case("H01", steps[-1])
    ended = BytesSource(complete.read(0, complete.size) + b"\n")
    assert show(claude_code.read(ended)) == show(read_steps[-1])


@pytest.mark.parametrize(("name", "count"), [("K01", 6), ("K02", 4)])
def test_k_markup_in_messages_is_text_like_any_other(name, count):
    every = turns(read(name))

    assert sum(len(user) + len(assistant) for user, assistant in every) == count
    assert every[-1][1] == ["LAST-TURN-VISIBLE"]
