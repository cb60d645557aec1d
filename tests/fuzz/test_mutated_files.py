"""Whatever a file looks like: nothing but our own errors, and no turn lost that stands before the damage."""

import io
import os
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, note, settings
from mutations import damaged
from shown import blocks_within
from sources import BytesSource

from awf_archive.domain.transcript import Note, Prompt, Text, Thinking
from awf_archive.errors import ArchiveError
from awf_archive.readers import READERS, identify

SHARED = Path(__file__).parents[2].parent / "shared"
MOST = 60_000
"""Bytes of a file that are taken: its beginning is as good as all of it, and quicker."""
FORMATS = {
    "corpus/claude-code": "claude-code",
    "corpus/codex": "codex",
    "corpus/gemini-cli": "gemini-cli",
    "corpus/chatgpt-export": "chatgpt",
    "corpus/claude-ai-export": "claude-ai",
    "corpus/copilot-chat": "copilot",
    "corpus/cursor": "cursor",
    "corpus/specstory": "specstory",
    "corpus/aider": "aider",
    "corpus/ai-log": "ai-log",
    "cases/C01-codex-two-streams": "codex",
    "cases/C02-codex-vocabulary-drift": "codex",
    "cases/D01-gemini-generations": "gemini-cli",
    "cases/E01-chatgpt-tree": "chatgpt",
    "cases/F01-claude-ai-export": "claude-ai",
    "cases/G01-cursor": "cursor",
    "cases/G03-aider": "aider",
    "cases/B11-queued-prompts": "claude-code",
    "cases/B05-rewind-branch": "claude-code",
}
BY_NAME = {row.name: row for row in READERS}
HISTORY = b"".join(
    b'{"display": "prompt %d", "pastedContents": {}, "timestamp": 177244200%d000, "project": "/srv", "sessionId": "s%d"}\n'
    % (n, n, n % 2)
    for n in range(9)
)


def files():
    """Return the name, reader and bytes of every small file, and of the beginning of line-based larger ones."""
    found = [("history.jsonl", "claude-history", HISTORY)]
    for folder, reader in FORMATS.items():
        for path in sorted((SHARED / folder).rglob("*")):
            if path.suffix not in {".json", ".jsonl", ".md", ".txt"} or path.name in {
                "expected.md",
                "04-history.jsonl",
            }:
                continue
            data = path.read_bytes()
            if len(data) > MOST and path.suffix == ".json":
                continue
            found.append((path.relative_to(SHARED).as_posix(), reader, data[:MOST]))
    return found


FILES = files() if SHARED.is_dir() else []
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not FILES, reason="../shared is not beside the project"),
]


def turns_until_damage(reader, data, name):
    """Read everything there is; an error of ours ends it, any other one fails the test."""
    found = []
    try:
        for transcript in BY_NAME[reader].read(BytesSource(data, Path(name).stem)):
            found.extend(transcript.turns())
            assert all(one.message.isprintable() for one in transcript.problems)
    except ArchiveError as problem:
        assert problem.exit_code == 3, "a damaged file is no fault of ours"  # noqa: PT017
    return found


def words(turns):
    """Everything that anyone said, white space aside."""
    blocks = [block for turn in turns for block in blocks_within((*turn.user, *turn.assistant))]
    kinds = (Text, Thinking, Prompt, Note)
    return [" ".join(block.text.split()) for block in blocks if isinstance(block, kinds)]


def check(example):
    name, reader, damage, data = example
    note(f"{name}: {damage.how} at byte {damage.intact}")
    before = turns_until_damage(reader, data[: data.rfind(b"\n", 0, damage.intact) + 1], name)

    after = turns_until_damage(reader, damage.data, name)

    said = "\0".join(words(after))
    lost = [one for one in words(before[:-1]) if one not in said]
    assert lost == [], f"lost: {lost[0][:200]!r}"


EXAMPLES = {"deadline": None, "suppress_health_check": list(HealthCheck)}


@settings(max_examples=200, **EXAMPLES)
@given(damaged(FILES))
def test_damage_raises_our_own_errors_only_and_loses_nothing_before_it(example):
    check(example)


@pytest.mark.soak
@settings(max_examples=int(os.environ.get("FUZZ_EXAMPLES", "2000")), **EXAMPLES)
@given(damaged(FILES))
def test_the_same_two_thousand_times(example):
    check(example)


def test_half_a_surrogate_in_a_time_is_no_fault_of_ours():
    """What the first run of 20 000 examples found."""
    said = b'"operation": "enqueue", "timestamp": "\\udc80", "sessionId": "s", "content": "queued"'
    record = b'{"type": "queue-operation", ' + said + b"}\n"
    follows = b'{"type": "queue-operation", "operation": "remove", "timestamp": "x", "sessionId": "s"}\n'

    turns = turns_until_damage("claude-code", record + follows, "input.jsonl")

    assert words(turns) == ["queued"]


def packed():
    """Exports in a ZIP and a rollout in a zstd frame: damage there is damage of the container."""
    import zstandard

    if not FILES:
        return []
    found = []
    for folder, reader in (("E01-chatgpt-tree", "chatgpt"), ("F01-claude-ai-export", "claude-ai")):
        box = io.BytesIO()
        with zipfile.ZipFile(box, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(SHARED / "cases" / folder / "input.json", "conversations.json")
            archive.writestr("users.json", "[]")
        found.append((f"{folder}.zip", reader, box.getvalue()))
    rollout = (SHARED / "cases/C01-codex-two-streams/input.jsonl").read_bytes()
    found.append(("rollout.jsonl.zst", "codex", zstandard.compress(rollout)))
    return found


@settings(max_examples=60, **EXAMPLES)
@given(damaged(packed()))
def test_damaged_containers_raise_our_own_errors_only(example):
    name, reader, damage, _ = example
    turns_until_damage(reader, damage.data, name)


@settings(max_examples=100, **EXAMPLES)
@given(damaged(FILES))
def test_no_damage_makes_asking_for_the_format_fail(example):
    name, _, damage, _ = example
    try:
        identify(BytesSource(damage.data, Path(name).stem))
    except ArchiveError as problem:
        assert problem.kind in {"unknownFormat", "ambiguousFormat"}  # noqa: PT017
