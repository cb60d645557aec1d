"""Ghosts: conversations whose transcript the tool has deleted, and what happens when it turns up (issue 3, point 4)."""

import json
from datetime import datetime

import pytest

ONE, TWO = "0000aaaa-1111-4111-8111-000000000001", "0000aaaa-1111-4111-8111-000000000002"


@pytest.fixture(autouse=True)
def _quick_disk(monkeypatch):
    monkeypatch.setattr("os.fsync", lambda _descriptor: None)


@pytest.fixture
def claude(tmp_path):
    folder = tmp_path / "home/claude"
    (folder / "projects/-p").mkdir(parents=True)
    return folder


@pytest.fixture
def remember(claude):
    """Write what Claude Code's history keeps of conversations: their prompts, also of sessions without a name."""

    def write(*talks, named=True, more=()):
        entries = []
        for talk in talks:
            for record in talk.records:
                if record["type"] == "user" and isinstance(record["message"]["content"], str):
                    moment = datetime.fromisoformat(record["timestamp"]).timestamp() * 1000
                    entry = {"display": record["message"]["content"], "pastedContents": {}}
                    entry |= {"timestamp": int(moment) - 300, "project": talk.cwd}
                    entries.append(entry | ({"sessionId": talk.window} if named else {}))
        entries += more
        lines = [json.dumps(one) for one in sorted(entries, key=lambda one: one["timestamp"])]
        (claude / "history.jsonl").write_text("\n".join([*lines, ""]), encoding="utf-8")

    return write


@pytest.fixture
def talks(claude, talk_class, workspace):
    """Two conversations of this workspace, not yet on disk."""
    return [
        talk_class(claude / "projects/-p" / f"{window}.jsonl", window, str(workspace.root), clock=clock).asks(
            3, word
        )
        for window, word, clock in ((ONE, "first", 0), (TWO, "second", 3000))
    ]


def prompts(workspace):
    return [user for _, user, *_ in workspace.turns("general")]


def test_a_deleted_conversation_is_rebuilt_from_its_prompts_and_marked(awf, talks, remember, workspace):
    talks[1].write()
    remember(*talks)

    answer = awf("import", "--json")

    assert answer.json["totals"]["new"] == 2
    listed = {
        one["window"]: (one["partial"], one["source"]) for one in awf("list", "--json").json["sessions"]
    }
    assert listed == {TWO: (False, "claude-code"), ONE: (True, "claude-history")}
    assert prompts(workspace) == [
        "second 3001",
        "second 3004",
        "second 3007",
        "first 1",
        "first 4",
        "first 7",
    ]
    assert workspace.archive.features() == ["general"]


def test_list_and_show_say_that_only_prompts_are_known(awf, talks, remember):
    remember(talks[0])
    said = awf("import")

    assert "1 of them are prompts only" in said.out
    assert "(only the prompts are known)" in awf("list").out
    shown = awf("show", "general#1")
    assert "Turn 1 (only the prompts are known)" in shown.out
    assert "Claude Code deleted the transcript" in shown.out
    assert awf("show", "general#1", "--json").json["partial"] is True
    assert "(chỉ còn câu hỏi)" in awf("list", "--lang", "vi").out


def test_a_conversation_that_is_on_disk_or_saved_is_no_ghost(awf, talks, remember, workspace):
    for talk in talks:
        talk.write()
    remember(*talks)
    awf("import")
    talks[0].path.unlink()
    remember(*talks, more=[])

    answer = awf("import", "--json")

    assert answer.json["totals"]["new"] == 0
    assert len(prompts(workspace)) == 6


def test_a_transcript_on_disk_that_does_not_read_is_not_replaced_by_its_ghost(
    awf, talks, remember, workspace
):
    talks[0].path.write_bytes(b'{"type": "user", "uuid": \n' * 3)
    remember(talks[0])

    answer = awf("import", "--json")

    assert (answer.code, answer.json["totals"]["failed"], answer.json["totals"]["new"]) == (3, 1, 0)
    talks[0].path.unlink()
    assert awf("import", "--json").json["totals"]["new"] == 1
    assert prompts(workspace) == ["first 1", "first 4", "first 7"]


def test_a_second_run_changes_nothing(awf, talks, remember, workspace, snapshot):
    remember(*talks)
    awf("import")
    before = snapshot(workspace.layout.archive)

    for state_is_kept in (True, False):
        if not state_is_kept:
            (workspace.root / ".awf-archive/imports.json").unlink()
        answer = awf("import", "--json")
        assert (answer.json["totals"]["new"], answer.json["totals"]["unchanged"]) == (0, 2)
        assert snapshot(workspace.layout.archive) == before


def test_a_transcript_that_turns_up_replaces_its_ghost_under_the_same_numbers(
    awf, talks, remember, workspace
):
    remember(talks[0])
    awf("import")
    ghost = workspace.turns("general")
    talks[0].write()

    answer = awf("import", "--json")

    (one,) = answer.json["results"]
    assert (one["savedTurns"], one["updatedTurns"]) == (0, 3)
    turns = workspace.turns("general")
    assert [turn[:2] for turn in turns] == [turn[:2] for turn in ghost]
    assert [assistant for _, _, assistant, _ in turns] == ["answer 1", "answer 4", "answer 7"]
    ((_, session),) = workspace.archive.sessions("general")
    assert (session.source.format, session.source.partial) == ("claude-code", False)
    (earlier,) = session.turns[0].revisions
    folder = workspace.layout.session("general", "session-001")
    assert b"Only this prompt is known" in (folder / earlier.file).read_bytes()
    assert awf("list", "--json").json["sessions"][0]["partial"] is False


