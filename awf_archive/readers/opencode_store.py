"""Where opencode keeps a session: a database, a tree of small files, or one exported file."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from awf_archive.domain.transcript import Json
from awf_archive.errors import InputError
from awf_archive.readers.base import Source
from awf_archive.readers.claude_log import ProblemLog
from awf_archive.readers.claude_records import JsonObject, decode, object_at, text_at, value_at
from awf_archive.readers.json_members import members
from awf_archive.readers.jsonl import Line, clean
from awf_archive.readers.opencode_records import PLAIN_ID, Message


class Ref(NamedTuple):
    """Leads back to one message."""

    key: str
    """Its id, or the name of its file."""
    line: int = 0
    """Row in the database, or line in an exported file."""
    offset: int = 0
    length: int = 0


class Store(Protocol):
    """One way of keeping sessions."""

    def messages(self, session: str, log: ProblemLog) -> Iterator[tuple[Ref, Message]]:
        """Read a session's messages in order, one at a time."""

    def message(self, session: str, ref: Ref) -> Message:
        """Read one message again."""

    def session(self, name: str) -> JsonObject:
        """Return what is known of a session; empty for an unknown one."""


def parsed(data: bytes, log: ProblemLog, number: int) -> JsonObject | None:
    """Read one JSON object; report what is none."""
    return log.read(Line(number, 0, len(data), clean(data)))


def _object(data: bytes) -> JsonObject:
    try:
        value, _ = decode(data)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def in_order(found: list[tuple[Ref, Message]]) -> list[tuple[Ref, Message]]:
    """Sort messages by time, then by id, which grows too."""
    return sorted(found, key=lambda one: (_created(one[1].info), one[0].key))


def _created(info: JsonObject) -> float:
    created = value_at(info, "time", "created")
    return created if isinstance(created, int | float) else 0.0


# One exported file


@dataclass(frozen=True, slots=True)
class ExportStore:
    """What `opencode export` writes: `{"info": …, "messages": [{"info": …, "parts": […]}]}`."""

    source: Source
    info: JsonObject

    def messages(self, session: str, log: ProblemLog) -> Iterator[tuple[Ref, Message]]:
        """Read the messages in file order."""
        del session
        for key, line in members(self.source.read(0, self.source.size)):
            if key == "messages" and (record := log.read(line)) is not None:
                ref = Ref(text_at(record, "info", "id"), line.number, line.offset, line.length)
                yield ref, exported(record)

    def message(self, session: str, ref: Ref) -> Message:
        """Read one message again."""
        del session
        return exported(_object(clean(self.source.read(ref.offset, ref.length))))

    def session(self, name: str) -> JsonObject:
        """Return the one session there is."""
        return self.info if text_at(self.info, "id") == name else {}


