"""Rules that only show in rare sessions, each with the session that needs it."""

import json

import pytest
from records import SESSION, Session
from sources import BytesSource

from awf_archive.domain.transcript import Attachment, SubAgent, Text, ToolCall
from awf_archive.errors import InputError
from awf_archive.readers.claude_code import reader as claude_code

OTHER = "0bad0000-0000-4000-8000-00000000000a"


def read(session, **beside):
    data = session if isinstance(session, bytes) else session.bytes()
    return claude_code.read(BytesSource(data, beside=beside.get("beside", {})))


def said(transcript):
    return [
        (
            "\n".join(block.text for block in turn.user if isinstance(block, Text)),
            [block.text for block in turn.assistant if isinstance(block, Text)],
        )
        for turn in transcript.turns()
    ]


def branches(transcript):
    return [str(outline.branch) for outline in transcript.outlines]


def queue(operation, second, **fields):
    return {
        "type": "queue-operation",
        "operation": operation,
        "timestamp": f"2026-05-01T08:00:{second:02d}Z",
        "sessionId": SESSION,
        **fields,
    }


def queued_command(session, prompt):
    session.add(
        "attachment", attachment={"type": "queued_command", "commandMode": "prompt", "prompt": prompt}
    )


def test_the_same_command_after_an_answer_is_a_turn_of_its_own():
    session = Session()
    session.user("/deploy")
    session.say("deployed")
    session.user("<command-name>/deploy</command-name>")
    session.say("deployed again")

    assert said(read(session)) == [("/deploy", ["deployed"]), ("/deploy", ["deployed again"])]


def test_an_attachment_after_the_answer_repeats_the_queued_prompt_silently():
    session = Session()
    session.user("start")
    session.records += [queue("enqueue", 1, content="more"), queue("remove", 1)]
    session.say("yes, more")
    queued_command(session, "more")
    session.say("done")

    assert said(read(session)) == [("start", []), ("more", ["yes, more", "done"])]


def test_what_was_written_before_a_prompt_was_absorbed_is_no_answer_to_it():
    session = Session()
    session.user("start")
    session.records += [queue("enqueue", 2, content="more"), queue("remove", 30)]
    session.say("still about the start")
    queued_command(session, "more")
    session.say("about more")

    assert said(read(session)) == [("start", ["still about the start"]), ("more", ["about more"])]


def test_an_attachment_may_come_before_the_removal():
    session = Session()
    session.user("start")
    session.records += [queue("enqueue", 1, content="one"), queue("enqueue", 1, content="two")]
    queued_command(session, "one")
    session.records += [queue("remove", 3)]
    session.say("about one")
    session.records += [queue("dequeue", 5)]
    session.user("two")

    assert said(read(session)) == [("start", []), ("one", ["about one"]), ("two", [])]


def test_images_of_a_queued_prompt_are_taken_from_its_attachment():
    session = Session()
    session.user("start")
    session.records += [queue("enqueue", 1, content="see"), queue("remove", 2)]
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aG\nk="}}
    queued_command(session, [{"type": "text", "text": "see"}, image])

    turn = list(read(session).turns())[1]

    assert [type(block) for block in turn.user] == [Text, Attachment]
    assert list(turn.payloads.values()) == [b"hi"]


def test_a_second_id_without_a_return_to_the_first_is_a_resumed_window():
    session = Session()
    session.user("first")
    session.say("yes")
    session.parent = None
    session.user("resumed without a link", sessionId=OTHER)

    transcript = read(session)

    assert [outline.foreign for outline in transcript.outlines] == [None, None]
    assert transcript.windows == (SESSION, OTHER)


def test_the_files_own_name_is_the_windows_name():
    session = Session()
    session.user("copied", sessionId=OTHER)
    session.user("mine")

    transcript = claude_code.read(BytesSource(session.bytes(), stem=SESSION))

    assert transcript.windows == (SESSION, OTHER)
    assert [outline.foreign for outline in transcript.outlines] == [None, None]


def test_a_queued_prompt_of_an_abandoned_turn_is_abandoned():
    session = Session()
    session.user("root")
    fork = session.say("answer")
    session.user("left")
    queued_command(session, "queued on the left")
    session.say("left answer")
    session.parent = fork
    session.user("right")

    assert branches(read(session)) == ["main", "abandoned", "abandoned", "main"]


