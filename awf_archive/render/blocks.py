"""Blocks of a turn → HTML: texts in the open, everything else folded to a line (spec/site.md 5)."""

from collections import Counter
from collections.abc import Callable, Sequence
from html import escape
from itertools import groupby
from typing import cast

from awf_archive.domain.tool_lines import calls_in
from awf_archive.domain.transcript import (
    Attachment,
    Block,
    Link,
    Note,
    NoteKind,
    Prompt,
    SubAgent,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Unknown,
)
from awf_archive.render.clean import clean, one_line
from awf_archive.render.code import ASKED, SEEN, output_block
from awf_archive.render.markdown import Kind, render_markdown
from awf_archive.render.media import attachment, link
from awf_archive.render.sheet import Sheet, count, element
from awf_archive.render.tools import folded, json_block, result_body, tool_call

_RUN = 8
"""More steps than this in a row are folded together under one line."""

_STEPS = (ToolCall, ToolResult, Thinking, SubAgent, Unknown)
_SHORT_NOTE = 160


def render_user(blocks: Sequence[Block], sheet: Sheet) -> str:
    """Return the user's side: prompts keep their line breaks."""
    return "".join(
        _message(block.text, sheet, Kind.PROMPT) if isinstance(block, Text) else _one(block, sheet)
        for block in blocks
    )


def render_assistant(blocks: Sequence[Block], sheet: Sheet) -> str:
    """Return the assistant's side; a sub-agent stands inside the call that started it."""
    started: dict[str, list[SubAgent]] = {}
    calls = {block.id for block in blocks if isinstance(block, ToolCall) and block.id}
    for block in blocks:
        if isinstance(block, SubAgent) and block.call_id in calls:
            started.setdefault(block.call_id, []).append(block)
    kept = [block for block in blocks if not (isinstance(block, SubAgent) and block.call_id in calls)]
    parts = []
    for is_step, group in groupby(kept, key=lambda block: isinstance(block, _STEPS)):
        run = list(group)
        parts.append(_steps(run, started, sheet) if is_step else "".join(_one(one, sheet) for one in run))
    return "".join(parts)


def _steps(run: list[Block], started: dict[str, list[SubAgent]], sheet: Sheet) -> str:
    rows = "".join(_step(block, started, sheet) for block in run)
    if len(run) <= _RUN:
        return f'<div class="awf-steps">{rows}</div>'
    names = Counter(block.name for block in run if isinstance(block, ToolCall))
    told = ", ".join(f"{one_line(name, 40)} ×{n}" for name, n in names.most_common(6))
    total = escape(count(sheet.words.site.n_calls, sum(names.values())))
    failed = sum(
        isinstance(block, ToolCall) and bool(block.result and block.result.is_error) for block in run
    )
    bad = f'<span class="awf-bad">{escape(sheet.words.site.error)} ×{failed}</span>' if failed else ""
    summary = f'<span class="awf-name">{total}</span><span class="awf-told">{escape(told)}</span>{bad}'
    return f'<div class="awf-steps">{folded(summary, rows, "awf-run")}</div>'


def _step(block: Block, started: dict[str, list[SubAgent]], sheet: Sheet) -> str:
    if not isinstance(block, ToolCall):
        return _one(block, sheet)
    nested = "".join(_sub_agent(agent, sheet) for agent in started.get(block.id, ()))
    return tool_call(block, sheet, _media(block.result, sheet), nested)


def _media(result: ToolResult | None, sheet: Sheet) -> str:
    """Return what a result holds besides text; answers to questions are shown with the questions."""
    return "".join(
        _one(block, sheet)
        for block in (result.blocks if result else ())
        if not isinstance(block, Text) and not (isinstance(block, Unknown) and block.kind == "answers")
    )


def _one(block: Block, sheet: Sheet) -> str:
    return _RENDERERS[type(block)](block, sheet)


def _message(text: str, sheet: Sheet, kind: Kind = Kind.MESSAGE) -> str:
    if not text.strip():
        return ""
    return f'<div class="awf-text">{render_markdown(text, sheet, kind)}</div>'


