"""A transcript read back from the vault, as readers want it."""

import fnmatch
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from awf_archive.readers.base import Source
from awf_archive.store.vault import Segment, WindowVault

_IN_MEMORY = 8 * 1024 * 1024
"""Bytes of a file held in memory; a longer one goes to a passing file, for readers jump about in it."""


@dataclass(slots=True, kw_only=True)
class VaultSource:
    """One file of a window, unpacked."""

    path: Path
    """Where the transcript lay; it need not be there any more."""
    size: int
    lines: int
    _data: IO[bytes]
    _beside: Mapping[str, "VaultSource"]

    @property
    def name(self) -> str:
        """The transcript's file name."""
        return self.path.name

    @property
    def stem(self) -> str:
        """The file's name without its ending."""
        return self.path.stem

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


@contextmanager
def unpacked(vault: WindowVault, path: Path) -> Iterator[VaultSource]:
    """Unpack the newest generation of every file of a window for the length of a block.

    Raises DamagedArchiveError when a segment is not what was kept.
    """
    files = vault.files()
    with ExitStack() as stack:
        beside = {
            name: _unpack(stack, vault, segments, path.parent / name)
            for name, segments in files.items()
            if name
        }
        main = _unpack(stack, vault, files.get("", []), path)
        main._beside = beside  # noqa: SLF001 - made here, one after the other
        yield main


def _unpack(stack: ExitStack, vault: WindowVault, segments: list[Segment], path: Path) -> VaultSource:
    data = stack.enter_context(tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY))  # noqa: SIM115 - the stack closes it
    size = lines = 0
    for piece in vault.read(segments):
        data.write(piece)
        size += len(piece)
        lines += piece.count(b"\n")
    return VaultSource(path=path, size=size, lines=lines, _data=data, _beside={})
