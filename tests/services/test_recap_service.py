import json
from datetime import UTC, datetime

import pytest

from awf_archive.errors import DiskError
from awf_archive.services.recap import Request, make_recap
from awf_archive.services.recap_state import Note, read_work
from awf_archive.store.layout import ARCHIVE_DIR

NOW = datetime(2026, 3, 5, 12, tzinfo=UTC)
STATE = {
    "updated_at": "2026-03-05T10:00:00Z",
    "working_on": {"feature": "login", "task": "Fix the form", "status": "coding"},
    "pending_tasks": [{"task": "later", "priority": "low"}, {"task": "first", "priority": "high"}],
    "others": {"keep": ["me"]},
}


def put(workspace, state=STATE, name="session.json"):
    path = workspace.root / ".brain" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(state if isinstance(state, bytes) else json.dumps(state).encode())
    return path


def read(workspace, pause=lambda _: None):
    return read_work(workspace.root, NOW, ARCHIVE_DIR, pause)


def told(workspace, level="1", **more):
    return make_recap(
        workspace.archive, Request(level=level, now=NOW, zone=UTC, **({"language": "en"} | more))
    )


def test_spec_4_a_missing_summary_is_made_and_saved(workspace):
    path = put(workspace)

    work = read(workspace)

    saved = json.loads(path.read_bytes())
    assert work.summary.next_step == "first"
    assert saved["summary"] == {
        "project": "workspace",
        "current_feature": "login",
        "current_task": "Fix the form",
        "status": "coding",
        "next_step": "first",
    }
    assert saved["others"] == {"keep": ["me"]}
    assert saved["updated_at"] == STATE["updated_at"]


def test_spec_4_a_summary_that_is_there_is_not_written_again(workspace, snapshot):
    put(workspace, STATE | {"summary": {"project": "x"}})
    before = snapshot(workspace.root)

    read(workspace)

    assert snapshot(workspace.root) == before


def test_spec_4_no_session_file(workspace, snapshot):
    before = snapshot(workspace.root)

    made = told(workspace, language="vi")

    assert made.text == "Chưa có session. Bắt đầu mới nhé!"
    assert made.is_empty
    assert snapshot(workspace.root) == before


@pytest.mark.parametrize(
    "broken",
    [b"", b"{", b"[1]", b"null", b"\xff\xfe{", b'{"a": "' + b"x" * 100, b"[" * 100_000],
    ids=range(7),
)
def test_spec_3_5_a_broken_file_is_set_aside_and_restored(workspace, broken):
    path = put(workspace, broken)
    put(workspace, {"session": STATE | {"summary": {"project": "old"}}}, "snapshots/2026-03-01_100000.json")
    put(workspace, {"session": STATE | {"summary": {"project": "new"}}}, "snapshots/2026-03-04_100000.json")
    put(workspace, b"{", "snapshots/2026-03-04_100001.json")

    made = told(workspace)

    assert made.text.startswith("Restored from backup.\n\n👋 Welcome back!")
    assert json.loads(path.read_bytes())["summary"] == {"project": "new"}
    assert (path.parent / "session.json.corrupt-20260305T120000Z").read_bytes() == broken


def test_spec_4_nothing_usable_makes_a_new_session(workspace):
    path = put(workspace, b"{")
    put(workspace, {"project": {"name": "ThaoCoffe"}}, "brain.json")

    made = told(workspace, language="vi")

    assert made.text.startswith("Session bị lỗi. Bắt đầu fresh!")
    assert "📍 Project: ThaoCoffe" in made.text
    assert json.loads(path.read_bytes())["summary"] == {"project": "ThaoCoffe"}
    assert (path.parent / "session.json.corrupt-20260305T120000Z").exists()


def test_a_file_that_another_tool_is_writing_is_read_again(workspace):
    path = put(workspace, b"{")

    work = read(workspace, lambda _: path.write_text(json.dumps(STATE | {"summary": {"project": "x"}})))

    assert work.note is Note.NONE
    assert work.summary.project == "x"


def test_a_file_with_a_byte_order_mark_is_not_broken(workspace):
    put(workspace, b"\xef\xbb\xbf" + json.dumps(STATE | {"summary": {"project": "x"}}).encode())

    assert read(workspace).note is Note.NONE


def test_a_file_that_may_not_be_read_is_no_damage(workspace):
    path = put(workspace)
    path.unlink()
    path.mkdir()

    with pytest.raises(DiskError, match=r"session\.json: cannot be read"):
        read(workspace)


def test_what_cannot_be_written_is_told_and_the_recap_still_comes(workspace, monkeypatch):
    put(workspace)

    def refuse(path, _data):
        raise DiskError(f"{path}: No space left on device.")

    monkeypatch.setattr("awf_archive.store.atomic.write", refuse)
    work = read(workspace)

    assert work.summary.feature == "login"
    assert "No space left" in work.problems[0]


def test_spec_3_3_progress_comes_from_tasks_md(workspace):
    put(workspace)
    tasks = workspace.layout.spec("login") / "tasks.md"
    tasks.parent.mkdir(parents=True)
    tasks.write_text("- [x] one\n- [ ] two\n- [x] three\n- [x] four\n")

    assert read(workspace).summary.progress == 75


def test_spec_4_deep_shows_decisions_and_conversation_of_the_archive(workspace, talk):
    put(workspace, STATE | {"summary": {"project": "x"}})
    workspace.save(talk.asks(3))

    text = told(workspace, "deep").text

    assert "💬 Latest conversation:" in text
    assert "User: question 1" in text
    assert text.rindex("answer") > text.rindex("question")


def test_spec_4_inject_without_a_session_says_nothing(workspace):
    assert told(workspace, is_inject=True).text == ""


def test_spec_4_budget_holds_with_the_restored_note(workspace):
    put(workspace, b"{")
    put(workspace, {"session": STATE}, "snapshots/2026-03-01_100000.json")

    made = told(workspace, budget=60)

    assert made.tokens <= 60
    assert made.text.startswith("Restored from backup.")
