"""Borders between the formats: every file belongs to one reader, and what only looks like a chat to none."""

import io
import json
import tracemalloc
from dataclasses import dataclass

import pytest
from json_cases import CORPUS
from json_exports import conversation
from sources import BytesSource, PathSource

from awf_archive.readers import READERS
from awf_archive.readers.chatgpt import reader as chatgpt
from awf_archive.readers.shared.salvage import salvage

READER_OF = {
    "ai-log": "ai-log",
    "aider": "aider",
    "chatgpt-export": "chatgpt",
    "claude-ai-export": "claude-ai",
    "claude-code": "claude-code",
    "codex": "codex",
    "copilot-chat": "copilot",
    "cursor": "cursor",
    "gemini-cli": "gemini-cli",
    "specstory": "specstory",
}


def accepting(source):
    return [reader.name for reader in READERS if reader.accepts(source)]


def corpus_files():
    return sorted(path for folder in READER_OF for path in (CORPUS / folder).rglob("*") if path.is_file())


@pytest.mark.shared
@pytest.mark.parametrize("path", corpus_files(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_each_file_of_the_corpus_is_accepted_by_the_reader_of_its_folder_alone(path):
    folder = path.relative_to(CORPUS).parts[0]

    assert accepting(PathSource(path)) == [READER_OF[folder]]


@pytest.mark.shared
def test_of_an_archive_only_the_manifest_and_the_turns_are_accepted():
    files = sorted(path for path in (CORPUS / "spec-context").rglob("*") if path.is_file())

    found = {path.name.split("-")[0].split(".")[0]: accepting(PathSource(path)) for path in files}

    assert found == {"chunk": [], "manifest": ["context"], "metadata": [], "turn": ["markdown"]}


@pytest.mark.shared
def test_work_states_are_no_conversations():
    files = sorted(path for path in (CORPUS / "awf").rglob("*") if path.is_file())

    assert [path for path in files if accepting(PathSource(path))] == []


@pytest.mark.parametrize(
    "text",
    [
        '[{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]',
        '{"messages": [{"role": "user", "content": "x"}]}',
        '{"role": "user", "message": {"content": "x"}, "type": "user", "uuid": "u"}',
        '{"note": "\\"mapping\\": {", "text": "\\"chat_messages\\": ["}',
        '{"requests": [1], "other": 1}',
        '{"kind": 0, "v": {"a": 1}}',
        '{"type": "user.message", "payload": {}}',
        '{"prompts": ["a"], "title": "b"}',
        '{"specId": "a", "title": "b"}',
        "SQLite format 3\0 with other tables",
        "PK\x03\x04 cut off",
        "[" * 3000,
        "{" * 3000,
        "",
    ],
    ids=lambda text: text[:24],
)
def test_what_only_looks_like_a_chat_is_nobodys(text):
    assert accepting(BytesSource(text.encode())) in ([], ["claude-code"] if "uuid" in text else [])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1, "b": [1, 2', {"a": 1, "b": [1]}),
        ('[{"a": 1}, {"b"', [{"a": 1}]),
        ('{"a": {"b": "c"}, "d": tru', {"a": {"b": "c"}}),
        ('{"a": "\\"}", "b": x}', {"a": '"}'}),
        ('{"a', None),
        ("", None),
        ("[" * 100_000, None),
        ('{"a": 1}', {"a": 1}),
    ],
    ids=range(8),
)
def test_what_stands_before_damage_can_be_had(text, value):
    assert salvage(text) == value


@dataclass(frozen=True)
class EndlessExport(BytesSource):
    """An export of many conversations that are made when they are read."""

    data: bytes = b""
    count: int = 0

    @property
    def _one(self):
        return json.dumps(conversation(1000, ["word " * 20_000])).encode()

    @property
    def size(self):
        return 1 + self.count * (len(self._one) + 1)

    def read(self, offset, length):
        item = self._one + b","
        ahead = max(0, offset - 1)
        piece = io.BytesIO()
        piece.write(b"[" if offset == 0 else b"")
        piece.write((item * (length // len(item) + 2))[ahead % len(item) :][:length])
        return piece.getvalue()[: min(length, self.size - offset)]


def test_memory_is_bounded_by_one_conversation():
    source = EndlessExport(count=120)
    tracemalloc.start()

    read = sum(len(one.outlines) for one in chatgpt.read(source))

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert read == 120
    assert peak < 12_000_000 < source.size


@pytest.mark.soak
def test_a_gigabyte_is_read_in_little_memory():
    source = EndlessExport(count=9_000)
    assert source.size > 900_000_000
    tracemalloc.start()

    read = sum(len(one.outlines) for one in chatgpt.read(source))

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert read == 9_000
    assert peak < 20_000_000
