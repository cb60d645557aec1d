"""What users feel, counted instead of timed: modules loaded, files opened, syncs, calls; and with ten times the archive.

A ceiling lies a fifth above what was counted when it was written. Who goes past one has made a command slower for
everybody: load it later, or say in the commit what it buys and raise the ceiling.
"""

import hashlib
import json
import os

import pytest
from counted import counted

HEAVY = ("whoosh", "mkdocs", "markdown_it", "pygments", "jinja2", "zstandard", "requests")
CEILINGS = {
    "--version": {"modules": 30, "calls": 400, "opens": 1},
    "--help": {"modules": 30, "calls": 400, "opens": 1},
    "recap": {"modules": 60, "calls": 19_500, "opens": 12},  # no work state here: it tells from the archive
    "SessionStart": {"modules": 60, "calls": 6_000, "opens": 8},
    "UserPromptSubmit": {"modules": 60, "calls": 85_000, "opens": 12},
    "Stop": {"modules": 50, "calls": 5_000, "opens": 10},
    "PostToolUse": {"modules": 50, "calls": 5_000, "opens": 8},
}
RECAP_OF_A_WORK_STATE = {"modules": 44, "calls": 2_600, "opens": 6}
AGAIN = {"modules": 195, "calls": 130_000, "opens": 30, "syncs": 0}
SYNCS_PER_TURN = 1
SYNCS_BESIDE = 22
"""For the vault, the session, decisions, the chunk and the manifest, each with its folder."""
A_CHUNK = 2
"""A chunk may fall due: a file and its folder."""
GROWTH = 1.3


@pytest.fixture(scope="module")
def place(tmp_path_factory, workspace_class, talk_class):
    """A workspace with a window of five turns, and its transcript."""
    folder = tmp_path_factory.mktemp("felt")
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(("AWF_ARCHIVE_", "XDG_"))]:
            patch.delenv(name)
        for name in ("HOME", "AWF_ARCHIVE_DATA_HOME", "AWF_ARCHIVE_CONFIG_HOME"):
            patch.setenv(name, str(folder / name))
        patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        workspace = workspace_class(folder / "workspace", "shop")
        talk = talk_class(folder / "talk.jsonl").asks(5)
        talk.write()
        saved(workspace, talk.path)
        yield workspace, talk


def saved(workspace, path):
    return counted(
        *("checkpoint", "--transcript", path, "--feature", "shop", "--workspace", workspace.root),
        folder=workspace.root,
    )


def told(found):
    return {name: len(value) if name == "modules" else value for name, value in found.items()}


def assert_below(found, ceilings):
    numbers = told(found)
    assert {name: numbers[name] for name, most in ceilings.items() if numbers[name] > most} == {}


@pytest.mark.parametrize("name", CEILINGS)
def test_what_starts_all_the_time_does_little(place, name):
    workspace, _ = place
    event = {
        "session_id": "w",
        "cwd": str(workspace.root),
        "transcript_path": "/nowhere/w.jsonl",
        "source": "startup",
    }
    event |= {"hook_event_name": name, "prompt": "làm tiếp phần đăng nhập nhé"}
    is_hook = name[0].isupper()
    arguments = ("hook", "claude-code") if is_hook else (name,)

    found = counted(*arguments, folder=workspace.root, stdin=json.dumps(event).encode() if is_hook else b"")

    assert [one for one in found["modules"] if one.partition(".")[0] in HEAVY] == []
    assert_below(found, CEILINGS[name])


def test_a_recap_of_a_work_state_does_little(place, tmp_path):
    del place  # it sets the environment
    brain = tmp_path / ".brain"
    brain.mkdir()
    state = {
        "summary": {"current_feature": "login", "status": "coding"},
        "updated_at": "2026-03-02T09:00:00Z",
    }
    (brain / "session.json").write_text(json.dumps(state), "utf-8")

    found = counted("recap", folder=tmp_path)

    assert found["code"] == 0
    assert_below(found, RECAP_OF_A_WORK_STATE)


