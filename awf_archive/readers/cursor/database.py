"""Cursor's own database, `state.vscdb`: opened read-only, and only the keys of conversations are read."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from awf_archive.domain.transcript import Json, Origin, Problem, Transcript
from awf_archive.errors import InputError
from awf_archive.readers.base import Source
from awf_archive.readers.cursor.bubbles import turns_of
from awf_archive.readers.shared.drafts import Facts, transcript
from awf_archive.readers.shared.problem_log import ProblemLog
from awf_archive.readers.shared.values import JsonObject, digest, objects_at, parsed, text_at, utc

_HEAD = 1 << 18
_MAGIC = b"SQLite format 3\0"
_TABLE = b"cursorDiskKV"
_LEGACY = "workbench.panel.aichat.view.aichat.chatdata"


def accepts(source: Source) -> bool:
    """Tell whether it is an SQLite database with Cursor's table, also one that lies in the log beside it."""
    head = source.read(0, _HEAD)
    if not head.startswith(_MAGIC):
        return False
    return _TABLE in head or any(_TABLE in log.read(0, _HEAD) for log in _write_ahead(source))


def _write_ahead(source: Source) -> list[Source]:
    """Return the log in which Cursor keeps what is not yet in the database, if there is one."""
    return [log for log in source.companions("{stem}.vscdb-wal").values() if log.size]


def read(source: Source) -> Iterator[Transcript]:
    """Read each conversation. Raises InputError when the database cannot be read."""
    try:
        with closing(_connect(source)) as connection:
            reader = _Database(connection, _folder(source))
            found = False
            for one in reader.transcripts():
                found = True
                yield one
            if not found:
                yield transcript(
                    [], Facts(format="cursor", windows=(source.stem,), problems=reader.problems())
                )
    except sqlite3.Error as problem:
        raise InputError(
            f"{source.name}: the database cannot be read ({problem}).", "Close Cursor and try again."
        ) from problem


def _connect(source: Source) -> sqlite3.Connection:
    """Open read-only; `immutable` where no log lies beside it, so that SQLite makes no file there."""
    mode = "mode=ro" if _write_ahead(source) else "mode=ro&immutable=1"
    connection = sqlite3.connect(f"{source.path.absolute().as_uri()}?{mode}", uri=True)
    connection.text_factory = lambda data: data.decode(errors="surrogateescape")
    return connection


def _folder(source: Source) -> str:
    """Return the folder that a workspace's database belongs to."""
    for beside in source.companions("workspace.json").values():
        value = parsed(beside.read(0, _HEAD).decode(errors="replace"))
        return _path(text_at(value, "folder"))
    return ""


def _path(uri: str) -> str:
    """Return a `file:` address as a path; other addresses stay as they are, decoded.

    >>> _path("file:///c%3A/work"), _path("vscode-remote://wsl%2Bubuntu/home/a")
    ('c:/work', 'vscode-remote://wsl+ubuntu/home/a')
    """
    try:
        parts = urlsplit(uri)
    except ValueError:
        return uri
    if parts.scheme != "file":
        return unquote(uri)
    path = unquote(parts.path)
    return path[1:] if path[2:3] == ":" else path


@dataclass(slots=True)
class _Database:
    """Reads rows by key; the tokens that lie in the same tables are never asked for."""

    connection: sqlite3.Connection
    folder: str
    empty_rows: int = 0

    def transcripts(self) -> Iterator[Transcript]:
        """Yield conversations that hold messages."""
        for key in self._keys("cursorDiskKV", "composerData:"):
            chat = self._value("cursorDiskKV", key)
            if isinstance(chat, dict):
                yield from self._composer(key.removeprefix("composerData:"), chat)
            else:
                self.empty_rows += 1
        yield from self._legacy()

    def problems(self) -> tuple[Problem, ...]:
        """Return what is wrong with rows of which no conversation came."""
        if not self.empty_rows:
            return ()
        message = "Conversations have a row without a value."
        return (
            Problem(code="empty-row", message=message, origin=Origin(file="", line=0), count=self.empty_rows),
        )

    def _tables(self) -> set[str]:
        rows = self.connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return {str(name) for (name,) in rows}

    def _keys(self, table: str, prefix: str) -> list[str]:
        if table not in self._tables():
            return []
        query = f"SELECT key FROM {table} WHERE key >= ? AND key < ? ORDER BY rowid"  # noqa: S608 -- our own names
        rows = self.connection.execute(query, (prefix, prefix[:-1] + chr(ord(prefix[-1]) + 1)))
        return [key for (key,) in rows if isinstance(key, str)]

    def _value(self, table: str, key: str) -> Json:
        query = f"SELECT value FROM {table} WHERE key = ?"  # noqa: S608 -- our own names
        row = self.connection.execute(query, (key,)).fetchone()
        value = row[0] if row else None
        if isinstance(value, bytes):
            value = value.decode(errors="surrogateescape")
        return parsed(value) if isinstance(value, str) else None

    def _composer(self, name: str, chat: JsonObject) -> Iterator[Transcript]:
        """Read a conversation: its messages stand in it, or in rows of their own that it lists."""
        log = ProblemLog()
        bubbles = objects_at(chat, "conversation")
        for header in [] if bubbles else objects_at(chat, "fullConversationHeadersOnly"):
            bubble = self._value("cursorDiskKV", f"bubbleId:{name}:{text_at(header, 'bubbleId')}")
            if isinstance(bubble, dict):
                bubbles.append(bubble)
            else:
                log.unreadable += 1
                log.count(
                    "missing-message", "Messages that the conversation lists are not in the database.", 0
                )
        if not bubbles and not log.unreadable:
            return
        drafts = turns_of(bubbles, text_at(chat, "composerId") or name, log)
        if drafts and not drafts[0].time:
            drafts[0].time = utc(chat.get("createdAt"))
        problems = (*log.problems(), *self.problems())
        self.empty_rows = 0
        facts = Facts(
            format="cursor",
            windows=(text_at(chat, "composerId") or name,),
            title=text_at(chat, "name"),
            cwd=_place(chat) or self.folder,
            records=len(bubbles),
            unreadable=log.unreadable,
            problems=problems,
        )
        yield transcript(drafts, facts)

    def _legacy(self) -> Iterator[Transcript]:
        """Read the chats of Cursor's first versions."""
        data = self._value("ItemTable", _LEGACY) if "ItemTable" in self._tables() else None
        for tab in objects_at(data, "tabs"):
            log = ProblemLog()
            bubbles = objects_at(tab, "bubbles")
            name = text_at(tab, "tabId") or digest("cursor", text_at(tab, "chatTitle"))
            if not bubbles:
                continue
            facts = Facts(
                format="cursor",
                windows=(name,),
                title=text_at(tab, "chatTitle"),
                cwd=self.folder,
                records=len(bubbles),
                problems=(*log.problems(), *self.problems()),
            )
            self.empty_rows = 0
            yield transcript(turns_of(bubbles, name, log), facts)


def _place(chat: JsonObject) -> str:
    uri = chat.get("workspaceIdentifier")
    return (
        text_at(uri, "uri", "fsPath") or text_at(uri, "uri", "path") or _path(text_at(uri, "uri", "external"))
    )
