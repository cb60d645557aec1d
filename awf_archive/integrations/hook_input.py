"""What a hook is told: one JSON object on a stdin that may be cut, empty, or never end (case I03)."""

import json
import os
import sys
from collections.abc import Callable
from typing import NamedTuple

CLAUDE_CODE = "claude-code"

SILENCE = 0.9
"""Seconds without a byte after which nothing more is expected: SessionEnd has 1.5 for everything."""

_MOST = 64 * 1024 * 1024
_PIECE = 1 << 16


class Event(NamedTuple):
    """One call of the tool; every field of it may be missing or of another type."""

    name: str
    session: str
    cwd: str
    transcript: str
    fields: dict[str, object]
    tool: str = CLAUDE_CODE
    """Who speaks: the format of its conversations."""

    @property
    def is_of_agent(self) -> bool:
        """Whether a sub-agent is speaking: its turns are not the conversation's."""
        return bool(self.fields.get("agent_id"))

    def text(self, name: str) -> str:
        """Return a field that is a text, else an empty one."""
        return _text(self.fields.get(name))

    @property
    def window(self) -> str:
        """The conversation's id. Claude Code's `session_id` may be stale: its transcript's own name is trusted."""
        stem = _plain(self.transcript.replace("\\", "/").rpartition("/")[2].removesuffix(".jsonl"))
        session = _plain(self.session)
        return (stem or session if self.tool == CLAUDE_CODE else session or stem) or "default"


def _plain(name: str) -> str:
    """Return what of a name may stand in a file's name."""
    return "".join(mark for mark in name if mark.isalnum() or mark in "-_")[:80]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def parsed(data: bytes) -> Event | None:
    """Return the event in `data`; None when it is no JSON object.

    >>> parsed(b'\\xef\\xbb\\xbf{"hook_event_name": "Stop", "session_id": "a"}').name
    'Stop'
    >>> parsed(b'{"hook_event') is None
    True
    """
    try:
        value = json.loads(data.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return None
    return event_of(value) if isinstance(value, dict) else None


def event_of(fields: dict[str, object], tool: str = CLAUDE_CODE) -> Event:
    """Return the event that these fields tell."""
    return Event(
        name=_text(fields.get("hook_event_name")),
        session=_text(fields.get("session_id")),
        cwd=_text(fields.get("cwd")),
        transcript=_text(fields.get("transcript_path")),
        fields=fields,
        tool=tool,
    )


def read(descriptor: int = 0, silence: float = SILENCE) -> bytes:
    """Return what stands on stdin: up to its end, to a whole object, or until it has been silent for too long."""
    waits = _threaded if sys.platform == "win32" else _selected
    return waits(descriptor, silence)


def _selected(descriptor: int, silence: float) -> bytes:
    import select

    def is_ready(seconds: float) -> bool:
        return bool(select.select([descriptor], [], [], seconds)[0])

    return _gathered(is_ready, lambda: os.read(descriptor, _PIECE), silence)


def _gathered(is_ready: Callable[[float], bool], take: Callable[[], bytes], silence: float) -> bytes:
    data = bytearray()
    while len(data) < _MOST:
        if not is_ready(0) and (_is_whole(data) or not is_ready(silence)):
            break
        piece = take()
        if not piece:
            break
        data += piece
    return bytes(data)


def _is_whole(data: bytearray) -> bool:
    return data.rstrip().endswith(b"}") and parsed(bytes(data)) is not None


def _threaded(descriptor: int, silence: float) -> bytes:
    """The same where pipes cannot be waited for; the reading thread ends with the process."""
    import queue
    import threading

    line: queue.Queue[bytes] = queue.Queue()

    def pump() -> None:
        piece = b"-"
        while piece:
            piece = os.read(descriptor, _PIECE)
            line.put(piece)

    threading.Thread(target=pump, daemon=True).start()
    pieces: list[bytes] = []

    def is_ready(seconds: float) -> bool:
        try:
            pieces.append(line.get(timeout=seconds or 0.01))
        except queue.Empty:
            return bool(pieces)
        return True

    return _gathered(is_ready, lambda: pieces.pop(0), silence)
