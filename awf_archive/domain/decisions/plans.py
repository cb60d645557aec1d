"""Plans that the user approved: accepted at once."""

import re
from collections.abc import Iterator, Sequence

from awf_archive.domain.decisions.calls import answered, parameter, result_text
from awf_archive.domain.decisions.found import Context, Found, Place
from awf_archive.domain.tool_lines import one_line
from awf_archive.domain.transcript import Block

TOOLS = frozenset({"ExitPlanMode"})

_APPROVED = re.compile(r"(?i)\bapproved\b|\bcan now start\b")


def find(_user: str, blocks: Sequence[Block], _context: Context) -> Iterator[Found]:
    """Yield one decision per approved plan; the text is the plan's title or first line."""
    for call in answered(blocks, TOOLS):
        answer = result_text(call)
        if not _APPROVED.search(answer):
            continue
        plan = str(parameter(call, "plan") or "") or answer.partition("## Approved Plan")[2].lstrip(": \n")
        title = next((line.strip("# *\t") for line in plan.splitlines() if line.strip("# *\t")), "")
        if title:
            yield Found(
                text=one_line(title, 300),
                by="user",
                found_by="plan",
                evidence=one_line(plan, 500),
                place=Place(call_id=call.id),
                call_id=call.id,
            )
