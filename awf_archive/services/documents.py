"""What of the archive can be searched: each session, chunk and list of decisions as documents (spec/search.md 1)."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from awf_archive.domain.decisions import Decision
from awf_archive.domain.escape import visible
from awf_archive.domain.ids import SessionId
from awf_archive.domain.manifest import Manifest, SessionEntry
from awf_archive.domain.session import Session, TurnEntry
from awf_archive.domain.tool_lines import calls_in
from awf_archive.domain.transcript import (
    Attachment,
    Block,
    Json,
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
from awf_archive.domain.turn_file import TurnFile
from awf_archive.errors import DamagedArchiveError
from awf_archive.search.documents import Document, Key, Kind, Part
from awf_archive.services import brain_documents as brain
from awf_archive.store.archive import Archive, read_bytes
from awf_archive.store.layout import METADATA

DECISIONS = "decisions"

_LONGEST_BLOB = 2_000
"""ASCII characters without a blank in a tool's output: longer runs are encoded data, not words."""
_BLOB = re.compile(rf"[!-~]{{{_LONGEST_BLOB + 1},}}")


def wanted(archive: Archive) -> dict[Key, str]:
    """Return everything that the index should hold, each with a digest of its content."""
    keys: dict[Key, str] = {}
    for feature, manifest in archive.sound():
        for entry in manifest.sessions:
            if digest := _session_digest(archive, feature, entry):
                keys[Key(feature=feature, unit=entry.session_id)] = digest
        for chunk in manifest.chunks:
            if digest := _stat_digest(archive.layout.conversations(feature) / chunk.file):
                keys[Key(feature=feature, unit=chunk.chunk_id)] = digest
        if data := read_bytes(archive.layout.decisions(feature)):
            keys[Key(feature=feature, unit=DECISIONS)] = sha256(data).hexdigest()
    return keys | brain.wanted(archive.layout.root)


def _session_digest(archive: Archive, feature: str, entry: SessionEntry) -> str:
    """Return the digest of a session as the manifest names it; nothing for one that is not on disk.

    When a file comes or goes the folder's own time changes: so a turn file that somebody deletes or brings back is
    noticed without a look at each.
    """
    folder = archive.layout.session(feature, entry.session_id)
    metadata = _stat_digest(folder / METADATA)
    if not metadata or not entry.metadata_sha256:
        return metadata
    return f"{entry.metadata_sha256} {entry.global_range[1]} {folder.stat().st_mtime_ns}"


def _stat_digest(path: Path) -> str:
    try:
        found = path.stat()
    except OSError:
        return ""
    return f"{found.st_size} {found.st_mtime_ns}"


def documents(archive: Archive, key: Key, unread: list[str] | None = None) -> Iterator[Document]:
    """Yield the documents of one key; nothing when it has gone meanwhile.

    A file that does not read is passed over, and what is wrong with it added to `unread`: the rest must be found.
    """
    problems = [] if unread is None else unread
    try:
        yield from _documents(archive, key, problems)
    except DamagedArchiveError as damage:
        problems.append(damage.message)


def _documents(archive: Archive, key: Key, unread: list[str]) -> Iterator[Document]:
    if not key.feature:
        yield from brain.documents(archive.layout.root, key.unit)
        return
    manifest = archive.manifest(key.feature)
    if manifest is None:
        return
    if key.unit == DECISIONS:
        yield from (_decision_document(archive, one) for one in archive.decisions(key.feature))
    elif entry := manifest.session(SessionId(key.unit)):
        session = archive.session(key.feature, entry)
        for turn in session.turns:
            try:
                yield from _turn_documents(archive, key.feature, session, turn)
            except DamagedArchiveError as damage:
                unread.append(damage.message)
    else:
        yield from _chunk_documents(archive, manifest, key)


def _decision_document(archive: Archive, decision: Decision) -> Document:
    return Document(
        kind=Kind.DECISION,
        feature=decision.feature,
        session=decision.session,
        turn=decision.turn,
        id=decision.id,
        time=decision.date,
        title=decision.text,
        path=archive.layout.relative(archive.layout.decisions(decision.feature)),
        text=decision_text(decision),
        files=decision.files,
    )


def decision_text(decision: Decision) -> str:
    """Return the words of a decision that can be found and shown."""
    return "\n".join((decision.text, decision.reason, *decision.options))


def _chunk_documents(archive: Archive, manifest: Manifest, key: Key) -> Iterator[Document]:
    for chunk in manifest.chunks:
        if chunk.chunk_id == key.unit:
            text = archive.chunk(key.feature, chunk)
            yield Document(
                kind=Kind.CHUNK,
                feature=key.feature,
                turn=chunk.turn_range[0],
                id=chunk.chunk_id,
                time=manifest.last_updated,
                title=text.split("\n", 1)[0].lstrip("# "),
                path=archive.layout.relative(archive.layout.conversations(key.feature) / chunk.file),
                text=text,
            )


