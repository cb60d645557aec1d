"""A session read while it grows: what was there before stays as it was."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from records import SESSION, Session
from sources import BytesSource

from awf_archive.readers.claude_code import reader as claude_code
from awf_archive.readers.shared.jsonl import lines


def a_long_session():
    session = Session()
    session.user("first\u2028prompt é")
    session.call("Bash", "t1", {"command": "make"})
    session.user("<command-name>/review</command-name>\n<command-message>review</command-message>")
    session.say("reviewed")
    session.result("t1", "late")
    session.add(
        "attachment", attachment={"type": "queued_command", "commandMode": "prompt", "prompt": "queued"}
    )
    session.say("seen")
    session.user("<bash-input>ls</bash-input>")
    session.user("<bash-stdout>a.py</bash-stdout><bash-stderr></bash-stderr>")
    session.add("system", subtype="away_summary", content="you were away")
    session.user("last")
    session.say("bye")
    return session


DATA = a_long_session().bytes()
WHOLE = claude_code.read(BytesSource(DATA))


def fingerprints(transcript):
    return {outline.id: outline.fingerprint for outline in transcript.outlines}


@settings(max_examples=300, deadline=None)
@given(st.integers(0, len(DATA)))
def test_a_file_cut_anywhere_keeps_the_turns_of_its_complete_records(end):
    transcript = claude_code.read(BytesSource(DATA[:end]))

    ids = [outline.id for outline in transcript.outlines]
    complete = [json.loads(line.data) for line in lines(iter([DATA[:end]])) if line.complete and line.data]
    typed = [record["uuid"] for record in complete if record["uuid"] in {o.id for o in WHOLE.outlines}]
    assert ids == [outline.id for outline in WHOLE.outlines][: len(ids)]
    assert set(ids) >= {uuid for uuid in typed if uuid[:8] in {"00000001", "00000006", "00000011"}}
    assert [problem.code for problem in transcript.problems] in ([], ["partial"])
    assert sum(1 for _ in transcript.turns()) == len(ids)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300), st.integers(0, len(DATA)))
def test_any_bytes_spliced_in_are_a_problem_and_never_an_error(noise, place):
    place = DATA.rfind(b"\n", 0, place) + 1
    transcript = claude_code.read(BytesSource(DATA[:place] + noise + b"\n" + DATA[place:]))

    known = [outline.id for outline in transcript.outlines]
    assert [outline.id for outline in WHOLE.outlines] == [
        name for name in known if name in fingerprints(WHOLE)
    ]
    assert all(list(turn.user) or turn.assistant for turn in transcript.turns())


def test_later_records_change_only_the_turns_they_belong_to():
    seen = {}
    records = a_long_session().records
    for count in range(1, len(records) + 1):
        data = b"".join(json.dumps(record).encode() + b"\n" for record in records[:count])
        now = fingerprints(claude_code.read(BytesSource(data)))
        changed = [name for name, digest in seen.items() if now[name] != digest]
        last = list(seen)[-1:]
        late = [list(seen)[0]] if count == 5 else []  # noqa: RUF015
        assert set(changed) <= {*last, *late}
        seen = now
    assert len(seen) == 5


def test_line_ends_and_a_byte_order_mark_change_nothing():
    windows = b"\xef\xbb\xbf" + DATA.replace(b"\n", b"\r\n")

    transcript = claude_code.read(BytesSource(windows))

    assert transcript.outlines == WHOLE.outlines
    assert [turn.user for turn in transcript.turns()] == [turn.user for turn in WHOLE.turns()]


def test_reading_twice_gives_the_same():
    again = claude_code.read(BytesSource(DATA))

    assert again.outlines == WHOLE.outlines
    assert list(again.turns()) == list(WHOLE.turns())


def test_an_absorbed_prompt_has_one_id_before_and_after_its_attachment():
    session = Session()
    session.user("start")
    session.call("Bash", "t1", {})
    queue = [
        {
            "type": "queue-operation",
            "operation": "enqueue",
            "timestamp": "2026-05-01T08:00:03Z",
            "content": "more",
        },
        {"type": "queue-operation", "operation": "remove", "timestamp": "2026-05-01T08:00:04Z"},
    ]
    before = session.bytes() + b"".join(json.dumps(record).encode() + b"\n" for record in queue)
    session.records.clear()
    session.add(
        "attachment", attachment={"type": "queued_command", "commandMode": "prompt", "prompt": "more"}
    )
    session.say("and more")

    first = claude_code.read(BytesSource(before))
    then = claude_code.read(BytesSource(before + session.bytes()))

    assert [outline.id for outline in first.outlines] == [outline.id for outline in then.outlines]
    assert [outline.start for outline in then.outlines] == ["prompt", "queued"]


def test_a_sub_agents_file_that_grows_changes_its_turn_alone():
    session = Session()
    session.user("delegate")
    session.call("Task", "t1", {"prompt": "Find it", "description": "d", "subagent_type": "Explore"})
    session.user("next")
    agent = Session()
    agent.user("Find it", isSidechain=True, agentId="a1")
    short = {"input/subagents/agent-a1.jsonl": agent.bytes()}
    agent.say("found", isSidechain=True, agentId="a1")
    long = {"input/subagents/agent-a1.jsonl": agent.bytes()}

    before = claude_code.read(BytesSource(session.bytes(), beside=short)).outlines
    after = claude_code.read(BytesSource(session.bytes(), beside=long)).outlines

    assert before[0].fingerprint != after[0].fingerprint
    assert before[1] == after[1]


def test_a_side_file_that_appears_changes_its_turn():
    session = Session()
    session.user("big")
    session.call("Bash", "t1", {})
    session.result("t1", "<persisted-output>\nFull output saved to: /x/tool-results/b1.txt\n\nPreview:\nx")
    with_file = BytesSource(session.bytes(), beside={"input/tool-results/b1.txt": b"all of it"})

    before = claude_code.read(BytesSource(session.bytes()))
    after = claude_code.read(with_file)

    assert before.outlines[0].fingerprint != after.outlines[0].fingerprint
    assert [problem.code for problem in before.problems] == ["missing-side-file"]
    assert after.load(after.outlines[0]).assistant[0].result.blocks[0].text == "all of it"


@pytest.mark.parametrize("session", ["", SESSION])
def test_a_window_is_named_by_its_records_or_else_its_file(session):
    record = {"type": "user", "uuid": "u1", "sessionId": session, "message": {"role": "user", "content": "x"}}

    transcript = claude_code.read(BytesSource(json.dumps(record).encode()))

    assert transcript.windows == (session or "input",)
