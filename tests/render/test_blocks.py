import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from awf_archive.domain.transcript import (
    Attachment,
    Link,
    Note,
    NoteKind,
    Prompt,
    SubAgent,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Unknown,
)
from awf_archive.domain.wording import choose
from awf_archive.render.blocks import render_assistant, render_user
from awf_archive.render.code import ASKED, PRINTED, SEEN, output_block
from awf_archive.render.sheet import Sheet


def answered(*texts: str, is_error: bool = False) -> ToolResult:
    return ToolResult(blocks=tuple(Text(text=text) for text in texts), is_error=is_error)


def call(name: str, given: object, *texts: str, is_error: bool = False) -> ToolCall:
    return ToolCall(id="c1", name=name, input=given, result=answered(*texts, is_error=is_error))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=3),
    max_leaves=8,
)
KNOWN = [
    "Bash", "Read", "Write", "Edit", "MultiEdit", "TodoWrite", "AskUserQuestion", "ExitPlanMode", "Task", "WebFetch",
    "WebSearch", "Grep", "mcp__x__y",
]  # fmt: skip
PARAMETERS = [
    "command", "description", "file_path", "content", "old_string", "new_string", "edits", "todos", "questions", "plan",
    "prompt", "subagent_type", "url",
]  # fmt: skip
texts = st.text(max_size=60) | st.sampled_from(
    ["<script>x</script>", "```\nx", "  1→a\n  2→b", '"q"="a"', "\ud800"]
)
inputs = st.dictionaries(st.sampled_from(PARAMETERS), json_values, max_size=5) | json_values
calls = st.builds(
    ToolCall,
    id=st.sampled_from(["", "c1"]),
    name=st.sampled_from(KNOWN) | st.text(max_size=10),
    input=inputs,
    result=st.none() | st.builds(ToolResult, blocks=st.lists(st.builds(Text, text=texts), max_size=2).map(tuple),
                                 is_error=st.booleans()),
)  # fmt: skip
leaves = (
    calls
    | st.builds(Text, text=texts)
    | st.builds(Thinking, text=texts)
    | st.builds(Prompt, text=texts)
    | st.builds(Note, kind=st.sampled_from(list(NoteKind)), text=texts)
    | st.builds(Unknown, kind=texts, json=texts)
    | st.builds(Link, url=texts)
    | st.builds(Attachment, file=st.sampled_from(["aa.png", "zz.png", "bb.svg"]), media_type=st.just("image/png"),
                name=texts, size=st.integers(0))
)  # fmt: skip
blocks = st.recursive(
    leaves,
    lambda inner: st.builds(
        SubAgent, id=texts, kind=texts, description=texts, call_id=st.sampled_from(["", "c1"]),
        blocks=st.lists(inner, max_size=3).map(tuple),
    ),
    max_leaves=8,
)  # fmt: skip


@settings(deadline=None)  # a loaded machine is no failure
@given(side=st.lists(blocks, max_size=12), words=st.sampled_from([choose("en"), choose("vi")]))
def test_any_blocks_become_html_that_holds_only_what_we_allow(inspect_html, side, words):
    sheet = Sheet(words=words, name="turn-001", attachments=frozenset({"aa.png", "bb.svg"}))

    for html in (render_user(side, sheet), render_assistant(side, sheet)):
        found = inspect_html(html)
        assert found.problems == []
        assert not found.ids


def test_a_call_is_folded_to_its_name_its_argument_and_how_much_it_answered(sheet):
    html = render_assistant([call("Bash", {"command": "npm test"}, "a\nb")], sheet)

    summary = html.partition("<summary>")[2].partition("</summary>")[0]
    assert "Bash" in summary
    assert "npm test" in summary
    assert "2 lines" in summary
    assert "<details class" in html
    assert " open" not in html


def test_an_error_is_told_in_the_line(sheet):
    html = render_assistant([call("Bash", {"command": "x"}, "boom", is_error=True)], sheet)

    assert "awf-failed" in html
    assert '<span class="awf-bad">Error</span>' in html


def test_an_edit_is_a_difference(sheet):
    given = {"file_path": "a.py", "old_string": "x = 1\ny = 2", "new_string": "x = 1\ny = 3"}

    html = render_assistant([call("Edit", given, "ok")], sheet)

    assert '<span class="gd">-y = 2\n</span><span class="gi">+y = 3\n</span>' in html
    assert "<span> x = 1\n</span>" in html


def test_every_edit_of_several_is_shown(sheet):
    edits = [{"old_string": f"old {n}", "new_string": f"new {n}"} for n in range(3)]

    html = render_assistant([call("MultiEdit", {"file_path": "a", "edits": edits}, "ok")], sheet)

    assert html.count('class="gd"') == 3


