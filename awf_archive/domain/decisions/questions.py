"""Questions with options that the user answered, in every tool that asks them: accepted at once."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from awf_archive.domain.decisions.calls import answered, parameter, result_text
from awf_archive.domain.decisions.found import Context, Found, Place
from awf_archive.domain.tool_lines import one_line
from awf_archive.domain.transcript import Block, Json, ToolCall, Unknown

TOOLS = frozenset(
    {
        "AskUserQuestion",  # Claude Code
        "request_user_input",  # Codex
        "ask_user",  # Gemini CLI, Copilot CLI
        "question",  # opencode
        "vscode_askQuestions",  # Copilot in VS Code
        "copilot_askQuestions",
        "ask_questions",
        "ask_question",  # Cursor
        "AskQuestion",
        "ask_followup_question",  # Cline, Roo
    }
)

_Object: TypeAlias = Mapping[str, Json]
_Options: TypeAlias = Mapping[str, str]
"""What an answer calls each option, and the option in words."""


def find(_user: str, blocks: Sequence[Block], _context: Context) -> Iterator[Found]:
    """Yield one decision per answered question; the text is the answer, the reason the question."""
    for call in answered(blocks, TOOLS):
        yield from from_call(call)


def from_call(call: ToolCall) -> Iterator[Found]:
    """Yield the decisions of one answered call."""
    for question, told in _given(call):
        asked, options = _asked(question), _options(question)
        if _asks_back(told, options):
            continue
        header = str(question.get("header") or asked)
        yield Found(
            text=one_line(f"{header}: {told}", 300),
            reason=one_line(asked, 300),
            options=tuple(one_line(one, 300) for one in options.values()),
            by="user",
            found_by="question",
            evidence=one_line(f"{asked} → {told}", 500),
            place=Place(call_id=call.id),
            call_id=call.id,
            matter=one_line(header, 300),
        )


def answers_by_question(call: ToolCall) -> dict[str, str]:
    """Return what was answered to each question of a call, whole and in words, also where it decides nothing."""
    return {_asked(question): told for question, told in _given(call)}


def _given(call: ToolCall) -> Iterator[tuple[_Object, str]]:
    """Yield each question that was answered, and the answer in words."""
    questions = list(_questions(call))
    given = _answers(call)
    for number, question in enumerate(questions):
        answer = next((given[key] for key in _keys(question, number) if key in given), None)
        if answer is None and len(questions) == len(given) == 1:
            answer = next(iter(given.values()))
        told = _told(answer, _options(question))
        if told and told not in _UNANSWERED:
            yield question, told


def _asks_back(told: str, options: _Options) -> bool:
    """Whether what was typed in place of an option is a question: that decides nothing."""
    return told.endswith(("?", "？")) and told not in options and told not in options.values()


_UNANSWERED = frozenset({"Unanswered", "(no option selected)", "Skipped"})
"""What tools write where nobody chose."""


def _questions(call: ToolCall) -> Iterator[_Object]:
    """Yield what was asked: a list of questions, or the one that the call itself is."""
    given = parameter(call, "questions")
    if isinstance(given, list):
        yield from (one for one in given if isinstance(one, dict))
    elif isinstance(call.input, dict) and _asked(call.input):
        yield call.input


def _asked(question: _Object) -> str:
    return str(question.get("question") or question.get("prompt") or question.get("title") or "")


def _options(question: _Object) -> dict[str, str]:
    """Return the options by what an answer calls them."""
    given = question.get("options") or question.get("choices") or question.get("follow_up")
    found: dict[str, str] = {}
    for option in given if isinstance(given, list) else ():
        if isinstance(option, dict):
            label, why = (
                str(option.get("label") or option.get("id") or ""),
                str(option.get("description") or ""),
            )
            found[str(option.get("id") or label)] = f"{label}: {why}" if why else label
        else:
            found[str(option)] = str(option)
    return found


def _keys(question: _Object, number: int) -> Iterator[str]:
    """Yield the names under which tools keep the answer to a question: its id, its words, its header, its place."""
    yield from (str(question[name]) for name in ("id", "question", "prompt", "header") if question.get(name))
    yield str(number)


_ANSWER = re.compile(r'"(?P<question>(?:[^"\\]|\\.)*)"\s*=\s*"(?P<answer>(?:[^"\\]|\\.)*)"')
"""Claude Code's and opencode's own words: `User has answered your questions: "Which store?"="SQLite"`."""

_SAID = re.compile(r"(?is)\AUser (?:selected|responded|answered)(?: \(freeform\))?:\s*(?P<answer>.+)")
"""Copilot CLI's own words."""


def _answers(call: ToolCall) -> dict[str, Json]:
    """Return answers by question: from the structured copy where there is one, else from the tool's words."""
    for block in call.result.blocks if call.result else ():
        if isinstance(block, Unknown) and block.kind == "answers":
            return _object(block.json)
    text = result_text(call)
    given = _object(text).get("answers")
    if isinstance(given, dict):
        return given
    if isinstance(given, list):
        ids = (
            (one, one.get("questionId") or one.get("id") or one.get("question")) for one in _objects(given)
        )
        return {str(name): one for one, name in ids if name}
    if said := _SAID.match(text.strip()):
        return {"0": said["answer"].strip()}
    return {
        match["question"].replace('\\"', '"'): match["answer"].replace('\\"', '"')
        for match in _ANSWER.finditer(text)
    }


def _object(text: str) -> dict[str, Json]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _objects(values: Sequence[Json]) -> Iterator[dict[str, Json]]:
    return (one for one in values if isinstance(one, dict))


_CHOSEN = ("selected", "selectedOptionIds", "answers", "answer", "value")
_TYPED = ("freeText", "freeformText", "other")


def _told(answer: Json, options: Mapping[str, str]) -> str:
    """Return an answer in words: several options by commas, what was typed after them.

    >>> _told({"selected": ["a"], "freeText": "soon", "skipped": False}, {"a": "Alpha"})
    'Alpha, soon'
    """
    if isinstance(answer, dict):
        if answer.get("skipped"):
            return ""
        parts = [_told(answer.get(name), options) for name in (*_CHOSEN, *_TYPED)]
        return ", ".join(part for part in parts if part)
    if isinstance(answer, list):
        return ", ".join(part for part in (_told(one, options) for one in answer) if part)
    if answer is None:
        return ""
    told = str(answer).removeprefix("user_note: ").strip()
    named = options.get(told)
    return named if named and not named.startswith(f"{told}:") else told
