"""A turn there and back: byte for byte, whatever it holds; edited and converted files still read (SPEC 1.5)."""

import unicodedata
from dataclasses import replace

import pytest
from block_strategies import TRAPS, blocks, json_values, texts, turns
from hypothesis import example, given, settings
from hypothesis import strategies as st

from awf_archive.domain import turn_file
from awf_archive.domain.escape import escape, json_line, unescape, visible
from awf_archive.domain.fences import fence_for, open_fence
from awf_archive.domain.ids import Digest, SessionId, TurnId
from awf_archive.domain.transcript import Outline, Start, Text, ToolCall, Turn
from awf_archive.domain.turn_file import Place
from awf_archive.domain.turn_markdown import write_blocks
from awf_archive.domain.wording import WORDINGS

PLACE = Place(turn=18, session=SessionId("session-002"), local=3, format="claude-code")
OUTLINE = Outline(
    id=TurnId("3f2c"),
    start=Start.PROMPT,
    time="2026-01-30T10:04:11Z",
    prompt_digest=Digest("0" * 64),
    fingerprint=Digest("1" * 64),
)
languages = st.sampled_from(sorted(WORDINGS))


def _turn(user, assistant):
    return Turn(outline=OUTLINE, user=(Text(text=user),), assistant=(Text(text=assistant),))


def _written(user, assistant, language="en"):
    return turn_file.write(_turn(user, assistant), PLACE, WORDINGS[language])


class TestThereAndBack:
    @given(user=texts, assistant=texts, language=languages)
    @example(user="", assistant="", language="zh")
    def test_both_texts_come_back_as_they_were(self, user, assistant, language):
        read = turn_file.read(_written(user, assistant, language))

        assert (read.user, read.assistant, read.is_edited) == (user, assistant, False)

    @pytest.mark.parametrize("trap", TRAPS, ids=ascii)
    def test_a_text_cannot_pass_itself_off_as_structure(self, trap):
        text = f"before\n{trap}\n{trap}after{trap}"

        read = turn_file.read(_written(text, text, "zh"))

        assert (read.user, read.assistant, read.is_edited) == (text, text, False)

    def test_every_code_point_comes_back(self):
        for first in range(0, 0x110000, 0x4000):
            text = "".join(map(chr, range(first, first + 0x4000)))
            assert turn_file.read(_written(text, text[::-1])).user == text

    def test_a_whole_turn_file_inside_a_turn_is_only_text(self):
        inner = _written("inner question", "inner answer", "zh").decode()

        read = turn_file.read(_written(inner, inner, "zh"))

        assert (read.user, read.assistant, read.is_edited) == (inner, inner, False)

    @settings(max_examples=300, deadline=None)
    @given(turn=turns, language=languages)
    def test_every_block_comes_back_as_it_was(self, turn, language):
        read = turn_file.read(turn_file.write(turn, PLACE, WORDINGS[language]))

        assert not read.is_edited
        assert read.user_blocks == turn.user
        assert read.assistant_blocks == turn.assistant

    @settings(deadline=None)
    @given(turn=turns)
    @example(turn=replace(_turn("", ""), end_time="NaN", models=("null", "No", "y")))
    def test_front_matter_comes_back_as_it_was(self, turn):
        header = turn_file.read(turn_file.write(turn, PLACE, WORDINGS["en"])).header

        assert header.get("sourceId", "") == turn.outline.id
        assert header.get("endTime", "") == turn.end_time
        assert header.get("models", []) == list(turn.models)

    @settings(deadline=None)
    @given(turn=turns)
    def test_the_file_is_valid_utf8_without_control_characters(self, turn):
        text = turn_file.write(turn, PLACE, WORDINGS["vi"]).decode("utf-8", errors="strict")

        controls = {mark for mark in text if unicodedata.category(mark) in ("Cc", "Cs")}
        assert controls <= {"\t", "\n", "\u0085"}

    @given(value=json_values)
    def test_parameters_of_a_call_keep_their_types(self, value):
        call = ToolCall(id="toolu_1", name="Bash", input=value)

        turn = Turn(outline=OUTLINE, user=(), assistant=(call,))

        assert turn_file.read(turn_file.write(turn, PLACE, WORDINGS["en"])).assistant_blocks == (call,)

    @given(turn=turns)
    @settings(deadline=None, max_examples=30)
    def test_the_same_turn_always_gives_the_same_bytes(self, turn):
        assert turn_file.write(turn, PLACE, WORDINGS["en"]) == turn_file.write(turn, PLACE, WORDINGS["en"])


