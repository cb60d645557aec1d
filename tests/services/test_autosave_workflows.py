import json
from datetime import UTC, datetime

import pytest

from awf_archive.domain.triggers import Trigger
from awf_archive.services import autosave
from awf_archive.services.autosave import Place
from awf_archive.services.autosave_transcript import count_window


@pytest.fixture
def place(workspace, tmp_path):
    return Place(
        layout=workspace.layout,
        home=tmp_path / "home",
        now=lambda: datetime(2026, 3, 5, 12, tzinfo=UTC),
        sleep=lambda _: None,
    )


@pytest.fixture
def ended(place, workspace):
    def end(workflow, talk):
        done = autosave.on_workflow_end(place, workflow, transcript=talk.write())
        assert done.is_saved
        assert done.notices == ("workflow_end",)
        return json.loads((workspace.root / ".brain/session.json").read_bytes())

    return end


def edit(talk, path):
    talk.call("Edit", {"file_path": path, "old_string": "a", "new_string": "b"}, "updated")


def test_seed_000_code_saves_progress_and_changed_files(talk, ended, workspace):
    talk.user("/code login form")
    edit(talk, f"{workspace.root}/src/login.tsx")
    edit(talk, "/elsewhere/auth.ts")
    talk.reply("Done.")

    state = ended("code", talk)

    assert state["working_on"]["files"] == ["src/login.tsx", "/elsewhere/auth.ts"]
    assert state["recent_changes"] == [
        {
            "timestamp": "2026-03-05T12:00:00Z",
            "type": "feature",
            "description": "login form",
            "files": ["src/login.tsx", "/elsewhere/auth.ts"],
        }
    ]
    assert state["summary"]["status"] == "coding"
    assert state["summary"]["last_action"] == "Edit: /elsewhere/auth.ts"


def test_seed_000_plan_saves_decisions_and_specs(talk, ended, workspace):
    talk.user("/plan thanh toán")
    question = {
        "questions": [{"question": "Which store?", "header": "Store", "options": [{"label": "SQLite"}]}]
    }
    talk.call(
        "AskUserQuestion", question, 'User has answered your questions: "Which store?"="SQLite". You can now'
    )
    talk.call(
        "Write",
        {"file_path": f"{workspace.root}/.claude/spec-workflow/specs/pay/design.md", "content": "# x"},
        "ok",
    )

    state = ended("plan", talk)

    assert state["decisions_made"] == [{"decision": "Store: SQLite", "reason": "Which store?"}]
    assert state["working_on"]["current_plan_path"] == ".claude/spec-workflow/specs/pay/design.md"


def test_seed_000_debug_saves_errors_resolved(talk, ended):
    talk.user("/debug CORS")
    talk.call("Bash", {"command": "npm test"}, "Error: CORS blocked\n    at x (/a.js:1:2)", is_error=True)
    talk.reply("The middleware is missing, so I add it.")
    edit(talk, "/srv/dev/demo/src/middleware.ts")
    talk.call("Bash", {"command": "npm test"}, "Tests: 4 passed")
    talk.call("Bash", {"command": "npm run lint"}, "error: no config", is_error=True)

    state = ended("debug", talk)

    assert state["errors_encountered"] == [
        {
            "error": "Error: CORS blocked",
            "solution": "The middleware is missing, so I add it. (middleware.ts)",
            "resolved": True,
        },
        {"error": "error: no config", "solution": "", "resolved": False},
    ]
    assert state["recent_changes"][0]["type"] == "bugfix"


def test_seed_000_test_saves_results(talk, ended):
    talk.user("/test")
    talk.call("Bash", {"command": "pytest -q"}, "F.\n1 failed, 1 passed in 0.1s", is_error=True)
    talk.call("Bash", {"command": "pytest -q"}, "..\n2 passed in 0.1s")

    results = ended("test", talk)["test_results"]

    assert [(one["passed"], one["result"]) for one in results] == [
        (False, "1 failed, 1 passed in 0.1s"),
        (True, "2 passed in 0.1s"),
    ]


def test_seed_000_deploy_saves_deployment_info(talk, ended):
    talk.user("/deploy")
    talk.call("Bash", {"command": "vercel --prod"}, "Production: https://shop.example.com [3s]")

    deployments = ended("deploy", talk)["deployments"]

    assert deployments[0]["url"] == "https://shop.example.com"
    assert deployments[0]["done"] is True


def test_spec_3_7_only_the_workflows_own_turns_count(talk, ended):
    talk.user("/code first")
    edit(talk, "/old.ts")
    talk.user("/awf:debug second")
    edit(talk, "/new.ts")
    talk.ask("and more")

    assert ended("debug", talk)["working_on"]["files"] == ["/new.ts"]


def test_without_a_command_the_turns_since_the_last_save_count(talk, ended, workspace):
    talk.ask("first")
    edit(talk, "/a.ts")
    path = workspace.root / ".brain/session.json"
    path.parent.mkdir()
    path.write_text(
        json.dumps({"context_checkpoints": [{"timestamp": "2026-03-02T09:00:05Z", "trigger": "manual"}]})
    )
    talk.ask("second")
    edit(talk, "/b.ts")

    assert ended("code", talk)["working_on"]["files"] == ["/b.ts"]


def test_a_workflow_that_ends_twice_leaves_its_results_once(talk, ended):
    talk.user("/code x")
    edit(talk, "/a.ts")
    ended("code", talk)

    state = ended("code", talk)

    assert len(state["recent_changes"]) == 1
    assert len(state["context_checkpoints"]) == 2


def test_a_transcript_that_does_not_read_is_a_problem_not_a_failure(place, tmp_path):
    broken = tmp_path / "x.bin"
    broken.write_bytes(b"\0" * 99)

    done = autosave.on_workflow_end(place, "code", transcript=broken)

    assert done.is_saved
    assert "not recognised" in done.problems[0]


def test_spec_3_2_a_window_is_counted_from_its_transcript(talk):
    talk.ask("a\n```\nx\n```", "```py\ny\n```")
    talk.user("run it")
    talk.call("Bash", {"command": "x"}, "Traceback (most recent call last):\n  x", is_error=True)

    assert tuple(count_window(talk.write())) == (4, 2, 1)


def test_an_emergency_on_request_leaves_a_snapshot_and_says_so(place, workspace):
    done = autosave.on_request(place, trigger=Trigger.EMERGENCY)

    assert done.notices == ("emergency",)
    assert done.snapshot.parent == workspace.root / ".brain/snapshots"


@pytest.mark.parametrize("entries", [None, "x", 5, {"a": 1}, [None, 5, {"decision": None}]])
def test_lists_of_any_shape_are_kept_and_appended_to(talk, ended, workspace, entries):
    path = workspace.root / ".brain/session.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"recent_changes": entries, "context_checkpoints": entries}))
    talk.user("/code x")
    edit(talk, "/a.ts")

    state = ended("code", talk)

    assert state["recent_changes"][-1]["files"] == ["/a.ts"]
    assert state["context_checkpoints"][-1]["trigger"] == "workflow_end"
