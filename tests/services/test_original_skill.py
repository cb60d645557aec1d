"""An archive that the original skill wrote is read and continued (SPEC 1.7)."""

import json
import shutil
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).with_name("original_skill") / "context"
FEATURE = "block-user-personal-chat"


@pytest.fixture
def workspace(tmp_path, workspace_class):
    workspace = workspace_class(tmp_path / "workspace", FEATURE)
    shutil.copytree(EXAMPLE, workspace.context)
    return workspace


def _write(workspace, name, value):
    path = workspace.context / name
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")


def test_its_turns_read_under_their_global_numbers(workspace):
    turns = workspace.turns()

    assert [number for number, *_ in turns] == list(range(16, 26))
    assert turns[0][1:3] == (
        "接口用 RESTful 还是 RPC 风格？",
        "建议使用 RESTful 风格：\n\n- `POST /users/{id}/block`\n- `DELETE /users/{id}/block`",
    )
    assert turns[8][2].endswith("（这一行在助手的代码示例里，不是新的角色标题）")


def test_turn_files_with_local_numbers_read_too(workspace):
    folder = workspace.context / "conversations/sessions/session-002"
    for local, number in enumerate(range(16, 26), 1):
        (folder / f"turn-{number:03d}.md").rename(folder / f"turn-{local:03d}.md")

    turns = workspace.turns()

    assert [number for number, *_ in turns] == list(range(16, 26))
    assert turns[0][1] == "接口用 RESTful 还是 RPC 风格？"


def test_a_turn_that_is_not_on_disk_moves_no_other(workspace):
    (workspace.context / "conversations/sessions/session-002/turn-018.md").unlink()

    assert [number for number, *_ in workspace.turns()] == [*range(16, 18), *range(19, 26)]


def test_the_next_save_goes_on_where_it_stopped(workspace, talk):
    done = workspace.save(talk.asks(3))

    assert (done.session, done.numbers, done.chunk) == ("session-003", (26, 28), None)
    manifest = workspace.manifest()
    assert [(one["sessionId"], one["status"]) for one in manifest["recentSessions"]] == [
        ("session-002", "saved"),
        ("session-003", "active"),
    ]
    assert manifest["semanticChunks"][0]["chunkId"] == "chunk-001"
    assert manifest["turnWatermark"] == {"lastChunkedTurn": 15, "lastSessionEndTurn": 28}


def test_its_session_is_summarised_when_it_is_due(workspace, talk):
    done = workspace.save(talk.asks(10), language="zh")

    assert (done.chunk.chunk_id, done.chunk.turn_range) == ("chunk-002", (16, 25))
    text = (workspace.context / "conversations/semantic-chunks/chunk-002.md").read_text(encoding="utf-8")
    assert text.startswith("# 摘要 002 (第16-25轮)\n\n## 概述\n起初：接口用 RESTful 还是 RPC 风格？")
    assert "- 第17轮: 拉黑记录表需要哪些字段？" in text
    assert [one["sessionId"] for one in workspace.manifest()["archivedSessions"]] == ["session-002"]


def test_what_it_wrote_stays_byte_for_byte(workspace, talk):
    before = {path: path.read_bytes() for path in workspace.context.rglob("*.md")}
    metadata = (workspace.context / "conversations/sessions/session-002/metadata.json").read_bytes()

    workspace.save(talk.asks(10))

    assert {path: path.read_bytes() for path in before} == before
    assert (workspace.context / "conversations/sessions/session-002/metadata.json").read_bytes() == metadata


def test_keys_that_we_do_not_know_stay(workspace, talk):
    manifest = workspace.manifest()
    manifest["owner"] = {"name": "Linh"}
    manifest["turnWatermark"]["reviewedTurn"] = 20
    manifest["recentSessions"][0]["note"] = "đã duyệt"
    manifest["semanticChunks"][0]["model"] = "x"
    _write(workspace, "manifest.json", manifest)

    workspace.save(talk.asks(10))

    after = workspace.manifest()
    assert after["owner"] == {"name": "Linh"}
    assert after["turnWatermark"]["reviewedTurn"] == 20
    assert after["archivedSessions"][0]["note"] == "đã duyệt"
    assert after["semanticChunks"][0]["model"] == "x"


def test_sessions_that_it_removed_from_disk_are_no_error(workspace, talk):
    manifest = workspace.manifest()
    gone = {"sessionId": "session-001", "globalRange": [1, 15], "status": "archived"}
    manifest["recentSessions"].insert(0, gone)
    _write(workspace, "manifest.json", manifest)

    done = workspace.save(talk.asks(10))

    assert done.chunk.turn_range == (16, 25)
    assert [number for number, *_ in workspace.turns()] == list(range(16, 36))


def test_a_session_that_it_dropped_from_its_list_stays_where_it_is(workspace, talk):
    old = workspace.context / "conversations/sessions/session-001"
    old.mkdir()
    (old / "turn-001.md").write_text("## 用户\na\n\n## 助手\nb\n", encoding="utf-8")
    metadata = {"sessionId": "session-001", "globalRange": [1, 15], "turnCount": 15, "phase": "design"}
    _write(workspace, "conversations/sessions/session-001/metadata.json", metadata)

    done = workspace.save(talk.asks(2))

    assert done.set_aside == ""
    assert (old / "turn-001.md").exists()


@pytest.mark.parametrize(
    "summary",
    ["讨论了拉黑功能", {"topics": "API设计", "decisions": None}, None, ["API设计"]],
    ids=["a text", "a text for a list", "nothing", "a list"],
)
def test_metadata_that_a_model_wrote_loosely_still_reads(workspace, summary):
    metadata = workspace.metadata("session-002")
    metadata["summary"] = summary
    _write(workspace, "conversations/sessions/session-002/metadata.json", metadata)

    assert len(workspace.turns()) == 10


def test_saving_twice_changes_nothing(workspace, talk, snapshot):
    workspace.save(talk.asks(10))
    before = snapshot(workspace.root)

    workspace.save(talk)

    assert snapshot(workspace.root) == before


@pytest.mark.shared
def test_our_copy_is_the_example_of_the_corpus(shared):
    original = shared / "corpus/spec-context/01-doc-example-v2/.context"

    theirs = {path.relative_to(original): path.read_bytes() for path in original.rglob("*") if path.is_file()}
    ours = {path.relative_to(EXAMPLE): path.read_bytes() for path in EXAMPLE.rglob("*") if path.is_file()}

    assert ours == theirs
