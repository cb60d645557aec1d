"""`awf-archive watch` as a real process: ended by signals, beside hooks, and for jobs that nobody works off."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

WATCH = [sys.executable, "-m", "awf_archive", "watch"]


def start(tool, *options):
    return subprocess.Popen(
        [*WATCH, "--interval", "1", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=tool.environment,
        cwd=tool.root,
    )


def line_of(process):
    """Wait for what it prints next; it ends by itself if that never comes."""
    return process.stdout.readline().decode()


def turns(tool):
    return sum(len(list(folder.glob("turn-*.md"))) for folder in tool.root.rglob("session-*"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_grows_is_saved_and_a_signal_ends_it_after_what_is_being_written(working, conversation, number):
    conversation.asks(2).write()
    os.utime(conversation.path, (1_700_000_000, 1_700_000_000))
    process = start(working, "--for", "1")

    assert "turns saved: 2 " in line_of(process)
    conversation.asks(1).write()
    process.send_signal(number)
    out, err = process.communicate(timeout=30)

    assert process.returncode == 0
    assert "turns saved: 1 " in out.decode()
    assert "Turns saved: 3" in err.decode()
    assert turns(working) == 3
    assert not (working.private / "watch-lock").exists()


def test_once_saves_what_changed_and_ends(working, conversation):
    conversation.asks(2).write()

    answer = working.run("watch", "--once", "--quiet", "1", "--json")
    again = working.run("watch", "--once", "--quiet", "1", "--json")

    assert answer.code == 0
    assert [one["savedTurns"] for one in answer.json["saved"]] == [2]
    assert again.json == {"saved": [], "failures": [], "looks": 1}


def test_a_second_one_is_refused_with_a_reason(working):
    first = start(working, "--for", "1")
    first.stderr.readline()

    second = working.run("watch", "--once")
    first.terminate()
    first.communicate(timeout=30)

    assert second.code == 4
    assert "Another awf-archive watch" in second.err


def test_killed_it_leaves_nothing_in_the_way_of_the_next(working, conversation):
    first = start(working, "--for", "1")
    first.stderr.readline()
    first.kill()
    first.communicate(timeout=30)
    conversation.asks(1).write()

    assert working.run("watch", "--once", "--quiet", "0").code == 0
    assert turns(working) == 1


def test_beside_hooks_nothing_is_saved_twice(working, conversation):
    conversation.asks(3).write()
    os.utime(conversation.path, (1_700_000_000, 1_700_000_000))
    process = start(working, "--for", "1", "--quiet", "0")

    for _ in range(3):
        working.fire("SessionEnd", reason="clear")
        conversation.asks(1).write()
    process.terminate()
    process.communicate(timeout=30)
    working.run("watch", "--once", "--quiet", "0")

    assert working.wait()
    assert turns(working) == 6


def test_jobs_of_a_worker_that_was_killed_are_worked_off(tool, conversation):
    conversation.asks(2).write()
    tool.fire("SessionEnd", reason="clear")
    assert len(tool.jobs()) == 1
    tool.let_worker_in()

    process = start(tool, "--for", "1", "--quiet", "600")
    deadline = time.monotonic() + 25
    while tool.jobs() and time.monotonic() < deadline:
        time.sleep(0.05)
    process.terminate()
    process.communicate(timeout=30)

    assert tool.wait()
    assert turns(tool) == 2


def test_a_skill_of_another_tool_saves_that_tool_s_conversation(working, conversation):
    conversation.asks(1).write()
    folder = working.home / ".gemini/tmp/work"
    (folder / "chats").mkdir(parents=True)
    (folder / ".project_root").write_text(str(working.root))
    time_ = "2026-12-01T03:33:00.000Z"
    messages = [
        {"id": "m1", "timestamp": time_, "type": "user", "content": "xin chào"},
        {"id": "m2", "timestamp": time_, "type": "gemini", "content": "Chào bạn."},
    ]
    session = {"sessionId": "9f077688-9", "projectHash": "x", "messages": messages}
    (folder / "chats/session-2026-12-01T03-33-9f077688.json").write_text(json.dumps(session))

    saved = working.run("skill", "checkpoint", "gemini-cli", text="shop\n")
    none = working.run("skill", "checkpoint", "codex")

    assert saved.code == 0
    assert "shop" in saved.out
    assert "xin chào" in next(working.root.rglob("turn-001.md")).read_text()
    assert none.code == 3
    assert "codex keeps no conversation" in none.err
