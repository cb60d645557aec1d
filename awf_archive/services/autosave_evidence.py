"""What a stretch of conversation did, from its tool calls: files, tests, fixes, plans, deploys (SPEC 3.3)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from awf_archive.domain.decisions import Found, Status
from awf_archive.domain.decisions.calls import result_text
from awf_archive.domain.decisions.harvest import harvest
from awf_archive.domain.summary import first_sentence
from awf_archive.domain.tool_lines import EDITING_TOOLS, calls_in, files_touched, one_line, tool_line
from awf_archive.domain.transcript import Block, Text, ToolCall, Turn, prompt_text
from awf_archive.domain.triggers import is_stack_trace

_TEST_RUN = re.compile(
    r"\b(?:pytest|unittest|tox|nox|jest|vitest|mocha|playwright test|cypress|go test|cargo (?:test|nextest)|"
    r"(?:npm|pnpm|yarn|bun)(?: run)? test|mvn test|gradle\w* test|make test|phpunit|rspec|flutter test|dotnet test)\b"
)
_DEPLOY_RUN = re.compile(
    r"\b(?:kubectl (?:apply|rollout)|helm (?:install|upgrade)|docker push|terraform apply|vercel|"
    r"netlify deploy|fly deploy|(?:npm|pnpm|yarn) publish|twine upload|gcloud (?:app|run) deploy|firebase deploy|"
    r"git push heroku|wrangler deploy|make deploy|cap \w+ deploy)\b"
)
_RESULT_LINE = re.compile(
    r"\b\d+ (?:passed|failed|errors?|tests?|failures?)\b|^Tests?:|^(?:ok|FAIL|PASS)\b|test result:",
    re.MULTILINE,
)
_URL = re.compile(r"https?://[^\s\"'<>)\]]{4,200}")
_PLAN_FILE = re.compile(
    r"(?:^|/)(?:requirements|design|tasks|plan|spec)[\w.-]*\.md$|(?:^|/)(?:plans|specs)/[^/]+\.md$"
)
_SHELLS = frozenset({"Bash", "shell", "run_shell_command", "exec_command", "local_shell"})


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRun:
    """One run of tests."""

    command: str
    is_passed: bool
    summary: str
    """The line that counts them; may be empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorSeen:
    """A command that failed, and what made it succeed."""

    error: str
    solution: str
    is_resolved: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Deploy:
    """One deployment."""

    command: str
    is_done: bool
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What was done."""

    title: str = ""
    """What the user asked for, in a sentence."""
    last_action: str = ""
    files: tuple[str, ...] = ()
    """Changed, in order of first change, relative to the workspace where they lie in it."""
    plans: tuple[str, ...] = ()
    """Plan and specification files among them."""
    decisions: tuple[Found, ...] = ()
    tests: tuple[CheckRun, ...] = ()
    errors: tuple[ErrorSeen, ...] = ()
    deploys: tuple[Deploy, ...] = ()


NOTHING = Evidence()
"""Where there is no conversation."""


def evidence(turns: Sequence[Turn], root: str) -> Evidence:
    """Return what these turns did. `root` is the workspace's folder."""
    blocks = [block for turn in turns for block in turn.assistant]
    files = tuple(dict.fromkeys(_relative(path, root) for path in files_touched(blocks, EDITING_TOOLS)))
    commands = [call for call in calls_in(blocks) if call.name in _SHELLS and call.result]
    titles = (first_sentence(_asked(turn)) for turn in reversed(turns))
    return Evidence(
        title=next(filter(None, titles), ""),
        last_action=last_action(blocks),
        files=files,
        plans=tuple(path for path in files if _PLAN_FILE.search(path)),
        decisions=tuple(_decided(turns)),
        tests=tuple(_test(call) for call in commands if _TEST_RUN.search(command_of(call))),
        errors=tuple(_errors(blocks)),
        deploys=tuple(_deploy(call) for call in commands if _DEPLOY_RUN.search(command_of(call))),
    )


def _decided(turns: Iterable[Turn]) -> Iterator[Found]:
    """Yield what was decided for sure: what is only proposed has no place in the work state."""
    for turn in turns:
        found = harvest(prompt_text(turn.user), turn.assistant)
        yield from (one for one in found if one.status is Status.ACCEPTED)


_COMMAND_NAME = re.compile(r"^/[\w:-]+\s*")