def test_afterwards_all_is_as_if_there_had_never_been_a_ghost(awf, talks, remember, workspace, snapshot):
    remember(talks[0])
    awf("import")
    talks[0].asks(1, "later").write()
    awf("import")
    before = snapshot(workspace.layout.archive)

    again = awf("checkpoint", "--transcript", talks[0].path, "--json").json
    (workspace.root / ".awf-archive/imports.json").unlink()
    imported = awf("import", "--json").json["totals"]

    assert (again["savedTurns"], again["updatedTurns"], imported["new"]) == (0, 0, 0)
    assert prompts(workspace) == ["first 1", "first 4", "first 7", "later 10"]
    assert snapshot(workspace.layout.archive) == before
    found = awf("verify")
    assert found.code == 0, found.out


def test_prompts_that_the_transcript_does_not_have_stay_marked(awf, talks, remember, workspace):
    taken_back = {"display": "taken back", "timestamp": 1772442003500, "project": str(workspace.root)}
    remember(talks[0], more=[taken_back | {"sessionId": ONE, "pastedContents": {}}])
    awf("import")
    talks[0].write()
    awf("import")

    ((_, session),) = workspace.archive.sessions("general")
    shown = [awf("show", f"general#{number}", "--json").json["partial"] for number in (1, 2, 3, 4)]
    assert (shown, session.source.partial) == ([False, True, False, False], True)
    assert prompts(workspace) == ["first 1", "taken back", "first 4", "first 7"]
    found = awf("verify")
    assert found.code == 0, found.out


def test_a_conversation_goes_on_as_a_ghost_too(awf, talks, remember, workspace):
    remember(talks[0])
    awf("import")
    remember(talks[0].asks(1, "later"))

    answer = awf("import", "--json")

    assert [one["savedTurns"] for one in answer.json["results"]] == [1]
    assert prompts(workspace) == ["first 1", "first 4", "first 7", "later 10"]


class TestPromptsWithoutASession:
    """Older versions did not write down which session a prompt belongs to."""

    def test_those_of_a_saved_conversation_are_left_out_one_by_one(self, awf, talks, remember, workspace):
        talks[1].write()
        remember(*talks, named=False)

        awf("import")

        ghost = [one for one in awf("list", "--json").json["sessions"] if one["partial"]]
        assert [one["turnCount"] for one in ghost] == [3]
        assert sorted(prompts(workspace)) == sorted(
            [f"first {n}" for n in (1, 4, 7)] + [f"second {n}" for n in (3001, 3004, 3007)]
        )

    def test_a_transcript_that_turns_up_replaces_them(self, awf, talks, remember, workspace, snapshot):
        remember(talks[0], named=False)
        awf("import")
        talks[0].asks(1, "later").write()

        (one,) = awf("import", "--json").json["results"]

        assert (one["updatedTurns"], one["savedTurns"]) == (3, 1)
        assert [(number, user) for number, user, *_ in workspace.turns("general")] == [
            (1, "first 1"),
            (2, "first 4"),
            (3, "first 7"),
            (4, "later 10"),
        ]
        before = snapshot(workspace.layout.archive)
        (workspace.root / ".awf-archive/imports.json").unlink()
        assert awf("import", "--json").json["totals"]["new"] == 0
        assert snapshot(workspace.layout.archive) == before
        found = awf("verify")
        assert found.code == 0, found.out

    def test_the_same_words_on_another_day_are_another_prompt(self, awf, talks, remember, workspace):
        talks[1].write()
        later = {"display": "second 3001", "timestamp": 1772442000000 + 9 * 86_400_000, "pastedContents": {}}
        remember(more=[later | {"project": str(workspace.root)}])

        awf("import")

        assert prompts(workspace).count("second 3001") == 2


def test_a_plan_of_ghosts_writes_nothing(awf, talks, remember, tmp_path, snapshot):
    remember(*talks)
    before = snapshot(tmp_path)

    assert awf("import", "--dry-run", "--json").json["totals"]["new"] == 2
    assert snapshot(tmp_path) == before


def test_the_vault_keeps_a_ghosts_own_lines_only(awf, talks, remember, tmp_path):
    remember(
        talks[0], more=[{"display": "secret of another", "timestamp": 1, "project": "/x", "sessionId": "z"}]
    )
    awf("import", "--feature", "general")

    restored = awf("restore", ONE, "--to", tmp_path / "back")

    assert restored.code == 0, restored.err
    (path,) = (tmp_path / "back").iterdir()
    data = path.read_bytes()
    assert (data.count(b"\n"), b"secret of another" in data) == (3, False)


def test_prompts_that_codex_keeps_alone_are_marked_so(awf, tmp_path):
    path = tmp_path / "history.jsonl"
    path.write_text('{"session_id":"a","ts":1767225600,"text":"sửa lỗi đăng nhập"}\n', encoding="utf-8")

    awf("import", str(path), "--format", "codex", "--feature", "general")

    assert [one["partial"] for one in awf("list", "--json").json["sessions"]] == [True]
