"""Where the snapshots of the auto-checkpoint go: one module and one row per backend (SPEC 5)."""

import importlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple, cast

from awf_archive.brain.backends.base import Backend, BackendError
from awf_archive.brain.folder import Brain, Disk


class Setting(NamedTuple):
    """What a backend may need to open."""

    brain: Brain
    disk: Disk
    dsn: str = ""
    """Where PostgreSQL is."""

    @property
    def database(self) -> Path:
        """The SQLite file."""
        return self.brain.snapshots / "auto.sqlite"


BACKENDS: Mapping[str, str] = {
    "memory": "awf_archive.brain.backends.memory",
    "file": "awf_archive.brain.backends.file",
    "sqlite": "awf_archive.brain.backends.sqlite",
    "postgres": "awf_archive.brain.backends.postgres",
}
"""Every backend and its module, loaded only when it is opened; each has a function `open_backend`."""


def open_backend(name: str, setting: Setting) -> Backend:
    """Return the backend of that name. Raises BackendError when it is unknown or cannot be opened."""
    if name not in BACKENDS:
        raise BackendError(f"{name!r}: there is no such backend.", f"Backends: {', '.join(BACKENDS)}.")
    opener = cast("Callable[[Setting], Backend]", importlib.import_module(BACKENDS[name]).open_backend)
    return opener(setting)


__all__ = ["BACKENDS", "Backend", "BackendError", "Setting", "open_backend"]
