"""The source's own bytes, kept for ever: appended, compressed, chained by hashes (docs/trust.md).

One folder a window, in the user's data folder, where neither `git clean` nor deleting a worktree reaches it.
A ledger, one JSON object a line, names every segment; each line holds the digest of the line before it. What
the ledger does not name does not exist, so a crash leaves the old state or the new one.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from awf_archive.domain.ids import WindowId
from awf_archive.errors import DamagedArchiveError
from awf_archive.store import atomic

_SEGMENT = 32 * 1024 * 1024
"""Bytes of the source in one segment: under 50 MB also when they do not compress."""
_LEDGER = "ledger.jsonl"
_CHUNK = 1024 * 1024


class Readable(Protocol):
    """The bytes of one file as they were when it was opened."""

    @property
    def size(self) -> int:
        """How many there are."""

    def read(self, offset: int, length: int) -> bytes:
        """Return some of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """One line of the ledger: a run of one file's bytes."""

    file: str
    """The file's name relative to the transcript's folder; "" for the transcript itself."""
    generation: int
    """Counts up when a file's beginning changed: nothing old is overwritten."""
    offset: int
    length: int
    sha256: str
    """Of these bytes."""
    total_sha256: str
    """Of the generation's bytes from its beginning to the end of this segment."""
    segment: str
    """Name of the compressed file."""
    previous: str
    """SHA-256 of the ledger's line before this one; empty for the first."""

    @property
    def end(self) -> int:
        """Where in the file the segment ends."""
        return self.offset + self.length


@dataclass(frozen=True, slots=True, kw_only=True)
class Vault:
    """The vault of one workspace."""

    root: Path

    def window(self, window: WindowId) -> "WindowVault":
        """Return the vault of one window."""
        return WindowVault(folder=self.root / folder_name(window))

    def windows(self) -> list["WindowVault"]:
        """Return every window's vault, sorted."""
        found = sorted(self.root.glob(f"*/{_LEDGER}")) if self.root.is_dir() else []
        return [WindowVault(folder=path.parent) for path in found]


def folder_name(window: WindowId) -> str:
    """Return a window's folder name: readable, safe, and never shared, whatever the window is called.

    >>> folder_name(WindowId("../x"))
    'x-dc0b8e39ba5e'
    """
    readable = "".join(mark for mark in window if mark.isascii() and (mark.isalnum() or mark == "-"))[:40]
    return f"{readable}-{sha256(window.encode(errors='surrogatepass')).hexdigest()[:12]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowVault:
    """The bytes of one window."""

    folder: Path

    def segments(self) -> list[Segment]:
        """Return the ledger. A last line cut by a crash names nothing yet and is left out.

        Raises DamagedArchiveError when the chain is broken.
        """
        return [segment for segment, _ in self._lines()]

    def _lines(self) -> list[tuple[Segment, str]]:
        """Return every segment with the digest of its line."""
        try:
            data = (self.folder / _LEDGER).read_bytes()
        except FileNotFoundError:
            return []
        lines = data.split(b"\n")[:-1]
        found: list[tuple[Segment, str]] = []
        for number, line in enumerate(lines, 1):
            try:
                segment = Segment(**json.loads(line))
            except (ValueError, TypeError) as problem:
                raise self._broken(number, "does not read") from problem
            if segment.previous != (found[-1][1] if found else ""):
                raise self._broken(number, "does not follow the line before it")
            found.append((segment, sha256(line).hexdigest()))
        return found

    def _broken(self, line: int, what: str) -> DamagedArchiveError:
        return DamagedArchiveError(
            f"{self.folder / _LEDGER}, line {line}: {what}; the chain of the vault is broken.",
            "Bring the vault back from a backup; what it held before this line is still there.",
        )

    def append(self, sources: Mapping[str, Readable]) -> int:
        """Keep what is new in each file; return how many bytes that was. Raises DiskError.

        A file whose beginning is no longer what was kept, or which became shorter, starts a new generation.
        """
        lines = self._lines()
        kept = 0
        for name, source in sources.items():
            last = next((one for one, _ in reversed(lines) if one.file == name), None)
            generation, start, hasher = _continue(source, last)
            while start < source.size:
                data = source.read(start, _SEGMENT)
                if not data:
                    break  # the file shrank while it was read: what was there is kept
                hasher.update(data)
                segment = Segment(
                    file=name,
                    generation=generation,
                    offset=start,
                    length=len(data),
                    sha256=sha256(data).hexdigest(),
                    total_sha256=hasher.hexdigest(),
                    segment=f"{len(lines) + 1:06d}.zst",
                    previous=lines[-1][1] if lines else "",
                )
                lines.append((segment, self._write(segment, data)))
                start += len(data)
                kept += len(data)
        return kept

    def _write(self, segment: Segment, data: bytes) -> str:
        """Write the compressed bytes, then the line that names them; return the line's digest."""
        import zstandard

        self._prepare()
        atomic.write(self.folder / segment.segment, zstandard.compress(data, 3), mode=0o600)
        line = json.dumps(asdict(segment), sort_keys=True).encode()
        ledger = self.folder / _LEDGER
        with atomic.disk_errors(ledger):
            _cut_torn_end(ledger)
            descriptor = os.open(ledger, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(descriptor, "ab") as file:
                file.write(line + b"\n")
                file.flush()
                os.fsync(descriptor)
            atomic.sync_folder(self.folder)
        return sha256(line).hexdigest()

    def _prepare(self) -> None:
        with atomic.disk_errors(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            for folder in (self.folder, self.folder.parent):
                folder.chmod(0o700)

    def files(self) -> dict[str, list[Segment]]:
        """Return the newest generation of every file, in order of first appearance."""
        newest: dict[str, list[Segment]] = {}
        for segment in self.segments():
            known = newest.setdefault(segment.file, [])
            if known and known[0].generation != segment.generation:
                known.clear()
            known.append(segment)
        return newest

    def read(self, segments: Iterable[Segment]) -> Iterator[bytes]:
        """Yield the bytes of segments, each checked. Raises DamagedArchiveError for one that is not whole."""
        import zstandard

        for segment in segments:
            path = self.folder / segment.segment
            try:
                data = zstandard.decompress(path.read_bytes(), max_output_size=segment.length)
            except (OSError, zstandard.ZstdError) as problem:
                raise self._not_whole(path) from problem
            if len(data) != segment.length or sha256(data).hexdigest() != segment.sha256:
                raise self._not_whole(path)
            yield data

    def _not_whole(self, path: Path) -> DamagedArchiveError:
        return DamagedArchiveError(
            f"{path}: its bytes are not those that were kept.",
            "Bring the file back from a backup of the vault.",
        )


def _continue(source: Readable, last: Segment | None) -> tuple[int, int, "_Hash"]:
    """Return the generation to write to, where in the source to go on, and the digest up to there."""
    hasher = sha256()
    if last is None:
        return 1, 0, hasher
    at = 0
    while at < last.end and (data := source.read(at, min(_CHUNK, last.end - at))):
        hasher.update(data)
        at += len(data)
    if at == last.end and hasher.hexdigest() == last.total_sha256:
        return last.generation, last.end, hasher
    return last.generation + 1, 0, sha256()


class _Hash(Protocol):
    def update(self, data: bytes, /) -> None: ...

    def hexdigest(self) -> str: ...


def _cut_torn_end(ledger: Path) -> None:
    """Take away a last line that a crash cut: it named nothing."""
    try:
        data = ledger.read_bytes()
    except FileNotFoundError:
        return
    if data and not data.endswith(b"\n"):
        with ledger.open("r+b") as file:
            file.truncate(data.rfind(b"\n") + 1)
