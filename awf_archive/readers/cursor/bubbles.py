"""The messages of Cursor's database, which it calls bubbles, as turns."""

from collections.abc import Sequence

from awf_archive.domain.transcript import (
    Json,
    Note,
    NoteKind,
    Start,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Usage,
)
from awf_archive.readers.shared.drafts import Draft, Talk
from awf_archive.readers.shared.problem_log import ProblemLog
from awf_archive.readers.shared.values import (
    JsonObject,
    called,
    digest,
    dump,
    object_at,
    parsed,
    text_at,
    utc,
)

_USER, _ASSISTANT = (1, "user"), (2, "ai", "assistant")
_FAILED = frozenset({"error", "cancelled", "rejected"})


def turns_of(bubbles: Sequence[JsonObject], window: str, log: ProblemLog) -> list[Draft]:
    """Return the turns of a conversation."""
    talk = Talk()
    for number, bubble in enumerate(bubbles, 1):
        kind = bubble.get("type")
        name = (
            text_at(bubble, "bubbleId") or text_at(bubble, "id") or digest(window, str(number), _text(bubble))
        )
        if kind in _USER:
            _begin(talk, bubble, name)
        else:
            if kind not in _ASSISTANT:
                log.count("unknown-type", f"Messages of unknown type{called(str(kind))}.", 0)
            _answer(talk, bubble, name)
        if talk.drafts:
            talk.now.took(dump(bubble))
    return [draft for draft in talk.finish() if draft.user or draft.assistant]


def _text(bubble: JsonObject) -> str:
    return text_at(bubble, "text") or text_at(bubble, "rawText")


def _time(bubble: JsonObject) -> str:
    timing = object_at(bubble, "timingInfo")
    return (
        utc(bubble.get("createdAt"))
        or utc(timing.get("clientRpcSendTime"))
        or utc(timing.get("clientStartTime"))
    )


def _begin(talk: Talk, bubble: JsonObject, name: str) -> None:
    text = _text(bubble)
    if text.strip():
        talk.begin(Draft(id=name, time=_time(bubble), user=[Text(text=text)]))


def _answer(talk: Talk, bubble: JsonObject, name: str) -> None:
    if not talk.drafts:
        talk.begin(Draft(id=name, start=Start.MACHINE, time=_time(bubble)))
    draft = talk.now
    if thought := text_at(bubble, "thinking", "text"):
        draft.assistant.append(Thinking(text=thought))
    if text := _text(bubble):
        draft.assistant.append(Text(text=text))
    if tool := object_at(bubble, "toolFormerData"):
        talk.call(_call(tool))
    if error := text_at(bubble, "errorDetails", "message") or text_at(bubble, "errorDetails", "error"):
        draft.assistant.append(Note(kind=NoteKind.ERROR, text=error))
    draft.seen(_time(bubble), text_at(bubble, "modelInfo", "modelName"))
    counts = [object_at(bubble, "tokenCount").get(key) for key in ("inputTokens", "outputTokens")]
    numbers = [count if isinstance(count, int) else 0 for count in counts]
    draft.usage += Usage(input=numbers[0], output=numbers[1])


def _call(tool: JsonObject) -> ToolCall:
    given = _value(tool.get("rawArgs")) or _value(tool.get("params"))
    answer = tool.get("result")
    error = tool.get("error")
    texts = [one if isinstance(one, str) else dump(one) for one in (answer, error) if one]
    is_error = bool(error) or text_at(tool, "status") in _FAILED
    result = ToolResult(blocks=tuple(Text(text=text) for text in texts), is_error=is_error) if texts else None
    name = text_at(tool, "name") or f"tool-{tool.get('tool')}"
    return ToolCall(id=text_at(tool, "toolCallId"), name=name, input=given, result=result)


def _value(given: Json) -> Json:
    if not isinstance(given, str):
        return given
    value = parsed(given)
    return given if value is None else value
