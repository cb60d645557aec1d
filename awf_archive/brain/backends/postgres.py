"""Snapshots in PostgreSQL, for production: shared by machines, and back by itself when the server is (psycopg 3).

Bodies are texts, not `jsonb`: that type refuses NUL and lone surrogates, which a work state may hold.
"""

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import ClassVar, TypeVar

from awf_archive.brain.backends import Setting
from awf_archive.brain.backends.base import BackendError
from awf_archive.brain.folder import parsed
from awf_archive.brain.record import Snapshot
from awf_archive.domain.escape import json_line
from awf_archive.domain.retention import Aged

try:
    import psycopg
except ImportError as problem:
    raise BackendError(
        "The postgres backend needs psycopg.", 'Install it with: pip install "awf-archive[postgres]"'
    ) from problem

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE awf_snapshots (
        id text PRIMARY KEY,
        session_id text NOT NULL,
        trigger text NOT NULL,
        time timestamptz NOT NULL,
        body text NOT NULL
    );
    CREATE INDEX awf_snapshots_by_session ON awf_snapshots (session_id, time DESC, id DESC);
    """,
    "CREATE INDEX awf_snapshots_by_time ON awf_snapshots (time);",
)
"""What leads from each version of the schema to the next; never changed, only added to."""

_LOCK = 7_305_124
"""An advisory lock of ours: two programs that start at once do not both make the schema."""

_CONNECT_TIMEOUT = 5
_STATEMENT_TIMEOUT = "15s"

_Result = TypeVar("_Result")


class PostgresBackend:
    """One connection under a lock, made anew when the server went away."""

    name: ClassVar[str] = "postgres"

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self._lock = threading.Lock()
        self._open: psycopg.Connection[tuple[object, ...]] | None = None

    def save(self, snapshot: Snapshot) -> None:
        """Keep a snapshot. Raises BackendError."""
        row = (
            snapshot.id,
            _text(snapshot.session_id),
            _text(snapshot.trigger),
            snapshot.time,
            json_line(snapshot.to_json()),
        )
        statement = (
            "INSERT INTO awf_snapshots VALUES (%s, %s, %s, %s, %s) ON CONFLICT (id) DO UPDATE SET"
            " session_id = excluded.session_id, trigger = excluded.trigger, time = excluded.time,"
            " body = excluded.body"
        )
        self._do(lambda db: db.execute(statement, row).rowcount)

    def newest(self, session_id: str) -> Snapshot | None:
        """Return a session's newest snapshot."""
        return next(iter(self.listed(session_id, 1)), None)

    def get(self, snapshot_id: str) -> Snapshot | None:
        """Return a snapshot by its id."""
        rows = self._rows("SELECT body FROM awf_snapshots WHERE id = %s", (_text(snapshot_id),))
        return _snapshot(rows[0][0]) if rows else None

    def listed(self, session_id: str, limit: int | None = None) -> list[Snapshot]:
        """Return a session's snapshots, newest first."""
        rows = self._rows(
            "SELECT body FROM awf_snapshots WHERE session_id = %s ORDER BY time DESC, id DESC LIMIT %s",
            (_text(session_id), limit),
        )
        return [_snapshot(body) for (body,) in rows]

    def ages(self, session_id: str) -> list[Aged]:
        """Return ids and times."""
        rows = self._rows("SELECT id, time FROM awf_snapshots WHERE session_id = %s", (_text(session_id),))
        return [Aged(str(found), time) for found, time in rows if isinstance(time, datetime)]

    def sessions(self) -> list[str]:
        """Return the sessions."""
        rows = self._rows('SELECT DISTINCT session_id COLLATE "C" FROM awf_snapshots ORDER BY 1', ())
        return [str(one) for (one,) in rows]

    def delete(self, snapshot_ids: Sequence[str]) -> int:
        """Delete snapshots."""
        ids = [_text(one) for one in snapshot_ids]
        return self._do(
            lambda db: db.execute("DELETE FROM awf_snapshots WHERE id = ANY(%s)", (ids,)).rowcount
        )

    def delete_before(self, time: datetime) -> int:
        """Delete what is older."""
        return self._do(lambda db: db.execute("DELETE FROM awf_snapshots WHERE time < %s", (time,)).rowcount)

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._drop()

    def _rows(self, query: str, values: tuple[object, ...]) -> list[tuple[object, ...]]:
        return self._do(lambda db: db.execute(query, values).fetchall())

    def _do(self, action: "Callable[[psycopg.Connection[tuple[object, ...]]], _Result]") -> _Result:
        """Do it in one transaction; once more on a new connection when the old one had died meanwhile."""
        with self._lock:
            is_old = self._open is not None
            try:
                return self._once(action)
            except psycopg.OperationalError as problem:
                self._drop()
                if not is_old:
                    raise _unreachable(problem) from problem
            except psycopg.Error as problem:
                self._drop()
                raise _unreachable(problem) from problem
            try:
                return self._once(action)
            except psycopg.Error as problem:
                self._drop()
                raise _unreachable(problem) from problem

    def _once(self, action: "Callable[[psycopg.Connection[tuple[object, ...]]], _Result]") -> _Result:
        if self._open is None:
            self._open = self._connected()
        with self._open.transaction():
            return action(self._open)

    def _connected(self) -> "psycopg.Connection[tuple[object, ...]]":
        connection = psycopg.connect(
            self._dsn,
            autocommit=True,
            connect_timeout=_CONNECT_TIMEOUT,
            options=f"-c statement_timeout={_STATEMENT_TIMEOUT}",
            application_name="awf-archive",
        )
        try:
            _migrate(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _drop(self) -> None:
        if self._open is not None:
            with suppress(psycopg.Error):
                self._open.close()
            self._open = None


def _migrate(db: "psycopg.Connection[tuple[object, ...]]") -> None:
    """Bring the schema up to ours, alone. Raises psycopg.Error, also for a schema of a later version."""
    with db.transaction():
        db.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        db.execute("CREATE TABLE IF NOT EXISTS awf_snapshots_version (version integer NOT NULL)")
        row = db.execute("SELECT max(version) FROM awf_snapshots_version").fetchone()
        version = row[0] if row and isinstance(row[0], int) else 0
        if version > len(MIGRATIONS):
            raise psycopg.DataError(
                f"made by a later awf-archive (schema {version}, ours is {len(MIGRATIONS)})"
            )
        for statements in MIGRATIONS[version:]:
            db.execute(statements)
        if version < len(MIGRATIONS):
            db.execute("INSERT INTO awf_snapshots_version VALUES (%s)", (len(MIGRATIONS),))


def _unreachable(problem: Exception) -> BackendError:
    return BackendError(
        f"PostgreSQL: {str(problem).strip() or type(problem).__name__}.",
        "Check that the server runs and the setting postgres_dsn names it.",
    )


def _text(value: str) -> str:
    """Return a text that PostgreSQL can hold: UTF-8 without NUL."""
    return value.encode(errors="replace").decode().replace("\0", "\ufffd")


def _snapshot(body: object) -> Snapshot:
    try:
        return Snapshot.from_json(parsed(str(body).encode()) or {})
    except (KeyError, TypeError, ValueError) as problem:
        raise BackendError(
            f"a snapshot does not read ({problem}).", "Delete it; others are there."
        ) from problem


def open_backend(setting: Setting) -> PostgresBackend:
    """Return the database that the setting names; the schema is made with the first connection."""
    if not setting.dsn:
        raise BackendError(
            "The postgres backend needs to know where the server is.",
            'Set postgres_dsn in your own awf-archive.toml, or AWF_ARCHIVE_POSTGRES_DSN="postgresql://…".',
        )
    return PostgresBackend(setting.dsn)
