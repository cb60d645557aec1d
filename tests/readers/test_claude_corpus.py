"""Real sessions of ../shared/corpus: every prompt is one turn, and nothing that was said is missing."""

import csv
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from shown import blocks_within
from sources import PathSource

from awf_archive.domain.transcript import Note, Prompt, SubAgent, Text, Thinking, ToolCall, ToolResult
from awf_archive.readers import READERS
from awf_archive.readers.claude_code import reader as claude_code

CORPUS = Path(__file__).parents[2].parent / "shared" / "corpus"
FOLDER = CORPUS / "claude-code"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not FOLDER.is_dir(), reason="../shared/corpus is not beside the project"),
]

COUNTS = {
    "01-v1.0.0-representative.jsonl": (4, 4, ""),
    "03-v1.0.24-todowrite.jsonl": (2, 2, ""),
    "05-v1.0.98-tools-slash.jsonl": (0, 1, "/init was answered"),
    "06-v1.0.108-inline-sidechain.jsonl": (0, 1, "/orchestrator was answered"),
    "08-v2.0.28-agent-file.jsonl": (0, 1, "a sub-agent's own file: its prompt is the conversation's"),
    "09-v1.0.120-vscode.jsonl": (1, 2, "/init was answered"),
    "11-v1.0.96-short.jsonl": (2, 2, ""),
    "12-v2.1.33-4-subagents/b3a7bd3c-5a10-4e7b-8ff0-7fc0cd6d1093.jsonl": (1, 1, ""),
    "14-v2.1.37-44-compact.jsonl": (3, 4, "/compact printed something"),
    "15-v1.0.98-tools.jsonl": (2, 2, ""),
    "17-v1.0.119-tiny.jsonl": (2, 2, ""),
    "19-snapshots-only.jsonl": (0, 0, ""),
    "20-v2.0.5-document-block.jsonl": (15, 15, ""),
    "22-v2.0.76-hooks.jsonl": (18, 18, ""),
    "24-v2.0.74-ide.jsonl": (1, 1, ""),
    "25-v2.1.12-growing-session/snap1.jsonl": (2, 2, ""),
    "25-v2.1.12-growing-session/snap2.jsonl": (3, 3, ""),
    "25-v2.1.12-growing-session/snap3.jsonl": (4, 4, ""),
    "25-v2.1.12-growing-session/snap4.jsonl": (5, 5, ""),
    "25-v2.1.12-growing-session/snap5.jsonl": (6, 6, ""),
    "27-v2.1.14-2-compactions.jsonl": (
        29,
        34,
        "three absorbed prompts without a record of their own, two /compact",
    ),
    "28-v2.1.29-image.jsonl": (17, 22, "three commands, a prompt beside a result, an absorbed prompt"),
    "30-v2.1.5-bye.jsonl": (2, 3, "/exit printed Bye!"),
    "32-v2.1.109-short.jsonl": (2, 2, ""),
    "34-v2.1.121-27prompts.jsonl": (23, 24, "one queued prompt known only from its attachment"),
    "36-v2.1.140.jsonl": (2, 2, ""),
    "38-v2.1.170.jsonl": (9, 11, "two queued prompts known only from attachments"),
    "40-v2.1.223.jsonl": (2, 2, ""),
    "42-v2.1.232-korean-2compact.jsonl": (
        7,
        16,
        "/lore-commit and eight ! commands; the manifest counts two bare /compact",
    ),
    "43-v2.1.237.jsonl": (1, 1, ""),
    "45-v2.1.191-hook-array.json": (18, 24, "six queued prompts known only from attachments"),
}


def main_files():
    return (
        []
        if not FOLDER.is_dir()
        else sorted(path for path in FOLDER.rglob("*.json*") if "subagents" not in path.parts)
    )


FILES = pytest.mark.parametrize("path", main_files(), ids=lambda path: path.relative_to(FOLDER).as_posix())


def records_of(path):
    data = path.read_bytes()
    if data.startswith(b"["):
        return json.loads(data)
    return [json.loads(line) for line in data.split(b"\n") if line.strip()]


def with_agents(path):
    files = [path, *sorted(path.with_suffix("").rglob("agent-*.jsonl"))]
    return [record for file in files for record in records_of(file)]


def content(record):
    found = record["message"]["content"]
    return [{"type": "text", "text": found}] if isinstance(found, str) else found


_MACHINE = re.compile(
    r"\s*(<(command-|local-command-|bash-|task-notification)|\[Request interrupted|Caveat:)"
)
_REMINDER = re.compile(r"<(system-reminder|ide_opened_file)>.*?</\1>\n*", re.DOTALL)


def typed_prompts(records):
    """What a person typed, found without any of the reader's code."""
    agents_only = all(
        record.get("isSidechain") for record in records if record["type"] in {"user", "assistant"}
    )
    for record in records:
        if record["type"] != "user" or record.get("isMeta") or record.get("isCompactSummary"):
            continue
        if record.get("isSidechain") and not agents_only:
            continue
        texts = [_REMINDER.sub("", block["text"]) for block in content(record) if block["type"] == "text"]
        media = any(block["type"] in {"image", "document"} for block in content(record))
        texts = [text for text in texts if text.strip() and not _MACHINE.match(text)]
        if texts or media:
            yield record["uuid"], "\n\n".join(texts)


