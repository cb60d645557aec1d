"""The original files again, byte for byte, and a vault that finds its workspace (ARCHITECTURE, "On disk")."""

import json
import shutil
import sqlite3
import subprocess
import zipfile
from pathlib import Path

import pytest

from awf_archive.domain.ids import WindowId
from awf_archive.errors import DamagedArchiveError, NegativeAnswerError, UsageError
from awf_archive.services.belongings import Belongings
from awf_archive.services.checkpoint import Request
from awf_archive.services.import_history import Plan, import_history
from awf_archive.services.keep import existing_vault, keep, workspace_vault
from awf_archive.services.places import Candidate
from awf_archive.services.restore import restore
from awf_archive.services.sources import opened
from awf_archive.services.vault_source import unpacked
from awf_archive.services.verify import verify
from awf_archive.store.layout import Layout

OTHER = "0000bbbb-1111-4111-8111-00000000000b"
NOW = "2026-03-05T10:00:00Z"


@pytest.fixture
def vaults(tmp_path):
    return tmp_path / "data/vault"


@pytest.fixture
def vault(workspace, vaults):
    return lambda: existing_vault(workspace.layout, vaults)


@pytest.fixture
def claude_home(tmp_path, monkeypatch):
    home = tmp_path / "home/.claude"
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home))
    return home


def _bring_in(workspace, vaults, *paths):
    """Import files; return what became of each conversation."""
    done = []
    plan = Plan(
        layout=workspace.layout,
        request=Request(transcript=Path(), now=NOW, vaults=vaults),
        into=workspace.layout,
    )
    import_history(plan, [Candidate(path=path, is_named=True) for path in paths], done.append)
    return [one.outcome.value for one in done]


def test_a_conversation_comes_back_where_its_tool_resumes_it_with_all_its_files(
    workspace, talk_class, vaults, vault, claude_home
):
    talk = talk_class(claude_home / "projects/-srv-dev-demo/0000aaaa-1111-4111-8111-000000000001.jsonl")
    talk.asks(3).write()
    beside = talk.path.with_suffix("") / "subagents/agent-a1.jsonl"
    beside.parent.mkdir(parents=True)
    beside.write_bytes(talk.path.read_bytes().replace(b'"isSidechain": false', b'"isSidechain": true'))
    workspace.save(talk.path, vaults=vaults)
    before = {path: path.read_bytes() for path in claude_home.rglob("*") if path.is_file()}
    assert len(before) == 2
    shutil.rmtree(claude_home)

    done = restore(vault(), "0000aaaa", None)

    assert {path: path.read_bytes() for path in claude_home.rglob("*") if path.is_file()} == before
    assert [one.is_new for one in done] == [True, True]
    assert [one.is_new for one in restore(vault(), "0000aaaa", None)] == [False, False]


def test_a_file_that_is_there_with_other_bytes_is_never_overwritten(workspace, talk, vaults, vault, tmp_path):
    workspace.save(talk.asks(2), vaults=vaults)
    there = tmp_path / "out" / talk.path.name
    there.parent.mkdir()
    there.write_bytes(b"mine")

    with pytest.raises(UsageError, match="other bytes"):
        restore(vault(), talk.window, there.parent)

    assert there.read_bytes() == b"mine"


def test_what_lay_in_no_chat_tools_folder_asks_where_to_go(workspace, talk, vaults, vault, tmp_path):
    workspace.save(talk.asks(1), vaults=vaults)

    with pytest.raises(UsageError, match="could resume it"):
        restore(vault(), talk.window, None)

    restore(vault(), talk.window, tmp_path / "out")
    assert (tmp_path / "out" / talk.path.name).read_bytes() == talk.path.read_bytes()


def test_nothing_is_written_when_a_segment_is_damaged(workspace, talk, vaults, vault, tmp_path):
    workspace.save(talk.asks(1), vaults=vaults)
    workspace.save(talk.asks(1), vaults=vaults)
    next(vaults.rglob("000002.zst")).write_bytes(b"rubbish")

    with pytest.raises(DamagedArchiveError):
        restore(vault(), talk.window, tmp_path / "out")

    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("window", "error"), [("0000", UsageError), ("nothing", NegativeAnswerError)], ids=["several", "none"]
)
def test_a_window_that_is_not_one_is_refused(workspace, talk, talk_class, vaults, vault, window, error):  # noqa: PLR0917
    workspace.save(talk.asks(1), vaults=vaults)
    workspace.save(talk_class(talk.path.with_name("b.jsonl"), OTHER).asks(1), vaults=vaults)

    with pytest.raises(error):
        restore(vault(), window, Path("out"))


