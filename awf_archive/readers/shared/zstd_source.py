"""A transcript that its tool compressed with zstd, read as if it were not."""

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from awf_archive.errors import InputError
from awf_archive.readers.base import Source
from awf_archive.readers.shared.jsonl import CHUNK

if TYPE_CHECKING:
    from typing_extensions import Buffer

MAGIC = b"\x28\xb5\x2f\xfd"
MOST_BYTES = 4 << 30
"""A conversation of more than 4 GB is none."""
MOST_RATIO = 2000
"""Chats shrink to a tenth or a hundredth; a file that grows more than this was made to fill a disk."""
_FREE = 64 << 20
"""Up to this size the ratio does not matter."""
_IN_MEMORY = 8 << 20
_WINDOW = 1 << 27
"""What `zstd --ultra` needs at most by default; more is refused before memory is taken."""


def is_compressed(source: Source) -> bool:
    """Tell whether a source is a zstd file."""
    return source.read(0, len(MAGIC)) == MAGIC


@dataclass(frozen=True, slots=True)
class ZstdSource:
    """The inner bytes, in memory while they are few and in a nameless temporary file when they are many."""

    outer: Source
    size: int
    _file: IO[bytes]

    def __del__(self) -> None:
        self._file.close()

    @property
    def name(self) -> str:
        """The compressed file's own name."""
        return self.outer.name

    @property
    def stem(self) -> str:
        """The name without both endings."""
        return self.outer.stem.removesuffix(".jsonl")

    @property
    def path(self) -> Path:
        """Where the compressed file lies."""
        return self.outer.path

    def read(self, offset: int, length: int) -> bytes:
        """Return up to `length` of the inner bytes."""
        self._file.seek(offset)
        return self._file.read(max(0, min(length, self.size - offset)))

    def companions(self, pattern: str) -> Mapping[str, Source]:
        """Return the files beside the compressed one."""
        return self.outer.companions(pattern)

    def first_words(self) -> str:
        """Say what the outer bytes are."""
        return self.outer.first_words()


def head_of(source: Source, length: int) -> bytes:
    """Return the first inner bytes; b"" for a damaged file."""
    found: list[bytes] = []
    try:
        for piece in _pieces(source):
            found.append(piece)
            if sum(map(len, found)) >= length:
                break
    except InputError:
        pass
    return b"".join(found)[:length]


def decompressed(source: Source) -> ZstdSource:
    """Decompress a source. Raises InputError for a damaged file and for one that grows beyond all measure."""
    import tempfile

    spool: IO[bytes] = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - lives as long as its source
    total = 0
    try:
        for piece in _pieces(source):
            total += len(piece)
            _refuse_bomb(source, total)
            spool.write(piece)
    except InputError:
        spool.close()
        raise
    return ZstdSource(source, total, spool)


def _refuse_bomb(source: Source, total: int) -> None:
    if total > MOST_BYTES or (total > _FREE and total > MOST_RATIO * source.size):
        raise InputError(
            f"{source.name}: decompressed it is too large to be a conversation ({total >> 20} MB and more).",
            "Decompress it yourself with zstd -d if you trust it, then import the result.",
        )


def _pieces(source: Source) -> Iterator[bytes]:
    """Decompress piece by piece, all frames."""
    import zstandard

    decompressor = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
    reader = decompressor.stream_reader(
        cast("IO[bytes]", _Readable(source)), read_size=CHUNK, read_across_frames=True
    )
    try:
        while piece := reader.read(CHUNK):
            yield piece
    except zstandard.ZstdError as problem:
        raise InputError(
            f"{source.name}: the zstd data is damaged and cannot be decompressed.",
            "Check it with zstd -t; a copy from a backup may be whole.",
        ) from problem


class _Readable(io.RawIOBase):
    """What the library wants to read from."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._offset = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "Buffer", /) -> int:
        view = memoryview(buffer)
        piece = self._source.read(self._offset, len(view))
        view[: len(piece)] = piece
        self._offset += len(piece)
        return len(piece)
