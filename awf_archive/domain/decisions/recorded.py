"""Calls that recorded a decision themselves (`awf-archive decide`, the MCP tool): they tell its turn."""

import re
from collections.abc import Iterator, Sequence

from awf_archive.domain.decisions.calls import parameter, result_text
from awf_archive.domain.decisions.found import Context, Found, Place
from awf_archive.domain.decisions.joining import RECORDED
from awf_archive.domain.tool_lines import calls_in
from awf_archive.domain.transcript import Block

_OURS = re.compile(r"\bawf-archive\b[^\n]*\bdecide\b")
_LINE = re.compile(r"(?m)^✅ D-\d+ · (?P<text>.+?)\s*$")
"""What `awf-archive decide` prints, in any language."""


def find(_user: str, blocks: Sequence[Block], _context: Context) -> Iterator[Found]:
    """Yield what was recorded in this turn; the joiner finds the record and gives it the turn."""
    for call in calls_in(blocks):
        if not call.result or call.result.is_error:
            continue
        if call.name.endswith("record_decision"):
            texts = [str(parameter(call, "text") or "")]
        elif _OURS.search(str(parameter(call, "command", "cmd") or "")):
            texts = _LINE.findall(result_text(call))
        else:
            continue
        for text in filter(None, texts):
            yield Found(
                text=text,
                by="user",
                found_by=RECORDED,
                evidence=text,
                place=Place(call_id=call.id),
                call_id=call.id,
            )
