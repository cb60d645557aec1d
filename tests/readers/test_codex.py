"""Codex CLI: what each generation and both streams read as."""

import json
from contextlib import suppress
from pathlib import Path

import pytest
import zstandard
from codex_build import WINDOW, Rollout
from hypothesis import given, settings
from hypothesis import strategies as st
from shown import blocks_within, show
from sources import BytesSource, PathSource

from awf_archive.domain.transcript import Note, Start, Text, Usage, prompt_digest
from awf_archive.errors import ArchiveError, InputError
from awf_archive.readers import READERS
from awf_archive.readers.codex import reader as codex
from awf_archive.readers.shared import zstd_source
from awf_archive.readers.shared.jsonl import lines

CASES = sorted(Path(__file__).with_name("codex").iterdir())


def read(rollout, stem="input", beside=None):
    return codex.read(BytesSource(rollout.bytes(), stem, beside or {}))


def shown(transcript):
    return json.loads(json.dumps(show(transcript)))


def sides(transcript):
    return [(turn["user"], turn["assistant"]) for turn in shown(transcript)["turns"]]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_reads_as_expected(case):
    expected = json.loads((case / "expected.json").read_bytes())

    transcript = codex.read(PathSource(next(case.glob("input.*"))))

    assert shown(transcript) == expected


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_exactly_this_reader_accepts_every_case(case):
    source = PathSource(next(case.glob("input.*")))

    assert [reader.name for reader in READERS if reader.accepts(source)] == ["codex"]


# Streams


@pytest.mark.parametrize("echoes", [(True, True), (False, True), (True, False)], ids=str)
def test_the_same_words_said_twice_stay_two(echoes):
    rollout = Rollout()
    for number, echo in enumerate(echoes):
        rollout.task(f"t{number}")
        rollout.user("ok", echo=echo)
        rollout.say("done", echo=echo)
        rollout.say("done", echo=echo)

    assert sides(read(rollout)) == [([["text", "ok"]], [["text", "done"], ["text", "done"]])] * 2


def test_a_prompt_typed_while_a_turn_runs_is_a_turn_of_its_own_with_an_id_of_its_own():
    rollout = Rollout()
    rollout.task("t1")
    rollout.user("go")
    rollout.call("c1", command="make")
    rollout.user("faster")
    rollout.result("c1", "built")
    rollout.say("done")

    transcript = read(rollout)

    assert [outline.id for outline in transcript.outlines] == ["t1", "t1-2"]
    call = ["call", "c1", "shell", {"command": "make"}, ["result", ["text", "built"]]]
    assert sides(transcript) == [([["text", "go"]], [call]), ([["text", "faster"]], [["text", "done"]])]


def test_last_words_that_stand_nowhere_else_are_kept():
    rollout = Rollout()
    rollout.task("t1")
    rollout.user("go")
    rollout.event("task_complete", turn_id="t1", last_agent_message="all done")

    assert sides(read(rollout)) == [([["text", "go"]], [["text", "all done"]])]


# Ids, places and growth


def test_ids_do_not_depend_on_the_files_name_or_compression(tmp_path):
    rollout = Rollout()
    rollout.user("no turn id")
    rollout.say("ok")
    packed = tmp_path / "rollout-x.jsonl.zst"
    packed.write_bytes(zstandard.ZstdCompressor().compress(rollout.bytes()))

    plain, moved = read(rollout, "rollout-2026-a"), codex.read(PathSource(packed))

    assert codex.accepts(PathSource(packed))
    assert plain.outlines == moved.outlines
    assert plain.windows == moved.windows == (WINDOW,)
    assert list(plain.turns()) == list(moved.turns())
    assert plain.outlines[0].id == f"{WINDOW}-2026-04-29T10:00:01.000Z"


def a_long_rollout():
    rollout = Rollout()
    for number in range(4):
        if number:
            rollout.task(f"t{number}")
        rollout.user(f"prompt {number} é")
        rollout.call(f"c{number}", command="ls")
        rollout.tokens(number, {"input_tokens": 9, "cached_input_tokens": 4, "output_tokens": 2})
        rollout.result(f"c{number}", "x" * 50)
        rollout.say(f"answer {number}")
        rollout.event("task_complete", turn_id=f"t{number}", last_agent_message=f"answer {number}")
    rollout.event("turn_aborted", reason="interrupted")
    return rollout


