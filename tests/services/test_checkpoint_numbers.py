"""The golden table of SPEC 1.3, and the edges named beside it."""

import json

import pytest

SAVES = (10, 12, 8, 5)
TABLE = ((10, 0, None), (22, 10, (1, 10)), (30, 22, (11, 22)), (35, 22, None))
"""After each save: turns in all, turns chunked, the chunk that was made."""


@pytest.fixture
def next_conversation(talk_class, tmp_path):
    """Return the conversation of each save: four windows, or one window that goes on."""
    one = talk_class(tmp_path / "one.jsonl")

    def four_windows(step, turns):
        window = f"0000aaaa-1111-4111-8111-00000000000{step}"
        return talk_class(tmp_path / f"{window}.jsonl", window).asks(turns, f"window {step}")

    def one_window(_step, turns):
        return one.asks(turns)

    return {"four windows": four_windows, "one window": one_window}


@pytest.mark.parametrize("kind", ["four windows", "one window"])
def test_numbers_and_chunks_follow_the_golden_table(workspace, next_conversation, kind):
    seen = []

    for step, turns in enumerate(SAVES, 1):
        done = workspace.save(next_conversation[kind](step, turns))
        manifest = workspace.manifest()
        watermark = manifest["turnWatermark"]
        chunk = done.chunk.turn_range if done.chunk else None
        seen.append((watermark["lastSessionEndTurn"], watermark["lastChunkedTurn"], chunk))

    assert tuple(seen) == TABLE
    assert [number for number, *_ in workspace.turns()] == list(range(1, 36))
    assert [
        (chunk["chunkId"], chunk["turnRange"], chunk["file"]) for chunk in manifest["semanticChunks"]
    ] == [
        ("chunk-001", [1, 10], "semantic-chunks/chunk-001.md"),
        ("chunk-002", [11, 22], "semantic-chunks/chunk-002.md"),
    ]
    assert [(one["sessionId"], one["globalRange"], one["status"]) for one in manifest["recentSessions"]] == [
        ("session-003", [23, 30], "saved"),
        ("session-004", [31, 35], "active"),
    ]
    assert [(one["sessionId"], one["globalRange"]) for one in manifest["archivedSessions"]] == [
        ("session-001", [1, 10]),
        ("session-002", [11, 22]),
    ]


def test_a_window_saved_four_times_is_one_conversation_of_linked_sessions(workspace, next_conversation):
    results = [
        workspace.save(next_conversation["one window"](step, turns)) for step, turns in enumerate(SAVES, 1)
    ]

    assert [(one.session, one.numbers, one.continues) for one in results] == [
        ("session-001", (1, 10), None),
        ("session-002", (11, 22), "session-001"),
        ("session-003", (23, 30), "session-002"),
        ("session-004", (31, 35), "session-003"),
    ]
    assert workspace.metadata("session-003")["continues"] == "session-002"


def test_session_folders_stay_when_their_turns_are_chunked(workspace, talk):
    workspace.save(talk.asks(15))
    workspace.save(talk.asks(10))

    assert [number for number, *_ in workspace.turns()] == list(range(1, 26))
    assert len(list((workspace.context / "conversations/sessions").iterdir())) == 2


def test_the_first_save_never_chunks_however_long(workspace, talk):
    done = workspace.save(talk.asks(45))

    assert (done.saved, done.chunk) == (45, None)
    assert workspace.manifest()["semanticChunks"] == []


def test_the_session_now_written_is_never_chunked(workspace, talk):
    workspace.save(talk.asks(3))

    done = workspace.save(talk.asks(30))

    assert done.chunk.turn_range == (1, 3)


def test_nineteen_unchunked_turns_are_not_enough_and_twenty_are(workspace, talk):
    workspace.save(talk.asks(10))

    assert workspace.save(talk.asks(9)).chunk is None
    assert workspace.save(talk.asks(1)).chunk.turn_range == (1, 19)


