"""A real conversation, played as the tool would: records come late, hooks in order, one is killed (issue 7, point 7)."""

import json
import os
import signal
import time

import pytest

pytestmark = pytest.mark.shared

PLAYED = "corpus/claude-code/27-v2.1.14-2-compactions.jsonl"
RECORDS = 300
"""Fifteen prompts and a compaction; all of it takes twice as long and shows the same."""


class Player:
    """Plays a transcript into the tool's folder and fires the hooks that the tool would."""

    def __init__(self, tool):
        self.tool = tool
        self.told = []
        self.said = ""
        self.stops = 0
        self.is_open = False
        self.late = []
        tool.transcript.parent.mkdir(parents=True)

    def play(self, lines):
        for line in lines:
            record = json.loads(line)
            prompt = prompt_of(record)
            if prompt is not None:
                self.stop()
                self.fire("UserPromptSubmit", prompt=prompt)
                self.is_open = True
            if record.get("subtype") == "compact_boundary":
                self.fire("PreCompact", trigger="auto")
                self.tool.wait()  # a model writes the summary meanwhile
            self.write(line)
            if record.get("subtype") == "compact_boundary":
                self.fire("SessionStart", source="compact")
            self.said = said_in(record) or self.said
        self.stop()

    def write(self, line):
        """The last record of a turn reaches the file only after its stop."""
        self.late.append(line)
        while len(self.late) > 1:
            self.append(self.late.pop(0))

    def append(self, line):
        with self.tool.transcript.open("ab") as file:
            file.write(line + b"\n")

    def stop(self):
        if not self.is_open:
            return
        self.stops += 1
        if self.stops == 5:
            self.kill_a_hook()
        self.fire(
            "Stop", prompt_id=f"prompt-{self.stops}", last_assistant_message=self.said, stop_hook_active=False
        )
        for line in self.late:
            self.append(line)
        self.late, self.said, self.is_open = [], "", False
        if self.stops in {6, 12}:
            self.kill_the_worker()

    def fire(self, name, **fields):
        answer = self.tool.fire(name, **fields)
        assert (answer.code, answer.err) == (0, "")
        self.told.append((name, answer.json))

    def kill_a_hook(self):
        process = self.tool.start("Stop", last_assistant_message=self.said)
        time.sleep(0.03)
        process.kill()
        process.communicate()

    def kill_the_worker(self):
        deadline = time.monotonic() + 2
        while time.monotonic() < deadline:
            try:
                claim = json.loads((self.tool.private / "worker-lock").read_bytes())
                time.sleep(0.2)
                os.kill(claim["pid"], signal.SIGKILL)
            except (OSError, ValueError):
                time.sleep(0.02)
            else:
                return


def prompt_of(record):
    """Return what a person typed, or None."""
    if record.get("type") != "user" or any(
        record.get(name) for name in ("isMeta", "isSidechain", "isCompactSummary")
    ):
        return None
    content = record["message"]["content"]
    return content if isinstance(content, str) else None


def said_in(record):
    """Return the text of an assistant's record."""
    if record.get("type") != "assistant" or record.get("isSidechain"):
        return ""
    return "".join(block.get("text", "") for block in record["message"]["content"] if block["type"] == "text")


@pytest.fixture(scope="module")
def played(tmp_path_factory, shared, tool_class):
    folder = tmp_path_factory.mktemp("rehearsal")
    tool = tool_class(folder / "home", folder / "work", "2b4fd4f7-3b1e-4b8a-9d5c-0123456789ab")
    (tool.home / "data").mkdir(parents=True)
    (tool.root / ".git").mkdir(parents=True)
    (tool.root / "awf-archive.toml").write_text("every_n_turns = 6\n")
    player = Player(tool)
    lines = (shared / PLAYED).read_bytes().splitlines()[:RECORDS]
    for _ in range(2):  # two may fire on one start
        player.fire("SessionStart", source="startup")
    player.play(lines)
    player.fire("UserPromptSubmit", prompt="thanks, bye")
    player.fire("SessionEnd", reason="clear")
    tool.wait()
    return player


@pytest.fixture
def turns_saved(workspace_class):
    def saved(root):
        workspace = workspace_class(root)
        return [turn for name in workspace.archive.features() for turn in workspace.turns(name)]

    return saved


def test_the_archive_holds_what_saving_the_whole_file_at_once_holds(
    played, turns_saved, workspace_class, tmp_path
):
    at_once = workspace_class(tmp_path / "at once", feature="general")
    at_once.save(played.tool.transcript)

    by_hooks, whole = turns_saved(played.tool.root), turns_saved(at_once.root)

    assert len(whole) > 10
    assert [number for number, *_ in by_hooks] == list(range(1, len(whole) + 1))
    assert [turn[1:3] for turn in by_hooks] == [turn[1:3] for turn in whole]


def test_nothing_is_doubled_and_nothing_left(played):
    tool = played.tool
    points = [(one["timestamp"], one["trigger"]) for one in tool.state()["context_checkpoints"]]
    snapshots = [path.stem for path in (tool.root / ".brain/snapshots/auto").glob("*/*.json")]
    told = [json.loads(line) for line in (tool.root / ".brain/events.jsonl").read_bytes().splitlines()]
    triggers = sorted(event["trigger"] for event in told)

    assert tool.jobs() == []
    assert not (tool.private / "queue/failed").exists()
    assert len(points) == len(set(points))
    assert points[-1][1] == "user_leaving"
    assert sorted(event["checkpoint_id"] for event in told) == sorted(snapshots)
    assert triggers.count("on_event:session_end") == 1
    assert triggers.count("every_n_turns") == tool.counts()["turns"] // 6


def test_what_was_told_is_what_each_event_may_tell(played):
    allowed = {"SessionStart": {"hookSpecificOutput", "systemMessage"}, "UserPromptSubmit": {"systemMessage"}}

    assert [(name, told) for name, told in played.told if set(told) - allowed.get(name, set())] == []
    assert "leaving" in played.told[-2][1]["systemMessage"]


def test_after_a_compaction_the_window_is_told_where_the_work_stands(played):
    starts = [told for name, told in played.told if name == "SessionStart"]

    assert starts[:2] == [{}, {}]
    assert all("hookSpecificOutput" in told for told in starts[2:])


def test_the_archive_verifies_and_is_found(played):
    tool = played.tool

    assert json.loads(tool.run("verify", "--json").out)["ok"] is True
    assert json.loads(tool.run("list", "--json").out)["sessions"]
    assert tool.run("search", "test", "--limit", "1").code == 0


def test_after_clear_a_new_window_begins_with_the_recap(played):
    tool = played.tool
    tool.window = "9c0d4fd4-0000-4b8a-9d5c-0123456789ab"

    answer = tool.fire("SessionStart", source="clear")

    assert "Task" in answer.json["hookSpecificOutput"]["additionalContext"]
