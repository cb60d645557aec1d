"""opencode: a database, a tree of files and an export say the same."""

import json
import sqlite3
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from opencode_build import Session, database, export, text, tool, tree
from shown import show
from sources import BytesSource, PathSource

from awf_archive.errors import ArchiveError, InputError
from awf_archive.readers import READERS
from awf_archive.readers.opencode import reader as opencode

CASES = sorted(path for path in Path(__file__).with_name("opencode").iterdir() if path.is_dir())
PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACw="
GIF = sha256(b"GIF89a\x01\x00\x01\x00\x00\x00\x00,").hexdigest()[:16]


def a_session(**more):
    session = Session(**more)
    session.say("user", text("sửa lỗi phân trang"), text("Called the Read tool", synthetic=True))
    session.say(
        "assistant",
        {"type": "step-start"},
        {"type": "reasoning", "text": "think"},
        text("Tôi xem."),
        tool("bash", "call_1", {"command": "ls"}, "a.py\n"),
        {"type": "step-finish", "reason": "stop", "tokens": {}},
        modelID="big-pickle",
        tokens={"input": 7, "output": 5, "reasoning": 2, "cache": {"read": 3, "write": 1}},
    )
    session.say("user", {"type": "compaction", "auto": True})
    session.say("assistant", text("what was done"), summary=True)
    session.say(
        "user", text("xem ảnh"), {"type": "file", "mime": "image/gif", "filename": "a.gif", "url": PIXEL}
    )
    session.say("assistant", text("ok"), error={"name": "MessageAbortedError", "data": {"message": "stop"}})
    return session


EXPECTED = {
    "title": "sửa lỗi phân trang",
    "windows": ["ses_1"],
    "problems": [],
    "turns": [
        {
            "id": "msg_1001",
            "start": "prompt",
            "models": ["big-pickle"],
            "output": 7,
            "user": [["text", "sửa lỗi phân trang"]],
            "assistant": [
                ["note context", "Called the Read tool"],
                ["thinking", "think"],
                ["text", "Tôi xem."],
                ["call", "call_1", "bash", {"command": "ls"}, ["result", ["text", "a.py\n"]]],
                ["note compaction", "auto"],
                ["note summary", "what was done"],
            ],
        },
        {
            "id": "msg_1005",
            "start": "prompt",
            "user": [
                ["text", "xem ảnh"],
                ["attachment", f"{GIF}.gif", "image/gif", "a.gif", 14],
            ],
            "assistant": [["text", "ok"], ["note interrupt", "MessageAbortedError: stop"]],
        },
    ],
}


def written(folder, way, *sessions):
    if way == "export":
        path = folder / "export.json"
        path.write_bytes(export(sessions[0]))
        return PathSource(path)
    return PathSource(
        tree(folder, *sessions) if way == "tree" else database(folder / "opencode.db", *sessions)
    )


def shown(transcript):
    found = json.loads(json.dumps(show(transcript)))
    for turn in found["turns"]:
        del turn["line"]
    return found


@pytest.mark.parametrize("way", ["export", "tree", "database"])
def test_each_way_of_keeping_a_session_reads_as_the_same_conversation(tmp_path, way):
    source = written(tmp_path, way, a_session())

    (transcript,) = opencode.read(source)

    assert shown(transcript) == EXPECTED
    assert transcript.cwd == "/srv/dev/demo"
    assert transcript.tool_version == "1.2.10"
    assert transcript.outlines[0].time == "2026-01-01T00:00:01.000Z"


@pytest.mark.parametrize("way", ["export", "tree", "database"])
def test_exactly_this_reader_accepts_it(tmp_path, way):
    source = written(tmp_path, way, a_session())

    assert [reader.name for reader in READERS if reader.accepts(source)] == ["opencode"]


@pytest.mark.parametrize("way", ["tree", "database"])
def test_a_sub_agents_session_stands_in_the_turn_that_called_it(tmp_path, way):
    parent, child = Session(title="Parent"), Session("ses_2", title="Look (@explore)", parent="ses_1")
    parent.say("user", text("go"))
    parent.say(
        "assistant", tool("task", "call_9", {"prompt": "look"}, "seen", sessionId="ses_2"), text("done")
    )
    child.say("user", text("look"))
    child.say("assistant", text("I see"))

    (transcript,) = opencode.read(written(tmp_path, way, parent, child))

    call = ["call", "call_9", "task", {"prompt": "look"}, ["result", ["text", "seen"]]]
    who = ["ses_2", "", "Look (@explore)", "call_9"]
    agent = ["agent", who, ["prompt", "look"], ["text", "I see"]]
    assert shown(transcript)["turns"][0]["assistant"] == [call, agent, ["text", "done"]]