@pytest.mark.parametrize(
    "facts",
    [
        {"tool": "claude-code", "inside": "../../.bashrc"},
        {"tool": "claude-code", "inside": "settings.json"},
        {"tool": "claude-code", "inside": "/etc/cron.d/x"},
        {"tool": "shell", "inside": "projects/x"},
        {"path": "/etc/cron.d/x"},
    ],
    ids=["parent", "settings", "absolute", "unknown tool", "path"],
)
def test_a_strangers_vault_does_not_choose_where_files_go(workspace, talk, vaults, vault, facts):
    workspace.save(talk.asks(1), vaults=vaults)
    origin = next(vaults.rglob("origin.json"))
    origin.write_text(json.dumps(json.loads(origin.read_bytes()) | facts))

    with pytest.raises(UsageError, match="could resume it"):
        restore(vault(), talk.window, None)


def test_a_strangers_ledger_names_no_file_outside(workspace, talk, vaults, vault, tmp_path):
    workspace.save(talk.asks(1), vaults=vaults)
    ledger = next(vaults.rglob("ledger.jsonl"))
    ledger.write_bytes(ledger.read_bytes().replace(b'"file": ""', b'"file": "../../evil"'))

    with pytest.raises(DamagedArchiveError, match="leads out"):
        restore(vault(), talk.window, tmp_path / "out")


def _chatgpt(number, extra=""):
    mapping = {}
    parent = None
    for place, (role, text) in enumerate(
        [("user", f"question {number}{extra}"), ("assistant", f"answer {number}")]
    ):
        name = f"node-{number}-{place}"
        message = {
            "id": name,
            "author": {"role": role},
            "create_time": 1772000000 + number * 10 + place,
            "content": {"content_type": "text", "parts": [text]},
            "metadata": {},
        }
        mapping[name] = {"id": name, "message": message, "parent": parent, "children": []}
        if parent:
            mapping[parent]["children"].append(name)
        parent = name
    return {
        "title": f"Talk {number}",
        "create_time": 1772000000 + number,
        "update_time": 1772000001 + number,
        "mapping": mapping,
        "current_node": parent,
        "conversation_id": f"6900000{number}-aaaa-8000-8000-000000000000",
    }


def _export(path, conversations):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", json.dumps(conversations))
    return path


def test_an_export_is_kept_conversation_by_conversation_and_never_twice(workspace, vaults, vault, tmp_path):
    export = _export(tmp_path / "export.zip", [_chatgpt(one) for one in range(5)])
    own = [json.dumps(_chatgpt(one)).encode() for one in range(5)]

    assert _bring_in(workspace, vaults, export) == ["new"] * 5

    report = verify(workspace.archive, vault(), threshold=20)
    assert (report.findings, report.proven.from_vault) == ([], 5)
    assert report.proven.bytes == sum(map(len, own))
    restore(vault(), "69000003", tmp_path / "out")
    assert [path.read_bytes() for path in (tmp_path / "out").iterdir()] == [own[3]]
    later = _export(tmp_path / "later.zip", [_chatgpt(0, "!"), *(_chatgpt(one) for one in range(1, 7))])
    _bring_in(workspace, vaults, later)
    more = [_chatgpt(0, "!"), _chatgpt(5), _chatgpt(6)]
    report = verify(workspace.archive, vault(), threshold=20)
    assert report.findings == []
    assert report.proven.bytes == sum(map(len, own)) + sum(len(json.dumps(one)) for one in more)


def test_images_of_an_export_are_kept_with_their_conversation(workspace, vaults, vault, tmp_path):
    talk = _chatgpt(1)
    image = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-AbCdEfGh12345678"}
    talk["mapping"]["node-1-0"]["message"]["content"] = {
        "content_type": "multimodal_text",
        "parts": [image, "see"],
    }
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", json.dumps([talk, _chatgpt(2)]))
        archive.writestr("file-AbCdEfGh12345678-picture.png", b"\x89PNG\r\n\x1a\npixels")

    assert _bring_in(workspace, vaults, path) == ["new", "new"]

    report = verify(workspace.archive, vault(), threshold=20)
    assert (report.findings, report.proven.from_vault) == ([], 2)
    restore(vault(), "69000001", tmp_path / "out")
    assert (tmp_path / "out/file-AbCdEfGh12345678-picture.png").read_bytes() == b"\x89PNG\r\n\x1a\npixels"


