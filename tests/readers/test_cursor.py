"""Cursor: its database, its agent's transcripts, exported chats."""

import json
import runpy
import sqlite3
import sys
from contextlib import closing

import pytest
from hypothesis import given, settings
from json_cases import (
    CORPUS,
    SHARED,
    cases,
    damaged,
    expected,
    prompts,
    reads_or_says_why,
    shown,
    source_file,
    with_wrong_types,
    words,
)
from sources import BytesSource, PathSource

from awf_archive.domain.transcript import Text, Thinking, ToolCall
from awf_archive.errors import InputError
from awf_archive.readers import READERS
from awf_archive.readers.cursor import reader as cursor

CASES = cases("cursor")
TEXTS = [source_file(case).read_bytes() for case in CASES]
LINES = next(text for text in TEXTS if text.startswith(b"{")).split(b"\n")[:-1]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_reads_as_expected(case):
    source = PathSource(source_file(case))

    assert shown(cursor.read(source)) == expected(case)
    assert [reader.name for reader in READERS if reader.accepts(source)] == ["cursor"]


@given(damaged(TEXTS))
@settings(max_examples=150, deadline=None)
def test_damage_raises_nothing_but_our_own_errors(data):
    reads_or_says_why(cursor.READER, BytesSource(data))


@given(with_wrong_types(LINES))
@settings(max_examples=100, deadline=None)
def test_wrong_types_raise_nothing_but_our_own_errors(value):
    reads_or_says_why(cursor.READER, BytesSource(json.dumps(value).encode()))


# The database