def test_a_sub_agents_session_that_no_call_names_is_read_on_its_own(tmp_path):
    parent, child = a_session(), Session("ses_2", title="Child", parent="ses_1")
    child.say("user", text("look"))
    child.say("assistant", text("I see"))

    titles = [one.title for one in opencode.read(written(tmp_path, "database", parent, child))]

    assert titles == ["sửa lỗi phân trang", "Child"]


def test_reverted_messages_are_kept_as_abandoned(tmp_path):
    session = a_session(revert={"messageID": "msg_1005"})

    (transcript,) = opencode.read(written(tmp_path, "database", session))

    assert [outline.branch for outline in transcript.outlines] == ["main", "abandoned"]


def test_a_command_and_a_shell_call_start_turns(tmp_path):
    session = Session()
    session.say("user", text("The following tool was executed by the user", synthetic=True))
    session.say("assistant", tool("bash", "c1", {"command": "ls"}, "a.py"))
    session.say("user", {"type": "subtask", "command": "review", "prompt": "Review it.", "agent": "a"})
    session.say("assistant", text("fine"))

    (transcript,) = opencode.read(written(tmp_path, "export", session))

    assert [turn["start"] for turn in shown(transcript)["turns"]] == ["shell", "command"]
    assert shown(transcript)["turns"][1]["user"] == [["text", "/review"]]


def test_messages_still_in_the_write_ahead_log_are_read(tmp_path):
    path = database(tmp_path / "opencode.db", a_session())
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("PRAGMA journal_mode=WAL")
        writer.execute("UPDATE part SET data = ? WHERE id = 'prt_10010'", (json.dumps(text("mới")),))
        writer.commit()

        (transcript,) = opencode.read(PathSource(path))

        assert shown(transcript)["turns"][0]["user"] == [["text", "mới"]]


def test_reading_a_database_writes_nothing_beside_it(tmp_path):
    source = written(tmp_path, "database", a_session())
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}

    for transcript in opencode.read(source):
        list(transcript.turns())

    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_damaged_database_is_an_error_of_ours(tmp_path):
    path = database(tmp_path / "opencode.db", a_session())
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))

    with pytest.raises(InputError):
        list(opencode.read(PathSource(path)))


def test_a_part_that_cannot_be_read_is_a_problem_and_the_rest_is_kept(tmp_path):
    source = written(tmp_path, "tree", a_session())
    (tmp_path / "part" / "msg_1002" / "prt_10022.json").write_text('{"type": "te')

    (transcript,) = opencode.read(source)

    assert [(problem.code, problem.origin.file[-14:]) for problem in transcript.problems] == [
        ("unreadable", "prt_10022.json")
    ]
    assert len(list(transcript.turns())) == 2


def test_a_turn_grows_only_when_its_own_messages_do():
    session = a_session()
    before = [outline.fingerprint for outline in next(opencode.read(BytesSource(export(session)))).outlines]
    session.messages[0][0]["summary"] = {"title": "made later", "diffs": []}
    session.say("assistant", text("more"))

    after = [outline.fingerprint for outline in next(opencode.read(BytesSource(export(session)))).outlines]

    assert after[0] == before[0]
    assert after[1] != before[1]


EXPORT = export(a_session())
FIRST = shown(next(opencode.read(BytesSource(EXPORT))))["turns"][0]


@settings(max_examples=300, deadline=None)
@given(st.integers(0, len(EXPORT)), st.binary(max_size=8), st.integers(0, 40))
def test_damage_loses_no_turn_that_stands_before_it(place, put, cut):
    source = BytesSource(EXPORT[:place] + put + EXPORT[place + cut :])
    found = []
    if opencode.accepts(source):
        with suppress(ArchiveError):
            found = [turn for one in opencode.read(source) for turn in shown(one)["turns"]]

    if place >= EXPORT.index(b'"id": "msg_1005"'):
        assert found[0]["user"] == FIRST["user"]
        assert found[0]["assistant"][: len(FIRST["assistant"])] == FIRST["assistant"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["id", "type", "text"]), inner)
    ),
    max_leaves=4,
)


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_a_field_of_a_wrong_type_raises_nothing_but_our_own_errors(data):
    session = a_session()
    info, parts = data.draw(st.sampled_from(session.messages))
    holder = data.draw(
        st.sampled_from([session.info, info, *parts, *(one["state"] for one in parts if "state" in one)])
    )
    holder[data.draw(st.sampled_from(sorted(holder)))] = data.draw(JSON)

    with suppress(ArchiveError):
        for transcript in opencode.read(BytesSource(export(session))):
            show(transcript)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_reads_as_expected(case):
    expected = json.loads((case / "expected.json").read_bytes())

    (transcript,) = opencode.read(PathSource(next(case.glob("input.*"))))

    assert json.loads(json.dumps(show(transcript))) == expected
