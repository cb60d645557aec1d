"""What hooks count of one conversation, between two processes that live for milliseconds (SPEC 3.2, 5)."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from awf_archive.integrations.hook_files import Private, make_private, put_json, read_json

_PATIENCE = 0.3
"""Seconds to wait for another hook of the same conversation; then we go on without the lock."""


class Window(NamedTuple):
    """One conversation's counters."""

    messages: int = 0
    code_blocks: int = 0
    error_dumps: int = 0
    looked_at: int = 0
    """Messages when the user's last message was looked at."""
    shown: str = "safe"
    """The highest level that was shown."""
    turns: int = 0
    """Completed."""
    workflow: str = ""
    """The workflow that the turn under way began with."""
    prompt: str = ""
    """The id of the last prompt that was counted."""
    stopped: str = ""
    """What the last stop that was counted is known by."""
    asked_at: float = 0.0
    """When approval was last asked for."""


@contextmanager
def counting(private: Private, window: str) -> Iterator["Counter"]:
    """Yield the counters of a conversation and keep what they become. Raises OSError when they cannot be kept."""
    make_private(private, private.windows)
    path = private.windows / f"{window}.json"
    with _alone(path):
        counter = Counter(path)
        yield counter
        counter.keep()


def window_of(private: Private, window: str) -> Window:
    """Return the counters of a conversation."""
    return _window(read_json(private.windows / f"{window}.json"))


class Counter:
    """The counters while one hook changes them."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._before = self.now = _window(read_json(path))

    def keep(self) -> None:
        """Write what has changed."""
        if self.now != self._before:
            put_json(self._path, self.now._asdict())


def _window(entry: dict[str, object]) -> Window:
    """Return the counters in an entry; a value of another type counts as missing."""
    empty = Window()
    valid = {
        name: value
        for name, default in empty._asdict().items()
        if type(value := entry.get(name)) is type(default)
    }
    return empty._replace(**valid)  # type: ignore[arg-type]


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keep another hook of the same conversation out, where the system offers a lock that dies with its holder."""
    try:
        import fcntl
    except ImportError:  # Windows: at worst two hooks at once count one message for two
        yield
        return
    with path.with_suffix(".lock").open("ab") as file:
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            with suppress(OSError):
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            time.sleep(0.01)
        yield
