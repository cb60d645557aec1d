"""Where the files of `.brain` lie, and reading one however it was written."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from awf_archive.errors import DiskError

NAME = ".brain"


class Brain(NamedTuple):
    """The files of one workspace's brain."""

    root: Path

    @property
    def folder(self) -> Path:
        """All of it."""
        return self.root / NAME

    @property
    def session(self) -> Path:
        """The work state."""
        return self.folder / "session.json"

    @property
    def knowledge(self) -> Path:
        """The brain: lasting knowledge."""
        return self.folder / "brain.json"

    @property
    def preferences(self) -> Path:
        """The workspace's preferences, over the user's."""
        return self.folder / "preferences.json"

    @property
    def snapshots(self) -> Path:
        """Dated copies of the work state (SPEC 3.5)."""
        return self.folder / "snapshots"

    @property
    def auto(self) -> Path:
        """Snapshots of the auto-checkpoint's file backend (SPEC 5)."""
        return self.snapshots / "auto"

    @property
    def events(self) -> Path:
        """What was saved by itself, one event a line (SPEC 5)."""
        return self.folder / "events.jsonl"


class Disk(NamedTuple):
    """How bytes reach the disk: the store's functions, handed in because brain and store never meet."""

    write: Callable[[Path, bytes], None]
    """Replace a file in one step. Raises DiskError."""
    move: Callable[[Path, Path], None]
    """Rename and make it last. Raises DiskError."""


class Reading(NamedTuple):
    """What a file of the brain says."""

    value: Mapping[str, object] | None
    is_there: bool

    @property
    def is_broken(self) -> bool:
        """Whether there is a file that does not read."""
        return self.is_there and self.value is None


def read(path: Path) -> Reading:
    """Return the JSON object in a file: UTF-8 or UTF-16, with or without a byte order mark.

    Raises DiskError when the file is there and the system refuses it: that is no damage, and nothing is restored.
    """
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return Reading(value=None, is_there=False)
    except OSError as problem:
        raise DiskError(
            f"{path}: cannot be read ({problem.strerror}).", "Check its permissions."
        ) from problem
    return Reading(value=parsed(data), is_there=True)


def parsed(data: bytes) -> dict[str, object] | None:
    """Return the JSON object in `data`, or None when it is anything else."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
