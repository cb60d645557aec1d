"""The files of an export, in a ZIP, in a ZIP of ZIPs, or on their own: conversations to stream, assets to look up."""

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import IO, TYPE_CHECKING, TypeAlias

from awf_archive.domain.transcript import Transcript
from awf_archive.errors import InputError
from awf_archive.readers.base import Source
from awf_archive.readers.shared.head import HEAD, Head, head_in, head_of
from awf_archive.readers.shared.json_stream import Item, values
from awf_archive.readers.shared.jsonl import CHUNK, chunks

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

Fetch: TypeAlias = Callable[[], bytes]
Pieces: TypeAlias = Callable[[], Iterator[bytes]]

BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError)
"""What `zipfile` raises for damage, encryption, and methods that it does not know."""

_CONVERSATIONS = re.compile(r"(?:.*/)?conversations(?:-\d+)?\.json")
_ASSET = re.compile(r"(?:.*/)?(file[-_][A-Za-z0-9]{8,})[^/]*")
_MOST_NESTED = 3
_BOMB_SIZE = 64 << 20
_BOMB_RATIO = 300
"""JSON that people wrote shrinks to a twentieth, seldom to a hundredth."""
_BOMB_TOTAL = 64 << 30
_LARGEST_ASSET = 256 << 20


class SourceFile(io.RawIOBase):
    """A source as the file object that `zipfile` wants."""

    def __init__(self, source: Source, start: int = 0, size: int | None = None) -> None:
        super().__init__()
        self._source, self._start = source, start
        self._size = source.size - start if size is None else size
        self._at = 0

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def seekable(self) -> bool:
        """Tell that one may go to any place."""
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a place."""
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        if base + offset < 0:
            raise ValueError("a place before the file's beginning")
        self._at = base + offset
        return self._at

    def tell(self) -> int:
        """Say where we are."""
        return self._at

    def readinto(self, buffer: "WriteableBuffer") -> int:
        """Read from here into a buffer."""
        view = memoryview(buffer).cast("B")
        left = max(0, self._size - self._at)
        data = self._source.read(self._start + self._at, min(len(view), left))
        view[: len(data)] = data
        self._at += len(data)
        return len(data)

    def part(self, start: int, size: int) -> "SourceFile":
        """Return a piece of this file as a file."""
        return SourceFile(self._source, self._start + start, size)


@dataclass(slots=True)
class Document:
    """One file of conversations."""

    name: str
    pieces: Pieces


@dataclass(slots=True)
class Export:
    """What an export holds."""

    documents: list[Document] = field(default_factory=list)
    assets: dict[str, tuple[str, Fetch]] = field(default_factory=dict)
    """Name and bytes of a file, by its id."""
    source: Source | None = None
    """Set where the conversations are a file of their own, with the assets beside it."""
    shown: dict[str, Fetch] = field(default_factory=dict)
    """The files that the conversation which is being read points at, by name."""
    is_look: bool = False
    """Only the beginning will be read: to recognise a bomb as an export, so that reading can say what it is."""

    def asset(self, file_id: str) -> tuple[str, Fetch] | None:
        """Return a file that a conversation points at; None when the export lacks it."""
        found = self._asset(file_id)
        if found:
            self.shown[found[0]] = found[1]
        return found

    def _asset(self, file_id: str) -> tuple[str, Fetch] | None:
        if file_id in self.assets or self.source is None or not _ASSET.fullmatch(file_id):
            return self.assets.get(file_id)
        for pattern in (f"{file_id}*", f"dalle-generations/{file_id}*"):
            for name, beside in self.source.companions(pattern).items():
                return name.rsplit("/", 1)[-1], lambda beside=beside: beside.read(0, beside.size)
        return None


def is_zip(source: Source) -> bool:
    """Tell whether a source begins as a ZIP does."""
    return source.read(0, 4) == b"PK\x03\x04"


def export_head(source: Source, key: str) -> Head:
    """Return the first conversation's keys, in a ZIP or not; nothing where `key` is nowhere."""
    if not is_zip(source):
        return head_of(source, f'"{key}"'.encode())
    try:
        for document in _open(source, is_look=True).documents:
            return head_in(next(document.pieces(), b"")[:HEAD])
    except (*BROKEN, InputError):
        pass
    return head_in(b"")


def open_export(source: Source) -> Export:
    """Open an export. Raises InputError when it is a ZIP that cannot be read, or a bomb."""
    if not is_zip(source):
        return Export([Document("", lambda: chunks(source))], source=source)
    try:
        export = _open(source)
    except BROKEN as problem:
        raise InputError(
            f"{source.name}: the ZIP archive cannot be read.", "Download the export once more."
        ) from problem
    if not export.documents:
        raise InputError(
            f"{source.name}: there is no conversations.json in it.", "Name the export's own ZIP."
        )
    return export


