"""Transcripts of Cursor's agent: JSON Lines, and the text files of older versions. Both leave much out."""

import re
from collections.abc import Iterator, Sequence

from awf_archive.domain.transcript import (
    Block,
    Json,
    Note,
    NoteKind,
    Origin,
    Problem,
    Start,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    Transcript,
    Unknown,
)
from awf_archive.errors import InputError
from awf_archive.readers.base import Source
from awf_archive.readers.shared.drafts import Draft, Facts, Talk, transcript
from awf_archive.readers.shared.head import first_object, head_in
from awf_archive.readers.shared.jsonl import chunks, lines
from awf_archive.readers.shared.markdown_lines import head_lines, lines_of, trimmed
from awf_archive.readers.shared.problem_log import ProblemLog
from awf_archive.readers.shared.values import JsonObject, called, digest, dump, list_at, text_at, utc

_ROLES = frozenset({"user", "assistant"})
_NOT_OURS = frozenset({"type", "uuid", "sessionId", "payload", "content"})
_QUERY = re.compile(r"<user_query>\n?(.*?)\n?</user_query>", re.DOTALL)
_TOP = 4096
_QUERY_TAG = "<user_query>"
_LOSSY = "Cursor leaves times and tool results out of these transcripts."


def accepts_lines(source: Source) -> bool:
    """Tell whether each record is a role with a message and nothing that marks another tool."""
    head = head_in(first_object(source))
    keys = head.keys
    return keys.get("role") == '"' and keys.get("message") == "{" and not _NOT_OURS & keys.keys()


def _lossy() -> Problem:
    return Problem(code="lossy", message=_LOSSY, origin=Origin(file="", line=1))


def read_lines(source: Source) -> Iterator[Transcript]:
    """Read a transcript under the id that its file is named by.

    Raises InputError when no message in it can be read.
    """
    log = ProblemLog()
    talk = Talk()
    records = 0
    for line in lines(chunks(source)):
        record = log.read(line)
        if record is None:
            continue
        if text_at(record, "role") in _ROLES and isinstance(record.get("message"), dict):
            records += 1
            _take(talk, record, line.number, source.stem, log)
        else:
            log.unreadable += 1
            log.count("unreadable", "Records hold no message.", line.number)
    if log.unreadable and not records:
        raise InputError(f"{source.name}: no message in it can be read.", "Look at its first lines.")
    facts = Facts(
        format="cursor",
        windows=(source.stem,),
        records=records,
        unreadable=log.unreadable,
        problems=(_lossy(), *log.problems()) if records else log.problems(),
    )
    yield transcript([draft for draft in talk.finish() if draft.user or draft.assistant], facts)


def _take(talk: Talk, record: JsonObject, line: int, window: str, log: ProblemLog) -> None:
    content = record["message"].get("content") if isinstance(record["message"], dict) else None
    items: list[Json] = content if isinstance(content, list) else [content]
    if text_at(record, "role") == "user":
        _hear(talk, items, line, window)
    else:
        _machine_start(talk, window, line, dump(record))
        for item in items:
            _answer(talk, item, line, log)
    if talk.drafts:
        talk.now.took(dump(record))
        talk.now.seen(utc(record.get("timestamp")))


def _hear(talk: Talk, items: Sequence[Json], line: int, window: str) -> None:
    blocks = [block for item in items for block in _asked(item)]
    if any(isinstance(block, Text) for block in blocks):
        said = "\n\n".join(block.text for block in blocks if isinstance(block, Text))
        talk.begin(Draft(id=digest(window, str(len(talk.drafts) + 1), said), line=line)).user.extend(blocks)
    else:
        talk.waiting += blocks


def _asked(item: Json) -> Iterator[Block]:
    """Take what was typed out of its wrapper; what Cursor put around it is context."""
    text = item if isinstance(item, str) else text_at(item, "text")
    if not text:
        if isinstance(item, dict):
            yield Unknown(kind=text_at(item, "type") or "unknown", json=dump(item))
        return
    query = _QUERY.search(text)
    around = [text[: query.start()], text[query.end() :]] if query else []
    yield from (Note(kind=NoteKind.CONTEXT, text=one.strip("\n")) for one in around[:1] if one.strip())
    typed = query[1] if query else text
    if typed.strip():
        yield Text(text=typed)
    yield from (Note(kind=NoteKind.CONTEXT, text=one.strip("\n")) for one in around[1:] if one.strip())


def _machine_start(talk: Talk, window: str, line: int, words: str) -> None:
    if not talk.drafts:
        talk.begin(Draft(id=digest(window, "beginning", words), start=Start.MACHINE, line=line))


def _answer(talk: Talk, item: Json, line: int, log: ProblemLog) -> None:
    kind = text_at(item, "type")
    text = item if isinstance(item, str) else text_at(item, "text")
    if kind == "tool_use" and isinstance(item, dict):
        name = text_at(item, "name") or "unknown"
        talk.call(ToolCall(id=text_at(item, "id"), name=name, input=item.get("input")))
    elif kind == "tool_result" and isinstance(item, dict):
        texts = [one if isinstance(one, str) else text_at(one, "text") for one in _contents(item)]
        result = ToolResult(blocks=tuple(Text(text=one) for one in texts if one))
        talk.answer(text_at(item, "tool_use_id"), result)
    elif kind in {"thinking", "reasoning"}:
        talk.now.assistant.append(Thinking(text=text_at(item, "thinking") or text))
    elif text:
        talk.now.assistant.append(Text(text=text))
    elif item is not None and text_at(item, "type") != "text":
        log.count("unknown-block", f"Blocks of unknown type{called(kind)}.", line)
        talk.now.assistant.append(Unknown(kind=kind or "unknown", json=dump(item)))


