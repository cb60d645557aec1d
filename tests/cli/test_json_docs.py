"""docs/json.md names every key that a command prints, docs/archive-format.md every field of every file."""

import re
from pathlib import Path

import pytest
from block_kinds import EVERY_BLOCK

from awf_archive.cli.group import cli
from awf_archive.domain.block_json import blocks_json
from awf_archive.domain.ids import Digest, SessionId, TurnId
from awf_archive.domain.transcript import Outline, Start, Turn, Usage
from awf_archive.domain.turn_file import Place, write
from awf_archive.domain.turn_markdown import write_blocks
from awf_archive.domain.wording import WORDINGS

ROOT = Path(__file__).resolve().parents[2]
STRANGERS = {"input", "state", "summary"}
"""Keys whose values are a stranger's or another tool's: what is in them is not ours to document."""


def _named(page):
    """Every word that a page shows as code."""
    text = (ROOT / page).read_text(encoding="utf-8")
    shown = re.findall(r"`([^`\n]+)`", text) + re.findall(r"^```.*?^```", text, re.DOTALL | re.MULTILINE)
    return {word for code in shown for word in re.findall(r"\w+", code)}


def _keys(value):
    if isinstance(value, dict):
        for name, item in value.items():
            yield name
            if name not in STRANGERS:
                yield from _keys(item)
    elif isinstance(value, list):
        for item in value:
            yield from _keys(item)


@pytest.fixture
def everything(awf, workspace, talk):
    """Objects of every command that the archive answers: with problems, skipped turns, a chunk, a branch."""
    workspace.save(talk.asks(15), feature="login")
    talk.ask("保存", "执行保存...")
    with talk.asks(10).write().open("a") as file:
        file.write("{broken\n")
    first = awf("checkpoint", "--transcript", talk.path, "--json").json
    return {
        "checkpoint": first,
        "list": awf("list", "--json").json,
        "show": awf("show", "login#1", "--json").json,
        "show a range": awf("show", "login#1-2", "--json").json,
        "search": awf("search", "question", "--json").json,
        "decide": awf("decide", "one lock", "--json").json,
        "decisions": awf("decisions", "--json").json,
        "harvest": awf("decisions", "harvest", "--json").json,
        "export": awf("decisions", "export", workspace.root / "adr", "--json").json,
        "error": {"error": awf("show", "none#1", "--json").error},
    }


def test_every_key_that_is_printed_is_documented(everything):
    named = _named("docs/json.md")

    for command, value in everything.items():
        assert {key for key in _keys(value) if key not in named} == set(), command


def test_every_kind_of_block_and_its_keys_are_documented():
    shown = blocks_json(EVERY_BLOCK)

    assert ({one["type"] for one in shown} | set(_keys(shown))) - _named("docs/json.md") == set()


def test_every_command_with_json_has_a_section():
    page = (ROOT / "docs/json.md").read_text(encoding="utf-8")

    context = cli.make_context("awf-archive", ["--json"], resilient_parsing=True)
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        if any("--json" in one.opts for one in command.params):
            assert re.search(rf"\b{name}\b", page), name


def test_every_field_of_the_archives_files_is_documented(everything, workspace, talk):
    assert everything
    talk.reply("more")
    workspace.save(talk)
    named = _named("docs/archive-format.md")

    for value in (workspace.manifest(), workspace.metadata("session-001"), workspace.metadata("session-002")):
        assert set(_keys(value | {"summary": {}})) - named == set()


def test_every_field_of_a_turn_file_is_documented():
    outline = Outline(
        id=TurnId("1"),
        start=Start.PROMPT,
        time="2026-03-02T09:00:01Z",
        prompt_digest=Digest(""),
        fingerprint=Digest(""),
    )
    turn = Turn(outline=outline, user=EVERY_BLOCK, assistant=EVERY_BLOCK, end_time="x", usage=Usage(input=1))
    place = Place(turn=1, session=SessionId("session-001"), local=1, format="claude-code")
    lines = write(turn, place, WORDINGS["en"]).decode().split("\n")
    front = [line.partition(":")[0] for line in lines[1 : lines.index("---", 1)]]
    _, block_map = write_blocks(EVERY_BLOCK, WORDINGS["en"])

    named = _named("docs/archive-format.md")

    assert set(front) - named == set()
    assert set(_keys([{**one, "input": []} for one in block_map])) - named == set()
    assert {one["kind"] for one in block_map} - named == set()