LONG = a_long_rollout()
WHOLE = read(LONG)


@pytest.mark.parametrize("count", range(1, len(LONG.lines)))
def test_growth_changes_only_the_last_turn(count):
    rollout = Rollout()
    rollout.lines = LONG.lines[:count]

    found = read(rollout).outlines

    assert [outline.id for outline in found] == [outline.id for outline in WHOLE.outlines][: len(found)]
    assert found[:-1] == WHOLE.outlines[: len(found[:-1])]


# Damage

DATA = LONG.bytes()
STARTS = [line.offset for line in lines(iter([DATA])) if b'"role": "user"' in line.data]
USERS = [turn["user"] for turn in shown(WHOLE)["turns"]]
ANSWERS = [turn["assistant"] for turn in shown(WHOLE)["turns"]]


def whole_before(data, place):
    """Compare the turns that stand before a damage with the whole file's."""
    found = []
    source = BytesSource(data)
    if codex.accepts(source):
        with suppress(ArchiveError):
            found = shown(codex.read(source))["turns"]
    safe = max(0, sum(start < place for start in STARTS) - 1)
    assert [turn["user"] for turn in found[:safe]] == USERS[:safe]
    for turn, answer in zip(found, ANSWERS[:safe], strict=False):
        assert turn["assistant"][: len(answer)] == answer


@settings(max_examples=400, deadline=None)
@given(st.integers(0, len(DATA)), st.binary(max_size=12), st.integers(0, 60))
def test_a_splice_loses_no_turn_that_stands_before_it(place, put, cut):
    whole_before(DATA[:place] + put + DATA[place + cut :], place)


@settings(max_examples=400, deadline=None)
@given(st.integers(0, len(DATA) * 8 - 1))
def test_a_flipped_bit_loses_no_turn_that_stands_before_it(bit):
    flipped = bytearray(DATA)
    flipped[bit // 8] ^= 1 << bit % 8

    whole_before(bytes(flipped), bit // 8)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, len(DATA)))
def test_a_cut_loses_nothing_but_what_is_cut_off(place):
    whole_before(DATA[:place], place)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["type", "text", "id"]), inner)
    ),
    max_leaves=4,
)


RECORDS = [
    line
    for case in CASES
    if not case.name.startswith("damaged")
    for line in next(case.glob("input.*")).read_bytes().splitlines()
    if b'"payload"' in line
]


@settings(max_examples=600, deadline=None)
@given(st.data())
def test_a_field_of_a_wrong_type_raises_nothing_but_our_own_errors(data):
    record = json.loads(data.draw(st.sampled_from(RECORDS)))
    payload = record["payload"]
    inner = [value for value in payload.values() if isinstance(value, dict)]
    holder = data.draw(st.sampled_from([record, payload, *inner]))
    if holder:
        holder[data.draw(st.sampled_from(sorted(holder)))] = data.draw(JSON)
    rollout = Rollout()
    rollout.lines = [*LONG.lines[:9], json.dumps(record), *LONG.lines[9:]]

    with suppress(ArchiveError):
        shown(read(rollout))


def test_a_first_line_that_is_cut_takes_the_window_from_the_files_name():
    rollout = Rollout()
    rollout.user("still here")
    rollout.lines[0] = rollout.lines[0][:60]

    transcript = read(rollout, f"rollout-2026-04-29T10-00-00-{WINDOW}")

    assert transcript.windows == (WINDOW,)
    assert [(problem.code, problem.origin.line) for problem in transcript.problems] == [("unreadable", 1)]


def test_records_of_which_none_is_understood_are_an_error():
    rollout = Rollout()
    rollout.event("brand_new_user_event", text="words")
    rollout.add("new_item_kind", text="more words")

    with pytest.raises(InputError, match="2 records of unknown kinds"):
        read(rollout)


def test_messages_of_which_none_can_be_read_are_an_error():
    rollout = Rollout()
    rollout.item("message", role="user", content=7)

    with pytest.raises(InputError, match="nothing in it"):
        read(rollout)