class TestTheFile:
    def test_it_looks_like_the_seed_has_it(self):
        lines = _written("帮我设计 API", "好的：\n\n`POST /block`", "zh").decode().split("\n")

        assert lines[:6] == [
            "---",
            "turn: 18",
            "session: session-002",
            "local: 3",
            "time: 2026-01-30T10:04:11Z",
            "start: prompt",
        ]
        body = lines[lines.index("---", 1) + 1 :]
        assert body[:7] == ["## 用户", "", "帮我设计 API", "", "## 助手", "", "好的："]

    @pytest.mark.parametrize(
        ("language", "headings"),
        [
            ("zh", ["## 用户", "## 助手"]),
            ("en", ["## User", "## Assistant"]),
            ("vi", ["## Người dùng", "## Trợ lý"]),
        ],
    )
    def test_headings_follow_the_language(self, language, headings):
        lines = _written("a", "b", language).decode().split("\n")

        assert [line for line in lines if line.startswith("## ")] == headings

    def test_a_side_that_is_one_text_is_that_text(self):
        data = _written("one\n\n```py\nx\n```\n", "two")

        assert b"## User\n\none\n\n```py\nx\n```\n\n\n## Assistant\n\ntwo\n\n<!--" in data

    @given(text=texts)
    @example(text="```py\nnever closed")
    @example(text="~~~~\n```\nnever closed\n~~~")
    def test_a_fence_left_open_ends_with_its_side(self, text):
        """Case K02: an open fence would swallow the assistant's heading on every page that shows the file."""
        data = _written(text, "answer").decode()

        before = data[data.index("## User") : data.rindex("\n## Assistant\n\nanswer")]

        assert open_fence(before) == ""

    @given(texts=st.lists(texts, min_size=1, max_size=4))
    def test_a_fence_is_longer_than_any_inside(self, texts):
        text = "\n".join(texts)

        assert fence_for(text) not in text

    @settings(deadline=None)
    @given(block=blocks)
    def test_the_map_reaches_no_further_than_the_text(self, block):
        text, block_map = write_blocks([block], WORDINGS["en"])

        assert all(start + size <= len(text.encode()) for start, size in _places(block_map))


def _places(value):
    if isinstance(value, dict):
        for name, item in value.items():
            if name == "at":
                yield tuple(item)
            else:
                yield from _places(item)
    elif isinstance(value, list):
        for item in value:
            yield from _places(item)