def every_block(transcript):
    return [block for turn in transcript.turns() for block in blocks_within((*turn.user, *turn.assistant))]


def spoken(blocks):
    """What assistants said, or the harness in their place; results are somebody else's words."""
    for block in blocks:
        if isinstance(block, SubAgent):
            yield from spoken(block.blocks)
        elif isinstance(block, Text | Thinking) or block == Note(
            kind="notice", text="No response requested."
        ):
            yield block.text


@FILES
def test_every_typed_prompt_is_the_user_side_of_one_turn(path):
    turns = list(claude_code.read(PathSource(path)).turns())

    sides = {turn.outline.id: "\n\n".join(b.text for b in turn.user if isinstance(b, Text)) for turn in turns}
    typed = dict(typed_prompts(records_of(path)))
    assert len(sides) == len(turns)
    assert {uuid: sides.get(uuid) for uuid in typed} == typed
    started_otherwise = [turn for turn in turns if turn.outline.id not in typed]
    assert {turn.outline.start for turn in started_otherwise} <= {"queued", "command", "shell"}


@FILES
def test_no_word_of_an_assistant_is_missing_or_doubled(path):
    transcript = claude_code.read(PathSource(path))

    said = Counter()
    for record in with_agents(path):
        if record["type"] == "assistant":
            kinds = ("text", "thinking")
            said.update(b[b["type"]] for b in content(record) if b["type"] in kinds and b[b["type"]])
    shown = Counter(text for turn in transcript.turns() for text in spoken(turn.assistant))
    assert shown == said


@FILES
def test_every_call_appears_once_with_its_result(path):
    blocks = every_block(claude_code.read(PathSource(path)))

    records = with_agents(path)
    made = [
        b["id"]
        for r in records
        if r["type"] == "assistant"
        for b in content(r)
        if b["type"].endswith("tool_use")
    ]
    shown = [block for block in blocks if isinstance(block, ToolCall)]
    assert Counter(block.id for block in shown) == Counter(made)
    results = [b for r in records if r["type"] == "user" for b in content(r) if b["type"] == "tool_result"]
    assert sum(isinstance(block, ToolCall) and block.result is not None for block in shown) >= len(
        {b["tool_use_id"] for b in results} & set(made)
    )
    texts = {block.text for block in blocks if isinstance(block, Text)}
    for result in results:
        parts = result.get("content") or []
        parts = [{"type": "text", "text": parts}] if isinstance(parts, str) else parts
        assert {part["text"] for part in parts if part["type"] == "text"} <= texts


@FILES
def test_the_number_of_turns_differs_from_the_manifest_only_for_a_reason(path):
    name = path.relative_to(FOLDER).as_posix()
    with (CORPUS / "MANIFEST.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t")
        typed = {
            row["file"].removeprefix("claude-code/"): int(row["turns"])
            for row in rows
            if row["format"] == "claude-code"
        }

    turns = len(claude_code.read(PathSource(path)).outlines)

    expected_typed, expected_turns, reason = COUNTS[name]
    assert (typed[name], turns) == (expected_typed, expected_turns)
    assert (typed[name] == turns) == (not reason)


@FILES
def test_real_sessions_have_no_unexplained_problem(path):
    transcript = claude_code.read(PathSource(path))

    codes = {problem.code for problem in transcript.problems}
    assert codes <= {"unknown-parent", "missing-side-file"}
    assert [problem for turn in transcript.turns() for problem in turn.problems] == []
    assert {outline.branch for outline in transcript.outlines} <= {"main"}


def test_snapshots_of_a_growing_session_agree():
    snapshots = sorted((FOLDER / "25-v2.1.12-growing-session").glob("*.jsonl"))
    seen = ()
    for snapshot in snapshots:
        outlines = claude_code.read(PathSource(snapshot)).outlines
        assert outlines[: max(len(seen) - 1, 0)] == seen[:-1]
        assert [outline.id for outline in outlines[: len(seen)]] == [outline.id for outline in seen]
        seen = outlines
    assert len(seen) == 6


def test_inline_sidechains_stand_at_their_calls():
    (turn,) = claude_code.read(PathSource(FOLDER / "06-v1.0.108-inline-sidechain.jsonl")).turns()

    agents = [block for block in turn.assistant if isinstance(block, SubAgent)]
    assert [agent.description for agent in agents] == [
        "Check package configuration",
        "Analyze current project structure",
    ]
    assert all(isinstance(agent.blocks[0], Prompt) and agent.call_id for agent in agents)


def test_only_our_own_files_are_accepted():
    others = [path for path in CORPUS.rglob("*") if path.is_file() and FOLDER not in path.parents]

    taken = [path for path in others if claude_code.accepts(PathSource(path))]
    ours = [path for path in FOLDER.rglob("*.json*") if claude_code.accepts(PathSource(path))]

    assert taken == []
    assert len(ours) == len(list(FOLDER.rglob("*.json*")))
    assert claude_code.READER.name in [row.name for row in READERS]


def test_orphan_results_do_not_appear_in_real_sessions():
    for path in main_files():
        for turn in claude_code.read(PathSource(path)).turns():
            assert not any(isinstance(block, ToolResult) for block in turn.assistant), path
