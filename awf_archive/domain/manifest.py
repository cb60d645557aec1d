"""`manifest.json`: the list of what a feature's archive holds, and its commit point (SPEC 1.7)."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import cast

from awf_archive.domain.file_names import inner_name, inner_path
from awf_archive.domain.ids import Digest, SessionId, TurnId, WindowId
from awf_archive.domain.transcript import Json

_NUMBER = re.compile(r"(?:session|chunk)-(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEntry:
    """One session as the manifest lists it."""

    session_id: SessionId
    global_range: tuple[int, int]
    status: str
    """`active` for the newest, `saved` for the others."""
    metadata_sha256: Digest | None = None
    """None for sessions of the original skill."""
    windows: tuple[WindowId, ...] = ()
    """Every window whose records the session's transcript holds, its own first."""
    first_turn: str = ""
    """Time and digest of the window's first prompt: how a forked copy with new ids is recognised."""
    extra: Mapping[str, Json] = field(default_factory=dict)

    def to_json(self) -> dict[str, Json]:
        """Return the entry: the seed's keys first, then ours, then others'."""
        ours: dict[str, Json] = {}
        if self.metadata_sha256:
            ours["metadataSha256"] = self.metadata_sha256
        if self.windows:
            ours["windows"] = list(self.windows)
        if self.first_turn:
            ours["firstTurn"] = self.first_turn
        seed: dict[str, Json] = {
            "sessionId": self.session_id,
            "globalRange": list(self.global_range),
            "status": self.status,
        }
        return seed | ours | dict(self.extra)

    @classmethod
    def from_json(cls, entry: Mapping[str, Json]) -> "SessionEntry":
        """Return the entry that `to_json` wrote. Raises KeyError, TypeError or ValueError otherwise."""
        first, last = cast("list[int]", entry["globalRange"])
        digest = entry.get("metadataSha256")
        known = {"sessionId", "globalRange", "status", "metadataSha256", "windows", "firstTurn"}
        return cls(
            session_id=SessionId(inner_name(str(entry["sessionId"]))),
            global_range=(int(first), int(last)),
            status=str(entry.get("status") or "saved"),
            metadata_sha256=Digest(str(digest)) if digest else None,
            windows=tuple(WindowId(str(one)) for one in cast("list[Json]", entry.get("windows") or [])),
            first_turn=str(entry.get("firstTurn") or ""),
            extra={name: value for name, value in entry.items() if name not in known},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkEntry:
    """One chunk summary as the manifest lists it."""

    chunk_id: str
    turn_range: tuple[int, int]
    file: str
    """Relative to `conversations/`, as the seed has it."""
    made_by: str = ""
    """`command` when the program of the settings wrote it; the one made without is beside it then."""
    extra: Mapping[str, Json] = field(default_factory=dict)

    def to_json(self) -> dict[str, Json]:
        """Return the entry as the manifest holds it."""
        seed: dict[str, Json] = {
            "chunkId": self.chunk_id,
            "turnRange": list(self.turn_range),
            "file": self.file,
        }
        ours: dict[str, Json] = {"madeBy": self.made_by} if self.made_by else {}
        return seed | ours | dict(self.extra)

    @classmethod
    def from_json(cls, entry: Mapping[str, Json]) -> "ChunkEntry":
        """Return the entry that `to_json` wrote. Raises KeyError, TypeError or ValueError otherwise."""
        first, last = cast("list[int]", entry["turnRange"])
        known = {"chunkId", "turnRange", "file", "madeBy"}
        return cls(
            chunk_id=str(entry["chunkId"]),
            turn_range=(int(first), int(last)),
            file=inner_path(str(entry["file"])),
            made_by=str(entry.get("madeBy") or ""),
            extra={name: value for name, value in entry.items() if name not in known},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """Turns that went to another feature: their old numbers lead there (SPEC 1.1)."""

    turn_range: tuple[int, int]
    feature: str
    start: int
    """The number of the first of them there."""

    def to_json(self) -> dict[str, Json]:
        """Return the pointer as the manifest holds it."""
        return {"turnRange": list(self.turn_range), "feature": self.feature, "start": self.start}

    @classmethod
    def from_json(cls, entry: Mapping[str, Json]) -> "Moved":
        """Return the pointer that `to_json` wrote. Raises KeyError, TypeError or ValueError otherwise."""
        first, last = cast("list[int]", entry["turnRange"])
        return cls(
            turn_range=(int(first), int(last)),
            feature=str(entry["feature"]),
            start=int(cast("int", entry["start"])),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a feature's archive holds. What it does not name does not exist."""

    spec_id: str
    last_updated: str = ""
    last_chunked: int = 0
    last_end: int = 0
    chunks: tuple[ChunkEntry, ...] = ()
    recent: tuple[SessionEntry, ...] = ()
    archived: tuple[SessionEntry, ...] = ()
    """Sessions whose turns all lie in chunks."""
    moved: tuple[Moved, ...] = ()
    extra: Mapping[str, Json] = field(default_factory=dict)
    """Keys that others wrote; kept."""
    watermark_extra: Mapping[str, Json] = field(default_factory=dict)
    """The same inside `turnWatermark`."""

    @property
    def sessions(self) -> tuple[SessionEntry, ...]:
        """Every session, in order of its turns."""
        return tuple(sorted((*self.archived, *self.recent), key=lambda entry: entry.global_range))

    def session(self, session_id: SessionId) -> SessionEntry | None:
        """Return the entry of a session, or None."""
        return next((entry for entry in self.sessions if entry.session_id == session_id), None)

    def holding(self, turn: int) -> SessionEntry | None:
        """Return the session that holds a global number, or None."""
        return next(
            (one for one in self.sessions if one.global_range[0] <= turn <= one.global_range[1]), None
        )

    def moved_to(self, turn: int) -> tuple[str, int] | None:
        """Return the feature and number that an old number leads to, or None."""
        for one in self.moved:
            first, last = one.turn_range
            if first <= turn <= last:
                return one.feature, one.start + turn - first
        return None

    def to_json(self) -> dict[str, Json]:
        """Return the object that `manifest.json` holds."""
        ours: dict[str, Json] = {
            "specId": self.spec_id,
            "lastUpdated": self.last_updated,
            "turnWatermark": {
                "lastChunkedTurn": self.last_chunked,
                "lastSessionEndTurn": self.last_end,
                **self.watermark_extra,
            },
            "semanticChunks": [chunk.to_json() for chunk in self.chunks],
            "recentSessions": [entry.to_json() for entry in self.recent],
        }
        if self.archived:
            ours["archivedSessions"] = [entry.to_json() for entry in self.archived]
        if self.moved:
            ours["movedTurns"] = [one.to_json() for one in self.moved]
        return ours | dict(self.extra)

    @classmethod
    def from_json(cls, value: Mapping[str, Json]) -> "Manifest":
        """Return the manifest of a `manifest.json`, ours or the original skill's.

        Raises KeyError, TypeError or ValueError when a key of the seed is missing or of another type.
        """
        watermark = cast("dict[str, int]", value["turnWatermark"])
        return cls(
            spec_id=str(value["specId"]),
            last_updated=str(value.get("lastUpdated") or ""),
            last_chunked=int(watermark["lastChunkedTurn"]),
            last_end=int(watermark["lastSessionEndTurn"]),
            chunks=tuple(ChunkEntry.from_json(one) for one in _objects(value, "semanticChunks")),
            recent=tuple(SessionEntry.from_json(one) for one in _objects(value, "recentSessions")),
            archived=tuple(SessionEntry.from_json(one) for one in _objects(value, "archivedSessions")),
            moved=tuple(Moved.from_json(one) for one in _objects(value, "movedTurns")),
            extra={name: item for name, item in value.items() if name not in _KNOWN},
            watermark_extra={name: item for name, item in watermark.items() if name not in _WATERMARK},
        )


_WATERMARK = frozenset(["lastChunkedTurn", "lastSessionEndTurn"])


_KNOWN = frozenset(
    [
        *("specId", "lastUpdated", "turnWatermark"),
        *("semanticChunks", "recentSessions", "archivedSessions", "movedTurns"),
    ]
)


def _objects(value: Mapping[str, Json], name: str) -> list[dict[str, Json]]:
    return cast("list[dict[str, Json]]", value.get(name) or [])


def next_number(names: Iterable[str]) -> int:
    """Return one more than the highest number in names such as `session-012`; 1 when there is none.

    >>> next_number(["session-002", "session-1003", "notes"])
    1004
    """
    numbers = (int(match[1]) for name in names if (match := _NUMBER.fullmatch(name)))
    return max(numbers, default=0) + 1


def first_turn_key(turn_id: TurnId, time: str, prompt_sha256: Digest) -> str:
    """Return what a copy of a window under new ids still shares with it: time and text of its first prompt."""
    return f"{time or turn_id} {prompt_sha256[:16]}"


def with_session(manifest: Manifest, entry: SessionEntry, chunk: ChunkEntry | None, now: str) -> Manifest:
    """Return the manifest after a session was added or extended, and maybe a chunk made.

    The newest session is `active`, the others not yet chunked are `saved`; a session whose turns all lie in
    chunks moves to `archived`.
    """
    last_chunked = chunk.turn_range[1] if chunk else manifest.last_chunked
    others = [one for one in manifest.sessions if one.session_id != entry.session_id]
    everyone = sorted((*others, entry), key=lambda one: one.global_range)
    newest = everyone[-1].session_id
    listed = [replace(one, status="active" if one.session_id == newest else "saved") for one in everyone]
    return replace(
        manifest,
        last_updated=now,
        last_chunked=last_chunked,
        last_end=max(manifest.last_end, entry.global_range[1]),
        chunks=(*manifest.chunks, chunk) if chunk else manifest.chunks,
        recent=tuple(one for one in listed if not _is_chunked(one, newest, last_chunked)),
        archived=tuple(one for one in listed if _is_chunked(one, newest, last_chunked)),
    )


def _is_chunked(entry: SessionEntry, newest: SessionId, last_chunked: int) -> bool:
    return entry.session_id != newest and entry.global_range[1] <= last_chunked


def without_sessions(manifest: Manifest, gone: Mapping[SessionId, Moved], now: str) -> Manifest:
    """Return the manifest after sessions went to another feature; their numbers become pointers."""
    kept = [one for one in manifest.sessions if one.session_id not in gone]
    newest = kept[-1].session_id if kept else None
    listed = [replace(one, status="active" if one.session_id == newest else "saved") for one in kept]
    chunked = {one.session_id for one in manifest.archived}
    return replace(
        manifest,
        last_updated=now,
        recent=tuple(one for one in listed if one.session_id not in chunked or one.session_id == newest),
        archived=tuple(one for one in listed if one.session_id in chunked and one.session_id != newest),
        moved=(*manifest.moved, *gone.values()),
    )
