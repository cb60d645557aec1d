"""What a hook is told may be cut, empty, endless or about nothing (cases I01 and I03)."""

import json
import os
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awf_archive.integrations.hook_input import Event, parsed, read

HOOK = [sys.executable, "-m", "awf_archive", "hook", "claude-code"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b'{"session_id": "7171',
        b"[]",
        b"null",
        b"\xff\xfe\x00",
        b'{"hook_event_name": 7}',
        b"[" * 100_000,
        b'{"hook_event_name": "Stop", "cwd": null, "session_id": [], "transcript_path": {}}',
    ],
    ids=["empty", "brace", "cut", "list", "null", "bytes", "number", "deep", "types"],
)
def test_whatever_stands_on_stdin_the_hook_leaves_well_and_says_nothing(tool, data):
    answer = tool.fire_raw(data)

    assert (answer.code, answer.out, answer.err) == (0, "", "")


def test_a_stdin_that_never_ends_is_not_waited_for(tool):
    started = time.monotonic()
    with subprocess.Popen(
        HOOK, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=tool.environment
    ) as process:
        code = process.wait(10)
        said = process.stdout.read(), process.stderr.read()

    assert (code, said) == (0, (b"", b""))
    assert time.monotonic() - started < 5
    assert tool.log().count("\n") == 1


def test_an_event_on_a_stdin_that_stays_open_is_answered_at_once(tool):
    with subprocess.Popen(HOOK, stdin=subprocess.PIPE, env=tool.environment) as process:
        process.stdin.write(json.dumps(tool.event("PreCompact")).encode())
        process.stdin.flush()
        code = process.wait(10)

    assert code == 0
    assert tool.triggers() == [("checkpoint", "pre_compact")]


def test_i03_a_hook_that_runs_under_ours_does_nothing(tool):
    tool.extra = {"AWF_ARCHIVE_HOOK_ACTIVE": "1"}

    answer = tool.fire("SessionEnd", reason="clear")

    assert (answer.code, answer.out, tool.jobs()) == (0, "", [])


def test_an_event_that_we_do_not_know_does_nothing(tool):
    assert tool.fire("TeaTime", tea="green").json == {}
    assert tool.jobs() == []


def test_a_large_event_arrives_whole(tool):
    answer = tool.fire("UserPromptSubmit", prompt="x" * 3_000_000 + "\nbye", surprise={"a": [1]})

    assert answer.json["systemMessage"]


@pytest.mark.parametrize(
    ("path", "window"),
    [
        ("/home/a/.claude/projects/x/5d0c.jsonl", "5d0c"),
        ("C:\\Users\\Người Dùng\\.claude\\x\\5d0c.jsonl", "5d0c"),
        ("", "from-session"),
        ("/x/../../etc/.jsonl", "from-session"),
    ],
)
def test_a_window_is_known_by_its_transcript(path, window):
    assert Event("Stop", "from-session", "", path, {}).window == window


@given(st.binary(max_size=200) | st.text().map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_no_bytes_make_reading_an_event_fail(data):
    parsed(data)


def test_reading_ends_with_the_object_with_the_end_or_with_silence():
    ends = []
    for data, close in ((b'{"a": {}} ', False), (b'{"a": ', True), (b'{"a": ', False)):
        reader, writer = os.pipe()
        os.write(writer, data)
        if close:
            os.close(writer)
        ends.append(read(reader, silence=0.05))

    assert ends == [b'{"a": {}} ', b'{"a": ', b'{"a": ']


@pytest.mark.shared
@pytest.mark.parametrize("folder", ["I01-sessionend-missing-transcript", "I03-hook-stdin-and-recursion"])
def test_reported_inputs_end_well(tool, shared, folder):
    inputs = sorted((shared / "cases" / folder).glob("*input*"))
    answers = [(path.name, tool.fire_raw(path.read_bytes())) for path in inputs]

    assert len(answers) >= 4
    assert [
        (name, one.code, one.out, one.err) for name, one in answers if one.code or one.out or one.err
    ] == []
    assert all(one.seconds < 3 for _, one in answers)
    assert len(tool.log().splitlines()) >= len(answers)
