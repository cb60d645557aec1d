"""Where conversations are looked for, and which files there are none (issue 3, points 3 and 7)."""

from pathlib import Path

import pytest

from awf_archive import config
from awf_archive.readers import READERS
from awf_archive.services.places import PLACES, WORKSPACE, folder_for, in_path, in_places

FILES = {
    "claude/projects/-srv-demo/a.jsonl": "claude-code",
    "claude/transcripts/b.jsonl": "claude-code",
    "codex/sessions/2026/05/01/rollout-2026-05-01T10-00-00-x.jsonl": "codex",
    "codex/sessions/2026/05/01/rollout-2026-05-01T11-00-00-y.jsonl.zst": "codex",
    "codex/archived_sessions/rollout-2026-04-01T10-00-00-z.jsonl": "codex",
    "gemini/.gemini/tmp/abc/chats/session-1.json": "gemini-cli",
    "gemini/tmp/abc/chats/session-2.jsonl": "gemini-cli",
    "opencode/opencode.db": "opencode",
    "opencode/storage/session/p/ses_1.json": "opencode",
    ".config/Cursor/User/globalStorage/state.vscdb": "cursor",
    ".config/Cursor/User/workspaceStorage/h/state.vscdb": "cursor",
    ".cursor/projects/d/agent-transcripts/i.jsonl": "cursor",
    ".config/Code/User/workspaceStorage/h/chatSessions/s.json": "copilot",
    ".config/Code/User/globalStorage/emptyWindowChatSessions/t.jsonl": "copilot",
    "copilot/session-state/i/events.jsonl": "copilot",
    "work/.aider.chat.history.md": "aider",
    "work/.ai-log/session.jsonl": "ai-log",
    "work/.specstory/history/2026-01-01_x.md": "specstory",
    "claude/history.jsonl": "claude-history",
}
NO_TRANSCRIPTS = (
    "claude/projects/-srv-demo/agent-1.jsonl",
    "claude/projects/-srv-demo/a/subagents/agent-2.jsonl",
    "claude/projects/-srv-demo/a/tool-results/t.txt",
    "claude/projects/-srv-demo/sessions-index.json",
    "claude/settings.json",
    "codex/history.jsonl",
    "codex/session_index.jsonl",
    "gemini/tmp/abc/logs.json",
    "gemini/tmp/abc/chats/parent/child.jsonl",
)


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A home with one file in every known place, each tool's variable set, and files that are none."""
    monkeypatch.setattr("sys.platform", "linux")
    for name, folder in {
        "HOME": ".",
        "CLAUDE_CONFIG_DIR": "claude",
        "CODEX_HOME": "codex",
        "GEMINI_CLI_HOME": "gemini",
        "OPENCODE_DATA_DIR": "opencode",
        "COPILOT_HOME": "copilot",
    }.items():
        monkeypatch.setenv(name, str(tmp_path / folder))
    for name in (*FILES, *NO_TRANSCRIPTS):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"{}\n")
    return tmp_path


def found_in(machine, candidates):
    return {one.path.relative_to(machine).as_posix(): one.format for one in candidates}


def test_every_known_place_is_looked_in_where_the_tools_own_variables_say(machine):
    found = found_in(machine, in_places(folder_for(machine / "work")))

    assert found == FILES


def test_ghosts_come_last(machine):
    *_, last = in_places(folder_for(machine / "work"))

    assert last.path == machine / "claude/history.jsonl"


def test_another_root_is_looked_in_for_every_tool_and_nothing_is_found_twice(machine, tmp_path):
    old = tmp_path / "old"
    (old / "projects/-x").mkdir(parents=True)
    (old / "projects/-x/o.jsonl").write_bytes(b"{}\n")

    found = [one.path for one in in_places(folder_for(machine / "work"), [old, machine / "codex"])]

    assert old / "projects/-x/o.jsonl" in found
    assert len(found) == len(set(found)) == len(FILES) + 1


def test_of_two_forms_of_one_session_the_newer_is_read(machine):
    newer = machine / ".config/Code/User/workspaceStorage/h/chatSessions/s.jsonl"
    newer.write_bytes(b"{}\n")

    found = found_in(machine, in_places(folder_for(machine / "work")))

    assert newer.relative_to(machine).as_posix() in found
    assert ".config/Code/User/workspaceStorage/h/chatSessions/s.json" not in found


def test_links_are_not_followed(machine):
    link = machine / "claude/projects/-srv-demo/link.jsonl"
    link.symlink_to(machine / "claude/projects/-srv-demo/a.jsonl")

    assert link not in [one.path for one in in_places(folder_for(machine / "work"))]
    assert link not in [one.path for one in in_path(machine / "claude")]


def test_a_named_folder_gives_what_may_be_a_transcript(machine):
    found = found_in(machine, in_path(machine / "claude"))

    assert found == {
        "claude/projects/-srv-demo/a.jsonl": None,
        "claude/transcripts/b.jsonl": None,
    }


def test_a_named_folder_gives_the_archives_in_it(tmp_path):
    context = tmp_path / "repo/.claude/spec-workflow/specs/login/.context"
    (context / "conversations/sessions/session-001").mkdir(parents=True)
    (context / "manifest.json").write_bytes(b"{}")
    (context / "conversations/sessions/session-001/turn-001.md").write_bytes(b"## User\n")

    for named in (tmp_path / "repo", context):
        assert [(one.path, one.format) for one in in_path(named)] == [(context / "manifest.json", "context")]


def test_a_named_file_is_taken_whatever_it_is_called(machine):
    (one,) = in_path(machine / "claude/history.jsonl")

    assert (one.format, one.is_named) == (None, True)


def test_every_place_names_a_reader_and_a_tool():
    names = {row.name for row in READERS}

    assert {place.format for place in PLACES} <= names
    for place in PLACES:
        assert place.tool == WORKSPACE or isinstance(config.tool_folder(place.tool), Path)