def _turn_documents(archive: Archive, feature: str, session: Session, entry: TurnEntry) -> Iterator[Document]:
    turn = archive.turn(feature, session.session_id, entry)
    path = archive.layout.relative(archive.turn_path(feature, session.session_id, entry))
    texts, user = turn_texts(turn), user_words(turn)
    tools = tuple(dict.fromkeys(call.name for call in calls_in(turn.assistant_blocks)))
    for part, text in texts.items():
        if text or (part is Part.SAID and user):
            yield Document(
                kind=Kind.TURN,
                part=part,
                feature=feature,
                session=session.session_id,
                turn=entry.turn,
                time=entry.time or turn.time,
                title=entry.title if part is Part.SAID else "",
                path=path,
                user=user if part is Part.SAID else "",
                text=text,
                files=turn.files,
                tools=tools,
            )


def turn_texts(turn: TurnFile) -> dict[Part, str]:
    """Return what each part of a turn says, the user's words aside; machine noise is left out."""
    parts: dict[Part, list[Block]] = {part: [] for part in Part}
    for block in (*filter(_is_summary, turn.user_blocks), *turn.assistant_blocks):
        parts[_part_of(block)].append(block)
    return {part: words_of(blocks) for part, blocks in parts.items()}


def _part_of(block: Block) -> Part:
    match block:
        case Text() | Prompt():
            return Part.SAID
        case Thinking():
            return Part.THINKING
        case Note(kind=NoteKind.SUMMARY):
            return Part.SUMMARY
    return Part.TOOLS


def _is_summary(block: Block) -> bool:
    return _part_of(block) is Part.SUMMARY


def user_words(turn: TurnFile) -> str:
    """Return what the user said; a summary that the chat tool put into the user's mouth is not."""
    return words_of(block for block in turn.user_blocks if not _is_summary(block))


def tool_sides(turn: TurnFile) -> tuple[str, str]:
    """Return what was asked of the tools of a turn, and everything that came back."""
    blocks = [block for block in turn.assistant_blocks if _part_of(block) is Part.TOOLS]
    asked = [_asked(block) for block in blocks if isinstance(block, ToolCall)]
    back = [_answered(block) if isinstance(block, ToolCall) else words_of((block,)) for block in blocks]
    return visible("\n\n".join(asked)), visible("\n\n".join(filter(None, back)))


def words_of(blocks: Iterable[Block]) -> str:
    """Return the words in blocks of any kind, as a view shows them."""
    return visible("\n\n".join(filter(None, (_WORDS[type(block)](block) for block in blocks))))


def _call_words(call: ToolCall) -> str:
    return "\n".join(filter(None, (_asked(call), _answered(call))))


def _asked(call: ToolCall) -> str:
    return "\n".join(filter(None, (call.name, _input_words(call.input))))


def _answered(call: ToolCall) -> str:
    return _without_blobs(_result_words(call.result)) if call.result else ""


def _input_words(value: Json) -> str:
    if isinstance(value, dict):
        return "\n".join(_input_words(item) for item in value.values())
    if isinstance(value, list):
        return "\n".join(map(_input_words, value))
    return "" if value is None or isinstance(value, bool) else str(value)


def _result_words(result: ToolResult) -> str:
    return "\n".join(filter(None, (_WORDS[type(block)](block) for block in result.blocks)))


def _without_blobs(text: str) -> str:
    """Leave encoded data out, and nothing but it: a word after a megabyte on the same line is found (case A08)."""
    return text if len(text) <= _LONGEST_BLOB else _BLOB.sub(" ", text)


def _agent_words(agent: SubAgent) -> str:
    return "\n\n".join(
        filter(None, (agent.kind, agent.description, *(_WORDS[type(one)](one) for one in agent.blocks)))
    )


_NOISE = frozenset({NoteKind.CONTEXT, NoteKind.NOTICE, NoteKind.COMPACTION, NoteKind.INTERRUPT})

_WORDS: Mapping[type, Callable[..., str]] = {
    Text: lambda block: block.text,
    Prompt: lambda block: block.text,
    Thinking: lambda block: block.text,
    Note: lambda block: "" if block.kind in _NOISE else block.text,
    Unknown: lambda block: _input_words(_parsed(block)),
    Attachment: lambda block: block.name,
    Link: lambda block: block.url,
    ToolCall: _call_words,
    ToolResult: _result_words,
    SubAgent: _agent_words,
}


def _parsed(block: Unknown) -> Json:
    import json

    try:
        value: Json = json.loads(block.json)
    except ValueError:
        return block.json
    return _without_data(value)


def _without_data(value: Json) -> Json:
    """Drop encoded data from an unknown block: base64 is no text."""
    if isinstance(value, dict):
        return {
            name: _without_data(item) for name, item in value.items() if name not in {"data", "signature"}
        }
    if isinstance(value, list):
        return [_without_data(item) for item in value]
    return value
