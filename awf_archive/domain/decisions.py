"""Decisions as records: what was decided, why, among which options, by whom, where (SPEC 1.8, 9).

Found from structure alone: questions that the user answered and plans that the user approved.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import cast

from awf_archive.domain.tool_lines import calls_in, one_line
from awf_archive.domain.transcript import Block, Json, Text, ToolCall, Unknown


class Status(StrEnum):
    """Where a decision stands."""

    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    SUPERSEDED = "superseded"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A decision as a turn shows it, before it has a number."""

    text: str
    """What was decided, on one line."""
    reason: str
    """Why, or what the question was; may be empty."""
    options: tuple[str, ...]
    """What was considered, the chosen ones too."""
    by: str
    """`user` or `assistant`."""
    found_by: str
    """`question` or `plan`."""
    evidence: str
    """The exact words, or their beginning."""
    call_id: str
    """The tool call that shows it; with the turn it makes the decision unique."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One entry of `decisions.json`; its id is for ever."""

    id: str
    """`D-001`, counted per feature."""
    text: str
    reason: str
    options: tuple[str, ...]
    status: Status
    feature: str
    session: str
    turn: int
    """Global number."""
    date: str
    by: str
    found_by: str
    evidence: str
    call_id: str
    files: tuple[str, ...] = ()
    confidence: float = 1.0
    moved_to: str = ""
    """`feature D-004` when its turn went to another feature: the id stays taken here."""

    def to_json(self) -> dict[str, Json]:
        """Return the object that `decisions.json` and `--json` hold (SPEC 9)."""
        return {
            "id": self.id,
            "text": self.text,
            "reason": self.reason,
            "options": list(self.options),
            "status": self.status.value,
            "feature": self.feature,
            "session": self.session,
            "turn": self.turn,
            "date": self.date,
            "by": self.by,
            "foundBy": self.found_by,
            "evidence": self.evidence,
            "callId": self.call_id,
            "files": list(self.files),
            "confidence": self.confidence,
            **({"movedTo": self.moved_to} if self.moved_to else {}),
        }

    @classmethod
    def from_json(cls, entry: Mapping[str, Json]) -> "Decision":
        """Return the decision that `to_json` wrote. Raises KeyError, TypeError or ValueError otherwise."""
        return cls(
            id=str(entry["id"]),
            text=str(entry["text"]),
            reason=str(entry.get("reason") or ""),
            options=tuple(map(str, cast("list[Json]", entry.get("options") or []))),
            status=Status(str(entry["status"])),
            feature=str(entry["feature"]),
            session=str(entry["session"]),
            turn=int(cast("int", entry["turn"])),
            date=str(entry.get("date") or ""),
            by=str(entry.get("by") or ""),
            found_by=str(entry.get("foundBy") or ""),
            evidence=str(entry.get("evidence") or ""),
            call_id=str(entry.get("callId") or ""),
            files=tuple(map(str, cast("list[Json]", entry.get("files") or []))),
            confidence=float(cast("float", entry.get("confidence", 1.0))),
            moved_to=str(entry.get("movedTo") or ""),
        )


def harvest(blocks: Iterable[Block]) -> tuple[Found, ...]:
    """Return the decisions that one turn's assistant side shows, in order."""
    return tuple(
        found
        for call in calls_in(blocks)
        if call.name in _HARVESTERS and call.result and not call.result.is_error
        for found in _HARVESTERS[call.name](call)
    )


def result_text(call: ToolCall) -> str:
    """Return what a call answered, texts only."""
    blocks = call.result.blocks if call.result else ()
    return "\n".join(block.text for block in blocks if isinstance(block, Text))


_ANSWER = re.compile(r'"(?P<question>(?:[^"\\]|\\.)*)"\s*=\s*"(?P<answer>(?:[^"\\]|\\.)*)"')
"""The tool's own words: `User has answered your questions: "Which store?"="SQLite"`."""


def _from_question(call: ToolCall) -> Iterator[Found]:
    """One decision per answered question; the text is the answer, the reason the question."""
    questions = call.input.get("questions") if isinstance(call.input, dict) else None
    if not isinstance(questions, list):
        return
    answers = _answers(call)
    for question in questions:
        if not isinstance(question, dict):
            continue
        asked = str(question.get("question") or "")
        answer = answers.get(asked)
        if answer is None and len(questions) == 1 and len(answers) == 1:
            answer = next(iter(answers.values()))
        if not answer:
            continue
        yield Found(
            text=one_line(f"{question.get('header') or asked}: {answer}", 300),
            reason=one_line(asked, 300),
            options=tuple(_option_labels(question.get("options"))),
            by="user",
            found_by="question",
            evidence=one_line(f"{asked} → {answer}", 500),
            call_id=call.id,
        )


def _answers(call: ToolCall) -> dict[str, str]:
    """Answers by question: from the tool's structured copy where the reader kept it, else from its text."""
    for block in call.result.blocks if call.result else ():
        if isinstance(block, Unknown) and block.kind == "answers":
            return _structured_answers(block.json)
    return {
        match["question"].replace('\\"', '"'): match["answer"].replace('\\"', '"')
        for match in _ANSWER.finditer(result_text(call))
    }


def _structured_answers(text: str) -> dict[str, str]:
    value = json.loads(text)
    return {str(key): str(item) for key, item in value.items()} if isinstance(value, dict) else {}


def _option_labels(options: Json) -> Iterator[str]:
    for option in options if isinstance(options, list) else ():
        if isinstance(option, dict):
            label, why = str(option.get("label") or ""), str(option.get("description") or "")
            yield one_line(f"{label}: {why}" if why else label, 300)
        else:
            yield one_line(str(option), 300)


_APPROVED = re.compile(r"(?i)\bapproved\b|\bcan now start\b")


def _from_plan(call: ToolCall) -> Iterator[Found]:
    """One decision per approved plan; the text is the plan's title or first line."""
    answer = result_text(call)
    if not _APPROVED.search(answer):
        return
    given = str(call.input.get("plan") or "") if isinstance(call.input, dict) else ""
    plan = given or answer.partition("## Approved Plan")[2].lstrip(": \n")
    title = next((line.strip("# *\t") for line in plan.splitlines() if line.strip("# *\t")), "")
    if title:
        yield Found(
            text=one_line(title, 300),
            reason="",
            options=(),
            by="user",
            found_by="plan",
            evidence=one_line(plan, 500),
            call_id=call.id,
        )


_HARVESTERS: Mapping[str, Callable[[ToolCall], Iterator[Found]]] = {
    "AskUserQuestion": _from_question,
    "ExitPlanMode": _from_plan,
}
