"""Adding to the vault what is new in a source: segments first, then, in one write, the lines that name them."""

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path

from awf_archive.errors import DamagedArchiveError
from awf_archive.store import atomic
from awf_archive.store.vault import (
    SEGMENT,
    SET_ASIDE,
    Hasher,
    Readable,
    Segment,
    WindowVault,
    newest_files,
    unpacked_segment,
)

_CHUNK = 1024 * 1024
_MODE = 0o600


def append(window: WindowVault, sources: Mapping[str, Readable]) -> int:
    """Keep what is new in each file; return how many bytes that was. Call it while holding the vault's lock.

    A file whose beginning is no longer what was kept starts a new generation; one that became shorter and is
    the beginning of what is kept adds nothing. Raises DiskError, and DamagedArchiveError when the chain is
    broken: then nothing is added.
    """
    lines = window.lines()
    adding = _Adding(window=window, lines=lines)
    private_folder(window.folder)
    with atomic.disk_errors(window.folder):
        adding.look_about()
        try:
            for name, source in sources.items():
                adding.take(name, source)
            adding.commit()
        except BaseException:
            adding.undo()
            raise
        adding.tidy()
    return sum(adding.kept)


def private_folder(folder: Path) -> None:
    """Make a folder, with those above it that are missing, for its owner alone. Raises DiskError."""
    with atomic.disk_errors(folder):
        missing = [one for one in (folder, *folder.parents) if not one.exists()]
        for one in reversed(missing):
            one.mkdir(mode=0o700, exist_ok=True)
        if os.name == "posix" and folder.stat().st_mode & 0o077:
            folder.chmod(0o700)


@dataclass(slots=True, kw_only=True)
class _Adding:
    """One call of `append`."""

    window: WindowVault
    lines: list[tuple[Segment, str]]
    new: list[bytes] = field(default_factory=list)
    """Lines of the ledger that are not yet written."""
    kept: list[int] = field(default_factory=list)
    written: list[Path] = field(default_factory=list)
    orphans: dict[Path, bytes] = field(default_factory=dict)
    """Segments of an interrupted run, with their bytes; b"" for one that does not read."""
    covered: set[Path] = field(default_factory=set)
    """Those whose bytes are in a segment of this run."""
    ends: dict[str, dict[int, Segment]] = field(default_factory=dict)
    """The last segment of each file's generations."""
    by_digest: dict[str, str] = field(default_factory=dict)
    """Segments' names by the digest of their bytes: equal bytes are kept once."""
    number: int = 0

    def look_about(self) -> None:
        """Learn what is there; take away temporary files of an interrupted run."""
        for segment, _ in self.lines:
            self.ends.setdefault(segment.file, {})[segment.generation] = segment
            self.by_digest[segment.sha256] = segment.segment
        for path in self.window.unnamed(segment for segment, _ in self.lines):
            if path.name.startswith(atomic.TEMPORARY):
                path.unlink(missing_ok=True)
                continue
            try:
                self.orphans[path] = unpacked_segment(path)
            except DamagedArchiveError:
                self.orphans[path] = b""
        self.number = max((int(path.stem) for path in self.window.folder.glob("*.zst")), default=0)

    def take(self, name: str, source: Readable) -> None:
        """Write the segments of what is new in one file."""
        ends = self.ends.get(name, {})
        going_on = _continue(source, ends)
        if going_on is None and self._holds_all(name, source):
            return
        generation, start, hasher = going_on or (max(ends, default=0) + 1, 0, sha256())
        while start < source.size:
            data = source.read(start, SEGMENT)
            if not data:
                break  # the file shrank while it was read: what was there is kept
            hasher.update(data)
            digest = sha256(data).hexdigest()
            segment = Segment(
                file=name,
                generation=generation,
                offset=start,
                length=len(data),
                sha256=digest,
                total_sha256=hasher.hexdigest(),
                segment=self._stored(digest, data),
                previous=self.lines[-1][1] if self.lines else "",
            )
            self._name(segment)
            start += len(data)

    def _holds_all(self, name: str, source: Readable) -> bool:
        """Whether a source that became shorter is the beginning of what is kept: then nothing of it is new."""
        kept = newest_files(segment for segment, _ in self.lines).get(name, [])
        if not kept or source.size >= kept[-1].end:
            return False
        at = 0
        for data in self.window.read(kept):
            given = source.read(at, len(data))
            if not data.startswith(given):
                return False
            at += len(given)
            if len(given) < len(data):
                break
        return at == source.size

    def _stored(self, digest: str, data: bytes) -> str:
        """Return the name of the compressed file that holds `data`; write it if there is none yet."""
        import zstandard

        if (known := self.by_digest.get(digest)) and _holds(self.window.folder / known, data):
            return known
        self.number += 1
        path = self.window.folder / f"{self.number:06d}.zst"
        atomic.write(path, zstandard.compress(data, 3), mode=_MODE)
        self.written.append(path)
        self.by_digest[digest] = path.name
        self.covered.update(one for one, held in self.orphans.items() if held and data.startswith(held))
        return path.name

    def _name(self, segment: Segment) -> None:
        line = json.dumps(asdict(segment), sort_keys=True).encode()
        self.new.append(line)
        self.lines.append((segment, sha256(line).hexdigest()))
        self.ends.setdefault(segment.file, {})[segment.generation] = segment
        self.kept.append(segment.length)

    def commit(self) -> None:
        """Name what was written, in one write; on failure the ledger is as it was."""
        if not self.new:
            return
        ledger = self.window.ledger
        size = _cut_torn_end(ledger)
        try:
            descriptor = os.open(ledger, os.O_WRONLY | os.O_CREAT | os.O_APPEND, _MODE)
            with os.fdopen(descriptor, "wb") as file:
                file.write(b"".join(line + b"\n" for line in self.new))
                file.flush()
                os.fsync(descriptor)
            atomic.sync_folder(self.window.folder)
        except BaseException:
            self._take_back(size)
            raise

    def _take_back(self, size: int) -> None:
        """Bring the ledger back to its size; where that fails its new lines may stay, and what they name must."""
        try:
            descriptor = os.open(self.window.ledger, os.O_WRONLY)
            try:
                os.ftruncate(descriptor, size)
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except OSError:
            self.written.clear()

    def undo(self) -> None:
        """Take away the segments that no line names."""
        with suppress(OSError):
            for path in self.written:
                path.unlink(missing_ok=True)

    def tidy(self) -> None:
        """Let go of an interrupted run's segments whose bytes are in the new ones; set any other aside."""
        for orphan, held in self.orphans.items():
            if orphan in self.covered or sha256(held).hexdigest() in self.by_digest:
                orphan.unlink(missing_ok=True)
            else:
                set_aside(self.window, [orphan])


