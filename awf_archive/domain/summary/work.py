"""What a turn's tool calls say of its work: what failed and what passed, which tasks stand open (SPEC 1.8)."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from awf_archive.domain.summary.files import texts_of
from awf_archive.domain.summary.sentences import sentences
from awf_archive.domain.tool_lines import calls_in, one_line
from awf_archive.domain.transcript import Block, Json, Text, ToolCall

_HEAD, _TAIL = 1_000, 4_000
"""Characters of a result that are looked at: errors stand at its end, exit codes at its beginning or end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Something that went wrong."""

    error: str
    """The line that tells it."""
    key: str = ""
    """What was run, in short: the same run that passes later mends it. Empty for what the user reported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskStep:
    """One change of a list of tasks."""

    id: str
    text: str
    is_open: bool
    is_whole_list: bool = False
    """The first of a list that replaces the one before."""


_TELLING = re.compile(
    r"^\W{0,6}(?:"
    r"(?P<a>(?:[\w.]+\.)?\w*(?:Error|Exception|Panic)\b(?: \[\w+\])?: \S.*)"
    r"|(?P<b>(?i:error|fatal|panic|fatal error)(?:\[\w+\]| TS\d+)?: \S.*)"
    r"|(?P<c>FAILED \S.*)"
    r"|(?P<d>.*\b(?i:error) TS\d+: .*)"
    r")$",
    re.MULTILINE,
)
_TRIVIAL = re.compile(
    r"(?i)file has not been read|string to replace not found|file does not exist|no such file|user doesn't want|"
    r"tool_use_error|inputvalidation|not in allowed|exceeds maximum|aborted|interrupted|permission to use|"
    r"no matches found|sibling tool call|EISDIR|is a directory|timed? ?out|already up|cancel"
)


def telling_error(text: str) -> str:
    """Return the last line of an output or a pasted log that names an error, on one line; empty when none does.

    >>> telling_error("Traceback (most recent call last):\\n  x\\nImportError: cannot import name 'QAction'\\n")
    "ImportError: cannot import name 'QAction'"
    """
    looked = text if len(text) <= _HEAD + _TAIL else f"{text[:_HEAD]}\n{text[-_TAIL:]}"
    found = [match for match in _TELLING.finditer(looked) if not _TRIVIAL.search(match[0])]
    if not found:
        return ""
    found = [match for match in found if "exit code" not in match[0]] or found
    line = _PLACE.sub("", next(filter(None, found[-1].groups()), "")).strip()
    return one_line(next(sentences(line), line), 300)


_PLACE = re.compile(r"\s*\((?:/|[A-Z]:\\)[^)]*\)")

_FAILED = re.compile(
    r"(?:^|\n)(?:Exit code|exit status|Process exited with code|Exited with code):? ?(?!0\b)\d"
    r"|\"exit_code\": ?(?!0\b)\d"
)


def runs(blocks: Iterable[Block]) -> tuple[tuple[Failure, ...], frozenset[str]]:
    """Return what failed in a turn's calls and was not mended within the turn, and what passed at last."""
    failed: dict[str, Failure] = {}
    passed: set[str] = set()
    for call in calls_in(blocks):
        key = _key(call)
        if not key or call.result is None:
            continue
        answer = _answer(call)
        if call.result.is_error or _FAILED.search(answer):
            passed.discard(key)
            if (error := telling_error(answer)) and key not in failed:
                failed[key] = Failure(error=error, key=key)
        else:
            passed.add(key)
    return tuple(failed.values()), frozenset(passed)


def _answer(call: ToolCall) -> str:
    texts = [block.text for block in (call.result.blocks if call.result else ()) if isinstance(block, Text)]
    text = "\n".join(texts[:3])
    if len(text) > _HEAD + _TAIL:
        text = f"{text[:_HEAD]}\n{text[-_TAIL:]}"
    return text.replace("\\n", "\n") if text.startswith('{"') else text


_SHELLS = frozenset(
    [
        *("bash", "shell", "exec_command", "run_shell_command", "exec"),
        *("local_shell", "run_terminal_cmd", "run_in_terminal"),
    ]
)
_LEAD = re.compile(
    r"^(?:\s*(?:cd|source|export|set)\s+[^&;\n]+(?:&&|;|\n)|\s*[A-Z_]+=\S+\s|\s*(?:timeout|time)\s+\d*\S*\s)+"
)


def _key(call: ToolCall) -> str:
    """Return the program and what it is to do: `pytest`, `npm run build`; empty for what is no shell."""
    if call.name.casefold() not in _SHELLS:
        return ""
    texts = list(texts_of(call.input))
    command = max(texts, key=len, default="") if call.name.casefold() == "shell" else next(iter(texts), "")
    command = _LEAD.sub("", command)
    words = re.split(r"\s+|[|;&]", command.strip(), maxsplit=8)
    shown = [
        word for word in words if word and not word.startswith(("-", "/", "<", "'", '"', "2>", ">", "$"))
    ]
    return " ".join(shown[:3])[:40]


def tasks(blocks: Iterable[Block]) -> tuple[TaskStep, ...]:
    """Return what a turn's calls did to its lists of tasks, in order."""
    return tuple(step for call in calls_in(blocks) for step in _steps(call))


def open_tasks(steps: Iterable[TaskStep]) -> tuple[str, ...]:
    """Return the tasks that stand open after all steps, in order."""
    current: dict[str, TaskStep] = {}
    for step in steps:
        if step.is_whole_list:
            current.clear()
        before = current.get(step.id)
        if step.text or before:
            text = step.text or (before.text if before else "")
            current[step.id] = TaskStep(id=step.id, text=text, is_open=step.is_open)
    return tuple(step.text for step in current.values() if step.is_open)


_LISTS: Mapping[str, tuple[str, str]] = {
    "todowrite": ("todos", "content"),
    "todo_write": ("todos", "content"),
    "update_plan": ("plan", "step"),
    "write_todos": ("todos", "description"),
}
_DONE = frozenset({"completed", "done", "cancelled", "canceled", "deleted"})


def _steps(call: ToolCall) -> Iterator[TaskStep]:
    name, given = call.name.casefold(), _object(call.input)
    if name in _LISTS:
        key, words = _LISTS[name]
        items = given.get(key)
        for place, item in enumerate(items if isinstance(items, list) else ()):
            if isinstance(item, dict):
                yield TaskStep(
                    id=str(place),
                    text=str(item.get(words) or ""),
                    is_open=str(item.get("status")) not in _DONE,
                    is_whole_list=place == 0,
                )
    elif name == "taskcreate" and (match := re.search(r"#(\d+)", _answer(call))):
        yield TaskStep(id=match[1], text=str(given.get("subject") or ""), is_open=True)
    elif name == "taskupdate" and given.get("status"):
        yield TaskStep(
            id=str(given.get("taskId")),
            text=str(given.get("subject") or ""),
            is_open=given["status"] not in _DONE,
        )


def _object(value: Json) -> Mapping[str, Json]:
    if isinstance(value, str) and value.startswith("{"):
        try:
            value = json.loads(value[:100_000])
        except ValueError:
            return {}
    return value if isinstance(value, dict) else {}
