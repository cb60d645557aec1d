"""Watching a workspace's conversations: only what changed is read, and nothing is saved twice (issue 7, point 5)."""

import json
import os
from pathlib import Path

import pytest

from awf_archive.errors import DiskError, InputError, LockedError
from awf_archive.services import watch as module
from awf_archive.services.checkpoint import Request, checkpoint
from awf_archive.services.watch import Watch

NOON = 1_796_126_400.0
"""2026-12-01T12:00:00Z"""


class Clock:
    def __init__(self):
        self.now = NOON

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def home(tmp_path, monkeypatch):
    for name, variable in (
        ("claude", "CLAUDE_CONFIG_DIR"),
        ("codex", "CODEX_HOME"),
        ("gemini", "GEMINI_CLI_HOME"),
    ):
        monkeypatch.setenv(variable, str(tmp_path / name))
    return tmp_path


@pytest.fixture
def talk(home, talk_class, workspace):
    return talk_class(
        home / "claude/projects/-w/71717171-1111-4111-8111-111111111111.jsonl", cwd=str(workspace.root)
    )


@pytest.fixture
def watching(workspace, clock):
    return lambda: Watch(layout=workspace.layout, request=Request(transcript=Path(), now=""), now=clock)


def written(path, at):
    os.utime(path, (at, at))


def gemini(home, root, text):
    folder = home / "gemini/tmp/shop"
    (folder / "chats").mkdir(parents=True)
    (folder / ".project_root").write_text(str(root))
    path = folder / "chats/session-2026-12-01T03-33-9f077688.json"
    time = "2026-12-01T03:33:00.000Z"
    messages = [
        {"id": "m1", "timestamp": time, "type": "user", "content": text},
        {"id": "m2", "timestamp": time, "type": "gemini", "content": "Done."},
    ]
    path.write_text(json.dumps({"sessionId": "9f077688-9", "projectHash": "x", "messages": messages}))
    return path


def codex(home, root, text):
    path = home / "codex/sessions/2026/12/01/rollout-2026-12-01T03-33-21-01a22faa.jsonl"
    path.parent.mkdir(parents=True)
    said = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
    answer = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]}
    records = [
        ("session_meta", {"id": "01a22faa", "cwd": str(root)}),
        ("response_item", said),
        ("event_msg", {"type": "user_message", "message": text}),
        ("response_item", answer),
    ]
    time = "2026-12-01T03:33:21.000Z"
    path.write_text(
        "".join(
            json.dumps({"timestamp": time, "type": kind, "payload": body}) + "\n" for kind, body in records
        )
    )
    return path


def test_every_tool_s_conversation_of_the_workspace_is_saved_the_oldest_first(
    home, workspace, talk, watching
):
    talk.asks(2).write()
    paths = (gemini(home, workspace.root, "first"), codex(home, workspace.root, "second"), talk.path)
    for age, path in zip((300, 200, 100), paths, strict=True):
        written(path, NOON - age)

    look = watching().look()

    assert [one.path for one in look.saved] == list(paths)
    assert [one.numbers for one in look.saved] == [(1, 1), (2, 2), (3, 4)]
    assert look.waiting == 0


def test_a_second_look_reads_nothing_and_a_grown_file_brings_what_is_new(talk, watching, clock, monkeypatch):
    talk.asks(2).write()
    written(talk.path, NOON - 100)
    watch = watching()
    watch.look()
    opened = []
    real = module.opened
    monkeypatch.setattr(module, "opened", lambda path: opened.append(path) or real(path))

    watch.look()
    watching().look()
    assert opened == []
    talk.asks(1).write()
    clock.now += 600
    written(talk.path, clock.now - 60)
    look = watching().look()

    assert opened == [talk.path]
    assert [one.saved for one in look.saved] == [1]


def test_a_file_that_is_being_written_waits_until_it_rests(talk, watching, clock):
    talk.asks(1).write()
    written(talk.path, NOON - 3)
    watch = watching()

    first = watch.look()
    clock.now += 13
    second = watch.look()

    assert (first.saved, first.waiting) == ((), 1)
    assert [one.saved for one in second.saved] == [1]


