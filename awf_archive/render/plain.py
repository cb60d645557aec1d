"""A turn as plain words, for the site's own search: what was said, and what each tool was asked."""

from collections.abc import Iterable, Iterator

from awf_archive.domain.tool_lines import tool_line
from awf_archive.domain.transcript import Block, Prompt, SubAgent, Text, ToolCall
from awf_archive.domain.turn_file import TurnFile
from awf_archive.render.clean import clean

_LONGEST = 20_000
"""Characters of one turn that the site can find; `awf-archive search` finds the rest."""


def plain_text(file: TurnFile) -> str:
    """Return a turn's words without markup of ours: the user's, a blank line, the assistant's."""
    sides = ("\n".join(_texts(side)) for side in (file.user_blocks, file.assistant_blocks))
    return clean("\n\n".join(side for side in sides if side)[:_LONGEST])


def _texts(blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        match block:
            case Text() | Prompt():
                yield block.text
            case ToolCall():
                yield tool_line(block.name, block.input)
            case SubAgent():
                yield from (block.description, *_texts(block.blocks))
            case _:
                pass
