"""Questions with options that the user answered: accepted at once."""

import json
import re
from collections.abc import Iterator, Sequence

from awf_archive.domain.decisions.calls import answered, parameter, result_text
from awf_archive.domain.decisions.found import Context, Found, Place
from awf_archive.domain.tool_lines import one_line
from awf_archive.domain.transcript import Block, Json, ToolCall, Unknown

TOOLS = frozenset({"AskUserQuestion"})


def find(_user: str, blocks: Sequence[Block], _context: Context) -> Iterator[Found]:
    """Yield one decision per answered question; the text is the answer, the reason the question."""
    for call in answered(blocks, TOOLS):
        yield from from_call(call)


_ANSWER = re.compile(r'"(?P<question>(?:[^"\\]|\\.)*)"\s*=\s*"(?P<answer>(?:[^"\\]|\\.)*)"')
"""The tool's own words: `User has answered your questions: "Which store?"="SQLite"`."""


def from_call(call: ToolCall) -> Iterator[Found]:
    """Yield the decisions of one answered call."""
    questions = parameter(call, "questions")
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
        header = str(question.get("header") or asked)
        yield Found(
            text=one_line(f"{header}: {answer}", 300),
            reason=one_line(asked, 300),
            options=tuple(_option_labels(question.get("options"))),
            by="user",
            found_by="question",
            evidence=one_line(f"{asked} → {answer}", 500),
            place=Place(call_id=call.id),
            call_id=call.id,
            matter=one_line(header, 300),
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
