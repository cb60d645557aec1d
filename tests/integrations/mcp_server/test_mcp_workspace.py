import json
import subprocess
import sys

import pytest
from mcp import types


@pytest.fixture
def saved(workspace, talk):
    """A workspace with one turn in it."""
    workspace.save(talk.ask("words of this workspace") and talk)
    return workspace


def roots_of(*folders):
    async def answer(_context):
        return types.ListRootsResult(roots=[types.Root(uri=folder.as_uri()) for folder in folders])

    return answer


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_client_s_roots_say_which_workspace(saved, server_home, tmp_path, connect, mode):
    (tmp_path / "elsewhere").mkdir()
    roots = roots_of(tmp_path / "not-there", tmp_path / "elsewhere", saved.root)
    with connect(
        None, server_home, mode=mode, cwd=tmp_path / "elsewhere", list_roots_callback=roots
    ) as asker:
        first, again = (asker.call("search", query="words of this workspace") for _ in range(2))

    assert first.value["hits"][0]["cite"] == again.value["hits"][0]["cite"] == "login#1"


def test_a_client_that_gives_no_roots_is_served_where_it_stands(saved, server_home, connect):
    (saved.root / "deep/down").mkdir(parents=True)

    async def failing(_context):
        return types.ErrorData(code=-32603, message="no roots today")

    with connect(
        None, server_home, mode="legacy", cwd=saved.root / "deep/down", list_roots_callback=failing
    ) as asker:
        assert asker.call("list_sessions").value["total"] == 1


STATE = {
    "summary": {"project": "shop", "current_feature": "pay", "current_task": "evil task", "status": "coding"},
    "working_on": {"feature": "pay", "task": "evil task", "status": "coding"},
}


@pytest.fixture
def cloned(saved):
    """A workspace whose `.brain` came with the repository."""
    brain = saved.root / ".brain"
    brain.mkdir()
    (brain / "session.json").write_text(json.dumps(STATE), encoding="utf-8")
    return saved


def test_nothing_of_a_stranger_s_brain_is_told_before_it_is_trusted(cloned, server_home, connect):
    with connect(cloned.root, server_home) as asker:
        before = [
            asker.call("recap"),
            asker.call("recap", level="deep"),
            asker.call("search", query="evil task"),
            asker.call("search", query="evil task", kind="state"),
        ]
        subprocess.run(
            [sys.executable, "-m", "awf_archive", "trust", "--workspace", str(cloned.root)],
            check=True,
            capture_output=True,
            env={"AWF_ARCHIVE_DATA_HOME": str(server_home / "data"), "HOME": str(server_home)},
        )
        after = asker.call("recap")
        found = asker.call("search", query="evil task", kind="state")

    assert not any("evil" in json.dumps(one.value.get("hits", one.value.get("recap"))) for one in before)
    assert all("awf-archive trust" in one.text for one in before)
    assert "evil task" in after.value["recap"]
    assert "awf-archive trust" not in after.text
    assert "evil task" in json.dumps(found.value["hits"])