def test_a_written_file_has_the_colours_of_its_ending(sheet):
    html = render_assistant([call("Write", {"file_path": "a.py", "content": "def f(): pass"}, "ok")], sheet)

    assert '<span class="k">def</span>' in html


def test_a_file_that_was_read_loses_its_line_numbers_not_its_remarks(sheet):
    text = "     1→import os\n     2→x = 1\n\n<system-reminder>be careful</system-reminder>"

    html = render_assistant([call("Read", {"file_path": "a.py"}, text)], sheet)

    assert "1–2" in html
    assert "1→" not in html
    assert "be careful" in html


def test_todos_are_a_check_list(sheet):
    todos = [
        {"content": "one", "status": "completed"},
        {"content": "two", "status": "in_progress"},
        {"content": "three"},
    ]

    html = render_assistant([call("TodoWrite", {"todos": todos}, "ok")], sheet)

    assert [mark in html for mark in ("☑ one", "◐ two", "☐ three")] == [True] * 3


def test_a_question_shows_its_options_and_the_chosen_one(sheet):
    options = [{"label": "SQLite", "description": "one file"}, {"label": "Postgres"}]
    given = {"questions": [{"question": "Which store?", "header": "Store", "options": options}]}
    text = 'User has answered your questions: "Which store?"="SQLite".'

    html = render_assistant([call("AskUserQuestion", given, text)], sheet)

    assert (
        'class="awf-chosen"><strong>SQLite</strong> <span class="awf-good">✔ chosen</span> one file' in html
    )
    assert "<details open" in html.replace(' class="awf-tool"', "")
    assert html.count("✔") == 1


def test_an_answer_in_the_users_own_words_is_shown(sheet):
    given = {"questions": [{"question": "Which?", "header": "H", "options": [{"label": "A"}]}]}

    html = render_assistant([call("AskUserQuestion", given, '"Which?"="neither, wait"')], sheet)

    assert "neither, wait" in html
    assert "awf-answer" in html


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ("what would change?  and why?", "what would change?  and why?"),
        ("A, and the rest later", "A, and the rest later"),
        ("long " * 100 + "end", "long end"),
        ("one\ntwo", "one\ntwo"),
    ],
    ids=["asks back", "beside an option", "long", "two lines"],
)
def test_an_answer_in_the_users_own_words_stands_whole(sheet, answer, shown):
    given = {
        "questions": [{"question": "Which?", "header": "H", "options": [{"label": "A"}, {"label": "B"}]}]
    }

    html = render_assistant([call("AskUserQuestion", given, f'"Which?"="{answer}"')], sheet)

    own = html.partition('<p class="awf-answer">')[2].partition("</p>")[0]
    assert shown in own
    assert choose("en").site.unanswered not in html
    assert 'class="awf-out awf-wrapped"' in html.replace("highlight ", "")


def test_several_chosen_options_are_no_words_of_the_users_own(sheet):
    given = {
        "questions": [
            {"question": "Which?", "options": [{"label": "A"}, {"label": "B, or C"}, {"label": "D"}]}
        ]
    }

    both = render_assistant([call("AskUserQuestion", given, '"Which?"="A, D"')], sheet)
    one = render_assistant([call("AskUserQuestion", given, '"Which?"="B, or C"')], sheet)

    assert [html.count('<li class="awf-chosen">') for html in (both, one)] == [2, 1]
    assert ["awf-answer" in html for html in (both, one)] == [False, False]


def test_an_unanswered_question_says_so(sheet):
    given = {"questions": [{"question": "Which?", "options": []}]}

    html = render_assistant([ToolCall(id="c", name="AskUserQuestion", input=given)], sheet)

    assert choose("en").site.unanswered in html


def test_a_plan_is_read_as_markdown(sheet):
    html = render_assistant([call("ExitPlanMode", {"plan": "# Plan\n\n1. **do**"}, "approved")], sheet)

    assert "<strong>do</strong>" in html


def test_a_sub_agent_stands_inside_the_call_that_started_it(sheet):
    agent = SubAgent(
        id="a", kind="Explore", description="look", call_id="c1", blocks=(Prompt(text="find it"),)
    )

    html = render_assistant([call("Task", {"subagent_type": "Explore"}, "done"), agent], sheet)

    assert html.index("awf-tool") < html.index("awf-agent") < html.index("find it") < html.index("done")
    assert html.count("awf-agent") == 1


