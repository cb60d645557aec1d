"""A checkpoint that dies at any moment: as before or as after, and the next one completes it (SPEC 1.10)."""

import os
import random
import shutil
import tempfile
import time
from pathlib import Path

import pytest
from crashes import dies_at, killed_after

OTHER = "0000bbbb-1111-4111-8111-00000000000b"
QUESTION = {"question": "Which store?", "header": "Store", "options": [{"label": "Redis"}]}
ANSWER = 'User has answered your questions: "Which store?"="Redis"'
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def _first_save(_workspace, talk, _other):
    """A new session with a decision and an attachment."""
    talk.user([{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXEL}}])
    talk.reply("A pixel.")
    talk.user("choose")
    talk.call("AskUserQuestion", {"questions": [QUESTION]}, ANSWER)
    return {}


def _chunk(workspace, talk, _other):
    """A second session, with which a chunk becomes due."""
    workspace.save(talk.asks(4))
    talk.asks(2)
    return {"threshold": 5}


def _extension(workspace, talk, other):
    """An auto-save that extends a session in which a turn grew, with a decision, and makes a chunk."""
    workspace.save(other.asks(3, "other"))
    talk.user("choose")
    workspace.save(talk.asks(1), extend=True)
    talk.leaf = talk.records[0]["uuid"]
    talk.call("AskUserQuestion", {"questions": [QUESTION]}, ANSWER)
    talk.asks(2)
    return {"extend": True, "threshold": 6}


def _growth(workspace, talk, other):
    """Turns that grew in a session which is not the last, and nothing new."""
    talk.user("choose")
    workspace.save(talk)
    workspace.save(other.asks(1, "other"))
    talk.call("AskUserQuestion", {"questions": [QUESTION]}, ANSWER)
    return {}


SCENES = [_first_save, _chunk, _extension, _growth]


@pytest.fixture
def tmp_path(tmp_path):
    """In memory where the system has such a folder: these tests make and remove thousands of files."""
    memory = Path("/dev/shm")  # noqa: S108 - a folder of our own is made in it
    if not os.access(memory, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=memory, prefix="awf-archive-") as folder:
        yield Path(folder)


@pytest.fixture(autouse=True)
def _quick_disk(monkeypatch):
    """A process that dies loses nothing of the page cache: what fsync is for needs a power cut."""
    monkeypatch.setattr("os.fsync", lambda _descriptor: None)
    monkeypatch.setattr("awf_archive.store.lock.UNCLAIMED", 0.0)
    monkeypatch.setattr("awf_archive.store.lock._POLL", 0.001)


@pytest.fixture(params=SCENES, ids=lambda scene: scene.__name__.strip("_"))
def scene(request, workspace, talk, talk_class, tmp_path):
    """Return what is to be saved, and the archive before and after as an undisturbed run leaves it."""
    other = talk_class(tmp_path / "other.jsonl", OTHER)
    options = request.param(workspace, talk, other) | {"vaults": tmp_path / "vaults"}
    talk.write()
    before = tmp_path / "before"
    shutil.copytree(workspace.root, before)
    told_before = _told(workspace)
    workspace.save(talk, **options)
    return {"options": options, "before": before, "told": (told_before, _told(workspace)), "talk": talk}


def _told(workspace):
    """Everything that readers are told of the archive."""
    manifest = workspace.archive.manifest(workspace.feature)
    chunks = [workspace.archive.chunk(workspace.feature, one) for one in manifest.chunks] if manifest else []
    decisions = [(one.id, one.text, one.turn) for one in workspace.archive.decisions(workspace.feature)]
    return workspace.turns(), chunks, decisions


def _set_back(workspace, scene):
    shutil.rmtree(workspace.root)
    shutil.copytree(scene["before"], workspace.root)


def _check_after_death(workspace, scene):
    """As before or as after; the next checkpoint completes it; nothing lost, doubled or left over."""
    before, after = scene["told"]
    turns, chunks, decisions = _told(workspace)
    assert len(turns) in (len(before[0]), len(after[0]))
    assert chunks in (before[1], after[1])
    assert decisions in (before[2], after[2])
    assert all(turn in before[0] or turn in after[0] for turn in turns)

    done = workspace.save(scene["talk"], **scene["options"])

    assert _told(workspace) == after
    is_committed = turns == after[0] and done.saved == done.updated == 0
    assert is_committed or done.adopted or done.saved or done.updated
    _check_nothing_is_left(workspace)
    again = workspace.save(scene["talk"], **scene["options"])
    assert (again.saved, again.updated, again.adopted, again.set_aside) == (0, 0, (), "")
    return done


