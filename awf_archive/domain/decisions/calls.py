"""What harvesters of tool calls share."""

from collections.abc import Iterable, Iterator

from awf_archive.domain.tool_lines import calls_in
from awf_archive.domain.transcript import Block, Json, Text, ToolCall


def answered(blocks: Iterable[Block], names: frozenset[str]) -> Iterator[ToolCall]:
    """Yield the calls of tools of these names that were answered, and not with an error."""
    for call in calls_in(blocks):
        if call.name in names and call.result and not call.result.is_error:
            yield call


def result_text(call: ToolCall) -> str:
    """Return what a call answered, texts only."""
    blocks = call.result.blocks if call.result else ()
    return "\n".join(block.text for block in blocks if isinstance(block, Text))


def parameter(call: ToolCall, *names: str) -> Json:
    """Return the first of a call's parameters that is there under one of these names, else None."""
    if not isinstance(call.input, dict):
        return None
    return next((call.input[name] for name in names if call.input.get(name)), None)
