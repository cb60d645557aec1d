"""What auto-save reads of a transcript: the turns of a workflow, and how much a window holds (SPEC 3.2, 3.3)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from awf_archive.domain.decisions.calls import result_text
from awf_archive.domain.tool_lines import calls_in
from awf_archive.domain.transcript import Block, Branch, Note, NoteKind, Text, Transcript, Turn, prompt_text
from awf_archive.domain.triggers import Counts, code_blocks_in, is_stack_trace
from awf_archive.errors import InputError
from awf_archive.readers import identify
from awf_archive.services.autosave_evidence import NOTHING, Evidence, evidence
from awf_archive.services.sources import opened

WORKFLOW_NAMES = ("plan", "code", "debug", "test", "deploy")

_FAR = 40
"""Turns looked back for the command that began a workflow."""

_COMMAND = re.compile(r"\s*/(?:awf[:-])?(?P<name>plan|code|debug|test|deploy)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What a transcript shows."""

    found: Evidence = NOTHING
    problem: str = ""
    """Why it could not be read; the save goes on without it."""


def workflow_in(prompt: str) -> str:
    """Return the workflow that a prompt begins, or nothing (SPEC 3.7).

    >>> workflow_in("/code login form"), workflow_in("/awf:debug"), workflow_in("please /plan")
    ('code', 'debug', '')
    """
    match = _COMMAND.match(prompt)
    return match["name"].lower() if match else ""


def read_transcript(path: Path | None, root: Path, workflow: str = "", since: str = "") -> Read:
    """Return what the last turns did: those of the workflow, else the last one (`last_turns`)."""
    if path is None:
        return Read()
    try:
        with opened(path) as source:
            if not source.size:
                return Read()
            transcript = next(iter(identify(source).read(source)), None)
            if transcript is None:
                return Read()
            return Read(found=evidence(last_turns(transcript, workflow, since), str(root)))
    except InputError as problem:
        return Read(problem=problem.message)


def last_turns(transcript: Transcript, workflow: str, since: str = "") -> Sequence[Turn]:
    """Return the turns since the command of `workflow`; without a workflow the last turn alone.

    Where no such command is found (a workflow file called us), those since the last save, at least the last turn.
    """
    outlines = [one for one in transcript.outlines if one.branch is not Branch.ABANDONED][-_FAR:]
    found: list[Turn] = []
    for outline in reversed(outlines):
        turn = transcript.load(outline)
        found.insert(0, turn)
        begun = workflow_in(prompt_text(turn.user))
        if not workflow or begun == workflow:
            return found
        if begun:
            found.pop(0)
            break
    return [turn for turn in found if _end(turn) > since] or found[-1:]


def _end(turn: Turn) -> str:
    return (turn.end_time or turn.outline.time)[:19]


def count_window(path: Path) -> Counts:
    """Return what a transcript's window holds. Raises InputError when it cannot be read."""
    with opened(path) as source:
        if not source.size:
            return Counts()
        transcript = next(iter(identify(source).read(source)), None)
        return count(transcript.turns()) if transcript else Counts()


def count(turns: Iterable[Turn]) -> Counts:
    """Return what a window holds since it began or was last compacted."""
    total = Counts()
    for turn in turns:
        if _is_compacted(turn):
            total = Counts()
        total += Counts(
            messages=bool(turn.user) + bool(turn.assistant),
            code_blocks=sum(map(code_blocks_in, _texts((*turn.user, *turn.assistant)))),
            error_dumps=_errors(turn.assistant),
        )
    return total


def _is_compacted(turn: Turn) -> bool:
    return any(
        isinstance(block, Note) and block.kind is NoteKind.COMPACTION
        for block in (*turn.user, *turn.assistant)
    )


def _texts(blocks: Iterable[Block]) -> list[str]:
    return [block.text for block in blocks if isinstance(block, Text)]


def _errors(blocks: Iterable[Block]) -> int:
    calls = [call for call in calls_in(blocks) if call.result]
    return sum(
        bool(call.result and call.result.is_error) or is_stack_trace(result_text(call)) for call in calls
    )