def test_a_file_that_never_rests_is_saved_after_five_minutes(talk, watching, clock):
    talk.asks(1).write()
    watch = watching()
    saved = []
    for _ in range(35):
        written(talk.path, clock.now - 1)
        saved.append(len(watch.look().saved))
        clock.now += 10

    assert saved.index(1) == 30


def test_the_last_look_takes_what_is_being_written_and_no_backlog(home, workspace, talk, watching):
    talk.asks(1).write()
    written(talk.path, NOON - 3)
    written(codex(home, workspace.root, "old"), NOON - 90_000)

    look = watching().look(is_last=True)

    assert [one.path for one in look.saved] == [talk.path]


def test_what_a_hook_saved_is_not_saved_again_and_a_hook_finds_what_was(talk, watching, workspace):
    talk.asks(3).write()
    written(talk.path, NOON - 100)
    checkpoint(workspace.layout, Request(transcript=talk.path, now="2026-12-01T12:00:00Z", extend=True))

    assert watching().look().saved == ()
    talk.asks(1).write()
    written(talk.path, NOON - 50)
    watching().look()
    again = checkpoint(
        workspace.layout, Request(transcript=talk.path, now="2026-12-01T12:00:00Z", extend=True)
    )

    assert again.saved == 0
    assert workspace.archive.require("general").last_end == 4


def test_other_workspaces_conversations_are_left_alone(home, workspace, talk_class, watching, tmp_path):
    inner, other = workspace.root / "apps/shop", tmp_path / "other"
    for folder in (inner, other):
        (folder / ".brain").mkdir(parents=True)
    for name, folder in (
        ("a", inner),
        ("b", other),
        ("c", "/gone/elsewhere"),
        ("d", workspace.root / "gone"),
    ):
        window = f"{name * 8}-1111-4111-8111-111111111111"
        talk = talk_class(home / f"claude/projects/-w/{window}.jsonl", window, str(folder))
        talk.asks(1, f"in {folder}").write()
        written(talk.path, NOON - 100)

    look = watching().look()

    assert [one.path.stem[0] for one in look.saved] == ["d"]


def test_a_file_that_may_not_be_read_is_told_once_and_again_when_it_changed(
    talk, watching, clock, monkeypatch
):
    talk.asks(1).write()
    written(talk.path, NOON - 100)
    watch = watching()

    def refused(path):
        raise InputError(f"{path}: cannot be read (Permission denied).", "Check its permissions.")

    monkeypatch.setattr(module, "opened", refused)
    first, second = watch.look(), watch.look()
    clock.now += 60
    written(talk.path, NOON)
    third = watch.look()

    assert [len(one.failed) for one in (first, second, third)] == [1, 0, 1]


@pytest.mark.parametrize("problem", [LockedError("held", ""), DiskError("full", "")])
def test_what_the_disk_refused_is_tried_again_with_the_next_look(talk, watching, monkeypatch, problem):
    talk.asks(1).write()
    written(talk.path, NOON - 100)
    watch = watching()

    def refused(*_arguments):
        raise problem

    with monkeypatch.context() as patch:
        patch.setattr(module, "save_transcript", refused)
        first = watch.look()
    second = watch.look()

    assert [one.problem for one in first.failed] == [problem]
    assert [one.saved for one in second.saved] == [1]


def test_a_stop_is_heeded_between_two_files(home, workspace, talk, watching):
    talk.asks(1).write()
    written(talk.path, NOON - 100)
    written(codex(home, workspace.root, "x"), NOON - 200)
    watch = watching()
    stops = iter([False, True])
    watch.is_stopped = lambda: next(stops)

    look = watch.look()

    assert (len(look.saved), look.waiting) == (1, 1)
    watch.is_stopped = lambda: False
    assert len(watch.look().saved) == 1


def test_a_state_that_does_not_read_costs_one_look_and_doubles_nothing(talk, watching, workspace):
    talk.asks(2).write()
    written(talk.path, NOON - 100)
    watching().look()
    (workspace.layout.private / "watch.json").write_text("[")

    assert watching().look().saved == ()
