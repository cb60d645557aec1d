"""Plans that the user approved, in every tool that asks for it: accepted at once."""

import json
import re
from collections.abc import Iterator, Sequence

from awf_archive.domain.decisions.calls import answered, parameter, result_text
from awf_archive.domain.decisions.found import Context, Found, Place
from awf_archive.domain.tool_lines import one_line
from awf_archive.domain.transcript import Block, ToolCall, Unknown

TOOLS = frozenset(
    {
        "ExitPlanMode",  # Claude Code
        "exit_plan_mode",  # Gemini CLI, Copilot CLI
        "plan_exit",  # opencode
    }
)
"""Codex's `update_plan` and the todo lists of others are not here: nobody approves them."""

_APPROVED = re.compile(r"(?i)\bapproved\b|\bcan now start\b")
_NOT = re.compile(
    r"(?i)\b(?:not|isn't|wasn't|un)\W?approved\b|\brejected\b|\bdeclined\b|\"approved\":\s*false"
)
_TASK = re.compile(r"^\s*[-*+]\s+(?:\[[ xX]\]\s*)?")
_STORED_AT = re.compile(r"(?i)plan (?:is stored|has been saved|was saved)[^:\n]*:\s*(?P<path>\S+)")


def find(_user: str, blocks: Sequence[Block], _context: Context) -> Iterator[Found]:
    """Yield one decision per approved plan; the text is the plan's title or first line."""
    for call in answered(blocks, TOOLS):
        answer = result_text(call)
        if not _APPROVED.search(answer) or _NOT.search(answer.partition("## Approved Plan")[0]):
            continue
        plan = _plan(call, answer)
        if title := next(filter(None, map(_bare, plan.splitlines())), ""):
            yield Found(
                text=one_line(title, 300),
                by="user",
                found_by="plan",
                evidence=one_line(plan, 500),
                place=Place(call_id=call.id),
                call_id=call.id,
            )


def _bare(line: str) -> str:
    """Return a line without the marks of a heading, a list or a task."""
    return _TASK.sub("", line).strip("# *\t")


def _plan(call: ToolCall, answer: str) -> str:
    """Return the plan's text; where the tool keeps it in a file, what it says of itself, else the file's name."""
    if given := parameter(call, "plan", "summary"):
        return str(given)
    for block in call.result.blocks if call.result else ():
        if isinstance(block, Unknown) and block.kind == "plan":
            return str(json.loads(block.json))
    stored = _STORED_AT.search(answer)
    path = parameter(call, "plan_filename", "plan_path", "planPath") or (stored["path"] if stored else "")
    return answer.partition("## Approved Plan")[2].lstrip(": \n") or str(path)
