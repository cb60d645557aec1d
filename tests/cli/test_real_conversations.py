"""Real conversations: all of them are saved, a second time nothing, and growing ones end up the same."""

import pytest

pytestmark = pytest.mark.shared


@pytest.fixture(autouse=True)
def _quick_disk(monkeypatch):
    monkeypatch.setattr("os.fsync", lambda _descriptor: None)


@pytest.fixture(scope="session")
def conversations(shared):
    """Every transcript of the corpus; snapshots of the growing one are one conversation."""
    root = shared / "corpus/claude-code"
    found = [path for path in root.rglob("*.json*") if path.suffix in (".json", ".jsonl")]
    return sorted(
        path
        for path in found
        if not {"subagents", "25-v2.1.12-growing-session"} & set(path.parts) and ".meta." not in path.name
    )


def test_every_conversation_is_saved_and_a_second_time_nothing(conversations, workspace, snapshot):
    results = {path.name: workspace.save(path) for path in conversations}
    before = snapshot(workspace.root)

    again = {path.name: workspace.save(path) for path in conversations}

    assert len(results) > 20
    assert {name: one.is_empty for name, one in results.items() if one.saved == 0} == {
        name: True for name, one in results.items() if one.saved == 0
    }
    assert {name for name, one in again.items() if one.saved or one.updated} == set()
    assert snapshot(workspace.root) == before
    numbers = [number for number, *_ in workspace.turns()]
    assert numbers == list(range(1, sum(one.saved for one in results.values()) + 1))


def test_every_turn_file_reads_back_as_it_was_saved(conversations, workspace):
    for path in conversations:
        workspace.save(path)

    edited = [
        (entry.session_id, turn.file)
        for entry, session in workspace.archive.sessions("login")
        for turn in session.turns
        if workspace.archive.turn("login", entry.session_id, turn).is_edited
    ]

    assert edited == []


@pytest.mark.parametrize("extend", [True, False], ids=["autosave", "by hand"])
def test_a_growing_conversation_ends_up_as_the_last_snapshot_at_once(
    shared, workspace, workspace_class, tmp_path, extend
):
    """Saved by auto-save the files are the same bytes; by hand there are more sessions with the same texts."""
    snapshots = sorted((shared / "corpus/claude-code/25-v2.1.12-growing-session").glob("*.jsonl"))
    path = tmp_path / "growing.jsonl"
    for step in snapshots:
        path.write_bytes(step.read_bytes())
        workspace.save(path, extend=extend)
    at_once = workspace_class(tmp_path / "at once")
    at_once.save(path)

    assert len(snapshots) == 5
    assert workspace.turns() == at_once.turns()
    if extend:
        assert workspace.turn_files() == at_once.turn_files()