def test_saving_a_window_again_writes_nothing_and_loads_no_other_readers(place):
    workspace, talk = place

    found = saved(workspace, talk.path)

    assert_below(found, AGAIN)
    assert [
        one for one in found["modules"] if one.partition(".")[0] in ("mkdocs", "markdown_it", "jinja2")
    ] == []
    loaded = {one.split(".")[2] for one in found["modules"] if one.startswith("awf_archive.readers.")}
    assert loaded & {"codex", "chatgpt", "claude_ai", "copilot", "claude_history"} == set()


def test_a_saved_turn_is_synced_once(place, talk_class):
    workspace, _ = place
    syncs = []
    for turns in (5, 15):
        talk = talk_class(
            workspace.root.parent / f"talk-{turns}.jsonl", f"0000aaaa-1111-4111-8111-{turns:012}"
        ).asks(turns, f"word {turns}")
        talk.write()
        syncs.append(saved(workspace, talk.path)["syncs"])

    assert syncs[1] - syncs[0] <= 10 * SYNCS_PER_TURN + A_CHUNK
    assert syncs[0] - 5 * SYNCS_PER_TURN <= SYNCS_BESIDE


def with_sessions(workspace, count):
    """Let the one session of a workspace stand there many times, each under numbers of its own."""
    sessions = workspace.context / "conversations/sessions"
    metadata, manifest = workspace.metadata("session-001"), workspace.manifest()
    entries, turns = [], len(metadata["turns"])
    for place in range(count):
        name, first = f"session-{place + 1:03d}", place * turns
        listed = [
            one | {"turn": one["local"] + first, "sourceId": f"{place}-{one['local']}"}
            for one in metadata["turns"]
        ]
        window = metadata["source"] | {"window": f"w{place}", "windows": [f"w{place}"]}
        here = metadata | {"sessionId": name, "turns": listed, "source": window}
        data = json.dumps(here | {"globalRange": [first + 1, first + turns]}).encode()
        if place:
            (sessions / name).mkdir()
            for path in (sessions / "session-001").glob("turn-*.md"):
                os.link(path, sessions / name / path.name)
        (sessions / name / "metadata.json").write_bytes(data)
        entry = {
            "sessionId": name,
            "globalRange": [first + 1, first + turns],
            "windows": [f"w{place}"],
            "firstTurn": f"p{place}",
        }
        entries.append(
            manifest["recentSessions"][0] | entry | {"metadataSha256": hashlib.sha256(data).hexdigest()}
        )
    manifest["recentSessions"] = entries
    manifest["turnWatermark"] |= {"lastSessionEndTurn": count * turns, "lastChunkedTurn": count * turns}
    (workspace.context / "manifest.json").write_text(json.dumps(manifest))


@pytest.mark.usefixtures("place")
def test_ten_times_the_archive_costs_a_third_more_at_most(workspace_class, talk_class, tmp_path):
    found = {}
    for count in (8, 80):
        workspace = workspace_class(tmp_path / str(count), "shop")
        workspace.save(talk_class(tmp_path / "first.jsonl").asks(2))
        with_sessions(workspace, count)
        counted("index", "update", "--workspace", workspace.root, folder=workspace.root)
        talk = talk_class(tmp_path / f"talk-{count}.jsonl", f"0000aaaa-1111-4111-8111-{count:012}").asks(3)
        talk.write()
        found[count] = {
            "checkpoint": saved(workspace, talk.path),
            "again": saved(workspace, talk.path),
            "recap": counted("recap", "--workspace", workspace.root, folder=workspace.root),
        }

    growth = {
        (name, what): found[80][name][what] / max(1, found[8][name][what])
        for name in found[8]
        for what in ("calls", "opens", "syncs")
    }
    assert {one: factor for one, factor in growth.items() if factor > GROWTH} == {}
