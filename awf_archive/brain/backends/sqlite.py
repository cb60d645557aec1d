"""Snapshots in one SQLite file; several processes may write at once."""

import os
import sqlite3
import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import ClassVar, TypeVar

from awf_archive.brain.backends import Setting
from awf_archive.brain.backends.base import BackendError
from awf_archive.brain.folder import parsed
from awf_archive.brain.record import Snapshot, time_text
from awf_archive.domain.escape import json_line
from awf_archive.domain.retention import Aged

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """
        CREATE TABLE snapshots (
            id TEXT PRIMARY KEY,
            session_id TEXT NOT NULL,
            trigger TEXT NOT NULL,
            time TEXT NOT NULL,
            body TEXT NOT NULL
        )
        """,
        "CREATE INDEX snapshots_by_session ON snapshots (session_id, time, id)",
    ),
    ("CREATE INDEX snapshots_by_time ON snapshots (time)",),
)
"""Statements that lead from each version of the schema to the next; never changed, only added to."""

_WAIT = 15.0
"""Seconds to wait for another's write."""

_Result = TypeVar("_Result")


class SqliteBackend:
    """One connection under a lock: opening one for each call made 10 000 saves take 46 s instead of 1."""

    name: ClassVar[str] = "sqlite"

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._open: sqlite3.Connection | None = None
        self._process = 0

    def save(self, snapshot: Snapshot) -> None:
        """Keep a snapshot. Raises BackendError."""
        row = (
            snapshot.id,
            _text(snapshot.session_id),
            _text(snapshot.trigger),
            time_text(snapshot.time),
            json_line(snapshot.to_json()),
        )
        self._do(lambda db: db.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?)", row))

    def newest(self, session_id: str) -> Snapshot | None:
        """Return a session's newest snapshot."""
        return next(iter(self.listed(session_id, 1)), None)

    def get(self, snapshot_id: str) -> Snapshot | None:
        """Return a snapshot by its id."""
        rows = self._rows("SELECT body FROM snapshots WHERE id = ?", (_text(snapshot_id),))
        return _snapshot(rows[0][0]) if rows else None

    def listed(self, session_id: str, limit: int | None = None) -> list[Snapshot]:
        """Return a session's snapshots, newest first."""
        rows = self._rows(
            "SELECT body FROM snapshots WHERE session_id = ? ORDER BY time DESC, id DESC LIMIT ?",
            (_text(session_id), -1 if limit is None else limit),
        )
        return [_snapshot(body) for (body,) in rows]

    def ages(self, session_id: str) -> list[Aged]:
        """Return ids and times."""
        rows = self._rows("SELECT id, time FROM snapshots WHERE session_id = ?", (_text(session_id),))
        return [Aged(found, datetime.fromisoformat(time)) for found, time in rows]

    def sessions(self) -> list[str]:
        """Return the sessions."""
        return [one for (one,) in self._rows("SELECT DISTINCT session_id FROM snapshots ORDER BY 1", ())]

    def delete(self, snapshot_ids: Sequence[str]) -> int:
        """Delete snapshots."""
        ids = [(_text(one),) for one in snapshot_ids]
        return (
            self._do(lambda db: db.executemany("DELETE FROM snapshots WHERE id = ?", ids).rowcount)
            if ids
            else 0
        )

    def delete_before(self, time: datetime) -> int:
        """Delete what is older."""
        bound = (time_text(time),)
        return self._do(lambda db: db.execute("DELETE FROM snapshots WHERE time < ?", bound).rowcount)

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._drop()

    def _rows(self, query: str, values: tuple[object, ...]) -> list[tuple[str, ...]]:
        return self._do(lambda db: db.execute(query, values).fetchall())

    def _do(self, action: Callable[[sqlite3.Connection], _Result]) -> _Result:
        """Do it in one transaction."""
        with self._lock:
            try:
                db = self._connection()
                db.execute("BEGIN IMMEDIATE")
                done = action(db)
                db.execute("COMMIT")
            except (sqlite3.Error, OSError) as problem:
                self._drop()
                raise BackendError(
                    f"{self._path}: {problem}.", "Move the file away; snapshots then start anew."
                ) from problem
        return done

    def _connection(self) -> sqlite3.Connection:
        """Return the connection; a new one in a process that was forked, where the old one must not be used."""
        if self._open is not None and self._process == os.getpid():
            return self._open
        self._path.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(self._path, timeout=_WAIT, isolation_level=None, check_same_thread=False)
        try:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute(
                "PRAGMA synchronous = NORMAL"
            )  # a power cut may cost the last snapshots, never the file
            _migrate(db)
        except BaseException:
            db.close()
            raise
        self._open, self._process = db, os.getpid()
        return db

    def _drop(self) -> None:
        """Close, which rolls back what was not committed."""
        if self._open is not None and self._process == os.getpid():
            self._open.close()
        self._open = None


def _migrate(db: sqlite3.Connection) -> None:
    """Bring the schema up to ours; one of a later version is refused. Raises sqlite3.Error."""
    db.execute("BEGIN IMMEDIATE")
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise sqlite3.DatabaseError(
            f"made by a later awf-archive (schema {version}, ours is {len(MIGRATIONS)})"
        )
    for statements in MIGRATIONS[version:]:
        for statement in statements:
            db.execute(statement)
    db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    db.execute("COMMIT")


def _text(value: str) -> str:
    """Return a text that UTF-8 can hold."""
    return value.encode(errors="replace").decode()


def _snapshot(body: str) -> Snapshot:
    try:
        return Snapshot.from_json(parsed(body.encode()) or {})
    except (KeyError, TypeError, ValueError) as problem:
        raise BackendError(
            f"a snapshot does not read ({problem}).", "Delete it; others are there."
        ) from problem


def open_backend(setting: Setting) -> SqliteBackend:
    """Return the database of a workspace; it is made with the first snapshot."""
    return SqliteBackend(setting.database)
