"""VS Code's chat sessions: one JSON object, or the log of changes that makes it."""

from collections.abc import Iterator

from awf_archive.domain.transcript import Json, Transcript
from awf_archive.errors import InputError
from awf_archive.readers.base import Source
from awf_archive.readers.copilot.parts import draft_of
from awf_archive.readers.shared.drafts import Draft, Facts, transcript
from awf_archive.readers.shared.head import Head
from awf_archive.readers.shared.jsonl import chunks, lines
from awf_archive.readers.shared.problem_log import ProblemLog
from awf_archive.readers.shared.salvage import read_whole
from awf_archive.readers.shared.values import JsonObject, digest, list_at, text_at, utc

_MARKS = frozenset({"requesterUsername", "responderUsername", "initialLocation", "creationDate"})
_SET_ALL, _SET, _PUSH, _DELETE = range(4)
_MOST_ITEMS = 1 << 20
"""No list of a chat is longer; a path beyond is damage."""


def is_chat(head: Head, _record: JsonObject, _line: bytes) -> bool:
    """Tell whether the object has requests, and a name or place that VS Code gives."""
    return head.keys.get("requests") == "[" and bool(_MARKS & head.keys.keys())


def is_log(head: Head, _record: JsonObject, line: bytes) -> bool:
    """Tell whether the first record sets a whole chat."""
    is_first = head.keys.get("kind") == "0" and head.keys.get("v") == "{"
    return is_first and (b'"requests"' in line or b'"sessionId"' in line)


def read_chat(source: Source) -> Iterator[Transcript]:
    """Read one object. Raises InputError when nothing of it can be read."""
    log = ProblemLog()
    yield _transcript(source, read_whole(source, log), log)


def read_log(source: Source) -> Iterator[Transcript]:
    """Read a log of changes. Raises InputError when nothing of it can be read."""
    log = ProblemLog()
    chat: list[Json] = [{}]
    for line in lines(chunks(source)):
        record = log.read(line)
        if record is not None and not _apply(chat, record):
            log.unreadable += 1
            log.count("unreadable", "Changes name a place that is not there.", line.number)
    yield _transcript(source, chat[0], log)


def _apply(chat: list[Json], record: JsonObject) -> bool:
    """Carry out one change; False when it cannot be."""
    kind, value = record.get("kind"), record.get("v")
    if kind == _SET_ALL:
        chat[0] = value
        return True
    path = list_at(record, "k")
    if not path:
        return False
    place: Json = chat
    key: Json = 0
    for step in path:
        place, key = _child(place, key), step
        if place is None:
            return False
    if kind == _PUSH:
        return _push(place, key, value, record.get("i"))
    return kind in (_SET, _DELETE) and _put(place, key, value, is_delete=kind == _DELETE)


def _child(place: Json, key: Json) -> Json:
    if isinstance(place, dict) and isinstance(key, str):
        return place.get(key)
    if isinstance(place, list) and isinstance(key, int) and 0 <= key < len(place):
        return place[key]
    return None


def _put(place: Json, key: Json, value: Json, *, is_delete: bool) -> bool:
    if isinstance(place, dict) and isinstance(key, str):
        if is_delete:
            place.pop(key, None)
        else:
            place[key] = value
        return True
    if not isinstance(place, list) or isinstance(key, bool) or not isinstance(key, int):
        return False
    if not 0 <= key <= min(len(place), _MOST_ITEMS):
        return False
    place[key : key + 1] = [] if is_delete else [value]
    return True


def _push(place: Json, key: Json, value: Json, start: Json) -> bool:
    """Append to a list, cut to `start` first."""
    target = _child(place, key)
    if target is None and isinstance(place, dict) and isinstance(key, str):
        target = place[key] = []
    if not isinstance(target, list):
        return False
    if isinstance(start, int) and start >= 0:
        del target[start:]
    if isinstance(value, list):
        target.extend(value)
    elif value is not None:
        target.append(value)
    return True


def _transcript(source: Source, chat: Json, log: ProblemLog) -> Transcript:
    requests = list_at(chat, "requests")
    drafts: list[Draft] = []
    for number, request in enumerate(requests, 1):
        if isinstance(request, dict):
            drafts.append(draft_of(request, number, log))
        else:
            log.unreadable += 1
            log.count("unreadable", "Requests are no objects.", 1)
    if log.unreadable and not drafts:
        raise InputError(
            f"{source.name}: no request in it can be read.", "Open the chat in VS Code and export it."
        )
    first = requests[0] if requests else None
    window = (
        text_at(chat, "sessionId")
        or text_at(first, "result", "metadata", "sessionId")
        or (digest("copilot", text_at(first, "requestId")) if first else source.stem)
    )
    if drafts and not drafts[0].time and isinstance(chat, dict):
        drafts[0].time = utc(chat.get("creationDate"))
    facts = Facts(
        format="copilot",
        windows=(window,),
        title=text_at(chat, "customTitle"),
        records=len(drafts),
        unreadable=log.unreadable,
        problems=log.problems(),
    )
    return transcript([draft for draft in drafts if draft.user or draft.assistant], facts)
