"""The Copilot extension's debug export of prompts, `*.chatreplay.json`."""

from collections.abc import Iterator

from awf_archive.domain.transcript import Json, Text, Thinking, ToolCall, ToolResult, Transcript, Usage
from awf_archive.errors import InputError
from awf_archive.readers.base import Source
from awf_archive.readers.shared.drafts import Draft, Facts, Talk, transcript
from awf_archive.readers.shared.head import Head
from awf_archive.readers.shared.problem_log import ProblemLog
from awf_archive.readers.shared.salvage import read_whole
from awf_archive.readers.shared.values import (
    JsonObject,
    called,
    digest,
    dump,
    list_at,
    object_at,
    objects_at,
    parsed,
    text_at,
    utc,
)


def is_replay(head: Head, _record: JsonObject, _line: bytes) -> bool:
    """Tell whether the object lists prompts with logs."""
    return head.keys.get("prompts") == "[" and {"totalPrompts", "totalLogEntries"} <= head.keys.keys()


def read(source: Source) -> Iterator[Transcript]:
    """Read an export. A prompt that was seen before goes on with its turn."""
    log = ProblemLog()
    value = read_whole(source, log)
    talk = Talk()
    window = ""
    said = ""
    for number, prompt in enumerate(objects_at(value, "prompts"), 1):
        text, entries = text_at(prompt, "prompt"), objects_at(prompt, "logs")
        window = window or digest("chatreplay", text, *(text_at(entry, "id") for entry in entries[:3]))
        if not (talk.drafts and prompt.get("hasSeen") is True and text == said):
            name = text_at(prompt, "promptId") or digest(window, str(number), text)
            talk.begin(Draft(id=name, line=1, user=[Text(text=text)] if text else []))
            said = text
        for entry in entries:
            _take(talk, entry, log)
    if log.unreadable and not talk.drafts:
        raise InputError(f"{source.name}: no prompt in it can be read.", "Export the prompts once more.")
    facts = Facts(
        format="copilot",
        windows=(window or source.stem,),
        records=len(list_at(value, "prompts")),
        unreadable=log.unreadable,
        problems=log.problems(),
    )
    yield transcript([draft for draft in talk.finish() if draft.user or draft.assistant], facts)


def _take(talk: Talk, entry: JsonObject, log: ProblemLog) -> None:
    kind = text_at(entry, "kind")
    draft = talk.now
    time = utc(object_at(entry, "metadata").get("startTime") or entry.get("time"))
    draft.time = draft.time or time
    draft.took(dump(entry))
    if kind == "request":
        _answer(draft, entry)
    elif kind == "toolCall":
        texts = [text if isinstance(text, str) else dump(text) for text in list_at(entry, "response")]
        blocks = tuple(Text(text=text) for text in texts if text)
        result = ToolResult(blocks=blocks) if blocks else None
        given: Json = (
            parsed(text_at(entry, "args")) if isinstance(entry.get("args"), str) else entry.get("args")
        )
        draft.assistant += [Thinking(text=text) for text in [_words(entry.get("thinking"))] if text]
        talk.call(
            ToolCall(
                id=text_at(entry, "id"), name=text_at(entry, "tool") or "unknown", input=given, result=result
            )
        )
        draft.seen(time)
    elif kind != "element":
        log.count("unknown-type", f"Entries of unknown type{called(kind)}.", 1)


def _words(value: Json) -> str:
    if isinstance(value, list):
        return "\n".join(filter(None, map(_words, value)))
    return value if isinstance(value, str) else text_at(value, "text")


def _answer(draft: Draft, entry: JsonObject) -> None:
    metadata = object_at(entry, "metadata")
    draft.seen(utc(metadata.get("endTime")), text_at(metadata, "model"))
    thought, text = (
        _words(object_at(entry, "response").get("thinking")),
        _words(object_at(entry, "response").get("message")),
    )
    draft.assistant += [Thinking(text=thought)] if thought else []
    draft.assistant += [Text(text=text)] if text else []
    usage = object_at(metadata, "usage")
    cached = object_at(usage, "prompt_tokens_details").get("cached_tokens")
    counts = [usage.get("prompt_tokens"), usage.get("completion_tokens"), cached]
    numbers = [count if isinstance(count, int) else 0 for count in counts]
    draft.usage += Usage(input=numbers[0], output=numbers[1], cache_read=numbers[2])
