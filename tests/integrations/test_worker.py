"""The worker: every job is done once, whatever is killed when (issue 7, SPEC 3.7)."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from awf_archive.integrations import queue
from awf_archive.integrations.hook_files import Private
from awf_archive.integrations.settle import settle

RUN = [sys.executable, "-P", "-m", "awf_archive", "worker", "run"]


def archived(tool):
    """Return how many turns the archive holds, by session."""
    manifest = tool.root / ".claude/spec-workflow/specs/general/.context/manifest.json"
    if not manifest.exists():
        return []
    return [one["globalRange"] for one in json.loads(manifest.read_bytes())["recentSessions"]]


def points(tool):
    return [one["trigger"] for one in tool.state()["context_checkpoints"]]


def snapshots(tool):
    return sorted((tool.root / ".brain/snapshots/auto").glob("*/*.json"))


def events(tool):
    path = tool.root / ".brain/events.jsonl"
    return [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []


def test_a_session_s_end_saves_conversation_snapshot_and_event_behind_the_hook(working, conversation):
    conversation.asks(3).write()

    answer = working.fire("SessionEnd", reason="clear")

    assert (answer.code, answer.out) == (0, "")
    assert working.wait()
    assert archived(working) == [[1, 3]]
    assert len(snapshots(working)) == len(events(working)) == 1
    assert events(working)[0]["trigger"] == "on_event:session_end"
    assert events(working)[0]["archive"] == {"feature": "general", "session": "session-001", "lastTurn": 3}


def test_where_a_site_is_built_what_was_saved_is_rendered_behind_the_hook(working, conversation):
    build = [
        sys.executable,
        "-m",
        "awf_archive",
        "site",
        "build",
        "--lang",
        "vi",
        "--workspace",
        working.root,
    ]
    subprocess.run(build, check=True, capture_output=True)
    conversation.asks(3).write()

    working.fire("SessionEnd", reason="clear")

    assert working.wait()
    rendered = working.root / ".awf-archive/render/vi/features/general/session-001/fragment"
    assert deadline(rendered.exists)


def deadline(is_so, seconds=25):
    """Wait for what a worker does after its last job."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if is_so():
            return True
        time.sleep(0.05)
    return False


def test_what_was_said_on_leaving_is_saved_and_may_be_told_in_the_next_window(working, conversation):
    conversation.asks(2).write()

    working.fire("UserPromptSubmit", prompt="bye")

    assert working.wait()
    assert points(working) == ["user_leaving"]
    assert archived(working) == [[1, 2]]
    assert "Task" in working.fire("SessionStart", source="startup").out


def test_the_final_answer_is_waited_for(working, conversation):
    conversation.ask("question", "first answer")
    conversation.write()
    (working.root / "awf-archive.toml").write_text("every_n_turns = 1\n")

    working.fire("Stop", last_assistant_message="the last words, said „late“\nin two lines")
    time.sleep(0.8)
    assert archived(working) == []
    conversation.reply("the last words, said „late“\nin two lines")
    conversation.write()

    assert working.wait()
    turn = next(working.root.rglob("turn-001.md")).read_text(encoding="utf-8")
    assert "the last words, said „late“\nin two lines" in turn