def test_the_threshold_is_a_setting(workspace, talk):
    workspace.save(talk.asks(2), threshold=4)

    assert workspace.save(talk.asks(2), threshold=4).chunk.turn_range == (1, 2)


def test_nothing_new_changes_nothing_on_disk(workspace, talk, snapshot):
    workspace.save(talk.asks(25))
    before = snapshot(workspace.root)

    done = workspace.save(talk, now="2027-01-01T00:00:00Z")

    assert (done.saved, done.updated, done.session, done.numbers) == (0, 0, None, None)
    assert snapshot(workspace.root) == before


def test_a_conversation_of_nothing_but_commands_leaves_no_trace(tmp_path, workspace_class, talk):
    workspace = workspace_class(tmp_path / "bare")
    (workspace.root / ".awf-archive").rmdir()
    talk.ask("保存", "执行保存...")

    done = workspace.save(talk)

    assert (done.saved, len(done.skipped)) == (0, 1)
    assert list(workspace.root.iterdir()) == []


def test_a_dry_run_says_what_a_run_would_do_and_writes_nothing(workspace, talk, snapshot):
    workspace.save(talk.asks(15))
    talk.asks(10).write()
    before = snapshot(workspace.root)

    plan = workspace.save(talk, dry_run=True)

    assert snapshot(workspace.root) == before
    done = workspace.save(talk)
    assert (plan.session, plan.saved, plan.numbers) == (done.session, done.saved, done.numbers)
    assert plan.chunk.turn_range == done.chunk.turn_range == (1, 15)


def test_the_next_session_number_is_one_more_than_any_on_disk(workspace, talk):
    workspace.save(talk.asks(1))
    old = workspace.context / "conversations/sessions/session-007"
    old.mkdir()
    (old / "metadata.json").write_text(
        json.dumps({"sessionId": "session-007", "globalRange": [1, 1], "turnCount": 1})
    )

    assert workspace.save(talk.asks(1)).session == "session-008"


def test_turn_files_have_three_digits_at_least_and_are_sorted_as_numbers(workspace, talk, monkeypatch):
    monkeypatch.setattr("os.fsync", lambda _descriptor: None)
    workspace.save(talk.asks(1001))

    entries = workspace.metadata("session-001")["turns"]

    assert [entries[place]["file"] for place in (0, 9, 98, 998, 999, 1000)] == [
        "turn-001.md",
        "turn-010.md",
        "turn-099.md",
        "turn-999.md",
        "turn-1000.md",
        "turn-1001.md",
    ]


def test_the_first_save_writes_the_keys_that_the_seed_names(workspace, talk):
    workspace.save(talk.asks(2), phase="design")

    manifest, metadata = workspace.manifest(), workspace.metadata("session-001")

    assert list(manifest)[:5] == [
        "specId",
        "lastUpdated",
        "turnWatermark",
        "semanticChunks",
        "recentSessions",
    ]
    assert manifest["specId"] == "login"
    assert list(metadata)[:6] == [
        "sessionId",
        "createdAt",
        "globalRange",
        "turnCount",
        "phase",
        "summary",
    ]
    assert (metadata["phase"], metadata["turnCount"]) == ("design", 2)
    assert list(metadata["summary"]) == ["topics", "decisions", "files"]
    assert (workspace.context / ".gitattributes").read_bytes() == b"* -text\n"


def test_no_path_of_the_machine_is_written_into_the_archive(workspace, talk):
    talk.ask("Write it.")
    talk.call("Write", {"file_path": f"{talk.cwd}/src/a.py", "content": "x"}, "ok")
    workspace.save(talk)

    metadata = workspace.metadata("session-001")

    assert metadata["summary"]["files"] == ["src/a.py"]
    assert metadata["source"]["name"] == "talk.jsonl"
    for name in ("manifest.json", "conversations/sessions/session-001/metadata.json"):
        assert str(workspace.root) not in (workspace.context / name).read_text()
