"""ChatGPT's data export: a ZIP, its conversations.json, or one conversation (docs/formats/chatgpt.md)."""

import re
from collections.abc import Iterator

from awf_archive.domain.transcript import Transcript
from awf_archive.readers.base import Reader, Source
from awf_archive.readers.chatgpt.turns import turns_of
from awf_archive.readers.shared.drafts import Facts, transcript
from awf_archive.readers.shared.exports import Export, export_head, read_export
from awf_archive.readers.shared.json_stream import Item
from awf_archive.readers.shared.problem_log import ProblemLog
from awf_archive.readers.shared.values import JsonObject, digest, dump, object_at, text_at

_STARTS = re.compile(
    r'\{\s*"(?:title|id|conversation_id)"\s*:\s*(?:"(?:[^"\\]|\\.)*"|null)\s*,\s*"(?:create_time|title|mapping)"'
)
"""How a conversation begins; no node of its tree does so."""


def accepts(source: Source) -> bool:
    """Tell whether the first conversation has a tree of messages."""
    head = export_head(source, "mapping")
    return head.keys.get("mapping") == "{" and not head.is_lines


def read(source: Source) -> Iterator[Transcript]:
    """Read every conversation of an export.

    Raises InputError when nothing in it can be read as a conversation.
    """
    return read_export(source, _STARTS, _conversation)


def _conversation(item: Item, export: Export) -> Transcript:
    value = item.value if isinstance(item.value, dict) else {}
    log = ProblemLog()
    if item.is_damaged or not isinstance(item.value, dict):
        log.unreadable += 1
        log.add("unreadable", "A conversation is damaged; what stands before the damage is kept.", item.line)
    drafts, records = turns_of(value, export, log, item.line)
    return transcript(
        drafts,
        Facts(
            format=READER.name,
            windows=(_window(value),),
            title=text_at(value, "title"),
            records=records,
            unreadable=log.unreadable,
            problems=log.problems(),
        ),
    )


def _window(value: JsonObject) -> str:
    """Return the conversation's id; one made of its first nodes where it has none."""
    named = text_at(value, "conversation_id") or text_at(value, "id")
    return named or digest(
        "chatgpt",
        text_at(value, "title"),
        *list(object_at(value, "mapping"))[:3],
        dump(value.get("create_time")),
    )


READER = Reader(name="chatgpt", title="ChatGPT", accepts=accepts, read=read)