def _asked(turn: Turn) -> str:
    """Return a prompt without the name of the command that began it."""
    return _COMMAND_NAME.sub("", prompt_text(turn.user).strip())


def _relative(path: str, root: str) -> str:
    plain = path.replace("\\", "/")
    base = root.replace("\\", "/").rstrip("/") + "/"
    return plain.removeprefix(base)


def last_action(blocks: Sequence[Block]) -> str:
    """Return the last thing that was done: a change or a command, else what was said last."""
    calls = [call for call in calls_in(blocks) if call.name in EDITING_TOOLS | _SHELLS]
    if calls:
        return tool_line(calls[-1].name, calls[-1].input)
    said = [block.text for block in blocks if isinstance(block, Text) and block.text.strip()]
    return first_sentence(said[-1]) if said else ""


def command_of(call: ToolCall) -> str:
    """Return the command line of a shell call; nothing for other tools."""
    given = call.input.get("command") if isinstance(call.input, dict) else ""
    return " ".join(map(str, given)) if isinstance(given, list) else str(given or "")


def has_failed(call: ToolCall) -> bool:
    """Whether a call's answer is marked as an error or holds a stack trace."""
    return bool(call.result and (call.result.is_error or is_stack_trace(result_text(call))))


def _test(call: ToolCall) -> CheckRun:
    answer = result_text(call)
    lines = [line for line in answer.splitlines() if _RESULT_LINE.search(line)]
    summary = one_line(lines[-1].strip("= "), 160) if lines else ""
    is_failed = has_failed(call) or bool(re.search(r"\b[1-9]\d* (?:failed|failures?|errors?)\b", summary))
    return CheckRun(command=one_line(command_of(call), 160), is_passed=not is_failed, summary=summary)


def _deploy(call: ToolCall) -> Deploy:
    found = _URL.findall(result_text(call))
    return Deploy(
        command=one_line(command_of(call), 160), is_done=not has_failed(call), url=found[-1] if found else ""
    )


def _errors(blocks: Sequence[Block]) -> Iterator[ErrorSeen]:
    """Pair each command that failed with its next success; what was edited and said between them is the fix."""
    steps = [block for block in _flat(blocks) if isinstance(block, ToolCall | Text)]
    seen: set[str] = set()
    for place, step in enumerate(steps):
        if not isinstance(step, ToolCall) or step.name not in _SHELLS or not has_failed(step):
            continue
        error = error_line(result_text(step)) or one_line(command_of(step), 160)
        if error in seen:
            continue
        seen.add(error)
        end = _success(steps, place, command_of(step))
        between = steps[place + 1 : end] if end else []
        yield ErrorSeen(error=error, solution=_fix(between), is_resolved=end is not None)


def _flat(blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        if isinstance(block, Text):
            yield block
        else:
            yield from calls_in([block])


def _is_success(step: Block) -> TypeGuard[ToolCall]:
    return isinstance(step, ToolCall) and step.name in _SHELLS and not has_failed(step)


def _success(steps: Sequence[Block], place: int, command: str) -> int | None:
    """Return where the same command, or one that begins the same, succeeds later."""
    words = tuple(command.split()[:2])
    for later in range(place + 1, len(steps)):
        step = steps[later]
        if _is_success(step) and tuple(command_of(step).split()[:2]) == words:
            return later
    return None


def _fix(between: Sequence[Block]) -> str:
    said = [first_sentence(block.text) for block in between if isinstance(block, Text)]
    files = files_touched(between, EDITING_TOOLS)
    told = next(filter(None, reversed(said)), "")
    edited = ", ".join(path.replace("\\", "/").rsplit("/", 1)[-1] for path in files)
    return one_line(f"{told} ({edited})" if told and edited else told or edited, 240)


_ERROR_LINE = re.compile(
    r"(?:\b\w*(?:Error|Exception)\b\s*:|\berror\b\s*[:\[]|^E\s{2,}|\bFAILED\b|panicked at|fatal:)",
    re.IGNORECASE,
)


def error_line(text: str) -> str:
    """Return the line of an answer that says what went wrong.

    >>> error_line("Traceback (most recent call last):\\n  File 'x'\\nKeyError: 'id'")
    "KeyError: 'id'"
    """
    lines = [line for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if _ERROR_LINE.search(line)]
    chosen = telling[-1] if telling else (lines[-1] if lines else "")
    return one_line(chosen.strip(), 200)