def test_a_file_without_conversation_is_empty():
    rollout = Rollout()
    rollout.user("<environment_context>\n</environment_context>", echo=False)

    transcript = read(rollout)

    assert transcript.outlines == ()
    assert transcript.problems == ()


# zstd


def test_a_damaged_zstd_frame_is_an_error_of_ours():
    packed = zstandard.ZstdCompressor().compress(DATA)

    with pytest.raises(InputError, match="damaged"):
        codex.read(BytesSource(packed[:40] + b"\xff" * 40 + packed[80:]))


def test_a_file_that_would_fill_the_disk_is_refused(monkeypatch):
    monkeypatch.setattr(zstd_source, "_FREE", 1000)
    bomb = zstandard.ZstdCompressor(level=19).compress(b"\0" * (64 << 20))

    with pytest.raises(InputError, match="too large"):
        codex.read(BytesSource(bomb))


def test_several_frames_are_one_file():
    packed = b"".join(zstandard.ZstdCompressor().compress(half) for half in (DATA[:300], DATA[300:]))

    assert shown(codex.read(BytesSource(packed))) == shown(WHOLE)


# What else a rollout holds


def test_rolled_back_turns_are_kept_as_abandoned():
    rollout = Rollout()
    for number in range(3):
        rollout.task(f"t{number}")
        rollout.user(f"prompt {number}")
        rollout.say("ok")
    rollout.event("thread_rolled_back", num_turns=2)
    rollout.task("t9")
    rollout.user("instead")

    found = [outline.branch for outline in read(rollout).outlines]

    assert found == ["main", "abandoned", "abandoned", "main"]


def test_a_token_count_that_is_repeated_counts_once():
    rollout = Rollout()
    rollout.user("one")
    rollout.tokens(10, {"input_tokens": 9, "cached_input_tokens": 4, "output_tokens": 2})
    rollout.tokens(10, {"input_tokens": 9, "cached_input_tokens": 4, "output_tokens": 2})
    rollout.say("ok")
    rollout.user("two")
    rollout.tokens(10, {"input_tokens": 9, "cached_input_tokens": 4, "output_tokens": 2})
    rollout.tokens(30, {"input_tokens": 18, "output_tokens": 2})

    first, second = read(rollout).turns()

    assert first.usage == Usage(input=5, output=2, cache_read=4)
    assert second.usage == Usage(input=18, output=2)


def test_a_sub_agents_file_stands_in_the_turn_that_started_it():
    child = "019dd8e4-0000-7143-95e8-0000000000aa"
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": WINDOW, "agent_role": "explorer"}}}
    parent, agent = Rollout(), Rollout(child)
    agent.lines[0] = json.dumps(
        {
            "timestamp": "2026-04-29T10:00:00.000Z",
            "type": "session_meta",
            "payload": {"id": child, "source": spawn},
        }
    )
    agent.user("look around")
    agent.say("seen")
    parent.task("t1")
    parent.user("go")
    parent.call("c1", name="spawn_agent", message="look around")
    parent.result("c1", json.dumps({"agent_id": child}))
    beside = {f"rollout-2026-04-29T10-00-09-{child}.jsonl": agent.bytes()}

    (turn,) = shown(read(parent, beside=beside))["turns"]
    alone = read(agent)

    agent_block = ["agent", [child, "explorer", "", "c1"], ["prompt", "look around"], ["text", "seen"]]
    assert turn["assistant"][1] == agent_block
    assert [outline.start for outline in alone.outlines] == [Start.MACHINE]


def test_a_fork_keeps_the_copied_turns_and_names_its_parent():
    rollout = Rollout("019dd8e4-0000-7143-95e8-00000000f0f0", forked_from_id=WINDOW)
    rollout.lines.append(Rollout().lines[0])
    rollout.task("t1")
    rollout.user("copied")

    transcript = read(rollout)

    assert transcript.windows == ("019dd8e4-0000-7143-95e8-00000000f0f0", WINDOW)
    assert [outline.id for outline in transcript.outlines] == ["t1"]


# history.jsonl


