"""Transcripts on disk as readers want them: bytes of one moment, and the files beside them."""

import io
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from awf_archive.errors import InputError
from awf_archive.readers.base import Source

_LOOK = 4096
_MOST_KEYS = 6
_ONE_MOMENT = 16 * 1024 * 1024
"""Up to this size a file is read at once: then it may shrink or be rewritten while we work on it.

A longer one is read where it lies; chat tools only append to those.
"""


@dataclass(slots=True)
class FileSource:
    """A file as it was when it was opened: its size is fixed, so what is appended later waits for the next run."""

    path: Path
    size: int
    file: BinaryIO | None = None
    """None for a file beside the transcript: there may be thousands, so each is open only while it is read."""
    kept_in: set[Path] = field(default_factory=set)
    """Vaults that hold these bytes since this run, for files of several conversations."""
    _beside: dict[str, "FileSource"] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The path as it was given."""
        return str(self.path)

    @property
    def stem(self) -> str:
        """The file's name without its ending."""
        return self.path.stem

    def read(self, offset: int, length: int) -> bytes:
        """Return up to `length` bytes from `offset`, never past the size at opening."""
        wanted = max(0, min(length, self.size - offset))
        if self.file is not None:
            self.file.seek(offset)
            return self.file.read(wanted)
        with _readable(self.path), self.path.open("rb") as file:
            file.seek(offset)
            return file.read(wanted)

    def companions(self, pattern: str) -> Mapping[str, Source]:
        """Return the regular files that match, by path relative to the transcript's folder, sorted."""
        folder = self.path.parent
        found: dict[str, Source] = {}
        for path in sorted(folder.glob(pattern.replace("{stem}", _literal(self.stem)))):
            name = path.relative_to(folder).as_posix()
            if path == self.path or _passes_link(folder, path) or not path.is_file():
                continue
            if name not in self._beside:
                self._beside[name] = FileSource(path=path, size=path.stat().st_size)
            found[name] = self._beside[name]
        return found

    def first_words(self) -> str:
        """Say what the bytes look like, for a person."""
        return _describe(self.read(0, _LOOK))

    def with_companions(self, names: Iterable[str]) -> dict[str, "FileSource"]:
        """Return the transcript, under an empty name, and the files beside it that belong to it."""
        return {"": self} | {name: self._beside[name] for name in names}


def _literal(text: str) -> str:
    """A file name inside a glob pattern that stands for itself."""
    return "".join(f"[{mark}]" if mark in "*?[" else mark for mark in text)


def _passes_link(folder: Path, path: Path) -> bool:
    """Whether a symbolic link lies on the way: it could lead anywhere."""
    return any(one.is_symlink() for one in (path, *path.parents) if one != folder and folder in one.parents)


@contextmanager
def opened(path: Path) -> Iterator[FileSource]:
    """Open a transcript for the length of a block. Raises InputError when it cannot be read."""
    with _readable(path):
        if not path.exists():
            raise InputError(f"{path}: there is no such file.", "Check the path, or leave --transcript out.")
        if not path.is_file():
            what = "a folder" if path.is_dir() else "not a regular file"
            raise InputError(f"{path}: {what}, not a transcript.", "Name one transcript file.")
        file = path.open("rb")
    with file:
        size = os.fstat(file.fileno()).st_size
        if size > _ONE_MOMENT:
            yield FileSource(path=path, file=file, size=size)
            return
        with _readable(path):
            data = file.read()
        yield FileSource(path=path, file=io.BytesIO(data), size=len(data))


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Turn what the operating system refuses into an error that names the file."""
    try:
        yield
    except OSError as problem:
        raise InputError(
            f"{path}: cannot be read ({problem.strerror}).", "Check its permissions."
        ) from problem


_MAGIC: Mapping[bytes, str] = {
    b"%PDF": "a PDF document",
    b"PK\x03\x04": "a ZIP archive",
    b"\x1f\x8b": "a gzip file",
    b"\x28\xb5\x2f\xfd": "a zstd file",
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"SQLite format 3": "an SQLite database",
    b"<!DOCTYPE": "an HTML page",
    b"<html": "an HTML page",
}


def _describe(head: bytes) -> str:
    if not head.strip(b"\0\r\n\t "):
        return "nothing in it"
    for magic, what in _MAGIC.items():
        if head.startswith(magic):
            return what
    line = head.lstrip(b"\xef\xbb\xbf").split(b"\n", 1)[0]
    try:
        value = json.loads(line)
    except ValueError:
        return "text" if b"\0" not in head else "binary data"
    if isinstance(value, dict):
        keys = ", ".join(ascii(str(key))[1:-1] for key in list(value)[:_MOST_KEYS])
        return f"JSON with the keys {keys}"
    return f"JSON, but a {type(value).__name__} and no record"