def exported(record: JsonObject) -> Message:
    """Take a message with its parts inside; the first opencode wrote them so too."""
    parts = value_at(record, "parts")
    info = object_at(record, "info") or {key: value for key, value in record.items() if key != "parts"}
    return Message(
        info, [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    )


# A tree of small files


_TREES = (
    ("../../message/{session}/*.json", "../../part/{message}/*.json"),
    ("../message/{session}/*.json", "../part/{session}/{message}/*.json"),
)
"""Where messages and parts lie, seen from a session's file: in 2025 from August on, and before."""


@dataclass(frozen=True, slots=True)
class TreeStore:
    """`storage/session/<project>/<session>.json` with its messages and parts in folders beside."""

    source: Source
    info: JsonObject

    def messages(self, session: str, log: ProblemLog) -> Iterator[tuple[Ref, Message]]:
        """Read a session's messages in order."""
        found = []
        for tree, (pattern, _) in enumerate(_TREES):
            if not PLAIN_ID.fullmatch(session):
                return
            for name, file in self.source.companions(pattern.format(session=session)).items():
                log.file = name
                info = parsed(file.read(0, file.size), log, 1)
                if info is not None:
                    found.append((Ref(name, tree), Message(info, [])))
        for ref, bare in in_order(found):
            yield ref, self._whole(session, ref.line, bare.info, log)
        log.file = ""

    def message(self, session: str, ref: Ref) -> Message:
        """Read one message again."""
        file = self.source.companions(ref.key)[ref.key]
        return self._whole(session, ref.line, _object(clean(file.read(0, file.size))), ProblemLog())

    def _whole(self, session: str, tree: int, info: JsonObject, log: ProblemLog) -> Message:
        inside = exported(info)
        name = text_at(info, "id")
        if inside.parts or not PLAIN_ID.fullmatch(name):
            return inside
        pattern = _TREES[tree][1].format(session=session, message=name)
        parts = []
        for path, file in sorted(self.source.companions(pattern).items()):
            log.file = path
            if (part := parsed(file.read(0, file.size), log, 1)) is not None:
                parts.append(part)
        return Message(info, parts)

    def session(self, name: str) -> JsonObject:
        """Return a session of the same project."""
        if text_at(self.info, "id") == name:
            return self.info
        file = self.source.companions(f"{name}.json").get(f"{name}.json")
        return _object(clean(file.read(0, file.size))) if file is not None else {}


# The database

_SESSION_FIELDS = {"parent_id": "parentID", "project_id": "projectID"}
_MESSAGES = "SELECT rowid, id, data, time_created FROM message WHERE session_id = ? ORDER BY time_created, id"
_MESSAGE = "SELECT rowid, id, data, time_created FROM message WHERE id = ?"
_PARTS = "SELECT id, data FROM part WHERE message_id = ? ORDER BY id"


@dataclass(frozen=True, slots=True)
class DatabaseStore:
    """`opencode.db`, opened for reading only, for as short as can be."""

    source: Source
    _uri: str = field(init=False)

    def __post_init__(self) -> None:
        path = self.source.path.absolute()
        log = path.with_name(f"{path.name}-wal")
        is_live = log.is_file() and log.stat().st_size > 0
        mode = "mode=ro" if is_live else "mode=ro&immutable=1"
        object.__setattr__(self, "_uri", f"{path.as_uri()}?{mode}")

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._uri, uri=True)
        connection.text_factory = bytes
        return connection

    def sessions(self) -> list[JsonObject]:
        """Return all sessions, oldest first. Raises InputError when the database cannot be read."""
        try:
            with closing(self._connect()) as connection:
                return [*_sessions(connection)]
        except sqlite3.Error as problem:
            raise InputError(
                f"{self.source.name}: the database cannot be read.",
                "Close opencode and try again; `sqlite3 opencode.db '.recover'` may save a damaged one.",
            ) from problem

    def messages(self, session: str, log: ProblemLog) -> Iterator[tuple[Ref, Message]]:
        """Read a session's messages in order; damage ends the reading and is reported."""
        try:
            with closing(self._connect()) as connection:
                for row in connection.execute(_MESSAGES, (session,)):
                    number = int(row[0])
                    if (info := parsed(_bytes(row[2]), log, number)) is not None:
                        yield Ref(_text(row[1]), number), _from_row(connection, row, info, log)
        except sqlite3.Error:
            log.unreadable += 1
            log.add("unreadable", "The database is damaged: what follows cannot be read.", 0)

    def message(self, session: str, ref: Ref) -> Message:
        """Read one message again."""
        del session
        try:
            with closing(self._connect()) as connection:
                row = connection.execute(_MESSAGE, (ref.key,)).fetchone()
                if row is None:
                    return Message({}, [])
                return _from_row(connection, row, _object(clean(_bytes(row[2]))), ProblemLog())
        except sqlite3.Error as problem:
            message = f"{self.source.name}: a message cannot be read any more."
            raise InputError(message, "The database changed while it was read: run again.") from problem

    def session(self, name: str) -> JsonObject:
        """Return a session by its id."""
        return next((one for one in self.sessions() if text_at(one, "id") == name), {})


def _sessions(connection: sqlite3.Connection) -> Iterator[JsonObject]:
    cursor = connection.execute("SELECT * FROM session ORDER BY time_created, id")
    names = [column[0] for column in cursor.description]
    for row in cursor:
        values: JsonObject = {
            _SESSION_FIELDS.get(key, key): _value(value) for key, value in zip(names, row, strict=True)
        }
        values["time"] = {"created": values.get("time_created")}
        values["revert"] = _object(clean(text_at(values, "revert").encode(errors="surrogateescape")))
        yield values


def _from_row(
    connection: sqlite3.Connection, row: tuple[object, ...], info: JsonObject, log: ProblemLog
) -> Message:
    """Put ids and times back, which the database keeps in columns."""
    times: JsonObject = {"created": _value(row[3])} | object_at(info, "time")
    whole: JsonObject = {"id": _text(row[1]), **info, "time": times}
    parts: list[JsonObject] = []
    for name, data in connection.execute(_PARTS, (_text(row[1]),)):
        if (part := parsed(_bytes(data), log, int(str(row[0])))) is not None:
            parts.append({"id": _text(name), **part})
    return Message(whole, parts)


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


def _text(value: object) -> str:
    return value.decode(errors="surrogateescape") if isinstance(value, bytes) else str(value or "")


def _value(value: object) -> Json:
    return value if isinstance(value, int | float | None) else _text(value)