class TestEditedFiles:
    @pytest.mark.parametrize("language", sorted(WORDINGS))
    def test_a_hand_edited_file_reads_and_is_marked(self, language):
        data = _written("my question", "my answer", language).replace(
            b"my answer", b"my answer, mended by hand"
        )

        read = turn_file.read(data)

        assert read.is_edited
        assert (read.user, read.assistant) == ("my question", "my answer, mended by hand")

    def test_a_file_whose_line_ends_git_converted_reads_and_is_marked(self):
        data = _written("one\ntwo", "three\nfour").replace(b"\n", b"\r\n")

        read = turn_file.read(data)

        assert read.is_edited
        assert (read.user, read.assistant) == ("one\ntwo", "three\nfour")
        assert read.header["turn"] == 18

    @settings(deadline=None, max_examples=50)
    @given(turn=turns)
    def test_a_converted_file_loses_none_of_its_blocks(self, turn):
        data = turn_file.write(turn, PLACE, WORDINGS["en"])

        read = turn_file.read(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"))

        assert read.is_edited
        assert (read.user_blocks, read.assistant_blocks) == (turn.user, turn.assistant)

    @pytest.mark.parametrize("added", ["more", "\n", "## Notes\n\nmine\n"])
    @pytest.mark.parametrize("before", ["## User", "## Assistant", "<!-- awf-archive"])
    def test_what_someone_added_between_the_parts_is_noticed(self, added, before):
        data = _written("my question", "my answer").decode().replace(before, added + before)

        assert turn_file.read(data.encode()).is_edited

    def test_what_someone_added_behind_an_open_fence_is_noticed(self):
        data = _written("```py\nx = 1", "```py\ny = 2").decode()

        assert not turn_file.read(data.encode()).is_edited
        assert turn_file.read(data.replace("x = 1\n", "x = 1\nadded\n").encode()).is_edited
        assert turn_file.read(data.replace("y = 2\n", "y = 2\nadded\n").encode()).is_edited

    def test_a_file_of_the_original_skill_reads_and_is_marked(self):
        read = turn_file.read(
            "## 用户\n帮我设计API\n\n## 助手\n好的，我来设计\n\n## 用户\n（示例）\n".encode()
        )

        assert read.is_edited
        assert read.user == "帮我设计API"
        assert read.assistant == "好的，我来设计\n\n## 用户\n（示例）"

    def test_a_file_without_front_matter_still_reads(self):
        data = _written("question", "answer")

        read = turn_file.read(data[data.index(b"## User") :])

        assert (read.user, read.assistant, read.is_edited) == ("question", "answer", True)

    def test_escapes_are_undone_in_an_edited_file_too(self):
        data = _written("a\x1b[31mb", "answer").replace(b"answer", b"other")

        assert turn_file.read(data).user == "a\x1b[31mb"

    @pytest.mark.parametrize(
        "data",
        [b"", b"no heading at all", b"---\nturn: 1\n---\n", b"\xff\xfe\x00"],
        ids=["nothing", "no heading", "only front matter", "not UTF-8"],
    )
    def test_a_file_that_is_no_turn_is_refused_as_a_value_error(self, data):
        with pytest.raises(ValueError, match=r".+"):
            turn_file.read(data)

    @settings(max_examples=300, deadline=None)
    @given(data=st.binary(max_size=200), at=st.integers(0, 400), cut=st.integers(0, 50))
    def test_any_damage_is_an_edit_or_a_value_error_and_never_a_false_text(self, data, at, cut):
        written = _written("my question", "my answer")
        damaged = written[:at] + data + written[at + cut :]

        try:
            read = turn_file.read(damaged)
        except ValueError:
            return

        assert read.is_edited or (read.user, read.assistant) == ("my question", "my answer")


class TestEscape:
    @given(text=texts)
    def test_the_escape_is_reversible_and_valid_utf8(self, text):
        assert unescape(escape(text).encode().decode()) == text

    @pytest.mark.parametrize(
        ("text", "written"),
        [
            ("\0", "⟦U+0000⟧"),
            ("a\r\nb", "a⟦U+000D⟧\nb"),
            ("\x1b[0m", "⟦U+001B⟧[0m"),
            ("\ud82d", "⟦U+D82D⟧"),
            ("\ufeff", "⟦U+FEFF⟧"),
            ("⟦U+0041⟧", "⟦U+27E6⟧U+0041⟧"),
            ("⟦x⟧", "⟦x⟧"),
            ("\t\n\u0085\u2028🙂", "\t\n\u0085\u2028🙂"),
        ],
        ids=ascii,
    )
    def test_the_escape_is_visible(self, text, written):
        assert escape(text) == written

    @given(value=json_values)
    def test_json_stays_on_one_line_and_is_valid_utf8(self, value):
        line = json_line(value)

        assert "\n" not in line
        assert line.encode()

    @given(text=texts)
    def test_what_a_view_shows_holds_no_control_and_no_bidirectional_override(self, text):
        shown = visible(text + "\x1b]0;title\x07\x1b[2J\x9b31m\u202e")

        assert not {mark for mark in shown if unicodedata.category(mark) in ("Cc", "Cs")} - {"\t", "\n"}
        assert not set(shown) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
