"""Several processes save at the same time: different windows, and the same one (SPEC 1.10)."""

import os

import pytest

from awf_archive.errors import LockedError
from awf_archive.services import checkpoint


def _at_once(actions):
    """Run each in a process of its own; wait for all of them."""
    children = []
    for action in actions:
        child = os.fork()
        if child == 0:
            try:
                action()
            except BaseException:  # noqa: BLE001 - the child must never go on as a test run of its own
                os._exit(1)
            os._exit(0)
        children.append(child)
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]


def _check(workspace, texts):
    turns = workspace.turns()
    assert [number for number, *_ in turns] == list(range(1, len(texts) + 1))
    assert sorted(user for _, user, *_ in turns) == sorted(texts)
    assert [path for path in workspace.root.rglob("*") if path.name.startswith((".tmp-", "lock"))] == []


def test_four_windows_saved_at_once_are_all_there_once(workspace, talk_class, tmp_path):
    talks = [
        talk_class(tmp_path / f"{number}.jsonl", f"0000aaaa-1111-4111-8111-00000000000{number}").asks(
            6, f"window {number}:"
        )
        for number in range(4)
    ]
    for talk in talks:
        talk.write()

    codes = _at_once([lambda talk=talk: workspace.save(talk.path) for talk in talks])

    assert codes == [0, 0, 0, 0]
    _check(
        workspace,
        [one["message"]["content"] for talk in talks for one in talk.records if one["type"] == "user"],
    )
    assert len(workspace.manifest()["recentSessions"]) + len(workspace.manifest()["archivedSessions"]) == 4


def test_one_window_saved_four_times_at_once_is_there_once(workspace, talk):
    talk.asks(8).write()

    codes = _at_once([lambda: workspace.save(talk.path)] * 4)

    assert codes == [0, 0, 0, 0]
    _check(workspace, [one["message"]["content"] for one in talk.records if one["type"] == "user"])
    assert [one["sessionId"] for one in workspace.manifest()["recentSessions"]] == ["session-001"]


def test_a_checkpoint_whose_lock_was_taken_over_commits_nothing(workspace, talk, monkeypatch):
    workspace.save(talk.asks(1))
    before = workspace.manifest()
    real = checkpoint.write_session

    def taken_over_meanwhile(*arguments):
        (workspace.root / ".awf-archive/lock").write_text(
            '{"token": "theirs", "host": "elsewhere", "pid": 1}'
        )
        return real(*arguments)

    monkeypatch.setattr(checkpoint, "write_session", taken_over_meanwhile)

    with pytest.raises(LockedError, match="taken over by process 1 on elsewhere"):
        workspace.save(talk.asks(1))

    assert workspace.manifest() == before
    assert len(workspace.turns()) == 1
    monkeypatch.undo()
    (workspace.root / ".awf-archive/lock").unlink()
    assert workspace.save(talk).adopted == ("session-002",)
    assert len(workspace.turns()) == 2


def test_readers_see_no_more_of_a_session_than_the_manifest_says(workspace, talk):
    """Between its metadata and the manifest an extended session is there in full and not yet committed."""
    workspace.save(talk.asks(2))
    manifest = workspace.context / "manifest.json"
    before = manifest.read_bytes()
    workspace.save(talk.asks(3), extend=True)
    after = manifest.read_bytes()

    manifest.write_bytes(before)
    assert [number for number, *_ in workspace.turns()] == [1, 2]
    manifest.write_bytes(after)
    assert [number for number, *_ in workspace.turns()] == [1, 2, 3, 4, 5]
