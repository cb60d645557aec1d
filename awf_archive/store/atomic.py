"""Every write to disk: a unique temporary file, synced, then renamed into place (SPEC 1.10)."""

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from awf_archive.errors import DiskError

TEMPORARY = ".tmp-"
"""How every temporary name begins, so that what a crash left is known for what it is."""


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turn what the operating system refuses into a DiskError that names the file and what to do."""
    try:
        yield
    except OSError as problem:
        raise DiskError(f"{path}: {problem.strerror or problem}.", _remedy(problem)) from problem


def _remedy(problem: OSError) -> str:
    match problem.errno:
        case 28 | 122:  # ENOSPC, EDQUOT
            return "Free some space and run the command again; nothing was lost."
        case 13 | 1 | 30:  # EACCES, EPERM, EROFS
            return "Check who owns the folder and whether it may be written; nothing was changed."
        case _:
            return "Run the command again; the archive is as it was before."


def temporary(path: Path) -> Path:
    """Return a unique temporary name beside `path`."""
    return path.with_name(f"{TEMPORARY}{uuid4().hex[:12]}-{path.name[:40]}")


def write(path: Path, data: bytes, *, mode: int = 0o644) -> None:
    """Put `data` at `path` in one step: after a crash there is the old file or the new, never half.

    Raises DiskError; then the old file is untouched and no temporary file is left.
    """
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        passing = temporary(path)
        try:
            _write_synced(passing, data, mode)
            passing.replace(path)
        except BaseException:
            passing.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)


def _write_synced(path: Path, data: bytes, mode: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(descriptor)


def write_pieces(path: Path, pieces: Iterable[bytes], *, mode: int = 0o644) -> None:
    """Put what `pieces` give at `path` in one step, without holding all of it. Raises as `write` does."""
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        passing = temporary(path)
        try:
            descriptor = os.open(passing, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
            with os.fdopen(descriptor, "wb") as file:
                for piece in pieces:
                    file.write(piece)
                file.flush()
                os.fsync(descriptor)
            passing.replace(path)
        except BaseException:
            passing.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)


def write_new(path: Path, data: bytes) -> None:
    """Write a file inside a folder that is itself still temporary: synced, but not renamed."""
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_synced(path, data, 0o644)


def move(source: Path, target: Path) -> None:
    """Rename within one file system and make it last. Raises DiskError."""
    with disk_errors(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        source.rename(target)
        sync_folder(target.parent)
        sync_folder(source.parent)


def sweep(*folders: Path) -> None:
    """Delete temporary files that a crash left in folders whose files are made anew anyway. Raises DiskError."""
    for folder in folders:
        with disk_errors(folder):
            for passing in folder.glob(f"{TEMPORARY}*"):
                passing.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Make a rename inside `folder` survive a power cut; where folders cannot be synced, do nothing."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


_MOST_OPEN = 64
"""Files of a temporary folder that wait to be synced together; a process may have 256 of them open on a Mac."""


@dataclass(slots=True)
class Staged:
    """A folder that is still temporary."""

    folder: Path
    is_wanted: bool = True
    """Set to False to let it go at the end."""
    _waiting: dict[Path, BinaryIO] = field(default_factory=dict)
    _filled: set[Path] = field(default_factory=set)
    """Folders below that got files."""

    def write(self, path: Path, data: bytes) -> None:
        """Write a file below the folder. It is synced with others, at the latest before the folder is moved.

        One sync after another waits for the disk each time: 50 turn files took 14 ms of CPU and 160 ms in all so,
        together 6 and 45. Raises DiskError.
        """
        with disk_errors(path):
            if path.parent not in self._filled:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._filled.add(path.parent)
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
            file = self._waiting[path] = os.fdopen(descriptor, "wb")
            file.write(data)
            file.flush()
            if hasattr(os, "posix_fadvise"):  # the disk begins now, while the next file is made
                os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        if len(self._waiting) >= _MOST_OPEN:
            self.sync()

    def sync(self) -> None:
        """Make what was written last. Raises DiskError."""
        for path, file in self._waiting.items():
            with disk_errors(path):
                os.fsync(file.fileno())
        self.close()
        for folder in self._filled:
            with disk_errors(folder):
                sync_folder(folder)

    def close(self) -> None:
        """Let go of the files that still wait."""
        while self._waiting:
            with suppress(OSError):  # a full disk was told of when the bytes were written
                self._waiting.popitem()[1].close()


@contextmanager
def staging(target: Path) -> Iterator[Staged]:
    """Yield a temporary folder that becomes `target` when the block ends well, and goes when it does not.

    The folders above that were made for it go too, as long as nothing else was put into them.
    """
    staged = Staged(folder=temporary(target))
    made = [folder for folder in target.parents if not folder.exists()]
    with disk_errors(target):
        staged.folder.mkdir(parents=True)
    try:
        yield staged
        if staged.is_wanted:
            staged.sync()
            with disk_errors(target):
                sync_folder(staged.folder)
            move(staged.folder, target)
    finally:
        staged.close()
        shutil.rmtree(staged.folder, ignore_errors=True)
        with suppress(OSError):
            for folder in made:
                folder.rmdir()
