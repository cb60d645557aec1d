"""Tool calls: one telling line, and below it what that kind of tool did."""

import json
import re
from collections.abc import Callable, Mapping
from html import escape
from itertools import takewhile

from awf_archive.domain.decisions.questions import answers_by_question
from awf_archive.domain.tool_lines import tool_argument
from awf_archive.domain.transcript import Json, Text, ToolCall, ToolResult
from awf_archive.render.clean import clean
from awf_archive.render.clean import one_line as shown_line
from awf_archive.render.code import ASKED, PRINTED, SEEN, Room, code_block, language_of_path, output_block
from awf_archive.render.diff import diff_block
from awf_archive.render.markdown import render_markdown
from awf_archive.render.sheet import Sheet, count, element

Parameters = Mapping[str, Json]
_Body = Callable[[ToolCall, Parameters, Sheet], str]
_Result = Callable[[str, ToolCall, Sheet], str]

_SHORT = 160
_ARGUMENT = 140
_OPEN = frozenset({"AskUserQuestion", "ExitPlanMode"})
"""Calls that people want to read: they stand open."""


def tool_call(call: ToolCall, sheet: Sheet, media: str = "", nested: str = "") -> str:
    """Return a call folded to one line.

    `media` is what its result holds besides text, `nested` the sub-agents it started; both are HTML already.
    """
    parameters = call.input if isinstance(call.input, dict) else {"": call.input} if call.input else {}
    body = _BODIES.get(call.name, _any_call)(call, parameters, sheet)
    inside = body + nested + result_body(call.result, call, sheet) + media
    is_error = bool(call.result and call.result.is_error)
    classes = f"awf-tool{' awf-failed' if is_error else ''}"
    return folded(_summary(call, sheet, is_error=is_error), inside, classes, is_open=call.name in _OPEN)


def folded(summary: str, inside: str, classes: str, *, is_open: bool = False) -> str:
    """Return a `<details>`; both parts are HTML already."""
    state = " open" if is_open else ""
    return (
        f'<details class="{classes}"{state}><summary>{summary}</summary>'
        f'<div class="awf-inside">{inside}</div></details>'
    )


def _summary(call: ToolCall, sheet: Sheet, *, is_error: bool) -> str:
    words = sheet.words.site
    argument = shown_line(tool_argument(call.name, call.input), _ARGUMENT)
    lines = result_lines(call.result)
    parts = [
        element("span", escape(shown_line(call.name, 60)), class_="awf-name"),
        element("code", escape(argument), class_="awf-arg") if argument else "",
        element("span", escape(words.error), class_="awf-bad") if is_error else "",
        element("span", escape(count(words.lines, lines)), class_="awf-size") if lines else "",
    ]
    return "".join(part for part in parts if part)


def result_lines(result: ToolResult | None) -> int:
    """Return how many lines a result's texts hold."""
    texts = (block.text for block in (result.blocks if result else ()) if isinstance(block, Text))
    return sum(text.count("\n") + 1 for text in texts if text)


def result_body(result: ToolResult | None, call: ToolCall | None, sheet: Sheet) -> str:
    """Return the texts of a result as their tool's kind wants them."""
    show = (
        _RESULTS.get(call.name, _plain_result) if call and result and not result.is_error else _plain_result
    )
    blocks = result.blocks if result else ()
    known = call or ToolCall(id="", name="", input=None)
    return "".join(
        show(block.text, known, sheet) for block in blocks if isinstance(block, Text) and block.text
    )


def _text(parameters: Parameters, name: str) -> str:
    value = parameters.get(name)
    return value if isinstance(value, str) else ""


def _rest(parameters: Parameters, shown: frozenset[str], sheet: Sheet) -> str:
    """Return every parameter that the body does not show: short ones in a list, long ones as blocks."""
    short, long = [], []
    for name, value in parameters.items():
        if name in shown or value is None:
            continue
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)
        label = escape(shown_line(name, 60))
        if len(text) <= _SHORT and "\n" not in text:
            short.append(f"<dt>{label}</dt><dd>{escape(clean(text))}</dd>")
        else:
            language = "" if isinstance(value, str) else "json"
            long.append(f'<p class="awf-label">{label}</p>{output_block(text, sheet, language, "")}')
    listed = f'<dl class="awf-params">{"".join(short)}</dl>' if short else ""
    return listed + "".join(long)


def _any_call(_call: ToolCall, parameters: Parameters, sheet: Sheet) -> str:
    return _rest(parameters, frozenset(), sheet)