def test_hooks_between_records_do_not_hide_a_rewind():
    session = Session()
    session.user("root")
    fork = session.say("answer")
    session.add("progress", data={"type": "hook_progress"})
    session.user("left")
    session.parent = fork
    session.add("progress", data={"type": "hook_progress"})
    session.user("right")

    assert branches(read(session)) == ["main", "abandoned", "main"]


def test_a_compaction_that_goes_on_from_an_earlier_record_is_no_rewind():
    session = Session()
    session.user("root")
    before = session.say("answer")
    session.user("please compact")
    session.parent = None
    session.add("system", subtype="compact_boundary", logicalParentUuid=before, compactMetadata={})
    session.user("after it")
    session.say("fine")

    assert branches(read(session)) == ["main", "main", "main"]


def test_parallel_results_and_api_errors_are_no_rewinds():
    session = Session()
    session.user("root")
    calls = session.call("Read", "t1", {})
    session.result("t1", "one")
    session.parent = calls
    session.add("system", subtype="api_error", error={})
    session.say("answer")
    session.user("next")

    assert branches(read(session)) == ["main", "main"]


def test_a_rewind_to_an_older_branch_keeps_both_until_something_is_typed():
    session = Session()
    session.user("root")
    fork = session.say("answer")
    left = session.user("left")
    session.parent = fork
    session.user("right")
    session.records.append({"type": "last-prompt", "leafUuid": left, "sessionId": SESSION})

    assert branches(read(session)) == ["main", "main", "main"]


def test_a_call_written_twice_is_one_call():
    session = Session()
    session.user("go")
    session.call("Bash", "t1", {"command": "ls"})
    session.call("Bash", "t1", {"command": "ls"})
    session.result("t1", "a.py")
    session.result("t1", "a.py")

    (turn,) = read(session).turns()

    assert [type(block) for block in turn.assistant] == [ToolCall]


def agent_file(prompt, words, agent, nested=None):
    session = Session()
    session.user(prompt, isSidechain=True, agentId=agent)
    if nested:
        session.call("Task", nested[0], {"prompt": nested[1]})
    session.say(words, isSidechain=True, agentId=agent)
    return session.bytes()


def agents_of(turn):
    return [(block.id, block.call_id) for block in turn.assistant if isinstance(block, SubAgent)]


def test_agents_with_the_same_prompt_each_get_a_call():
    session = Session()
    session.user("delegate")
    session.call("Task", "t1", {"prompt": "same"})
    session.call("Task", "t2", {"prompt": "same"})
    session.result("t1", "done", toolUseResult={"agentId": "a9"})
    files = {f"input/subagents/agent-{name}.jsonl": agent_file("same", name, name) for name in ("a1", "a9")}

    (turn,) = read(session, beside=files).turns()

    assert agents_of(turn) == [("a9", "t1"), ("a1", "t2")]


def test_progress_names_the_call_of_an_agent():
    session = Session()
    session.user("delegate")
    session.call("Agent", "t1", {"prompt": "worded otherwise"})
    session.add("progress", data={"type": "agent_progress", "agentId": "a1"}, parentToolUseID="t1")
    session.user("next")

    first, second = read(
        session, beside={"input/subagents/agent-a1.jsonl": agent_file("p", "w", "a1")}
    ).turns()

    assert (agents_of(first), agents_of(second)) == ([("a1", "t1")], [])


def test_a_nested_agent_that_grows_changes_the_turn():
    session = Session()
    session.user("delegate")
    session.call("Task", "t1", {"prompt": "outer"})
    outer = agent_file("outer", "words", "a1", nested=("n1", "inner"))
    digests = {
        read(
            session,
            beside={
                "input/subagents/agent-a1.jsonl": outer,
                "input/subagents/agent-a2.jsonl": agent_file("inner", words, "a2"),
            },
        )
        .outlines[0]
        .fingerprint
        for words in ("short", "longer")
    }

    assert len(digests) == 2


