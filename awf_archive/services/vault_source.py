"""A transcript read back from the vault, as readers want it."""

import fnmatch
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO

from awf_archive.errors import DamagedArchiveError
from awf_archive.readers.base import Source
from awf_archive.services.keep import read_origin
from awf_archive.store.vault import Segment, WindowVault, newest_files

_IN_MEMORY = 8 * 1024 * 1024
"""Bytes of a file held in memory; a longer one goes to a passing file, for readers jump about in it."""
_DATABASE = b"SQLite format 3\0"


@dataclass(slots=True, kw_only=True)
class VaultSource:
    """One file of a window, unpacked."""

    name: str
    """Where the transcript lay; it need not be there any more."""
    size: int
    path: Path
    """The same; for a database a passing copy that can be opened."""
    _data: IO[bytes]
    _beside: Mapping[str, "VaultSource"]

    @property
    def stem(self) -> str:
        """The file's name without its ending."""
        return Path(self.name).stem

    def read(self, offset: int, length: int) -> bytes:
        """Return up to `length` bytes from `offset`."""
        self._data.seek(offset)
        return self._data.read(max(0, length))

    def companions(self, pattern: str) -> Mapping[str, Source]:
        """Return the kept files beside it that match."""
        wanted = pattern.replace("{stem}", self.stem)
        return {name: beside for name, beside in sorted(self._beside.items()) if _matches(name, wanted)}

    def first_words(self) -> str:
        """Say where the bytes come from."""
        return "a transcript of the vault"


def _matches(name: str, pattern: str) -> bool:
    """Match as `Path.glob` does: `*` within one folder, `**` across any number of them."""
    parts, wanted = PurePosixPath(name).parts, PurePosixPath(pattern).parts
    return _matches_parts(list(parts), list(wanted))


def _matches_parts(parts: list[str], wanted: list[str]) -> bool:
    if not wanted:
        return not parts
    if wanted[0] == "**":
        return any(_matches_parts(parts[depth:], wanted[1:]) for depth in range(len(parts) + 1))
    return bool(parts) and fnmatch.fnmatchcase(parts[0], wanted[0]) and _matches_parts(parts[1:], wanted[1:])


def safe_name(window: WindowVault, name: str) -> str:
    """Return a kept file's name. Raises DamagedArchiveError for one that leads out of its folder."""
    parts = PurePosixPath(name).parts
    if ".." in parts or name.startswith("/") or "\0" in name or PureWindowsPath(name).drive:
        raise DamagedArchiveError(
            f"{window.ledger}: names {name!a}, which leads out of its folder.",
            "This vault was not written by awf-archive; do not use it.",
        )
    return name


@contextmanager
def unpacked(window: WindowVault, segments: list[Segment]) -> Iterator[VaultSource]:
    """Unpack the newest generation of every file of a window, by a ledger, for the length of a block.

    Raises DamagedArchiveError when a segment is not what was kept.
    """
    files = newest_files(segments)
    origin = read_origin(window)
    path = Path(origin.get("path") or origin.get("name") or window.folder.name)
    with ExitStack() as stack:
        beside = {
            name: _unpack(stack, window, pieces, path.parent / safe_name(window, name))
            for name, pieces in files.items()
            if name
        }
        main = _unpack(stack, window, files.get("", []), path)
        main._beside = beside  # noqa: SLF001 - made here, one after the other
        if main.read(0, len(_DATABASE)) == _DATABASE:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="awf-archive-")))
            main.path = _on_disk(folder / path.name, main)
            for name, one in beside.items():
                one.path = _on_disk(folder / name, one)
        yield main


def _unpack(stack: ExitStack, window: WindowVault, segments: list[Segment], path: Path) -> VaultSource:
    data = stack.enter_context(tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY))  # noqa: SIM115 - the stack closes it
    size = 0
    for piece in window.read(segments):
        data.write(piece)
        size += len(piece)
    return VaultSource(name=str(path), path=path, size=size, _data=data, _beside={})


def _on_disk(path: Path, source: VaultSource) -> Path:
    """Write a file out: a database can only be opened by its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        at = 0
        while piece := source.read(at, _IN_MEMORY):
            file.write(piece)
            at += len(piece)
    return path