def _check_nothing_is_left(workspace):
    kept = workspace.context / "conversations/set-aside"
    names = [path for path in workspace.root.rglob("*") if kept not in path.parents]
    assert [path for path in names if path.name.startswith((".tmp-", "lock"))] == []
    for entry in workspace.archive.require(workspace.feature).sessions:
        folder = workspace.layout.session(workspace.feature, entry.session_id)
        session = workspace.archive.session(workspace.feature, entry)
        assert sorted(path.name for path in folder.glob("turn-*.md")) == [one.file for one in session.turns]
        revisions = [one.file for turn in session.turns for one in turn.revisions]
        assert sorted(path.relative_to(folder).as_posix() for path in folder.glob("revisions/*")) == revisions


def test_a_checkpoint_that_dies_at_any_operation_is_completed_by_the_next(workspace, scene):
    operation = 0
    finished, set_aside = [], []
    _set_back(workspace, scene)

    while dies_at(operation, lambda: workspace.save(scene["talk"], **scene["options"])):
        done = _check_after_death(workspace, scene)
        finished += done.adopted
        set_aside += [done.set_aside] if done.set_aside else []
        operation += 1
        _set_back(workspace, scene)

    assert operation > 20
    assert finished, "at some moments the session was complete on disk and had only to be named"
    assert _told(workspace) == scene["told"][1]


def test_a_turn_that_grew_again_after_a_crash_keeps_every_earlier_text(workspace, talk, tmp_path):
    """Dies after the grown file is in place and before its metadata; then the source goes on."""
    talk.ask("question", "one")
    workspace.save(talk)
    first = next(iter(workspace.turn_files().values()))
    saved = tmp_path / "before"
    shutil.copytree(workspace.root, saved)
    talk.reply("two")
    talk.write()
    operation = 0
    while dies_at(operation, lambda: workspace.save(talk)):
        half = next(iter(workspace.turn_files().values()))
        copy = talk.copy(talk.path, talk.window)
        copy.reply("three")

        workspace.save(copy)

        kept = [path.read_bytes() for path in workspace.context.rglob("revisions/*.md")]
        assert first in kept
        assert half in kept
        assert [one for _, _, one, _ in workspace.turns()] == ["one\n\ntwo\n\nthree"]
        _check_nothing_is_left(workspace)
        shutil.rmtree(workspace.root)
        shutil.copytree(saved, workspace.root)
        talk.write()
        operation += 1
    assert operation > 10


def test_what_a_crash_left_of_another_window_does_not_disturb_the_next(workspace, talk, talk_class, tmp_path):
    other = talk_class(tmp_path / "other.jsonl", OTHER).asks(2, "other")
    workspace.save(other)
    saved = tmp_path / "before"
    shutil.copytree(workspace.root, saved)
    other.asks(2, "other again").write()
    operation = 0
    while dies_at(operation, lambda: workspace.save(other, extend=True)):
        workspace.save(talk if talk.records else talk.asks(1))

        numbers = [number for number, *_ in workspace.turns()]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) in (3, 5)
        _check_nothing_is_left(workspace)
        workspace.save(other, extend=True)
        texts = [user for _, user, *_ in workspace.turns()]
        assert len(texts) == len(set(texts)) == 5
        shutil.rmtree(workspace.root)
        shutil.copytree(saved, workspace.root)
        operation += 1
    assert operation > 10


def _kill_at_random(workspace, scene, times):
    _set_back(workspace, scene)
    start = time.monotonic()
    workspace.save(scene["talk"], **scene["options"])
    takes = time.monotonic() - start
    moments = random.Random(20260302)  # noqa: S311 - the same moments every time
    killed = 0
    for _ in range(times):
        _set_back(workspace, scene)
        killed += killed_after(
            moments.uniform(0, takes * 1.2), lambda: workspace.save(scene["talk"], **scene["options"])
        )
        _check_after_death(workspace, scene)
    return killed


def test_a_killed_checkpoint_is_completed_by_the_next(workspace, scene):
    assert _kill_at_random(workspace, scene, 6) > 0


@pytest.mark.soak
def test_two_hundred_killed_checkpoints_are_completed_by_the_next(workspace, scene):
    assert _kill_at_random(workspace, scene, 200) > 50
