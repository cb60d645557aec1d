"""The hooks of Codex CLI, Gemini CLI, Cursor and git, as real processes with what those tools send (issue 7, point 5).

Codex's and Gemini CLI's events are those that version 0.171 and 0.61 sent here, in a rehearsal with a server in the
place of a model; Cursor's are as its reference describes them.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from awf_archive.domain.recap import RECAP_COMMANDS, SAVE_COMMANDS
from awf_archive.domain.wording.notices import NOTICE_WORDS
from awf_archive.integrations import hook
from awf_archive.integrations.hook_events import ACTS
from awf_archive.integrations.hook_tools import TOOLS
from awf_archive.integrations.setups import SETUPS

EN = NOTICE_WORDS["en"]
THREAD = "01a22faa-0407-7a71-8124-8e8ead5d2e2f"
TURN = "01a22faa-041c-7dc2-a278-5422b071e067"


class Sender:
    """A tool other than Claude Code, in the workspace of `tool`."""

    def __init__(self, tool, name):
        self.tool, self.name = tool, name

    def send(self, event, *arguments, **environment):
        done = subprocess.run(
            [sys.executable, "-m", "awf_archive", "hook", self.name, *arguments],
            input=json.dumps(event).encode() if event is not None else b"",
            capture_output=True,
            env=self.tool.environment | environment,
            cwd=self.tool.root,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        return json.loads(done.stdout) if done.stdout else {}


def codex_event(tool, name, **more):
    return {
        "session_id": THREAD,
        "transcript_path": str(rollout(tool)),
        "cwd": str(tool.root),
        "hook_event_name": name,
        "model": "gpt-5.5-codex",
        "permission_mode": "default",
        **more,
    }


def rollout(tool):
    return tool.home / f"codex/sessions/2026/12/01/rollout-2026-12-01T03-33-21-{THREAD}.jsonl"


def write_rollout(tool, answer="Hello."):
    """Write a conversation as Codex keeps it."""
    time = "2026-12-01T03:33:21.000Z"
    records = [
        ("session_meta", {"id": THREAD, "timestamp": time, "cwd": str(tool.root), "cli_version": "0.171.0"}),
        ("response_item", message("user", "input_text", "say hi")),
        ("event_msg", {"type": "user_message", "message": "say hi"}),
        ("response_item", message("assistant", "output_text", answer)),
        ("event_msg", {"type": "agent_message", "message": answer}),
    ]
    path = rollout(tool)
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps({"timestamp": time, "type": kind, "payload": body}) for kind, body in records]
    path.write_text("\n".join(lines) + "\n")


def message(role, kind, text):
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


def gemini_event(tool, name, **more):
    path = tool.home / "gemini/.gemini/tmp/work/chats/session-2026-12-01T03-33-9f077688.jsonl"
    return {
        "session_id": "9f077688-9cc4-4e69-abcb-cfae106772a9",
        "transcript_path": str(path),
        "cwd": str(tool.root),
        "hook_event_name": name,
        "timestamp": "2026-12-01T03:33:24.304Z",
        **more,
    }


def cursor_event(tool, name, **more):
    return {
        "conversation_id": "c0ffee00-1111-4111-8111-111111111111",
        "generation_id": "9e0e0000-1111-4111-8111-111111111111",
        "model": "gpt-5.2",
        "hook_event_name": name,
        "cursor_version": "2026.02.13",
        "workspace_roots": [str(tool.root)],
        "user_email": None,
        "transcript_path": None,
        **more,
    }


LEAVING = {
    "codex": (codex_event, "UserPromptSubmit", {"turn_id": TURN}),
    "gemini-cli": (gemini_event, "BeforeAgent", {}),
    "cursor": (cursor_event, "beforeSubmitPrompt", {"attachments": []}),
}


@pytest.mark.parametrize("name", LEAVING)
def test_a_goodbye_is_saved_under_the_tool_s_own_window(tool, name):
    event, event_name, more = LEAVING[name]

    told = Sender(tool, name).send(event(tool, event_name, prompt="thôi mai làm tiếp nhé", **more))

    assert told == ({} if name == "cursor" else {"systemMessage": EN.user_leaving})
    [job] = tool.jobs()
    assert (job["kind"], job["trigger"], job["tool"]) == ("save", "user_leaving", name)
    sent = event(tool, "")
    assert job["window"] == sent.get("conversation_id", sent.get("session_id"))


STARTS = {
    "codex": (codex_event, {"hook_event_name": "SessionStart", "source": "startup"}),
    "gemini-cli": (gemini_event, {"hook_event_name": "SessionStart", "source": "startup"}),
    "cursor": (cursor_event, {"hook_event_name": "sessionStart", "is_background_agent": False}),
}


@pytest.mark.parametrize("name", STARTS)
def test_a_session_s_start_brings_level_1_as_the_tool_takes_it(tool, name):
    (tool.root / ".brain").mkdir()
    state = {"summary": {"project": "shop", "current_task": "form", "status": "coding"}}
    (tool.root / ".brain/session.json").write_text(json.dumps(state))
    event, fields = STARTS[name]

    silent = Sender(tool, name).send(event(tool, "") | fields)
    tool.run("trust")
    told = Sender(tool, name).send(event(tool, "") | fields)

    assert "additional" not in json.dumps(silent)
    if name == "cursor":
        assert list(told) == ["additional_context"]
        said = told["additional_context"]
    else:
        assert told["hookSpecificOutput"]["hookEventName"] == "SessionStart"
        said = told["hookSpecificOutput"]["additionalContext"]
    assert "quoted data" in said
    assert "Task: form" in said


def test_the_commands_in_a_notice_are_those_that_the_tool_knows(tool):
    window = {"messages": 700, "looked_at": 700}
    (tool.private / "hooks").mkdir()
    (tool.private / "hooks" / f"{THREAD}.json").write_text(json.dumps(window))

    told = Sender(tool, "codex").send(codex_event(tool, "UserPromptSubmit", turn_id=TURN, prompt="go on"))

    assert told == {"systemMessage": EN.context_warning.format(save="$awf-checkpoint")}


def test_notices_and_texts_know_the_same_commands():
    for setup in SETUPS:
        assert RECAP_COMMANDS[setup.name] == f"{setup.sign}awf-recap"
        assert SAVE_COMMANDS[setup.name] == f"{setup.sign}awf-checkpoint"
        assert TOOLS[setup.name].sign == setup.sign


def test_what_cursor_cannot_show_waits_for_a_tool_that_can(tool):
    (tool.private / "notices").write_text("save_failed")

    Sender(tool, "cursor").send(cursor_event(tool, "beforeSubmitPrompt", prompt="go on"))

    assert (tool.private / "notices").read_text() == "save_failed"


ENDS = {
    "codex": [codex_event, {"hook_event_name": "SessionEnd", "reason": "other"}],
    "gemini-cli": [gemini_event, {"hook_event_name": "SessionEnd", "reason": "exit"}],
    "cursor": [cursor_event, {"hook_event_name": "sessionEnd", "reason": "completed", "duration_ms": 55}],
}


@pytest.mark.parametrize("name", ENDS)
def test_a_session_s_end_saves(tool, name):
    event, fields = ENDS[name]

    assert Sender(tool, name).send(event(tool, "") | fields) == {}
    assert tool.triggers() == [("snapshot", "on_event:session_end")]


def test_a_turn_counts_once_with_the_hook_and_notify_and_with_both_of_cursor_s_ways(tool):
    stop = codex_event(tool, "Stop", turn_id=TURN, stop_hook_active=False, last_assistant_message="Hello.")
    Sender(tool, "codex").send(stop)
    Sender(tool, "codex-notify").send(None, notified(tool))
    cursor = cursor_event(tool, "stop", status="completed", loop_count=0)
    Sender(tool, "cursor").send(cursor)
    # Cursor may run the hooks in Claude Code's settings, too
    Sender(tool, "claude-code").send(cursor)
    named = cursor | {"hook_event_name": "Stop"}
    Sender(tool, "claude-code").send(named, CLAUDE_PROJECT_DIR=str(tool.root))

    counted = {
        path.stem: json.loads(path.read_bytes())["turns"] for path in (tool.private / "hooks").glob("*.json")
    }
    assert counted == {THREAD: 1, cursor["conversation_id"]: 1}
    assert tool.triggers() == [("checkpoint", "turn_complete")]


def notified(tool):
    return json.dumps(
        {
            "type": "agent-turn-complete",
            "thread-id": THREAD,
            "turn-id": TURN,
            "cwd": str(tool.root),
            "client": "codex_exec",
            "input-messages": ["say hi"],
            "last-assistant-message": "Hello.",
        }
    )


def test_a_turn_of_cursor_s_that_broke_off_is_no_completed_one(tool):
    Sender(tool, "cursor").send(cursor_event(tool, "stop", status="aborted", loop_count=0))

    assert list((tool.private / "hooks").glob("*.json")) == []


@pytest.mark.parametrize(("trigger", "kinds"), [("auto", []), ("manual", [("checkpoint", "pre_compact")])])
def test_gemini_cli_s_precompress_counts_where_a_person_asked(tool, trigger, kinds):
    Sender(tool, "gemini-cli").send(gemini_event(tool, "PreCompress", trigger=trigger))

    assert tool.triggers() == kinds


@pytest.mark.parametrize("name", ["codex", "gemini-cli", "cursor", "codex-notify"])
@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b'{"hook_event_name": 7, "workspace_roots": "x"}', b"\xff"]
)
def test_whatever_a_tool_sends_it_gets_silence_and_a_zero(tool, name, data):
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "awf_archive",
            "hook",
            name,
            *(["\udcff{"] if name.endswith("notify") else []),
        ],
        input=data,
        capture_output=True,
        env=tool.environment,
        cwd=tool.root,
        check=False,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_another_tool_s_folder_in_the_environment_is_not_taken_for_this_one_s(tool, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / ".git").mkdir(parents=True)

    sent = codex_event(tool, "SessionEnd", reason="other")
    Sender(tool, "codex").send(sent, CLAUDE_PROJECT_DIR=str(elsewhere))

    assert tool.triggers() == [("snapshot", "on_event:session_end")]
    assert not (elsewhere / ".awf-archive").exists()


def test_codex_s_conversation_is_saved_by_the_worker(working):
    write_rollout(working)
    home = {"CODEX_HOME": str(working.home / "codex")}

    Sender(working, "codex-notify").send(None, notified(working), **home)

    assert working.wait()
    assert "codex" in working.run("list", "--json").out
    [turn] = working.root.rglob("turn-*.md")
    assert "say hi" in turn.read_text()


def test_a_commit_saves_what_changed_in_any_tool_s_conversations(working):
    subprocess.run(["git", "init", "-q", working.root], check=True, env=working.environment)
    write_rollout(working)
    os.utime(rollout(working), (1_796_000_000, 1_796_000_000))
    home = working.environment | {"CODEX_HOME": str(working.home / "codex")}
    working.run("install", "git")
    home |= {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org"}
    home |= {"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org"}

    commit = ["git", "-C", str(working.root), "commit", "-q", "--allow-empty", "-m", "x"]
    done = subprocess.run(commit, env=home, capture_output=True, check=True)

    assert working.wait()
    assert done.stdout == b""
    assert len(list(working.root.rglob("turn-*.md"))) == 1


def test_many_commits_at_once_are_one_job(tool):
    for _ in range(3):
        Sender(tool, "git").send(None, ".", GIT_DIR="/nowhere", GIT_INDEX_FILE="x")

    assert tool.triggers() == [("sweep", "on_event:git_commit")]


def test_a_commit_s_own_git_variables_do_not_reach_the_worker(monkeypatch, tmp_path):
    for name in ("GIT_DIR", "GIT_INDEX_FILE"):
        monkeypatch.setenv(name, "x")

    event = json.loads(hook.event_data("git", [str(tmp_path)]))

    assert event == {"hook_event_name": "GitCommit", "cwd": str(tmp_path)}
    assert [name for name in os.environ if name.startswith("GIT_")] == []


def test_every_registered_event_does_something():
    for setup in SETUPS:
        names = TOOLS[setup.name].events
        assert [name for name in setup.hooks_of(("x",)) if names.get(name, name) not in ACTS] == []


def test_a_tool_that_is_none_is_a_wrong_word_for_a_person(tool):
    answer = tool.run("hook", "vim")

    assert answer.code == 2
    assert "codex-notify" in answer.err
    assert not Path(tool.root / "vim").exists()
