"""Whatever is said, forked, rewound and saved in whatever order: numbers without gap, nothing lost or doubled."""

import itertools
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

THRESHOLD = 6

say = st.tuples(st.just("say"), st.integers(0, 3), st.integers(1, 4))
grow = st.tuples(st.just("grow"), st.integers(0, 3))
fork = st.tuples(st.just("fork"), st.integers(0, 3))
rewind = st.tuples(st.just("rewind"), st.integers(0, 3), st.integers(1, 3))
command = st.tuples(st.just("command"), st.integers(0, 3))
save = st.tuples(st.just("save"), st.integers(0, 3), st.booleans())
steps = st.lists(st.one_of(say, save, save, grow, fork, rewind, command), max_size=14)


class World:
    """Conversations, and an archive into which they are saved."""

    def __init__(self, folder, talk_class, workspace_class):
        self.folder, self.talk_class = folder, talk_class
        self.workspace = workspace_class(folder / "workspace")
        self.counter = itertools.count(1)
        self.talks = [self.new_talk()]

    def new_path(self):
        number = next(self.counter)
        return self.folder / f"{number}.jsonl", f"0000aaaa-1111-4111-8111-{number:012d}"

    def new_talk(self):
        path, window = self.new_path()
        return self.talk_class(path, window, clock=1000 * len(getattr(self, "talks", [])))

    def talk(self, which):
        return self.talks[which % len(self.talks)]

    def say(self, which, turns):
        if which >= len(self.talks):
            self.talks.append(self.new_talk())
        for _ in range(turns):
            self.talk(which).ask(f"question {next(self.counter)}", f"answer {next(self.counter)}")

    def grow(self, which):
        talk = self.talk(which)
        if talk.records and talk.leaf == talk.records[-1]["uuid"]:
            talk.reply(f"more {next(self.counter)}")

    def fork(self, which):
        path, window = self.new_path()
        if self.talk(which).records:
            self.talks.append(self.talk(which).copy(path, window))

    def rewind(self, which, back):
        talk = self.talk(which)
        prompts = [one["uuid"] for one in talk.records if one["type"] == "user"]
        if len(prompts) > 1:
            talk.rewind(prompts[max(1, len(prompts) - back)])
            self.say(which % len(self.talks), 1)

    def command(self, which):
        self.talk(which).ask("保存", "执行保存...")

    def save(self, which, extend):
        talk = self.talk(which)
        if talk.records:
            self.workspace.save(talk, extend=extend, threshold=THRESHOLD)
            self.check(talk)

    def check(self, talk):
        turns = self.workspace.turns()
        assert [number for number, *_ in turns] == list(range(1, len(turns) + 1))
        assert len({(user, assistant) for _, user, assistant, _ in turns}) == len(turns)
        assert all(any(_holds(turn, said) for turn in turns) for said in _said_in(talk))
        if turns:
            _check_manifest(self.workspace.manifest(), len(turns))


def _said_in(talk):
    """Every turn of a conversation: the prompt and everything answered, save commands aside."""
    turns = []
    for record in talk.records:
        content = record["message"]["content"]
        if record["type"] == "user":
            turns.append((content, []))
        else:
            turns[-1][1].append(content[0]["text"])
    return [turn for turn in turns if turn[0] != "保存"]


def _holds(turn, said):
    _, user, assistant, _ = turn
    prompt, answers = said
    return user == prompt and all(one in assistant.split("\n\n") for one in answers)


def _check_manifest(manifest, turns):
    """Sessions cover every turn once; chunks cover the first ones once and never touch the last session."""
    sessions = manifest.get("archivedSessions", []) + manifest["recentSessions"]
    covered = [number for one in sessions for number in _range(one["globalRange"])]
    chunked = [number for one in manifest["semanticChunks"] for number in _range(one["turnRange"])]
    assert covered == list(range(1, turns + 1))
    assert chunked == list(range(1, len(chunked) + 1))
    assert manifest["turnWatermark"] == {
        "lastChunkedTurn": len(chunked),
        "lastSessionEndTurn": turns,
    }
    assert len(chunked) < sessions[-1]["globalRange"][0]
    assert [one["status"] for one in sessions][-1] == "active"
    assert sum(one["status"] == "active" for one in sessions) == 1


def _range(pair):
    return range(pair[0], pair[1] + 1)


@pytest.fixture(scope="module")
def memory():
    """In memory where the system has such a folder."""
    folder = "/dev/shm"  # noqa: S108 - a folder of our own is made in it
    return folder if os.access(folder, os.W_OK) else None


@pytest.fixture(autouse=True)
def _quick_disk(monkeypatch):
    monkeypatch.setattr("os.fsync", lambda _descriptor: None)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(steps=steps)
def test_numbers_have_no_gap_and_nothing_is_lost_or_doubled(
    steps, talk_class, workspace_class, snapshot, memory
):
    with tempfile.TemporaryDirectory(dir=memory, prefix="awf-archive-") as folder:
        world = World(Path(folder), talk_class, workspace_class)

        for name, *arguments in steps:
            getattr(world, name)(*arguments)

        for which in range(len(world.talks)):
            world.save(which, extend=False)
        before = snapshot(world.workspace.root)
        for which in range(len(world.talks)):
            world.save(which, extend=which % 2 == 0)
        assert snapshot(world.workspace.root) == before, "saving twice changes nothing"