def _open(source: Source, *, is_look: bool = False) -> Export:
    export = Export(is_look=is_look)
    _add(export, source.name, io.BufferedReader(SourceFile(source)), 0)
    export.documents.sort(key=lambda document: document.name)
    return export


def _add(export: Export, name: str, file: IO[bytes], depth: int) -> None:
    """Take in the members of a ZIP, and of those inside it."""
    archive = zipfile.ZipFile(file)
    members = archive.infolist()
    _refuse_bombs(name, [one for one in members if not export.is_look or _is_zip_name(one.filename)])
    for member in members:
        if _CONVERSATIONS.fullmatch(member.filename):
            export.documents.append(Document(member.filename, _member_pieces(archive, member)))
        elif match := _ASSET.fullmatch(member.filename):
            if member.file_size <= _LARGEST_ASSET:
                file_name = member.filename.rsplit("/", 1)[-1]
                export.assets[match[1]] = file_name, _member_bytes(archive, member)
        elif _is_zip_name(member.filename) and depth < _MOST_NESTED:
            _add(export, f"{name}/{member.filename}", _inner(file, archive, member), depth + 1)


def _is_zip_name(name: str) -> bool:
    return name.lower().endswith(".zip")


def _inner(file: IO[bytes], archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> IO[bytes]:
    """Open a ZIP inside a ZIP; one that is stored as it is can be read at any place without unpacking."""
    raw = getattr(file, "raw", None)
    if member.compress_type != zipfile.ZIP_STORED or not isinstance(raw, SourceFile):
        return archive.open(member)
    file.seek(member.header_offset + _NAME_LENGTHS)
    lengths = struct.unpack("<HH", file.read(4))
    start = member.header_offset + _LOCAL_HEADER + sum(lengths)
    return io.BufferedReader(raw.part(start, member.file_size))


_NAME_LENGTHS, _LOCAL_HEADER = 26, 30
"""In a ZIP's header of one member: where the lengths of its name and extras stand, and its size without them."""


def _refuse_bombs(name: str, members: list[zipfile.ZipInfo]) -> None:
    """Raise InputError for a ZIP that unpacks to what no conversation is."""
    total = 0
    for member in members:
        total += member.file_size
        ratio = member.file_size / max(1, member.compress_size)
        if (member.file_size > _BOMB_SIZE and ratio > _BOMB_RATIO) or total > _BOMB_TOTAL:
            raise InputError(
                f"{name}: the ZIP archive unpacks to far more than it should and was left alone.",
                "If it is a real export, unpack it yourself and name its conversations.json.",
            )


def _member_pieces(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Pieces:
    def pieces() -> Iterator[bytes]:
        with archive.open(member) as file:
            while piece := file.read(CHUNK):
                yield piece

    return pieces


def _member_bytes(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Fetch:
    return lambda: archive.read(member)


_EMPTY = 64
"""Bytes of an export without conversations: `[]`."""


def _own(raw: bytes, shown: dict[str, Fetch]) -> dict[str, Fetch]:
    """Return a conversation's own bytes and the files that it shows, for the vault."""
    return {"": lambda: raw} | {name: partial(_whole, fetch) for name, fetch in shown.items()}


def _whole(fetch: Fetch) -> bytes:
    """Return a file of the export; nothing when it is damaged, which the conversation says."""
    try:
        return fetch()
    except BROKEN:
        return b""


def read_export(
    source: Source, starts: re.Pattern[str], make: Callable[[Item, Export], Transcript]
) -> Iterator[Transcript]:
    """Yield an export's conversations, each made of one value; memory holds one.

    `starts` recognises the beginning of a conversation, where reading goes on after damage.
    Raises InputError when no conversation can be read, and at the place where a ZIP is damaged.
    """
    export = open_export(source)
    understood = 0
    for document in export.documents:
        for item in values(_unpacked(source, document), starts):
            export.shown = {}
            one = make(item, export)
            understood += bool(one.records)
            yield one if item.is_damaged else replace(one, own_files=_own(item.raw, export.shown))
    if not understood and source.size > _EMPTY:
        raise InputError(
            f"{source.name}: no conversation in it can be read.",
            "Name the file's own format with --format, or download the export once more.",
        )


def _unpacked(source: Source, document: Document) -> Iterator[bytes]:
    """Yield a document's bytes. Raises InputError where the ZIP is damaged."""
    try:
        yield from document.pieces()
    except BROKEN as problem:
        raise InputError(
            f"{source.name}: {document.name} is damaged; what stands before the damage was read.",
            "Download the export once more.",
        ) from problem
