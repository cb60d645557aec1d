"""Permission that the user refused with words of their own: what to do instead. Proposed, a person confirms it."""

import re
from collections.abc import Iterator, Sequence

from awf_archive.domain.decisions.calls import result_text
from awf_archive.domain.decisions.found import Context, Found, Place, Status
from awf_archive.domain.tool_lines import calls_in, one_line, tool_line
from awf_archive.domain.transcript import Block

_INSTEAD = re.compile(
    r"(?s)\AThe user doesn't want to proceed with this tool use\..*?the user said:\s*(?P<words>\S.*)\Z"
)
"""Claude Code's own words; a refusal without words decides nothing beyond that one call."""

_CONFIDENCE = 0.6


def find(_user: str, blocks: Sequence[Block], _context: Context) -> Iterator[Found]:
    """Yield one decision per refusal that says what to do instead; the reason is what was refused."""
    for call in calls_in(blocks):
        said = _INSTEAD.match(result_text(call)) if call.result and call.result.is_error else None
        if said:
            yield Found(
                text=one_line(said["words"], 300),
                reason=one_line(f"✗ {tool_line(call.name, call.input)}", 300),
                by="user",
                found_by="refusal",
                evidence=one_line(said["words"], 500),
                place=Place(call_id=call.id),
                call_id=call.id,
                status=Status.PROPOSED,
                confidence=_CONFIDENCE,
            )
