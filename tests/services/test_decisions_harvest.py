"""Decisions over the life of an archive: harvested anew, grown, moved, merged, read from documents, crashed."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from awf_archive.domain.decisions import Found, Status
from awf_archive.domain.wording import choose
from awf_archive.services.decisions_changes import Edit, accept, edit, record, reject
from awf_archive.services.decisions_harvest import features_to_harvest, harvest_feature
from awf_archive.services.move import Moving, move

NOW = "2026-03-05T10:00:00Z"
LATER = "2026-04-01T10:00:00Z"
FORK = "0000bbbb-1111-4111-8111-00000000000b"


def asked(header, asked_, *labels):
    return {"question": asked_, "header": header, "options": [{"label": one} for one in labels]}


def told(question, answer):
    return f'User has answered your questions: "{question}"="{answer}"'


@pytest.fixture
def saved(workspace, talk):
    """An answer, a list under a heading, a proposal that the user agrees to."""
    talk.user("hàng đợi nào?")
    talk.call(
        "AskUserQuestion",
        {"questions": [asked("Store", "Which?", "Redis", "SQLite")]},
        told("Which?", "SQLite"),
    )
    talk.reply("Xong.\n\n## Quyết định\n1. **Khoá**: một khoá cho cả workspace\n   - Lý do: đơn giản\n")
    talk.ask("còn log?", "Mình đề xuất ghi log ra file JSON, xoay vòng mỗi ngày. Bạn đồng ý không?")
    talk.ask("ok, làm vậy đi", "Đã làm.")
    workspace.save(talk)
    return talk


def decisions(workspace, feature="login"):
    return workspace.archive.decisions(feature)


def harvest(workspace, now=LATER):
    return [
        harvest_feature(workspace.archive, name, now) for name in features_to_harvest(workspace.archive, None)
    ]


@pytest.mark.usefixtures("saved")
def test_structure_is_accepted_and_an_ok_points_at_the_proposal(workspace):
    store, lock, log = decisions(workspace)

    assert [one.status for one in (store, lock, log)] == [Status.ACCEPTED] * 3
    assert (store.found_by, store.turn) == ("question", 1)
    assert (lock.text, lock.reason, lock.found_by) == (
        "Khoá: một khoá cho cả workspace",
        "đơn giản",
        "heading",
    )
    assert "file JSON" in log.text
    assert (log.by, 3 in {log.turn, *log.also}) == ("user", True)
    assert log.turn - log.place.turns_back == 2, "the words stand in the proposal"


@pytest.mark.usefixtures("saved")
def test_harvesting_saved_turns_finds_what_the_checkpoint_found(workspace):
    before = decisions(workspace)
    workspace.layout.decisions("login").unlink()

    harvest(workspace)

    assert decisions(workspace) == before


@pytest.mark.usefixtures("saved")
def test_harvesting_twice_writes_nothing(workspace, snapshot):
    before = snapshot(workspace.root)

    (done,) = harvest(workspace)

    assert (done.turns, done.added, done.changed) == (3, (), ())
    assert snapshot(workspace.root) == before


@pytest.mark.usefixtures("saved")
def test_a_dry_run_writes_nothing(workspace, snapshot):
    workspace.layout.decisions("login").unlink()
    before = snapshot(workspace.root)

    done = harvest_feature(workspace.archive, "login", LATER, dry_run=True)

    assert len(done.added) == 3
    assert snapshot(workspace.root) == before


@pytest.fixture
def changed(saved, workspace):
    """What a person said of each."""
    assert saved
    edit(workspace.archive, "login", "D-001", Edit(text="Hàng đợi: SQLite", options=("SQLite",)))
    reject(workspace.archive, "login", "D-002")
    record(
        workspace.archive, "login", Found(text="dùng WAL", by="user", found_by="command", evidence=""), NOW
    )
    return decisions(workspace)


def test_changes_survive_a_harvest(changed, workspace):
    harvest(workspace)

    assert decisions(workspace) == changed


def test_changes_survive_another_checkpoint_and_an_import_of_a_copy(changed, saved, workspace, tmp_path):
    workspace.save(saved.asks(1))
    workspace.save(saved.copy(tmp_path / "fork.jsonl", FORK))

    assert decisions(workspace) == changed


def test_changes_survive_the_growth_of_their_turn(changed, saved, workspace):
    saved.reply("Còn một việc nữa.\n\n## Quyết định\n- một khoá mỗi tính năng\n")
    done = workspace.save(saved)

    assert done.updated == 1
    assert decisions(workspace)[: len(changed)] == changed
    assert [one.text for one in decisions(workspace)[len(changed) :]] == ["một khoá mỗi tính năng"]


def test_a_rewind_takes_the_sureness_and_going_back_returns_it(workspace, talk):
    talk.ask("chào")
    start = talk.user("hàng đợi nào?")
    talk.call(
        "AskUserQuestion", {"questions": [asked("Store", "Which?", "SQLite")]}, told("Which?", "SQLite")
    )
    workspace.save(talk)
    leaf = talk.leaf
    talk.rewind(start).ask("khác đi")
    workspace.save(talk)
    assert [one.status for one in decisions(workspace)] == [Status.PROPOSED]

    accept(workspace.archive, "login", "D-001")
    workspace.save(talk.asks(1))

    assert leaf
    assert [one.status for one in decisions(workspace)] == [Status.ACCEPTED], (
        "a person's word stands above a rewind"
    )


class TestDocuments:
    def test_a_checkpoint_reads_the_features_design(self, workspace, talk):
        spec = workspace.layout.spec("login")
        spec.mkdir(parents=True)
        (spec / "design.md").write_text(
            "# Design\n\n## Decisions\n- one lock\n- which store?\n", encoding="utf-8"
        )

        workspace.save(talk.asks(1))
        workspace.save(talk.asks(1))

        (one,) = decisions(workspace)
        assert (one.text, one.status, one.turn, one.date) == ("one lock", Status.ACCEPTED, 0, NOW)
        assert one.place.path == ".claude/spec-workflow/specs/login/design.md"

    def test_adr_files_are_harvested_with_what_replaced_what(self, workspace, talk):
        workspace.save(talk.asks(1))
        folder = workspace.root / "docs/adr"
        folder.mkdir(parents=True)
        (folder / "0001-a.md").write_text(
            "# 1. Use Redis\n\n## Status\n\nSuperseded by [2](0002-b.md)\n\n## Decision\n\nRedis.\n",
            encoding="utf-8",
        )
        (folder / "0002-b.md").write_text(
            "# 2. Use SQLite\n\nDate: 2026-01-02\n\n## Status\n\nAccepted\n\n## Decision\n\nSQLite.\n",
            encoding="utf-8",
        )
        (folder / "README.md").write_text("# How to\n", encoding="utf-8")

        harvest(workspace)
        before = decisions(workspace)
        harvest(workspace)

        old, new = decisions(workspace)
        assert (old, new) == before
        assert (old.text, old.status, old.superseded_by) == ("Use Redis", Status.SUPERSEDED, "D-002")
        assert (new.status, new.supersedes, new.date) == (Status.ACCEPTED, ("D-001",), "2026-01-02")

    def test_adr_files_stay_in_their_feature_when_others_come(self, workspace, talk, talk_class, tmp_path):
        workspace.save(talk.asks(1))
        folder = workspace.root / "doc/adr"
        folder.mkdir(parents=True)
        (folder / "1.md").write_text("# Use SQLite\n\n## Decision\n\nSQLite.\n", encoding="utf-8")
        harvest(workspace)
        workspace.save(talk_class(tmp_path / "other.jsonl", FORK).asks(1), feature="pay")

        harvest(workspace)

        assert [len(decisions(workspace, name)) for name in workspace.archive.features()] == [1, 0]

    def test_with_several_features_adr_files_stand_in_the_common_one(
        self, workspace, talk, talk_class, tmp_path
    ):
        workspace.save(talk.asks(1))
        workspace.save(talk_class(tmp_path / "other.jsonl", FORK).asks(1), feature="pay")
        folder = workspace.root / "adr"
        folder.mkdir()
        (folder / "1.md").write_text("# Use SQLite\n\n## Decision\n\nSQLite.\n", encoding="utf-8")

        harvest(workspace)

        assert [one.text for one in decisions(workspace, "general")] == ["Use SQLite"]

    @pytest.mark.usefixtures("saved")
    def test_the_work_state_belongs_to_the_feature_it_names(self, workspace):
        brain = workspace.root / ".brain"
        brain.mkdir()
        state = {
            "summary": {"current_feature": "login"},
            "decisions_made": [
                {"decision": "Store: SQLite", "reason": "known already"},
                {"decision": "deploy on Friday", "reason": "never"},
            ],
        }
        (brain / "session.json").write_text(json.dumps(state), encoding="utf-8")

        harvest(workspace)

        assert [(one.text, one.reason) for one in decisions(workspace)[3:]] == [("deploy on Friday", "never")]

    def test_a_link_out_of_the_workspace_is_not_read(self, workspace, talk, tmp_path):
        (tmp_path / "secret.md").write_text("## Decisions\n- secret\n", encoding="utf-8")
        spec = workspace.layout.spec("login")
        spec.mkdir(parents=True)
        (spec / "design.md").symlink_to(tmp_path / "secret.md")

        workspace.save(talk.asks(1))

        assert decisions(workspace) == ()


@pytest.mark.usefixtures("saved")
def test_a_turn_that_does_not_read_is_told_and_the_others_are_looked_at(workspace):
    path = next(workspace.context.glob("conversations/sessions/session-001/turn-002.md"))
    path.unlink()
    workspace.layout.decisions("login").unlink()

    (done,) = harvest(workspace)

    assert (done.turns, len(done.added)) == (2, 2)
    assert "turn-002.md" in done.problems[0]


def test_what_seems_to_replace_another_keeps_its_link_when_it_moves(workspace, talk):

    for answer in ("SQLite", "Redis"):
        talk.user("hàng đợi nào?")
        talk.call(
            "AskUserQuestion",
            {"questions": [asked("Store", "Which?", "Redis", "SQLite")]},
            told("Which?", answer),
        )
    workspace.save(talk)
    record(workspace.archive, "pay", Found(text="khác", by="user", found_by="command", evidence=""), NOW)

    moving = Moving(archive=workspace.archive, now=NOW, words=choose("en"), threshold=20)
    move(moving, talk.window, "pay")

    assert [(one.id, one.may_supersede) for one in decisions(workspace, "pay")] == [
        ("D-001", ()),
        ("D-002", ()),
        ("D-003", ("D-002",)),
    ]
    assert [one.moved_to for one in workspace.archive.all_decisions("login")] == ["pay D-002", "pay D-003"]


def test_two_who_record_at_once_give_two_numbers(workspace, talk):
    workspace.save(talk.asks(1))
    texts = [f"decision {word}" for word in ("one", "two", "three", "four", "five", "six")]

    def recorded(text):
        return record(
            workspace.archive, "login", Found(text=text, by="user", found_by="command", evidence=""), NOW
        ).id

    with ThreadPoolExecutor(6) as pool:
        ids = list(pool.map(recorded, texts))

    assert sorted(ids) == [f"D-{number:03d}" for number in range(1, 7)]
    assert {one.text for one in decisions(workspace)} == set(texts)


@pytest.mark.usefixtures("saved")
def test_an_older_decisions_file_is_read_and_written_anew(workspace):
    path = workspace.layout.decisions("login")
    old = json.loads(path.read_bytes())
    keep = (
        "id",
        "text",
        "reason",
        "options",
        "status",
        "feature",
        "session",
        "turn",
        "date",
        "by",
        "foundBy",
        "evidence",
        "callId",
        "files",
        "confidence",
    )
    old["decisions"] = [{name: one[name] for name in keep} for one in old["decisions"][:1]]
    path.write_text(json.dumps(old), encoding="utf-8")

    harvest(workspace)

    assert [one.id for one in decisions(workspace)] == ["D-001", "D-002", "D-003"]
    assert replace(decisions(workspace)[0], place=None, matter="").text == "Store: SQLite"
