"""What a turn's calls say of files, runs and tasks, in the words of each tool (SPEC 1.8)."""

import pytest

from awf_archive.domain.summary import Gist, files, work
from awf_archive.domain.summary.choose import errors
from awf_archive.domain.transcript import SubAgent, Text, ToolCall, ToolResult

PATCH = "*** Begin Patch\n*** Update File: src/a.rs\n@@\n-x\n+y\n*** Add File: b.md\n+z\n*** End Patch"


def call(name, given, answer="", *, is_error=False):
    result = ToolResult(blocks=(Text(text=answer),), is_error=is_error)
    return ToolCall(id="1", name=name, input=given, result=result)


CHANGING = {
    "claude code": (call("Edit", {"file_path": "src/a.py"}), ("src/a.py",)),
    "claude code notebook": (call("NotebookEdit", {"notebook_path": "a.ipynb"}), ("a.ipynb",)),
    "codex": (call("apply_patch", PATCH), ("src/a.rs", "b.md")),
    "codex through a shell": (
        call("shell", {"command": ["bash", "-lc", f"apply_patch <<'E'\n{PATCH}\nE"]}),
        ("src/a.rs", "b.md"),
    ),
    "a shell that writes": (call("Bash", {"command": "cat > docs/x.md <<'EOF'\nhi\nEOF"}), ("docs/x.md",)),
    "gemini": (call("write_file", {"file_path": "g.txt"}), ("g.txt",)),
    "copilot": (call("apply_patch", {"input": PATCH}), ("src/a.rs", "b.md")),
    "opencode": (call("edit", {"filePath": "o.ts"}), ("o.ts",)),
    "cursor": (call("edit_file", {"target_file": "c.vue"}), ("c.vue",)),
    "specstory": (call("Edit", {"summary": "Tool use: **Edit** `src/Banner.tsx`"}), ("src/Banner.tsx",)),
    "aider": (
        Text(text="schemas/x.ts\n```ts\n<<<<<<< SEARCH\n=======\n1\n>>>>>>> REPLACE\n```"),
        ("schemas/x.ts",),
    ),
    "a sub-agent": (
        SubAgent(
            id="s", kind="", description="", call_id="", blocks=(call("Write", {"file_path": "deep.py"}),)
        ),
        ("deep.py",),
    ),
    "reading is no change": (call("Read", {"file_path": "r.py"}), ()),
    "a failed edit": (call("Edit", {"file_path": "no.py"}, is_error=True), ()),
    "a mention": (Text(text="See `src/a.py` for that."), ()),
}


@pytest.mark.parametrize("case", CHANGING, ids=lambda name: name.replace(" ", "-"))
def test_changed_files_come_from_what_the_tools_did(case):
    block, paths = CHANGING[case]

    assert files.changed([block]) == paths


def test_a_run_that_passes_in_a_later_turn_mends_what_failed():
    failed = call("Bash", {"command": "cd x && pytest tests -q"}, "E   1\nKeyError: 'cursor'", is_error=True)
    passed = call("Bash", {"command": "pytest tests -q"}, "3 passed")
    gists = [
        Gist(turn=4, failures=work.runs([failed])[0]),
        Gist(turn=6, passed=work.runs([passed])[1], outcome=("Fixed the cursor key of the cache.",)),
    ]

    (mended,) = errors(gists)

    assert (mended.turn, mended.error, mended.fixed_in) == (4, "KeyError: 'cursor'", 6)
    assert mended.fix == "Fixed the cursor key of the cache."


def test_a_run_mended_within_the_turn_is_told_as_mended_there():
    failed = call("Bash", {"command": "npm run build"}, "error TS2304: Cannot find name 'x'.", is_error=True)
    failures, passed = work.runs([failed, call("Bash", {"command": "npm run build"}, "ok")])

    (mended,) = errors([Gist(turn=2, failures=failures, passed=passed)])

    assert (mended.turn, mended.fixed_in) == (2, 2)


@pytest.mark.parametrize(
    "answer",
    [
        "File has not been read yet. Read it first before writing to it.",
        "The user doesn't want to proceed with this tool use.",
        "ls: cannot access 'x': No such file or directory",
        "fatal: path 'x' does not exist: no such file",
    ],
)
def test_what_every_session_trips_over_is_no_error_worth_telling(answer):
    assert work.runs([call("Bash", {"command": "x y"}, answer, is_error=True)])[0] == ()


def test_the_newest_list_of_tasks_counts_in_the_words_of_each_tool():
    def todo(*states):
        items = [{"content": f"task {place}", "status": state} for place, state in enumerate(states)]
        return call("TodoWrite", {"todos": items})

    plan = [{"step": "write docs", "status": "pending"}, {"step": "write code", "status": "completed"}]
    given = call("TaskCreate", {"subject": "ship it"}, "Task #7 created successfully")
    done = call("TaskUpdate", {"taskId": "7", "status": "completed"})

    assert work.open_tasks(work.tasks([todo("pending", "pending"), todo("completed", "in_progress")])) == (
        "task 1",
    )
    assert work.open_tasks(work.tasks([call("update_plan", {"plan": plan})])) == ("write docs",)
    assert work.open_tasks(work.tasks([given])) == ("ship it",)
    assert work.open_tasks(work.tasks([given, done])) == ()
