"""What each event makes the hook do, count and say (SPEC 3, 5, 7)."""

import json
import os
import shlex
import shutil
import stat
import subprocess
import sys
import time

import pytest

from awf_archive.domain.wording.notices import NOTICE_WORDS
from awf_archive.integrations.hook_events import EVENTS, workflow_in
from awf_archive.integrations.hook_words import NOTICES
from awf_archive.services import autosave_transcript

EN = NOTICE_WORDS["en"]
HOOK = [sys.executable, "-m", "awf_archive", "hook", "claude-code"]


def test_the_hook_s_texts_are_those_of_every_other_place():
    assert {
        lang: {name: getattr(NOTICE_WORDS[lang], name) for name in texts} for lang, texts in NOTICES.items()
    } == {lang: dict(texts) for lang, texts in NOTICES.items()}


@pytest.mark.parametrize(
    "prompt",
    [
        "/plan",
        "/code login",
        "/awf:debug x",
        "/awf-test",
        " /Deploy now",
        "/planet",
        "please /plan",
        "plan",
        "",
    ],
)
def test_the_hook_knows_a_workflow_as_every_other_place_does(prompt):
    assert workflow_in(prompt) == autosave_transcript.workflow_in(prompt)


def test_spec_3_1_someone_who_leaves_is_told_and_saved(tool):
    answer = tool.fire("UserPromptSubmit", prompt="thôi mai làm tiếp nhé")

    assert answer.json == {"systemMessage": EN.user_leaving}
    assert tool.triggers() == [("save", "user_leaving")]


def test_spec_3_4_a_decision_and_the_fifteenth_message_save_in_silence(tool):
    answers = [tool.fire("UserPromptSubmit", prompt="ok")]
    for _ in range(7):
        tool.fire("Stop", last_assistant_message="done")
        answers.append(tool.fire("UserPromptSubmit", prompt="add a test for it"))

    assert [answer.out for answer in answers] == [""] * 8
    assert tool.triggers() == [("save", "decision_made"), ("save", "periodic")]
    assert tool.counts()["messages"] == 15


def test_spec_3_2_a_full_context_is_told_once_per_level(tool):
    (tool.private / "hooks").mkdir()
    (tool.private / "hooks" / f"{tool.window}.json").write_text('{"messages": 700, "looked_at": 700}')

    first = tool.fire("UserPromptSubmit", prompt="go on with it")
    second = tool.fire("UserPromptSubmit", prompt="go on with it")

    assert first.json == {"systemMessage": EN.context_warning.format(save="/awf-checkpoint")}
    assert second.out == ""
    assert tool.jobs()[0]["urgent"] is True


def test_the_window_s_language_is_the_settings(tool):
    (tool.root / "awf-archive.toml").write_text('language = "zh"\n')

    assert tool.fire("UserPromptSubmit", prompt="bye").json == {
        "systemMessage": NOTICE_WORDS["zh"].user_leaving
    }


def test_a_wrong_settings_file_is_logged_and_the_defaults_hold(tool):
    (tool.root / "awf-archive.toml").write_text("every_n_turns = maybe\n")

    assert tool.fire("UserPromptSubmit", prompt="bye").json == {"systemMessage": EN.user_leaving}
    assert "settings" in tool.log()


def test_auto_save_that_is_switched_off_stays_silent(tool):
    (tool.root / ".brain").mkdir()
    (tool.root / ".brain/preferences.json").write_text('{"auto_save_config": {"enabled": false}}')

    assert tool.fire("UserPromptSubmit", prompt="bye").out == ""
    assert tool.jobs() == []


def test_spec_5_every_so_many_turns_a_snapshot_is_due(tool):
    (tool.root / "awf-archive.toml").write_text("every_n_turns = 3\n")

    for turn in range(7):
        tool.fire("Stop", last_assistant_message=f"answer {turn}")

    assert tool.triggers() == [("snapshot", "every_n_turns")] * 2
    assert tool.jobs()[0]["last"] == "answer 2"


def test_spec_3_7_the_stop_after_a_workflow_s_command_is_its_end(tool):
    tool.fire("UserPromptSubmit", prompt="/awf:code the login form")
    ends = [tool.fire("Stop", last_assistant_message="done").json for _ in range(2)]

    assert ends == [{"systemMessage": EN.workflow_end}, {}]
    assert [(job["trigger"], job["workflow"]) for job in tool.jobs()] == [("workflow_end", "code")]


def test_a_stop_that_a_hook_brought_about_and_one_fired_twice_count_once(tool):
    tool.fire("Stop", prompt_id="p", last_assistant_message="a")
    tool.fire("Stop", prompt_id="p", last_assistant_message="a")
    tool.fire("Stop", prompt_id="p", last_assistant_message="b", stop_hook_active=True)

    assert (tool.counts()["turns"], tool.counts()["messages"]) == (1, 1)


def test_what_a_sub_agent_does_is_not_the_conversation_s(tool):
    for name, fields in (
        ("UserPromptSubmit", {"prompt": "bye"}),
        ("Stop", {"last_assistant_message": "a"}),
        ("PostToolUse", {"tool_name": "Bash"}),
        ("SubagentStop", {}),
    ):
        assert tool.fire(name, agent_id="a1", agent_type="Explore", **fields).out == ""

    assert tool.jobs() == []


