"""A turn as a terminal shows it: words in full, tool calls indented under one telling line."""

from collections.abc import Callable, Iterable, Mapping

from awf_archive.domain.formats import is_partial
from awf_archive.domain.tool_lines import tool_line
from awf_archive.domain.transcript import (
    Attachment,
    Block,
    Branch,
    Link,
    Note,
    Prompt,
    SubAgent,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Unknown,
)
from awf_archive.domain.wording import Wording
from awf_archive.services.show import ShownTurn


def turn_text(one: ShownTurn, words: Wording) -> str:
    """Return a turn for a person."""
    marks = [words.listing.abandoned] if one.entry.branch is Branch.ABANDONED else []
    marks += [words.listing.partial] if is_partial(one.session.format_of(one.entry)) else []
    mark = "".join(f" ({one})" for one in marks)
    number = words.listing.turn.format(turn=one.entry.turn)
    when = one.entry.time or one.turn.time
    head = " · ".join(
        filter(None, (f"{one.feature}#{one.entry.turn}", number + mark, one.session.session_id, when))
    )
    return "\n\n".join(
        filter(
            None,
            (
                f"━━ {head}",
                f"▌ {words.user_heading}",
                _blocks(one.turn.user_blocks, words),
                f"▌ {words.assistant_heading}",
                _blocks(one.turn.assistant_blocks, words),
            ),
        )
    )


def _blocks(blocks: Iterable[Block], words: Wording) -> str:
    return "\n\n".join(filter(None, (_VIEWS[type(block)](block, words) for block in blocks)))


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.split("\n"))


def _titled(title: str, text: str) -> str:
    return f"{title}\n{_indented(text)}" if text else title


def _call(call: ToolCall, words: Wording) -> str:
    line = f"🔧 {tool_line(call.name, call.input)}"
    given = call.input if isinstance(call.input, dict) else {}
    more = "\n".join(f"{name}: {value}" for name, value in given.items() if not _is_told(value, line))
    result = _result(call.result, words) if call.result else ""
    return "\n".join(filter(None, (_titled(line, more), result)))


def _is_told(value: object, line: str) -> bool:
    return isinstance(value, str) and value in line


def _result(result: ToolResult, words: Wording) -> str:
    label = words.error_label if result.is_error else words.result_label
    return _titled(f"  ↳ {label}", _blocks(result.blocks, words))


def _agent(agent: SubAgent, words: Wording) -> str:
    name = " · ".join(filter(None, (agent.kind, agent.description))) or agent.id
    return _titled(f"🤖 {name}", _blocks(agent.blocks, words))


_VIEWS: Mapping[type, Callable[..., str]] = {
    Text: lambda block, _words: block.text,
    Prompt: lambda block, words: _titled(f"▸ {words.prompt_label}", block.text),
    Thinking: lambda block, words: _titled(f"💭 {words.thinking_label}", block.text),
    Note: lambda block, words: _titled(f"ℹ️  {words.note_labels[block.kind]}", block.text),
    Unknown: lambda block, _words: _titled(f"❔ {block.kind}", block.json),
    Attachment: lambda block, _words: f"📎 attachments/{block.file} {block.name}".rstrip(),
    Link: lambda block, _words: f"🔗 {block.url}",
    ToolCall: _call,
    ToolResult: _result,
    SubAgent: _agent,
}
