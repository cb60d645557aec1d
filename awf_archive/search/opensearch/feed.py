"""How far an archive is sent: what lies where in the cluster, written down after each acknowledged batch.

The archive itself is the outbox: what its manifests name and this file does not is still to be sent. So a checkpoint
writes nothing more than it does anyway, and a push that dies anywhere goes on where it was.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from awf_archive.errors import DiskError
from awf_archive.search.documents import Key

_SCHEMA = """
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS units (
    feature TEXT, unit TEXT, digest TEXT NOT NULL, PRIMARY KEY (feature, unit)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sent (
    uid TEXT PRIMARY KEY, feature TEXT NOT NULL, unit TEXT NOT NULL,
    place TEXT NOT NULL, version INTEGER NOT NULL, digest TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS sent_by_unit ON sent (feature, unit);
"""


class Sent(NamedTuple):
    """A document that the cluster has acknowledged."""

    uid: str
    place: str
    """The index that it lies in."""
    version: int
    digest: str


ADOPTED = Key("", "?")
"""The unit of documents that were found in the cluster and that no session has claimed yet."""


class Feed:
    """The position of one archive; a small database, safe against crashes. Raises DiskError."""

    def __init__(self, path: Path | None) -> None:
        where = str(path) if path else ":memory:"
        try:
            if path:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(where, timeout=30, isolation_level=None)
            self._db.executescript(_SCHEMA)
        except (sqlite3.Error, OSError) as problem:
            raise DiskError(
                f"{where}: cannot be opened ({problem}).",
                "It may be deleted: awf-archive team reindex then sends the archive again.",
            ) from problem

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    # Facts

    def fact(self, name: str) -> str:
        """Return what was noted under a name, or ""."""
        row = self._db.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def note(self, facts: Mapping[str, str]) -> None:
        """Note facts."""
        with self._db:
            self._db.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?)", facts.items())

    # Units

    def digests(self) -> dict[Key, str]:
        """Return each unit that is sent whole, with the digest it had."""
        rows = self._db.execute("SELECT feature, unit, digest FROM units")
        return {Key(feature, unit): digest for feature, unit, digest in rows}

    def documents(self) -> int:
        """Return how many documents were acknowledged."""
        return int(self._db.execute("SELECT count(*) FROM sent").fetchone()[0])

    def of_unit(self, key: Key) -> dict[str, Sent]:
        """Return what was sent of a unit, by id."""
        rows = self._db.execute(
            "SELECT uid, place, version, digest FROM sent WHERE feature = ? AND unit = ?", key
        )
        return {row[0]: Sent(*row) for row in rows}

    def find(self, uid: str) -> Sent | None:
        """Return what was sent of a document, whatever unit it belongs to."""
        row = self._db.execute(
            "SELECT uid, place, version, digest FROM sent WHERE uid = ?", (uid,)
        ).fetchone()
        return Sent(*row) if row else None

    def begun(self) -> list[Key]:
        """Return every unit of which anything was sent or begun."""
        rows = self._db.execute("SELECT feature, unit FROM units UNION SELECT feature, unit FROM sent")
        return [Key(*row) for row in rows]

    def acknowledge(
        self, put: Iterable[tuple[Key, Sent]], gone: Iterable[str], whole: Mapping[Key, str]
    ) -> None:
        """Write down what one batch did: documents put, documents deleted, units that are now sent whole.

        A unit with an empty digest is forgotten.
        """
        db = self._db
        db.execute("BEGIN IMMEDIATE")
        with db:
            db.executemany("DELETE FROM sent WHERE uid = ?", ((uid,) for uid in gone))
            db.executemany(
                "INSERT OR REPLACE INTO sent VALUES (?, ?, ?, ?, ?, ?)",
                ((sent.uid, *key, sent.place, sent.version, sent.digest) for key, sent in put),
            )
            db.executemany("DELETE FROM units WHERE feature = ? AND unit = ?", whole)
            named = ((*key, digest) for key, digest in whole.items() if digest)
            db.executemany("INSERT INTO units VALUES (?, ?, ?)", named)

    def forget_units(self) -> None:
        """Look at every unit again; what is the same is not sent again."""
        with self._db:
            self._db.execute("DELETE FROM units")

    def forget(self) -> None:
        """Start from nothing: another cluster, or another form of documents."""
        self._db.execute("BEGIN IMMEDIATE")
        with self._db:
            self._db.execute("DELETE FROM units")
            self._db.execute("DELETE FROM sent")
