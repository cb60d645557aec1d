"""What `install` does to files: each before and after, shown first, then written in one step."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from awf_archive.errors import InputError
from awf_archive.store import atomic


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One file, before and after; None is no file."""

    path: Path
    before: bytes | None
    after: bytes | None

    @property
    def is_none(self) -> bool:
        """Whether nothing changes."""
        return self.before == self.after


def read(path: Path) -> bytes | None:
    """Return a file's bytes; None where there is none. Raises InputError where it may not be read."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as problem:
        raise InputError(f"{path}: {problem.strerror}.", "Check its permissions.") from problem


def written(change: Change) -> None:
    """Put one file as planned, with the permissions it had. Raises DiskError, InputError if it changed meanwhile."""
    if change.is_none:
        return
    if read(change.path) != change.before:
        raise InputError(f"{change.path}: changed while we looked.", "Run the command again.")
    with atomic.disk_errors(change.path):
        if change.after is not None:
            mode = change.path.stat().st_mode & 0o777 if change.before is not None else 0o644
            atomic.write(change.path, change.after, mode=mode)
            return
        change.path.unlink()
        for folder in _emptied(change.path):
            folder.rmdir()


_TOOLS_FOLDERS = frozenset({"skills", "commands", ".agents", ".claude", ".codex", ".cursor", ".gemini"})


def _emptied(path: Path) -> Iterator[Path]:
    """Yield the folders of ours that a file leaves empty."""
    for folder in path.parents:
        if folder.name.startswith("awf-") or folder.name in _TOOLS_FOLDERS:
            if any(folder.iterdir()):
                return
            yield folder
        else:
            return
