"""Claude.ai's data export: a ZIP, its conversations.json, or one conversation (docs/formats/claude-ai.md)."""

import re
from collections.abc import Iterator

from awf_archive.domain.transcript import Transcript
from awf_archive.readers.base import Reader, Source
from awf_archive.readers.claude_ai.turns import turns_of
from awf_archive.readers.shared.drafts import Facts, transcript
from awf_archive.readers.shared.exports import Export, export_head, read_export
from awf_archive.readers.shared.json_stream import Item
from awf_archive.readers.shared.problem_log import ProblemLog
from awf_archive.readers.shared.values import digest, objects_at, text_at

_STARTS = re.compile(
    r'\{\s*"uuid"\s*:\s*"[^"]*"\s*,\s*"(?:name|summary)"\s*:\s*(?:"(?:[^"\\]|\\.)*"|null)\s*,\s*'
    r'"(?:summary|model|created_at|updated_at|account|settings|chat_messages)"'
)
"""How a conversation begins; no message does so."""


def accepts(source: Source) -> bool:
    """Tell whether the first conversation has Claude.ai's list of messages."""
    head = export_head(source, "chat_messages")
    return head.keys.get("chat_messages") == "[" and not head.is_lines


def read(source: Source) -> Iterator[Transcript]:
    """Read every conversation of an export.

    Raises InputError when nothing in it can be read as a conversation.
    """
    return read_export(source, _STARTS, _conversation)


def _conversation(item: Item, _export: Export) -> Transcript:
    value = item.value if isinstance(item.value, dict) else {}
    log = ProblemLog()
    if item.is_damaged or not isinstance(item.value, dict):
        log.unreadable += 1
        log.add("unreadable", "A conversation is damaged; what stands before the damage is kept.", item.line)
    drafts = turns_of(value, log, item.line)
    messages = objects_at(value, "chat_messages")
    first = messages[0] if messages else {}
    window = text_at(value, "uuid") or digest(
        "claude-ai", text_at(value, "created_at"), text_at(first, "uuid")
    )
    return transcript(
        drafts,
        Facts(
            format=READER.name,
            windows=(window,),
            title=text_at(value, "name"),
            records=len(messages) or int(value.get("chat_messages") == []),
            unreadable=log.unreadable,
            problems=log.problems(),
        ),
    )


READER = Reader(name="claude-ai", title="Claude.ai", accepts=accepts, read=read)