def _text(block: Text, sheet: Sheet) -> str:
    return _message(block.text, sheet)


def _prompt(block: Prompt, sheet: Sheet) -> str:
    label = element("span", escape(sheet.words.site.prompt), class_="awf-label")
    return f'<div class="awf-prompt">{label}{_message(block.text, sheet, Kind.PROMPT)}</div>'


def _thinking(block: Thinking, sheet: Sheet) -> str:
    words = sheet.words.site
    first = escape(one_line(block.text, 110))
    lines = escape(count(words.lines, block.text.count("\n") + 1))
    summary = (
        f'<span class="awf-name">{escape(words.thinking)}</span>'
        f'<span class="awf-told">{first}</span><span class="awf-size">{lines}</span>'
    )
    return folded(summary, _message(block.text, sheet), "awf-thinking")


def _call(block: ToolCall, sheet: Sheet) -> str:
    return tool_call(block, sheet, _media(block.result, sheet))


def _lone_result(block: ToolResult, sheet: Sheet) -> str:
    label = sheet.words.error_label if block.is_error else sheet.words.result_label
    summary = f'<span class="awf-name">{escape(label)}</span>'
    inside = result_body(block, None, sheet) + _media(block, sheet)
    return folded(summary, inside, "awf-tool")


def _sub_agent(block: SubAgent, sheet: Sheet) -> str:
    words = sheet.words.site
    told = " · ".join(part for part in (block.kind, block.description) if part) or block.id
    calls = sum(1 for _ in calls_in(block.blocks))
    size = element("span", escape(count(words.n_calls, calls)), class_="awf-size") if calls else ""
    summary = (
        f'<span class="awf-name">{escape(words.sub_agent)}</span>'
        f'<span class="awf-told">{escape(one_line(told, 140))}</span>{size}'
    )
    return folded(summary, render_assistant(block.blocks, sheet), "awf-agent")


def _unknown(block: Unknown, sheet: Sheet) -> str:
    summary = f'<span class="awf-name">{escape(one_line(block.kind, 80))}</span>'
    return folded(summary, json_block(block.json, sheet), "awf-unknown")


def _note(block: Note, sheet: Sheet) -> str:
    label = escape(sheet.words.note_labels[block.kind])
    name = f'<span class="awf-name">{label}</span>'
    kind = f"awf-note awf-{block.kind.value}"
    if block.kind is NoteKind.SUMMARY:
        return folded(name, _message(block.text, sheet), kind)
    if block.kind is NoteKind.COMPACTION:
        return divider(block, sheet)
    if len(block.text) <= _SHORT_NOTE and "\n" not in block.text.strip():
        told = f" <span>{escape(clean(block.text.strip()))}</span>" if block.text.strip() else ""
        return f'<p class="{kind}">{name}{told}</p>'
    told = f'<span class="awf-told">{escape(one_line(block.text, 100))}</span>'
    lines = escape(count(sheet.words.site.lines, block.text.count("\n") + 1))
    size = f'<span class="awf-size">{lines}</span>'
    is_open = block.kind is NoteKind.ERROR
    inside = output_block(block.text, sheet, room=ASKED if is_open else SEEN)
    return folded(name + told + size, inside, kind, is_open=is_open)


def divider(note: Note, sheet: Sheet) -> str:
    """Return the marker of a compaction: a line across the conversation."""
    told = one_line(note.text, 200)
    label = sheet.words.note_labels[note.kind] + (f" · {told}" if told else "")
    return f'<div class="awf-divider" role="note"><span>✂ {escape(label)}</span></div>'


_RENDERERS = cast(
    "dict[type, Callable[[object, Sheet], str]]",
    {
        Text: _text,
        Prompt: _prompt,
        Thinking: _thinking,
        ToolCall: _call,
        ToolResult: _lone_result,
        SubAgent: _sub_agent,
        Attachment: attachment,
        Link: link,
        Note: _note,
        Unknown: _unknown,
    },
)