def _shell(_call: ToolCall, parameters: Parameters, sheet: Sheet) -> str:
    about = _text(parameters, "description")
    caption = element("p", escape(clean(about)), class_="awf-label") if about else ""
    command = output_block(_text(parameters, "command"), sheet, "bash", "awf-command")
    return caption + command + _rest(parameters, frozenset({"command", "description"}), sheet)


def _file(_call: ToolCall, parameters: Parameters, sheet: Sheet) -> str:
    return _path(parameters) + _rest(parameters, _PATHS, sheet)


_PATHS = frozenset({"file_path", "notebook_path"})


def _path(parameters: Parameters) -> str:
    """Return the path in full where the summary has cut it."""
    path = _text(parameters, "file_path") or _text(parameters, "notebook_path")
    is_cut = path != shown_line(tool_argument("Read", {"file_path": path}), _ARGUMENT)
    return element("p", element("code", escape(clean(path))), class_="awf-label") if is_cut else ""


def _write(_call: ToolCall, parameters: Parameters, sheet: Sheet) -> str:
    language = language_of_path(_text(parameters, "file_path"))
    content = output_block(_text(parameters, "content"), sheet, language, "")
    return _path(parameters) + content + _rest(parameters, _PATHS | {"content"}, sheet)


def _edit(_call: ToolCall, parameters: Parameters, sheet: Sheet) -> str:
    difference = diff_block(_text(parameters, "old_string"), _text(parameters, "new_string"), sheet)
    rest = _rest(parameters, _PATHS | {"old_string", "new_string"}, sheet)
    return _path(parameters) + difference + rest


def _multi_edit(_call: ToolCall, parameters: Parameters, sheet: Sheet) -> str:
    edits = parameters.get("edits")
    if not isinstance(edits, list) or not all(isinstance(edit, dict) for edit in edits):
        return _rest(parameters, frozenset(), sheet)
    blocks = "".join(
        diff_block(_text(edit, "old_string"), _text(edit, "new_string"), sheet)
        + _rest(edit, frozenset({"old_string", "new_string"}), sheet)
        for edit in edits
        if isinstance(edit, dict)
    )
    return _path(parameters) + blocks + _rest(parameters, _PATHS | {"edits"}, sheet)


_TODO_MARKS = {"completed": "☑", "in_progress": "◐", "pending": "☐"}


def _todos(_call: ToolCall, parameters: Parameters, sheet: Sheet) -> str:
    todos = parameters.get("todos")
    if not isinstance(todos, list):
        return _rest(parameters, frozenset(), sheet)
    items = "".join(_todo(todo) for todo in todos)
    return f'<ul class="awf-todos">{items}</ul>' + _rest(parameters, frozenset({"todos"}), sheet)


def _todo(todo: Json) -> str:
    if not isinstance(todo, dict):
        return element("li", escape(clean(str(todo))))
    status = str(todo.get("status") or "")
    text = clean(str(todo.get("content") or todo.get("activeForm") or ""))
    known = status if status in _TODO_MARKS else "pending"
    return element("li", f"{_TODO_MARKS[known]} {escape(text)}", class_=f"awf-{known.replace('_', '-')}")


def _questions(call: ToolCall, parameters: Parameters, sheet: Sheet) -> str:
    """Show each question with its options, the chosen one marked, and an answer in the user's own words."""
    questions = parameters.get("questions")
    if not isinstance(questions, list):
        return _rest(parameters, frozenset(), sheet)
    answers = answers_by_question(call)
    shown = "".join(_question(question, answers, sheet) for question in questions)
    return shown + _rest(parameters, frozenset({"questions", "answers", "metadata"}), sheet)


def _question(question: Json, answers: Mapping[str, str], sheet: Sheet) -> str:
    if not isinstance(question, dict):
        return element("p", escape(clean(str(question))))
    words = sheet.words.site
    asked = _text(question, "question")
    header = _text(question, "header")
    answer = answers.get(asked, "")
    given = question.get("options")
    options = given if isinstance(given, list) else []
    chosen = {answer} if answer in map(_label, options) else {part.strip() for part in answer.split(",")}
    items = [_option(option, chosen, sheet) for option in options]
    is_own = bool(answer) and not chosen.issubset(map(_label, options))
    said = f'<p class="awf-answer">{escape(words.answer)}: {escape(clean(answer))}</p>' if is_own else ""
    silent = "" if answer else element("p", escape(words.unanswered), class_="awf-missing")
    chip = element("span", escape(clean(header)), class_="awf-chip") if header else ""
    listed = f'<ul class="awf-options">{"".join(items)}</ul>' if items else ""
    head = f'<p class="awf-asked">{chip}<strong>{escape(clean(asked))}</strong></p>'
    return f'<div class="awf-question">{head}{listed}{said}{silent}</div>'