def database(path, rows, items=()):
    """Make a database as Cursor does; values are JSON unless they are bytes or None."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE cursorDiskKV(key TEXT UNIQUE, value BLOB)")
        connection.execute("CREATE TABLE ItemTable(key TEXT UNIQUE, value BLOB)")
        for table, pairs in (("cursorDiskKV", rows), ("ItemTable", items)):
            for key, value in dict(pairs).items():
                kept = value if value is None or isinstance(value, bytes) else json.dumps(value)
                connection.execute(f"INSERT INTO {table} VALUES (?, ?)", (key, kept))  # noqa: S608
        connection.commit()
    return PathSource(path)


CHAT = {
    "composerData:c": {
        "composerId": "c",
        "name": "Tea",
        "createdAt": 1767583930285,
        "workspaceIdentifier": {"uri": {"fsPath": "/srv/dev/demo"}},
        "fullConversationHeadersOnly": [{"bubbleId": "b1", "type": 1}, {"bubbleId": "b2", "type": 2}],
    },
    "bubbleId:c:b1": {"bubbleId": "b1", "type": 1, "text": "hi"},
    "bubbleId:c:b2": {
        "bubbleId": "b2",
        "type": 2,
        "text": "hello",
        "thinking": {"text": "hm"},
        "createdAt": "2026-01-05T03:32:11.000Z",
        "modelInfo": {"modelName": "x"},
        "tokenCount": {"inputTokens": 3, "outputTokens": 4},
        "toolFormerData": {
            "toolCallId": "t",
            "name": "read_file",
            "rawArgs": '{"path": "a"}',
            "result": "x",
            "status": "error",
        },
    },
    "composerData:empty": {"composerId": "empty", "fullConversationHeadersOnly": []},
}


def test_a_conversation_of_the_database_is_read_in_full(tmp_path):
    source = database(tmp_path / "state.vscdb", CHAT)

    assert [reader.name for reader in READERS if reader.accepts(source)] == ["cursor"]
    [found] = cursor.read(source)
    [turn] = found.turns()

    assert (found.windows, found.title, found.cwd) == (("c",), "Tea", "/srv/dev/demo")
    assert (turn.outline.id, turn.outline.time, turn.user) == (
        "b1",
        "2026-01-05T03:32:10.285Z",
        (Text(text="hi"),),
    )
    assert turn.assistant[:2] == (Thinking(text="hm"), Text(text="hello"))
    assert isinstance(turn.assistant[2], ToolCall)
    assert turn.assistant[2].input == {"path": "a"}
    assert turn.assistant[2].result.is_error
    assert (turn.models, turn.usage.output) == (("x",), 4)


def test_messages_inside_the_conversation_are_read_too(tmp_path):
    rows = {"composerData:c": {"conversation": [{"type": 1, "text": "old"}, {"type": 2, "text": "answer"}]}}

    assert prompts(cursor.read(database(tmp_path / "state.vscdb", rows))) == ["old"]


def test_a_workspaces_folder_is_told_by_the_file_beside_its_database(tmp_path):
    (tmp_path / "workspace.json").write_text('{"folder": "file:///srv/d%C3%A9v"}')
    chats = {"tabs": [{"tabId": "t", "chatTitle": "Cũ", "bubbles": [{"type": "user", "text": "hỏi"}]}]}
    source = database(tmp_path / "state.vscdb", {}, {"workbench.panel.aichat.view.aichat.chatdata": chats})

    [found] = cursor.read(source)

    assert (found.windows, found.title, found.cwd) == (("t",), "Cũ", "/srv/dév")


def test_reading_leaves_no_trace_in_the_folder(tmp_path):
    source = database(tmp_path / "state.vscdb", CHAT)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    list(cursor.read(source))

    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_what_only_the_log_beside_the_database_holds_is_read(tmp_path):
    path = tmp_path / "state.vscdb"
    with closing(sqlite3.connect(path)) as running:
        running.execute("PRAGMA journal_mode=WAL")
        running.execute("CREATE TABLE cursorDiskKV(key TEXT UNIQUE, value BLOB)")
        for key, value in CHAT.items():
            running.execute("INSERT INTO cursorDiskKV VALUES (?, ?)", (key, json.dumps(value)))
        running.commit()

        assert cursor.accepts(PathSource(path))
        assert prompts(cursor.read(PathSource(path))) == ["hi"]


def test_a_damaged_database_is_an_error_that_says_so(tmp_path):
    source = database(
        tmp_path / "state.vscdb", {f"composerData:{one}": {"text": "x" * 900} for one in range(200)}
    )
    data = bytearray(source.path.read_bytes())
    data[4096:] = b"\x55" * (len(data) - 4096)
    source.path.write_bytes(bytes(data))

    with pytest.raises(InputError, match="the database cannot be read"):
        list(cursor.read(source))


@pytest.mark.parametrize("value", [None, b"\xff\xfe", b"[]", b"{", b'{"conversation": 5}', b"5"], ids=str)
def test_a_row_of_another_kind_costs_only_itself(tmp_path, value):
    source = database(tmp_path / "state.vscdb", {"composerData:a": value, **CHAT})

    assert prompts(cursor.read(source)) == ["hi"]


# Shared


@pytest.mark.shared
def test_g01_reads_all_three_storages(tmp_path, monkeypatch):
    folder = SHARED / "cases" / "G01-cursor"
    monkeypatch.setattr(sys, "argv", ["make", str(tmp_path / "state.vscdb")])
    runpy.run_path(str(folder / "make_vscdb.py"))["db"].close()

    modern, legacy = cursor.read(PathSource(tmp_path / "state.vscdb"))

    assert prompts([modern, legacy]) == ["thêm nút xuất CSV", "hỏi cũ"]
    assert [(one.code, one.count) for one in modern.problems] == [("missing-message", 1)]
    assert prompts(cursor.read(PathSource(folder / "input.jsonl"))) == ["thêm nút xuất CSV"]
    old = list(cursor.read(PathSource(folder / "legacy.input.txt")))
    assert prompts(old) == ["hỏi kiểu cũ"]
    assert "Đây là câu trả lời.\nuser:\nlà một dòng trong câu trả lời?" in words(old)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "turns"),
    [
        ("01-v1.1.3.md", 1),
        ("09-transcript-fixture.json", 1),  # MANIFEST has 0: it did not look into the session
    ],
)
def test_corpus_has_every_prompt(file, turns):
    found = list(cursor.read(PathSource(CORPUS / "cursor" / file)))

    assert len(prompts(found)) == turns
    assert all(prompts(found))
