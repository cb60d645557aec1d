"""Aider's chat history: runs, who said a line, damage, speed."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
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
    words,
)
from sources import BytesSource, PathSource

from awf_archive.domain.transcript import Note
from awf_archive.readers import READERS
from awf_archive.readers.aider import reader as aider

CASES = cases("aider")
TEXTS = [source_file(case).read_bytes() for case in CASES]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_reads_as_expected(case):
    source = PathSource(source_file(case))

    assert shown(aider.read(source)) == expected(case)
    assert [reader.name for reader in READERS if reader.accepts(source)] == ["aider"]


@given(damaged(TEXTS))
@settings(max_examples=150, deadline=None)
def test_damage_raises_nothing_but_our_own_errors(data):
    reads_or_says_why(aider.READER, BytesSource(data))


def ids(data):
    return [(one.windows, outline.id) for one in aider.read(BytesSource(data)) for outline in one.outlines]


@given(st.sampled_from(TEXTS), st.sampled_from(TEXTS))
@settings(max_examples=20, deadline=None)
def test_what_is_appended_later_changes_no_id(before, more):
    assert ids(before + b"\n" + more)[: len(ids(before))] == ids(before)


def test_a_history_in_its_place_tells_the_folder():
    class Placed(BytesSource):
        name = "/srv/dev/demo/.aider.chat.history.md"

    [found] = aider.read(Placed(b"# aider chat started at 2026-06-09 14:01:00\n\n#### hi  \n\nhello\n"))

    assert found.cwd == "/srv/dev/demo"


def test_a_history_of_runs_in_which_nothing_was_said_is_empty():
    [found] = aider.read(BytesSource(b"\n# aider chat started at 2026-06-09 14:01:00\n\n> Aider v0.86.1  \n"))

    assert found.outlines == ()


def test_a_note_that_quotes_a_history_is_not_one():
    text = b"# Notes\n\n```\n\n# aider chat started at 2026-06-09 14:01:00\n\n#### hi\n```\n"

    assert not aider.accepts(BytesSource(text))


# Shared

TABLE = {
    "01-huge-multi-session": (1444, 1559, "338 commands without an answer are notes, 66 turns nobody typed"),
    "02-afi-core": (47, 49, "two commands without an answer are notes"),
    "05-zen-mcp": (7, 8, "a command without an answer, alone in its run, starts no turn"),
}
"""Turns, MANIFEST's typed prompts, and why they differ."""


@pytest.mark.shared
@pytest.mark.parametrize("stem", TABLE)
def test_corpus_loses_no_line_of_a_run_in_which_something_was_said(stem):
    path = CORPUS / "aider" / f"{stem}.md"
    found = list(aider.read(PathSource(path)))

    assert sum(len(one.outlines) for one in found) == TABLE[stem][0]
    kept = {line.strip() for word in words(found) for line in word.split("\n")}
    said = [line for line in path.read_text().split("\n") if not line.startswith((">", "# aider chat"))]
    lost = {line.removeprefix("####").strip() for line in said if line.strip() not in kept} - kept
    assert {line for line in lost if not line.startswith("/")} <= {"", "<blank>"}


@pytest.mark.shared
def test_corpus_has_every_prompt_in_exactly_one_place():
    path = CORPUS / "aider" / "02-afi-core.md"
    found = list(aider.read(PathSource(path)))
    notes = [
        block.text
        for one in found
        for turn in one.turns()
        for block in (*turn.user, *turn.assistant)
        if isinstance(block, Note) and block.kind == "command"
    ]

    typed = sorted(_typed(path.read_text().split("\n")))
    assert sorted([*prompts(found), *notes]) == [text for text in typed if text not in {"", *WAITING}]


WAITING = {"/exit"}
"""Commands at the history's end: they wait for the turn after them."""


def _typed(lines):
    group = []
    for line in [*lines, ""]:
        if line.startswith("####"):
            group.append(line[5:].removesuffix("  "))
        elif group:
            yield "\n".join(group).rstrip()
            group = []


@pytest.mark.shared
def test_four_megabytes_read_in_seconds():
    start = time.process_time()
    turns = sum(
        len(one.outlines) for one in aider.read(PathSource(CORPUS / "aider" / "01-huge-multi-session.md"))
    )

    assert turns > 1000
    assert time.process_time() - start < 5


@pytest.mark.shared
def test_g03_reads_two_runs_and_no_prompt_of_the_code():
    first, second = aider.read(PathSource(SHARED / "cases" / "G03-aider" / "input.md"))

    assert prompts([first, second]) == ["thêm thử lại cho webhook\nvà ghi log", "使用配置文件"]
    assert [problem.code for problem in first.problems] == ["ambiguous-role"]