def _label(option: Json) -> str:
    return (_text(option, "label") if isinstance(option, dict) else str(option)).strip()


def _option(option: Json, chosen: set[str], sheet: Sheet) -> str:
    label = _label(option)
    about = _text(option, "description") if isinstance(option, dict) else ""
    is_chosen = label in chosen
    mark = element("span", f"✔ {escape(sheet.words.site.chosen)}", class_="awf-good") if is_chosen else ""
    text = f"<strong>{escape(clean(label))}</strong> {mark}" + (f" {escape(clean(about))}" if about else "")
    return element("li", text, class_="awf-chosen" if is_chosen else "")


def _plan(_call: ToolCall, parameters: Parameters, sheet: Sheet) -> str:
    plan = _text(parameters, "plan")
    shown = f'<div class="awf-text awf-plan">{render_markdown(plan, sheet)}</div>' if plan else ""
    return shown + _rest(parameters, frozenset({"plan"}), sheet)


def _agent(_call: ToolCall, parameters: Parameters, sheet: Sheet) -> str:
    prompt = _text(parameters, "prompt")
    shown = f'<div class="awf-text awf-quote">{render_markdown(prompt, sheet)}</div>' if prompt else ""
    return _rest(parameters, frozenset({"prompt"}), sheet) + shown


_BODIES: Mapping[str, _Body] = {
    "Bash": _shell,
    "Read": _file,
    "Write": _write,
    "Edit": _edit,
    "MultiEdit": _multi_edit,
    "TodoWrite": _todos,
    "AskUserQuestion": _questions,
    "ExitPlanMode": _plan,
    "Task": _agent,
    "Agent": _agent,
}
"""How a call's input is shown; other tools list their parameters."""


def _plain_result(text: str, call: ToolCall, sheet: Sheet) -> str:
    failed = bool(call.result and call.result.is_error)
    return output_block(text, sheet, room=ASKED if failed else _ROOMS.get(call.name, PRINTED))


def _markdown_result(text: str, _call: ToolCall, sheet: Sheet) -> str:
    return f'<div class="awf-text awf-quote">{render_markdown(text, sheet)}</div>'


_ROOMS: Mapping[str, Room] = dict.fromkeys(("Read", "Grep", "Glob", "LS", "NotebookRead"), SEEN)
_NUMBERED = re.compile(r" *(\d{1,9})[→\t](.*)")


def _read_result(text: str, call: ToolCall, sheet: Sheet) -> str:
    """Show a file that was read with its colours, and below it what the tool said after it."""
    lines = clean(text).split("\n")
    matches = list(takewhile(bool, map(_NUMBERED.fullmatch, lines)))
    code = [match[2] for match in matches if match]
    if not code or not matches[0]:
        return output_block(text, sheet, room=SEEN)
    path = _text(call.input, "file_path") if isinstance(call.input, dict) else ""
    first = int(matches[0][1])
    note = element("p", f"{first}–{first + len(code) - 1}", class_="awf-label")
    rest = "\n".join(lines[len(code) :]).strip("\n")
    after = output_block(rest, sheet, room=SEEN) if rest else ""
    return note + output_block("\n".join(code), sheet, language_of_path(path), room=SEEN) + after


def _answers_result(text: str, _call: ToolCall, sheet: Sheet) -> str:
    """Show what the tool told the assistant: one line without an end, so that it is wrapped."""
    return output_block(text, sheet, class_="awf-out awf-wrapped")


_RESULTS: Mapping[str, _Result] = {
    "AskUserQuestion": _answers_result,
    "Read": _read_result,
    "WebFetch": _markdown_result,
    "WebSearch": _markdown_result,
    "Task": _markdown_result,
    "Agent": _markdown_result,
    "ExitPlanMode": _markdown_result,
}
"""How a call's answer is shown; other tools' as plain text."""


def json_block(text: str, sheet: Sheet) -> str:
    """Return JSON set out over lines; what is no JSON as it is."""
    try:
        text = json.dumps(json.loads(text), ensure_ascii=False, indent=1)
    except ValueError:
        return code_block(clean(text)) if len(text) <= _SHORT else output_block(text, sheet)
    return output_block(text, sheet, "json", "")