def test_a_file_of_several_conversations_without_parts_is_kept_once_whole(workspace, vaults, vault, tmp_path):
    history = tmp_path / ".aider.chat.history.md"
    runs = [
        f"\n# aider chat started at 2026-03-0{day} 10:00:00\n\n#### question {day}\n\nanswer {day}\n"
        for day in (1, 2, 3)
    ]
    history.write_text("".join(runs))

    assert _bring_in(workspace, vaults, history) == ["new"] * 3

    report = verify(workspace.archive, vault(), threshold=20)
    assert (report.findings, report.proven.from_vault) == ([], 3)
    assert report.proven.bytes == history.stat().st_size
    window = workspace.archive.require(workspace.archive.features()[0]).sessions[1].windows[0]
    restore(vault(), window, tmp_path / "out")
    assert (tmp_path / "out" / history.name).read_bytes() == history.read_bytes()


def test_a_workspace_that_git_cleaned_finds_its_vault_again(workspace, talk, vaults, vault):
    subprocess.run(["git", "init", "-q", str(workspace.root)], check=True)
    workspace.save(talk.asks(2), vaults=vaults)
    before = vault()

    subprocess.run(["git", "-C", str(workspace.root), "clean", "-fdxq"], check=True)

    assert not (workspace.root / ".awf-archive").exists()
    assert vault() == before
    workspace.save(talk.asks(1), vaults=vaults)
    assert vault() == before
    assert len(list(vaults.iterdir())) == 1


def test_a_workspace_that_was_moved_takes_its_vault_along(workspace, talk, vaults, vault, tmp_path):
    workspace.save(talk.asks(2), vaults=vaults)
    before = vault()
    moved = workspace.root.rename(tmp_path / "elsewhere")
    layout = Layout(root=moved)

    assert workspace_vault(layout, vaults) == before

    shutil.rmtree(moved / ".awf-archive")
    assert existing_vault(layout, vaults) == before


def test_a_copied_workspace_shares_the_vault_and_neither_breaks_it(
    workspace, workspace_class, talk, vaults, tmp_path
):
    workspace.save(talk.asks(2), vaults=vaults)
    shutil.copytree(workspace.root, tmp_path / "copy")
    copy = workspace_class(tmp_path / "copy")

    copy.save(talk.asks(1), vaults=vaults)
    workspace.save(talk.asks(1), vaults=vaults)

    for one in (workspace, copy):
        report = verify(one.archive, existing_vault(one.layout, vaults), threshold=20)
        assert [finding.code for finding in report.findings] == ([] if one is workspace else ["unsaved"])


@pytest.mark.parametrize("name", ["../../x", "", "a" * 500, "ZZ", "0123456789abcdef\n/.."])
def test_a_name_that_is_none_of_ours_is_not_believed(workspace, talk, vaults, name):
    (workspace.layout.private / "id").write_text(name)

    workspace.save(talk.asks(1), vaults=vaults)

    (folder,) = vaults.iterdir()
    assert len(folder.name) == 32


def test_the_same_conversation_in_two_formats_is_kept_apart(workspace, talk, vaults, vault):
    workspace.save(talk.asks(1), vaults=vaults)
    kept = vault().window(talk.window)
    origin = json.loads((kept.folder / "origin.json").read_bytes())
    (kept.folder / "origin.json").write_text(json.dumps(origin | {"format": "another"}))

    workspace.save(talk.asks(1), vaults=vaults)
    workspace.save(talk.asks(1), vaults=vaults)

    assert len(kept.segments()) == 1
    assert len(vault().windows()) == 2


def test_a_conversation_under_two_file_names_is_kept_apart_and_proven(workspace, talk, vaults, vault):
    """A sub-agent's file names its parent's window; the files beside the parent are found by the parent's name."""
    beside = talk.path.with_suffix("") / "tool-results/one.txt"
    beside.parent.mkdir(parents=True)
    beside.write_text("whole result")
    copy = talk.path.with_name("another name.jsonl")
    talk.asks(2).write()
    shutil.copy(talk.path, copy)
    workspace.save(copy, vaults=vaults)
    workspace.save(talk.asks(1), vaults=vaults)

    report = verify(workspace.archive, vault(), threshold=20)

    assert (report.findings, report.proven.from_vault) == ([], 3)
    assert len(vault().windows()) == 2


def test_a_database_is_read_back_from_the_vault(workspace, vaults, tmp_path):
    path = tmp_path / "opencode.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE t (x)")
    connection.commit()
    connection.close()
    there = workspace_vault(workspace.layout, vaults)
    with opened(path) as source:
        window = WindowId("w")
        keep(
            there,
            Belongings(
                window=window, kept_as=window, files={"": source}, format="x", path=path, name=path.name
            ),
        )
    path.unlink()

    kept = there.window(window)
    with unpacked(kept, kept.segments()) as source:
        assert sqlite3.connect(source.path).execute("SELECT name FROM sqlite_master").fetchall() == [("t",)]
        copy = source.path
    assert not copy.exists()