def test_spec_5_chosen_tools_make_a_snapshot_and_errors_are_counted(tool):
    (tool.root / "awf-archive.toml").write_text('on_tools = ["Bash"]\n')
    trace = "Traceback (most recent call last):\n  File x"

    tool.fire("PostToolUse", tool_name="Bash", tool_response={"stdout": trace})
    tool.fire("PostToolUse", tool_name="Read", tool_response="fine")
    tool.fire("PostToolUse", tool_name="Edit", tool_response={"is_error": True})

    assert tool.triggers() == [("snapshot", "on_tool:Bash")]
    assert tool.counts()["error_dumps"] == 2


def test_asking_for_approval_saves_once_for_both_of_its_events(tool):
    tool.fire("PermissionRequest", tool_name="Bash")
    tool.fire("Notification", message="Claude needs your permission to use Bash")
    tool.fire("Notification", message="Claude is waiting for your input", notification_type="idle_prompt")

    assert tool.triggers() == [("snapshot", "on_event:approval_required")]


def test_compaction_and_the_session_s_end_save_and_say_nothing(tool):
    outs = [tool.fire("PreCompact", trigger="auto").out, tool.fire("SessionEnd", reason="clear").out]

    assert outs == ["", ""]
    assert tool.triggers() == [("checkpoint", "pre_compact"), ("snapshot", "on_event:session_end")]


def test_an_abort_saves_where_the_settings_ask_for_it(tool):
    tool.fire("StopFailure", error="overloaded")
    assert tool.jobs() == []
    (tool.root / "awf-archive.toml").write_text('on_events = ["agent_abort"]\n')

    tool.fire("StopFailure", error="overloaded")

    assert tool.triggers() == [("snapshot", "on_event:agent_abort")]


@pytest.mark.parametrize("source", ["clear", "compact"])
def test_a_window_that_was_cleared_or_compacted_counts_anew(tool, source):
    tool.fire("Stop", last_assistant_message="a")
    tool.fire("SessionStart", source=source)
    tool.fire("Stop", last_assistant_message="b")

    assert (tool.counts()["messages"], tool.counts()["turns"]) == (1, 2)


def test_two_hooks_at_once_lose_no_count(tool):
    processes = [tool.start("Stop", last_assistant_message=str(number)) for number in range(8)]
    codes = [process.wait(20) for process in processes]
    for process in processes:
        process.stdout.close()
        process.stderr.close()

    assert codes == [0] * 8
    assert tool.counts()["turns"] == 8


def test_a_hook_that_is_ended_from_outside_leaves_well(tool):
    with subprocess.Popen(HOOK, stdin=subprocess.PIPE, env=tool.environment) as process:
        time.sleep(0.4)
        process.terminate()
        code = process.wait(10)

    assert code == 0


def test_a_workspace_that_is_gone_is_logged(tool):
    answer = tool.fire("SessionEnd", cwd=str(tool.root / "gone"))

    assert (answer.code, answer.out, answer.err) == (0, "", "")
    assert "no such workspace" in tool.log()


def test_the_home_folder_does_not_become_a_workspace_by_itself(tool):
    tool.fire("SessionEnd", cwd=str(tool.home))

    assert not (tool.home / ".awf-archive").exists()


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_told_to_the_prompt_alone(tool):
    tool.let_worker_in()
    tool.private.joinpath(".gitignore").unlink(missing_ok=True)
    tool.private.rmdir()
    tool.root.chmod(stat.S_IRUSR | stat.S_IXUSR)

    answers = [tool.fire("UserPromptSubmit", prompt="bye"), tool.fire("Stop"), tool.fire("SessionEnd")]

    tool.root.chmod(0o755)
    assert [answer.code for answer in answers] == [0, 0, 0]
    assert [answer.json for answer in answers] == [{"systemMessage": EN.save_failed}, {}, {}]


def can_mount():
    return (
        subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode == 0
        if shutil.which("unshare")
        else False
    )


@pytest.mark.skipif(not can_mount(), reason="only root may mount a disk read-only")
def test_a_read_only_disk_is_told_to_the_prompt_alone(tool):
    tool.let_worker_in()
    root = shlex.quote(str(tool.root))
    mount = f"mount --bind {root} {root} && mount -o remount,ro,bind {root} && exec {shlex.join(HOOK)}"
    answers = [
        subprocess.run(
            ["unshare", "-m", "sh", "-c", mount],
            input=json.dumps(tool.event(name, prompt="bye", source="startup")).encode(),
            capture_output=True,
            env=tool.environment,
            check=False,
        )
        for name in ("UserPromptSubmit", "Stop", "SessionStart", "SessionEnd")
    ]

    assert [(answer.returncode, answer.stderr) for answer in answers] == [(0, b"")] * 4
    assert [answer.stdout and json.loads(answer.stdout) for answer in answers] == [
        {"systemMessage": EN.save_failed},
        b"",
        b"",
        b"",
    ]
    assert "Read-only file system" in tool.log()


def test_a_private_folder_that_is_a_file_harms_nobody(tool):
    tool.let_worker_in()
    (tool.private).rmdir()
    tool.private.write_text("not a folder")

    answers = [tool.fire("UserPromptSubmit", prompt="bye"), tool.fire("Stop"), tool.fire("SessionEnd")]

    assert [(answer.code, answer.err) for answer in answers] == [(0, "")] * 3
    assert [answer.json for answer in answers] == [{"systemMessage": EN.save_failed}, {}, {}]
    assert tool.log().count("\n") == 3


def test_every_event_of_the_table_leaves_well_when_it_is_told_nothing(tool):
    answers = [tool.fire_raw(f'{{"hook_event_name": "{row.name}"}}'.encode()) for row in EVENTS]

    assert [(answer.code, answer.out, answer.err) for answer in answers] == [(0, "", "")] * len(EVENTS)