def set_aside(window: WindowVault, paths: Iterable[Path]) -> list[Path]:
    """Move files that no line names out of the way; return where they are now. Raises DiskError."""
    moved = []
    for path in paths:
        private_folder(window.folder / SET_ASIDE)
        number, target = 1, window.folder / SET_ASIDE / path.name
        while target.exists():
            number, target = number + 1, target.with_name(f"{path.name}.{number}")
        atomic.move(path, target)
        moved.append(target)
    return moved


def mend_ledger(window: WindowVault) -> None:
    """Take away a last line that a crash cut. Raises DiskError."""
    with atomic.disk_errors(window.ledger):
        _cut_torn_end(window.ledger)


def _holds(path: Path, data: bytes) -> bool:
    try:
        return unpacked_segment(path) == data
    except DamagedArchiveError:
        return False


def _continue(source: Readable, ends: Mapping[int, Segment]) -> tuple[int, int, Hasher] | None:
    """Return the newest generation that the source goes on from, where, and the digest up to there, or None.

    `ends` are the last segments of each generation. A source that goes back and forth between two texts adds
    nothing the second time.
    """
    hasher, at = sha256(), 0
    found: tuple[int, int, Hasher] | None = None
    for last in sorted(ends.values(), key=lambda one: one.end):
        while at < last.end and (data := source.read(at, min(_CHUNK, last.end - at))):
            hasher.update(data)
            at += len(data)
        is_newer = found is None or last.generation > found[0]
        if at == last.end and hasher.hexdigest() == last.total_sha256 and is_newer:
            found = last.generation, last.end, hasher.copy()
    return found


def _cut_torn_end(ledger: Path) -> int:
    """Take away a last line that a crash cut: it named nothing. Return the ledger's size."""
    try:
        data = ledger.read_bytes()
    except FileNotFoundError:
        return 0
    size = data.rfind(b"\n") + 1
    if size < len(data):
        with ledger.open("r+b") as file:
            file.truncate(size)
    return size