def test_a_sub_agent_without_its_call_is_shown_all_the_same(sheet):
    agent = SubAgent(id="a", kind="", description="", call_id="gone", blocks=(Text(text="alone"),))

    assert "alone" in render_assistant([agent], sheet)


@pytest.mark.parametrize(
    ("file", "media_type", "expected"),
    [
        pytest.param("aa.png", "image/png", '<img src="files/aa.png"', id="raster image"),
        pytest.param(
            "bb.svg", "image/svg+xml", 'href="files/bb.svg" download=', id="SVG is only a download (B15)"
        ),
        pytest.param("cc.pdf", "application/pdf", 'href="files/cc.pdf" download=', id="PDF is a link (B15)"),
        pytest.param("no.png", "image/png", choose("en").site.image_missing, id="not in the archive"),
    ],
)
def test_attachments(sheet, file, media_type, expected):
    html = render_user([Attachment(file=file, media_type=media_type, name="x", size=3)], sheet)

    assert expected in html
    assert ("<img" in html) == (file == "aa.png")


def test_a_remote_image_is_a_link(sheet):
    html = render_user([Link(url="https://e.org/a.png", media_type="image/png")], sheet)

    assert 'href="https://e.org/a.png"' in html
    assert "<img" not in html


def test_a_machines_summary_is_folded_and_named(sheet):
    html = render_user([Note(kind=NoteKind.SUMMARY, text="SYNTHETIC **x**")], sheet)

    assert html.startswith('<details class="awf-note awf-summary">')
    assert "Machine-written summary" in html
    assert "<strong>x</strong>" in html


def test_unknown_blocks_are_json(sheet):
    html = render_assistant([Unknown(kind="hologram", json=json.dumps({"a": "<b>"}))], sheet)

    assert "hologram" in html
    assert "&lt;b&gt;" in html


def test_a_long_output_is_cut_with_a_link_to_the_whole(sheet):
    text = "\n".join(f"line {n}" for n in range(1000))

    html = render_assistant([call("Bash", {"command": "x"}, text)], sheet)

    assert len(html) < 3_000
    assert "line 500" not in html
    assert 'href="full/turn-001-1.txt"' in html
    assert sheet.files["turn-001-1.txt"] == text


def test_how_a_long_command_began_and_how_it_ended_is_shown(sheet):
    text = "\n".join(f"line {n}" for n in range(1000)) + "\n3 failed, 9 passed\n"

    html = render_assistant([call("Bash", {"command": "x"}, text)], sheet)

    assert "line 0\n" in html
    assert "\n⋯\n" in html
    assert "3 failed, 9 passed</code>" in html


def test_of_an_error_more_is_shown_than_of_a_file_that_was_looked_at(sheet):
    text = "\n".join(f"line {n:>20}" for n in range(1000))

    looked = render_assistant([call("Grep", {"pattern": "x"}, text)], sheet)
    failed = render_assistant([call("Grep", {"pattern": "x"}, text, is_error=True)], sheet)

    assert looked.count("line ") < failed.count("line ") / 2


@given(
    text=st.lists(st.sampled_from(["", "a", "bb " * 100, "c" * 900]), max_size=60).map("\n".join),
    room=st.sampled_from([ASKED, PRINTED, SEEN]),
)
def test_what_is_not_on_the_page_lies_whole_beside_it(text, room):
    sheet = Sheet(words=choose("en"), name="turn-001")

    html = output_block(text, sheet, room=room)

    shown = html.partition("<code>")[2].partition("</code>")[0]
    assert shown == text or list(sheet.files.values()) == [text]
    assert len(shown) <= room.characters + 310
    assert all(part in text for part in shown.split("\n⋯\n"))


def test_one_enormous_line_is_cut_too(sheet):
    html = render_assistant([call("Bash", {"command": "x"}, "y" * 2_000_000)], sheet)

    assert len(html) < 20_000
    assert len(sheet.files["turn-001-1.txt"]) == 2_000_000


def test_many_steps_in_a_row_are_folded_under_one_line(sheet):
    run = [call("Read", {"file_path": f"{n}"}, "x") for n in range(20)] + [
        call("Bash", {"command": "x"}, "e", is_error=True)
    ]

    html = render_assistant(run, sheet)

    assert html.count("awf-run") == 1
    assert "21 tool calls" in html
    assert "Read ×20, Bash ×1" in html
    assert "Error ×1" in html


def test_control_characters_of_an_output_never_reach_the_page(sheet):
    html = render_assistant(
        [call("Bash", {"command": "x"}, "\x1b[31mFAILED\x1b[0m tests/test_a.py::test_x\x00\x07")], sheet
    )

    assert "FAILED tests/test_a.py::test_x␀␇" in html