def test_a_file_in_the_middle_of_a_line_is_not_still(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a": 1}\n{"b"')
    os.utime(path, (0, 0))

    started = time.monotonic()
    settle(path, "", patience=0.3)
    assert time.monotonic() - started >= 0.3
    path.write_bytes(b'{"a": 1}\n')
    os.utime(path, (0, 0))
    started = time.monotonic()
    assert settle(path, "", patience=5)
    assert time.monotonic() - started < 1


def test_i01_a_transcript_that_is_not_there_is_looked_for_again(tool, conversation):
    tool.fire("PreCompact", transcript_path="/nowhere/x.jsonl", session_id="other")
    tool.let_worker_in()
    tool.run("worker", "run")
    assert [job["tries"] for job in tool.jobs()] == [1]
    assert "no transcript at /nowhere/x.jsonl, will look again on next run" in tool.log()

    conversation.path = tool.transcript.with_name("other.jsonl")
    conversation.asks(1).write()
    tool.run("worker", "run")

    assert tool.jobs() == []
    assert archived(tool) == [[1, 1]]


def test_i01_a_session_that_never_had_a_transcript_is_no_failure(tool):
    tool.fire("SessionEnd", transcript_path="")
    tool.let_worker_in()
    job = next((tool.private / "queue").glob("*.json"))
    job.write_text(json.dumps(json.loads(job.read_bytes()) | {"tries": 4}))
    tool.run("worker", "run")

    status = json.loads(tool.run("worker", "status", "--json").out)

    assert (status["jobs"], status["failed"], status["working"]) == ([], [], False)
    assert not (tool.root / ".brain").exists()


def test_a_job_that_does_not_read_is_set_aside_and_the_others_go_on(tool, conversation):
    conversation.asks(1).write()
    (tool.private / "queue").mkdir()
    (tool.private / "queue/0.json").write_text("{")
    (tool.private / "queue/1.json").write_text('{"kind": "dance", "trigger": "x", "window": "w"}')
    tool.fire("PreCompact")
    tool.let_worker_in()

    tool.run("worker", "run")

    assert archived(tool) == [[1, 1]]
    assert len(json.loads(tool.run("worker", "status", "--json").out)["failed"]) == 2


def test_spec_3_7_a_failed_save_is_told_with_the_next_prompt(tool):
    (tool.root / ".brain").write_text("a file where the folder should be")
    tool.fire("UserPromptSubmit", prompt="bye")
    tool.let_worker_in()
    script = (
        "import awf_archive.services.autosave_disk as d, awf_archive.integrations.worker as w, sys;"
        "d.PAUSES = w.PAUSES = (); from awf_archive.cli import run; sys.exit(run(['worker', 'run']))"
    )
    subprocess.run(
        [sys.executable, "-c", script], cwd=tool.root, env=tool.environment, check=True, capture_output=True
    )
    tool.keep_worker_away()

    told = [tool.fire("UserPromptSubmit", prompt="go on").json for _ in range(2)]

    assert told == [{"systemMessage": "⚠️ Could not save the session. Check write permission."}, {}]
    assert len(tool.jobs()) == 1


def test_of_two_workers_one_works(tool, conversation):
    conversation.asks(2).write()
    tool.fire("UserPromptSubmit", prompt="bye")
    tool.fire("SessionEnd")
    tool.let_worker_in()

    workers = [
        subprocess.Popen(RUN, cwd=tool.root, env=tool.environment, stdout=subprocess.DEVNULL)
        for _ in range(3)
    ]
    codes = [worker.wait(30) for worker in workers]

    assert codes == [0, 0, 0]
    assert tool.wait()
    assert (archived(tool), points(tool), len(snapshots(tool)), len(events(tool))) == (
        [[1, 2]],
        ["user_leaving"],
        1,
        1,
    )


@pytest.mark.parametrize("moment", [0.2, 0.45, 0.7, 1.0])
def test_a_worker_that_is_killed_loses_no_job_and_doubles_nothing(tool, conversation, moment):
    conversation.asks(4).write()
    tool.fire("UserPromptSubmit", prompt="bye")
    tool.fire("PreCompact")
    tool.fire("SessionEnd")
    tool.let_worker_in()

    with subprocess.Popen(RUN, cwd=tool.root, env=tool.environment, stdout=subprocess.DEVNULL) as worker:
        time.sleep(moment)
        worker.send_signal(signal.SIGKILL)
    tool.run("worker", "run")

    assert tool.jobs() == []
    assert (archived(tool), points(tool), len(snapshots(tool)), len(events(tool))) == (
        [[1, 4]],
        ["user_leaving", "emergency"],
        1,
        1,
    )


def test_the_next_hook_wakes_a_worker_after_one_was_killed(working, conversation):
    conversation.asks(1).write()
    working.keep_worker_away()
    working.fire("PreCompact")
    working.let_worker_in()
    script = (
        "import os, sys; from pathlib import Path; from awf_archive.store.lock import Lock;"
        "Lock(Path(sys.argv[1])).acquire(1); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", script, str(working.private / "worker-lock")], check=False)
    assert (working.private / "worker-lock").exists()

    working.fire("Stop", last_assistant_message="")

    deadline = time.monotonic() + 25
    while not archived(working) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert archived(working) == [[1, 1]]


def test_a_hook_that_is_killed_leaves_a_whole_job_or_none(tool):
    for moment in (0.02, 0.04, 0.06, 0.08):
        process = tool.start("SessionEnd", reason="clear")
        time.sleep(moment)
        process.kill()
        process.communicate()

    assert all(job["kind"] == "snapshot" for job in tool.jobs())


def test_an_old_lock_is_no_sign_of_work(tmp_path):
    private = Private(tmp_path)
    private.folder.mkdir()
    private.worker_lock.write_text(json.dumps({"pid": os.getpid()}))

    assert queue.is_working(private)
    os.utime(private.worker_lock, (0, 0))
    assert not queue.is_working(private)


def test_modules_in_the_workspace_are_not_taken_for_the_program_s(working, conversation):
    conversation.asks(1).write()
    for name in ("json.py", "awf_archive.py", "sitecustomize.py"):
        (working.root / name).write_text(f"open({str(working.home / 'hijacked')!r}, 'w')\n")

    done = subprocess.run(
        [sys.executable, "-P", "-m", "awf_archive", "hook", "claude-code"],
        input=json.dumps(working.event("SessionEnd")).encode(),
        cwd=working.root,
        env=working.environment,
        check=False,
    )

    assert done.returncode == 0
    assert working.wait()
    assert archived(working) == [[1, 1]]
    assert not (working.home / "hijacked").exists()
