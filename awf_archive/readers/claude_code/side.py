"""Large tool results: a preview in the transcript, the whole text in a file beside it."""

import re
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from awf_archive.domain.transcript import Json
from awf_archive.readers.base import Source
from awf_archive.readers.shared.jsonl import chunks
from awf_archive.readers.shared.values import text_at, value_at

if TYPE_CHECKING:
    from awf_archive.readers.claude_code.plan import TurnPlan

PREVIEW_MARK = b"<persisted-output>"
_SAVED_TO = re.compile(r"saved to:\s*(.+?)\s*$", re.MULTILINE)
_SEPARATOR = re.compile(r"[/\\]")


class Preview(NamedTuple):
    """A result that names a side file."""

    turn: "TurnPlan"
    name: str
    line: int


def side_file(block: Json) -> str:
    """Return the name of the file that holds the whole of a result; "" when the result is whole itself.

    >>> side_file({"content": "<persisted-output>\\nFull output saved to: /home/u/s/tool-results/b1.txt\\n"})
    'b1.txt'
    """
    text = result_text(block).lstrip()
    if not text.startswith(PREVIEW_MARK.decode()):
        return ""
    saved = _SAVED_TO.search(text)
    return _SEPARATOR.split(saved[1])[-1] if saved else f"{text_at(block, 'tool_use_id')}.txt"


def result_text(block: Json) -> str:
    """Return a result's text: the whole content, or its first text block."""
    content = value_at(block, "content")
    if isinstance(content, list):
        return next((text_at(part, "text") for part in content if text_at(part, "text")), "")
    return content if isinstance(content, str) else ""


def side_digest(source: Source) -> bytes:
    """Return the digest of a side file."""
    hasher = sha256()
    for chunk in chunks(source):
        hasher.update(chunk)
    return hasher.digest()