def test_agents_that_call_each_other_are_still_shown():
    session = Session()
    session.user("delegate")
    files = {
        "input/subagents/agent-a1.jsonl": agent_file("one", "words one", "a1", nested=("n1", "two")),
        "input/subagents/agent-a2.jsonl": agent_file("two", "words two", "a2", nested=("n2", "one")),
    }

    (turn,) = read(session, beside=files).turns()

    assert {agent for agent, _ in agents_of(turn)} == {"a1", "a2"}


def test_inline_agents_with_the_same_prompt_each_get_a_call():
    session = Session()
    session.user("delegate")
    session.call("Task", "t1", {"prompt": "same"})
    session.call("Task", "t2", {"prompt": "same"})
    for words in ("one", "two"):
        session.parent = None
        session.user("same", isSidechain=True)
        session.say(words, isSidechain=True)

    (turn,) = read(session).turns()

    assert [call for _, call in agents_of(turn)] == ["t1", "t2"]


def test_an_inline_agent_belongs_to_its_call_even_when_the_user_went_on():
    session = Session()
    session.user("delegate")
    session.call("Task", "t1", {"prompt": "side"})
    session.user("meanwhile")
    session.parent = None
    session.user("side", isSidechain=True)
    session.say("side words", isSidechain=True)

    first, second = read(session).turns()

    assert (len(agents_of(first)), agents_of(second)) == (1, [])


@pytest.mark.parametrize("data", [b"no json\nat all\n", b'{"type": "user", "uuid": "u", "sessionId": "s"}\n'])
def test_a_file_of_which_nothing_can_be_read_is_an_error(data):
    with pytest.raises(InputError):
        read(data)


def test_codex_records_are_not_ours_even_with_our_words():
    record = {"type": "user", "uuid": "u", "sessionId": "s", "message": {}, "payload": {}}

    assert not claude_code.accepts(BytesSource(json.dumps(record).encode()))


def test_a_first_line_longer_than_the_head_is_recognised_by_its_beginning():
    session = Session()
    session.user("x" * 400_000, isSidechain=False)
    record = session.records[0]
    ordered = {key: record.pop(key) for key in ("parentUuid", "isSidechain", "sessionId")}
    data = json.dumps({**ordered, **record}).encode()

    assert claude_code.accepts(BytesSource(data))
    assert not claude_code.accepts(BytesSource(b'{"x": "' + b"y" * 400_000 + b'"}'))


def test_records_without_an_id_get_one_each():
    record = {"type": "user", "sessionId": SESSION, "message": {"role": "user", "content": "same"}}

    transcript = read((json.dumps(record).encode() + b"\n") * 2)

    assert len({outline.id for outline in transcript.outlines}) == 2
    assert said(transcript) == [("same", []), ("same", [])]


def test_bytes_that_are_no_utf8_can_be_had_back():
    session = Session()
    session.user("caf~")

    transcript = read(session.bytes().replace(b"~", b"\xe9"))
    (turn,) = transcript.turns()

    assert turn.user[0].text.encode(errors="surrogateescape") == b"caf\xe9"
    assert [problem.code for problem in transcript.problems] == ["bad-utf8"]


def test_a_backslash_before_a_surrogate_escape_is_no_surrogate():
    session = Session()
    session.user("the code \\ud82d in a text, and a pair \U0001f642")

    assert read(session).problems == ()
    assert read(json.dumps(session.records[0]).encode()).problems == ()


def test_deep_nesting_is_a_problem_at_most():
    for depth in (400, 900, 990, 5000):
        block = {"type": "tool_use", "id": "t", "name": "n", "input": 1}
        record = {
            "type": "assistant",
            "uuid": "u",
            "sessionId": SESSION,
            "message": {"content": [{**block, "type": "odd"}]},
        }
        data = (
            json.dumps(record).replace(": 1}", ": " + "[" * depth + '"\\ud800"' + "]" * depth + "}").encode()
        )
        transcript = read(b'{"type": "mode", "sessionId": "s"}\n' + data)

        assert len(transcript.problems) >= 1
        assert len(list(transcript.turns())) == len(transcript.outlines)


def test_the_public_reader_gives_one_transcript():
    session = Session()
    session.user("hi")

    (transcript,) = claude_code.READER.read(BytesSource(session.bytes()))

    assert said(transcript) == [("hi", [])]
