"""opencode's database: loaded only for one, because SQLite costs every start of the program."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field

from awf_archive.domain.transcript import Json
from awf_archive.errors import InputError
from awf_archive.readers.base import Source
from awf_archive.readers.opencode.records import Message
from awf_archive.readers.opencode.store import Ref, object_of, parsed
from awf_archive.readers.shared.jsonl import clean
from awf_archive.readers.shared.problem_log import ProblemLog
from awf_archive.readers.shared.values import JsonObject, object_at, text_at

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
                return _from_row(connection, row, object_of(clean(_bytes(row[2]))), ProblemLog())
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
        values["revert"] = object_of(clean(text_at(values, "revert").encode(errors="surrogateescape")))
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