def _contents(item: JsonObject) -> list[Json]:
    content = item.get("content")
    return list_at(item, "content") if isinstance(content, list) else [content]


_VOICES = {"user:": True, "assistant:": False}
_MARK = re.compile(r"\[(?P<kind>Thinking|Tool call|Tool result)\][ \t]*(?P<rest>.*)")
_PARAMETER = re.compile(r"\s+(?P<name>[\w.-]+):[ \t]?(?P<value>.*)")


def accepts_text(source: Source) -> bool:
    """Tell whether the file begins with `user:` and the wrapper that Cursor puts around a prompt."""
    words = [line for line in head_lines(source, _TOP)[:200] if line.strip()]
    return len(words) > 1 and words[0] == "user:" and words[1].startswith("<user_query>")


def read_text(source: Source) -> Iterator[Transcript]:
    """Read an old transcript.

    `user:` starts a message only where `<user_query>` follows: the word may stand in an answer too, and then
    it stays in it (case G01).
    """
    text = lines_of(source)
    talk = Talk()
    doubtful: list[int] = []
    messages = list(_messages(text.text, doubtful))
    for at, is_user, said in messages:
        if is_user:
            _hear(talk, ["\n".join(said)], at + 1, source.stem)
        else:
            _machine_start(talk, source.stem, at + 1, "\n".join(said))
            for block in _parts(said):
                _put(talk, block)
        if talk.drafts:
            talk.now.took(*said)
    facts = Facts(
        format="cursor",
        windows=(source.stem,),
        records=len(messages),
        problems=(_lossy(), *text.problems, *_doubts(doubtful)),
    )
    yield transcript([draft for draft in talk.finish() if draft.user or draft.assistant], facts)


def _doubts(places: Sequence[int]) -> Iterator[Problem]:
    if places:
        message = "Lines say only who speaks, but no prompt follows; they were kept as part of the answer."
        origin = Origin(file="", line=places[0] + 1)
        yield Problem(code="ambiguous-role", message=message, origin=origin, count=len(places))


def _messages(text: Sequence[str], doubtful: list[int]) -> Iterator[tuple[int, bool, list[str]]]:
    starts: list[tuple[int, bool]] = []
    is_open = False
    for at, line in enumerate(text):
        is_user = _VOICES.get(line.rstrip())
        if is_user is not None and not is_open:
            following = next((one for one in text[at + 1 : at + 10] if one.strip()), "")
            if not is_user or _QUERY_TAG.startswith(following[: len(_QUERY_TAG)]):
                starts.append((at, is_user))
            else:
                doubtful.append(at)
        is_open = (is_open or "<user_query>" in line) and "</user_query>" not in line
    ends = [*(at for at, _ in starts[1:]), len(text)]
    for (at, is_user), end in zip(starts, ends, strict=False):
        yield at, is_user, list(text[at + 1 : end])


def _parts(said: Sequence[str]) -> Iterator[Block]:
    """Split an answer at its marks; a mark's own text ends at an empty line."""
    at = 0
    words: list[str] = []
    while at < len(said):
        mark = _MARK.match(said[at])
        if not mark:
            words.append(said[at])
            at += 1
            continue
        if text := trimmed(words):
            yield Text(text=text)
        words = []
        end = at + 1
        while end < len(said) and said[end].strip() and not _MARK.match(said[end]):
            end += 1
        yield _marked(mark, said[at + 1 : end])
        at = end
    if text := trimmed(words):
        yield Text(text=text)


def _marked(mark: re.Match[str], more: Sequence[str]) -> Block:
    if mark["kind"] == "Thinking":
        return Thinking(text="\n".join([mark["rest"], *more]))
    name = mark["rest"].strip() or "unknown"
    if mark["kind"] == "Tool result":
        body = "\n".join(more)
        return ToolCall(
            id="", name=name, input=None, result=ToolResult(blocks=(Text(text=body),) if body else ())
        )
    pairs = [_PARAMETER.fullmatch(line) for line in more]
    if more and all(pairs):
        return ToolCall(id="", name=name, input={pair["name"]: pair["value"] for pair in pairs if pair})
    return ToolCall(id="", name=name, input="\n".join(more) or None)


def _put(talk: Talk, block: Block) -> None:
    """Add a part; a result goes to the call of that name before it."""
    blocks = talk.now.assistant
    if isinstance(block, ToolCall) and block.result is not None:
        for place in range(len(blocks) - 1, -1, -1):
            call = blocks[place]
            if isinstance(call, ToolCall) and call.name == block.name and call.result is None:
                blocks[place] = ToolCall(id="", name=call.name, input=call.input, result=block.result)
                return
    blocks.append(block)