def test_a_history_of_prompts_is_never_mixed_up_with_the_conversation_itself():
    prompts = [("a", 1, "one"), ("b", 2, "hai"), ("a", 1, "one again"), ("a", 3, "three")]
    data = "".join(
        json.dumps({"session_id": name, "ts": time, "text": words}) + "\n" for name, time, words in prompts
    )
    source = BytesSource(data.encode())

    first, second = codex.READER.read(source)

    assert [reader.name for reader in READERS if reader.accepts(source)] == ["codex"]
    assert first.windows == ("prompts-of-a", "a")
    assert [outline.id for outline in first.outlines] == ["a-1", "a-1#2", "a-3"]
    assert [turn["user"] for turn in shown(first)["turns"]] == [
        [["text", "one"]],
        [["text", "one again"]],
        [["text", "three"]],
    ]
    assert [problem.code for problem in second.problems] == ["prompts-only"]


# ../shared

SHARED = Path(__file__).parents[3] / "shared"
CORPUS = {
    "01-v0.34.0-63prompts.jsonl": 63,
    "03-v0.34.0-empty.jsonl": 0,
    "05-v0.142.0.jsonl": 4,
    "07-v0.142.4.jsonl": 1,
    "09-v0.144.5.jsonl": 1,
    "11-v0.125.0.jsonl": 4,
    "12-v0.126.0-alpha.8-image.jsonl": 11,
    "14-v0.130.0.jsonl": 3,
    "16-v0.147.0.jsonl": 1,
}
"""MANIFEST's typed prompts; no file differs."""
CASE_TURNS = {
    "C01-codex-two-streams/input.jsonl": 2,
    "C02-codex-vocabulary-drift/input.jsonl": 1,
    "C02-codex-vocabulary-drift/v0151.input.jsonl": 1,
    "C02-codex-vocabulary-drift/v0153.input.jsonl": 1,
    "C05-codex-places-and-headers/input.jsonl": 1,
}


def words_of(path):
    """What both streams hold: the event's prompts, and the assistant's texts on either."""
    prompts, answers = [], []
    for line in path.read_bytes().splitlines():
        payload = json.loads(line)["payload"]
        if payload.get("type") == "user_message":
            prompts.append(payload["message"].split("## My request for Codex:\n", 1)[-1])
        elif payload.get("type") == "agent_message":
            answers.append(payload["message"])
        elif payload.get("type") == "message" and payload["role"] == "assistant":
            answers += [part["text"] for part in payload["content"]]
    return prompts, answers


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.exists(), reason="../shared is not here")
@pytest.mark.parametrize(("name", "turns"), CORPUS.items())
def test_every_typed_prompt_is_one_turn_and_no_answer_is_lost(name, turns):
    path = SHARED / "corpus" / "codex" / name

    transcript = codex.read(PathSource(path))

    read_turns = list(transcript.turns())
    prompts, answers = words_of(path)
    said = [block.text for turn in read_turns for block in turn.assistant if isinstance(block, Text)]
    assert [block.text for turn in read_turns for block in turn.user if isinstance(block, Text)] == prompts
    assert len(transcript.outlines) == turns
    assert set(said) == set(answers)
    assert len(said) == len(answers) / 2
    assert transcript.problems == ()
    for turn in read_turns:
        assert prompt_digest(turn.user) == turn.outline.prompt_digest
        assert not any(isinstance(block, Note) and not block.kind for block in blocks_within(turn.assistant))


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.exists(), reason="../shared is not here")
@pytest.mark.parametrize(("name", "turns"), CASE_TURNS.items())
def test_named_cases_hold(name, turns):
    transcript = codex.read(PathSource(SHARED / "cases" / name))

    assert len(transcript.outlines) == turns
    assert not transcript.title.startswith(("#", "<"))


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.exists(), reason="../shared is not here")
def test_every_prompt_of_the_history_is_one_turn():
    source = PathSource(SHARED / "corpus" / "codex" / "04-history.jsonl")

    assert [len(transcript.outlines) for transcript in codex.READER.read(source)] == [63, 52]


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.exists(), reason="../shared is not here")
def test_a_future_vocabulary_is_an_error():
    path = SHARED / "cases" / "C02-codex-vocabulary-drift" / "future.input.jsonl"

    with pytest.raises(InputError, match="not understood"):
        codex.read(PathSource(path))
