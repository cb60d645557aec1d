"""The few files a hook writes, without what `store` takes to load (25 ms of a hook's 60).

What is written here is passing: counters, jobs, a log. Each is put in place in one step; nothing here is synced,
for a hook's time is short and what a power cut takes is told again by the next one.
"""

import json
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_MOST_LOG = 1_000_000
"""Bytes after which the log begins anew, the old one kept beside it."""


class Private(NamedTuple):
    """The passing files of one workspace that hooks and worker share."""

    root: Path

    @property
    def folder(self) -> Path:
        """Never in git."""
        return self.root / ".awf-archive"

    @property
    def queue(self) -> Path:
        """Jobs that wait for the worker."""
        return self.folder / "queue"

    @property
    def failed(self) -> Path:
        """Jobs that were tried too often; kept for whoever wants to know."""
        return self.queue / "failed"

    @property
    def worker_lock(self) -> Path:
        """Held by the worker."""
        return self.folder / "worker-lock"

    @property
    def windows(self) -> Path:
        """What hooks count, a file for each conversation."""
        return self.folder / "hooks"

    @property
    def notices(self) -> Path:
        """What the worker has to tell the user with the next prompt."""
        return self.folder / "notices"

    @property
    def log(self) -> Path:
        """What hooks and worker have to say."""
        return self.folder / "log" / "hook.log"


def make_private(private: Private, folder: Path) -> None:
    """Make a folder of ours, kept out of git. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    ignore = private.folder / ".gitignore"
    if not ignore.exists():
        put(ignore, b"*\n")


def put(path: Path, data: bytes) -> None:
    """Put a file in place in one step. Raises OSError."""
    passing = path.with_name(f".tmp-{os.getpid()}-{time.monotonic_ns()}")
    try:
        passing.write_bytes(data)
        passing.replace(path)
    except BaseException:
        passing.unlink(missing_ok=True)
        raise


def put_json(path: Path, value: object) -> None:
    """Put a JSON file in place. Raises OSError."""
    put(path, json.dumps(value).encode())


def read_json(path: Path) -> dict[str, object]:
    """Return the object in a file; an empty one where it is missing or broken: these are estimates."""
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def log(private: Private | None, message: str, fallback: Path | None = None) -> None:
    """Add a line to the log of the workspace, else to the user's; where neither can be written, say nothing."""
    one = " ".join(message.split())[:2_000]
    line = f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {os.getpid()} {one}\n"
    if private is not None and private.root.is_dir():
        with suppress(OSError):
            make_private(private, private.log.parent)
            return _append(private.log, line)
    if fallback is not None:
        with suppress(OSError):
            fallback.parent.mkdir(parents=True, exist_ok=True)
            _append(fallback, line)
    return None


def _append(path: Path, line: str) -> None:
    with suppress(OSError):
        if path.stat().st_size > _MOST_LOG:
            path.replace(path.with_suffix(".1.log"))
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        os.write(descriptor, line.encode("utf-8", "replace"))
    finally:
        os.close(descriptor)
