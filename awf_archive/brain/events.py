"""`.brain/events.jsonl`: what was saved by itself, one event a line, only ever added to (SPEC 5).

A log cannot be written by renaming a whole file. One `write` on a file opened for appending is whole for every
reader; a line that a crash left open is closed before the next, so no event is ever joined to another.
"""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from awf_archive.domain.escape import json_line
from awf_archive.errors import DiskError


def append(path: Path, event: Mapping[str, object]) -> None:
    """Add an event and make it last. Raises DiskError."""
    data = f"{json_line(dict(event))}\n".encode()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            os.write(descriptor, _closing(descriptor) + data)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as problem:
        raise DiskError(f"{path}: {problem.strerror}.", "The snapshot itself is saved.") from problem


def _closing(descriptor: int) -> bytes:
    """Return the line feed that a crash may have left out."""
    size = os.fstat(descriptor).st_size
    if not size:
        return b""
    os.lseek(descriptor, size - 1, os.SEEK_SET)
    return b"" if os.read(descriptor, 1) == b"\n" else b"\n"


def events(path: Path) -> Iterator[dict[str, object]]:
    """Yield the events, oldest first; a line that a crash cut is passed over."""
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError:
        return
    for line in lines:
        try:
            value = json.loads(line) if line else None
        except ValueError:
            continue
        if isinstance(value, dict):
            yield value
