"""Claude Code's prompt history as a reader sees it (docs/formats/claude-history.md)."""

import json

import pytest
from shown import show_block
from sources import BytesSource

from awf_archive.errors import InputError
from awf_archive.readers import READERS
from awf_archive.readers.claude_history.reader import ONLY_PROMPTS, READER, accepts, read

HOUR = 3_600_000
START = 1_772_442_000_000  # 2026-03-02T09:00:00Z
NOTE = ["note notice", ONLY_PROMPTS]


def line(display, at=0, project="/srv/shop", session=None, **more):
    record = {"display": display, "pastedContents": {}, "timestamp": START + at, "project": project}
    return json.dumps(record | ({"sessionId": session} if session else {}) | more, ensure_ascii=False)


def source(*lines, beside=None):
    return BytesSource("\n".join([*lines, ""]).encode(), "history", beside or {})


def prompts(transcripts):
    return [[show_block(block) for turn in one.turns() for block in turn.user] for one in transcripts]


def test_each_session_is_a_conversation_with_prompts_and_a_note_for_an_answer():
    found = list(
        read(source(line("a", 0, session="s1"), line("b", 1, session="s2"), line("c", 2, session="s1")))
    )

    assert [one.windows for one in found] == [("s1",), ("s2",)]
    assert prompts(found) == [[["text", "a"], ["text", "c"]], [["text", "b"]]]
    turns = list(found[0].turns())
    assert [[show_block(block) for block in turn.assistant] for turn in turns] == [[NOTE], [NOTE]]
    assert [turn.outline.time for turn in turns] == ["2026-03-02T09:00:00Z", "2026-03-02T09:00:00.002Z"]
    assert (found[0].cwd, found[0].format) == ("/srv/shop", "claude-history")


def test_prompts_without_a_session_belong_together_by_folder_and_without_a_long_silence():
    found = list(
        read(
            source(
                line("a", 0), line("other", 1, "/srv/pay"), line("b", 3 * HOUR), line("c", 8 * HOUR), line("d", 9 * HOUR)
            )
        )
    )  # fmt: skip

    assert prompts(found) == [
        [["text", "a"], ["text", "b"]],
        [["text", "other"]],
        [["text", "c"], ["text", "d"]],
    ]
    assert len({one.windows[0] for one in found}) == 3
    assert all(one.windows[0].startswith("history-") for one in found)


def test_a_conversation_without_a_name_keeps_its_made_up_one_when_it_goes_on():
    before = next(read(source(line("a", 0)))).windows
    after = next(read(source(line("a", 0), line("b", HOUR)))).windows

    assert before == after


PASTED = {"1": {"id": 1, "type": "text", "content": "x\ny\nz"}}


@pytest.mark.parametrize(
    ("display", "pasted", "shown"),
    [
        pytest.param(
            "fix [Pasted text #1 +3 lines] now", PASTED, [["text", "fix x\ny\nz now"]], id="put back"
        ),
        pytest.param(
            "fix it", PASTED, [["text", "fix it"], ["note context", "x\ny\nz"]], id="without a place"
        ),
        pytest.param(
            "see [Pasted text #1 +3 lines]",
            {"1": {"id": 1, "type": "text", "contentHash": "ab12"}},
            [["text", "see from the cache"]],
            id="kept in a file",
        ),
        pytest.param(
            "see [Pasted text #1 +3 lines]",
            {"1": {"id": 1, "type": "text", "contentHash": "gone"}},
            [
                ["text", "see [Pasted text #1 +3 lines]"],
                ["unknown", "pasted", {"id": 1, "type": "text", "contentHash": "gone"}],
            ],
            id="gone",
        ),
        pytest.param(
            "see [Image #1]",
            {"1": {"id": 1, "type": "image", "content": "AAAA"}},
            [
                ["text", "see [Image #1]"],
                ["unknown", "pasted", {"id": 1, "type": "image", "content": "AAAA"}],
            ],
            id="an image",
        ),
        pytest.param("a", {"1": 3, "2": None}, [["text", "a"]], id="values that are none"),
    ],
)
def test_what_was_pasted_stands_where_it_was(display, pasted, shown):
    beside = {"paste-cache/ab12.txt": b"from the cache"}

    found = read(source(line(display, session="s", pastedContents=pasted), beside=beside))

    assert prompts(found) == [shown]


def test_a_command_that_is_never_answered_is_a_note_and_others_are_turns():
    lines = ("/model opus", "/review 12", "!git status", "/clear")

    (found,) = read(source(*(line(text, at, session="s") for at, text in enumerate(lines))))

    turns = [
        (str(turn.outline.start), [show_block(b) for b in turn.user], [show_block(b) for b in turn.assistant])
        for turn in found.turns()
    ]
    assert turns == [
        ("prompt", [["note command", "/model opus"], ["text", "/review 12"]], [NOTE]),
        ("shell", [["text", "! git status"]], [NOTE]),
    ], "the last command waits for the turn that follows"


def test_titles_that_claude_code_still_lists_are_taken():
    entries = [
        {
            "sessionId": "s1",
            "summary": "Made by the model",
            "customTitle": "By hand",
            "gitBranch": "feature/pay",
        },
        {"sessionId": "s2", "summary": "Made by the model"},
    ]
    index = {
        "projects/-srv-shop/sessions-index.json": json.dumps({"version": 1, "entries": entries}).encode()
    }
    index["projects/-srv-pay/sessions-index.json"] = b"{broken"

    found = list(read(source(line("a", session="s1"), line("b", session="s2"), beside=index)))

    assert [(one.title, one.git_branch) for one in found] == [
        ("By hand", "feature/pay"),
        ("Made by the model", ""),
    ]


def test_each_keeps_its_own_lines_and_they_read_back_the_same():
    lines = (line("a", session="s1"), line("b", session="s2"), line("c", 5, session="s1"))
    first, second = read(source(*lines))

    for one, own in ((first, (lines[0], lines[2])), (second, lines[1:2])):
        data = one.own_files[""]()
        assert data == "\n".join([*own, ""]).encode()
        (again,) = read(BytesSource(data, "history"))
        assert [turn.outline.id for turn in again.turns()] == [turn.outline.id for turn in one.turns()]
        assert again.outlines == one.outlines


def test_damaged_and_strange_lines_are_told_and_the_rest_is_read():
    (found,) = read(source(line("a", session="s"), "{broken", '{"type": "x"}', line("b", 1, session="s")))

    assert prompts([found]) == [[["text", "a"], ["text", "b"]]]
    assert [(one.code, one.origin.line) for one in found.problems] == [("unreadable", 2), ("unknown-type", 3)]
    assert found.unreadable == 1


def test_a_history_of_nothing_but_damage_is_an_error():
    with pytest.raises(InputError, match="no prompt in it can be read"):
        list(read(source("{broken", "{broken")))


def test_only_the_history_itself_is_accepted():
    ours = source(line("a"))
    codex = source('{"session_id": "s", "ts": 1761959019, "text": "go"}')
    claude = source('{"type": "user", "display": "a", "project": "p", "timestamp": 1}')

    assert [accepts(one) for one in (ours, codex, claude, source(""), source("[1]"))] == [True, *[False] * 4]
    assert [row.name for row in READERS if row.accepts(ours)] == [READER.name]
