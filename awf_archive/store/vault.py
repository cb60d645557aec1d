"""The source's own bytes, kept for ever: appended, compressed, chained by hashes (docs/trust.md).

One folder a window, in the user's data folder, where neither `git clean` nor deleting a worktree reaches it.
A ledger, one JSON object a line, names every segment; each line holds the digest of the line before it. What
the ledger does not name does not exist, so a crash leaves the old state or the new one.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from awf_archive.domain.ids import WindowId
from awf_archive.errors import DamagedArchiveError
from awf_archive.store import atomic

SEGMENT = 32 * 1024 * 1024
"""Bytes of the source in one segment: under 50 MB also when they do not compress."""
LEDGER = "ledger.jsonl"
ORIGIN = "origin.json"
"""Where the bytes came from; written once."""
SET_ASIDE = "set-aside"
"""Complete segments that the ledger does not name, and whose bytes are in no other: kept, for what it is worth."""
_SEGMENT_NAME = re.compile(r"\d{6,12}\.zst")
_MOST_MOMENTS = 40


class Readable(Protocol):
    """The bytes of one file as they were when it was opened."""

    @property
    def size(self) -> int:
        """How many there are."""

    def read(self, offset: int, length: int) -> bytes:
        """Return some of them."""


class Hasher(Protocol):
    """What `hashlib` gives."""

    def update(self, data: bytes, /) -> None:
        """Take more bytes in."""

    def hexdigest(self) -> str:
        """Return the digest so far."""

    def copy(self) -> "Hasher":
        """Return another that goes on from here."""


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


def parse_segment(line: bytes) -> Segment:
    """Return a line of the ledger. Raises ValueError for any that we would not have written."""
    value = json.loads(line)
    if not isinstance(value, dict) or set(value) != {one.name for one in fields(Segment)}:
        raise ValueError("not a segment")
    for one in fields(Segment):
        if type(value[one.name]) is not one.type:
            raise ValueError(f"{one.name} is no {one.type}")
    segment = Segment(**value)
    if not _SEGMENT_NAME.fullmatch(segment.segment) or not 0 < segment.length <= SEGMENT:
        raise ValueError("not a segment of ours")
    return segment


@dataclass(frozen=True, slots=True, kw_only=True)
class Vault:
    """The vault of one workspace."""

    root: Path

    @property
    def lock(self) -> Path:
        """Held while something is appended: two copies of a workspace may share a vault."""
        return self.root / "lock"

    def window(self, window: WindowId) -> "WindowVault":
        """Return the vault of one window."""
        return WindowVault(folder=self.root / folder_name(window))

    def windows(self) -> list["WindowVault"]:
        """Return every window's vault, sorted; also those that have lost their ledger."""
        if not self.root.is_dir():
            return []
        found = {path.parent for name in (LEDGER, "*.zst") for path in self.root.glob(f"*/{name}")}
        return [WindowVault(folder=folder) for folder in sorted(found)]

    def origins(self) -> list["WindowVault"]:
        """Return every window that says where it came from, also those kept in a file that holds several."""
        found = sorted(self.root.glob(f"*/{ORIGIN}")) if self.root.is_dir() else []
        return [WindowVault(folder=path.parent) for path in found]


def folder_name(window: WindowId) -> str:
    """Return a window's folder name: readable, safe, and never shared, whatever the window is called.

    >>> folder_name(WindowId("../x"))
    'x-d6b96a97d147'
    """
    readable = "".join(mark for mark in window if mark.isascii() and (mark.isalnum() or mark == "-"))[:40]
    return f"{readable}-{sha256(window.encode(errors='surrogatepass')).hexdigest()[:12]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowVault:
    """The bytes of one window."""

    folder: Path

    @property
    def ledger(self) -> Path:
        """Names every segment."""
        return self.folder / LEDGER

    def segments(self) -> list[Segment]:
        """Return the ledger. A last line cut by a crash names nothing yet and is left out.

        Raises DamagedArchiveError when the chain is broken.
        """
        return [segment for segment, _ in self.lines()]

    def lines(self) -> list[tuple[Segment, str]]:
        """Return every segment with the digest of its line. Raises DamagedArchiveError like `segments`."""
        found: list[tuple[Segment, str]] = []
        for number, line in enumerate(self._ledger_bytes().split(b"\n")[:-1], 1):
            try:
                segment = parse_segment(line)
            except (ValueError, TypeError) as problem:
                raise self._broken(number, "does not read") from problem
            if segment.previous != (found[-1][1] if found else ""):
                raise self._broken(number, "does not follow the line before it")
            found.append((segment, sha256(line).hexdigest()))
        return found

    def _ledger_bytes(self) -> bytes:
        try:
            return self.ledger.read_bytes()
        except FileNotFoundError:
            return b""

    def is_torn(self) -> bool:
        """Whether a crash cut the ledger's last line."""
        data = self._ledger_bytes()
        return bool(data) and not data.endswith(b"\n")

    def unnamed(self, segments: Iterable[Segment]) -> list[Path]:
        """Return the files that no line names: what a crash left, or what the ledger lost."""
        named = {one.segment for one in segments}
        found = [*self.folder.glob("*.zst"), *self.folder.glob(f"{atomic.TEMPORARY}*")]
        return sorted(path for path in found if path.name not in named)

    def _broken(self, line: int, what: str) -> DamagedArchiveError:
        return DamagedArchiveError(
            f"{self.ledger}, line {line}: {what}; the chain of the vault is broken.",
            "Bring the vault back from a backup; what it held before this line is still there.",
        )

    def read(self, segments: Iterable[Segment]) -> Iterator[bytes]:
        """Yield the bytes of segments, each checked. Raises DamagedArchiveError for one that is not whole."""
        for segment in segments:
            path = self.folder / segment.segment
            data = unpacked_segment(path)
            if len(data) != segment.length or sha256(data).hexdigest() != segment.sha256:
                raise not_whole(path)
            yield data


def unpacked_segment(path: Path) -> bytes:
    """Return a segment's bytes. Raises DamagedArchiveError when it does not read, or claims to be too large."""
    import zstandard

    try:
        packed = path.read_bytes()
        if not 0 < zstandard.frame_content_size(packed) <= SEGMENT:
            raise not_whole(path)
        data: bytes = zstandard.decompress(packed)
    except (OSError, zstandard.ZstdError) as problem:
        raise not_whole(path) from problem
    return data


def not_whole(path: Path) -> DamagedArchiveError:
    """Return the error for a segment that is missing or damaged."""
    return DamagedArchiveError(
        f"{path}: its bytes are not those that were kept.",
        "Bring the file back from a backup of the vault.",
    )


def newest_files(segments: Iterable[Segment]) -> dict[str, list[Segment]]:
    """Return the generation of every file that was added to last, in order of first appearance."""
    generations: dict[tuple[str, int], list[Segment]] = {}
    newest: dict[str, list[Segment]] = {}
    for segment in segments:
        kept = generations.setdefault((segment.file, segment.generation), [])
        kept.append(segment)
        newest[segment.file] = kept
    return newest


def moments(segments: list[Segment]) -> Iterator[list[Segment]]:
    """Yield the ledger as it was at earlier moments, the newest first: now, before each new generation, the rest.

    A turn that the source no longer gives as it was saved, because it shrank or was rewritten, is given by one
    of these. Of the rest only the newest are looked at.
    """
    ends = [len(segments)]
    last: dict[str, int] = {}
    for place, segment in enumerate(segments):
        if last.get(segment.file, segment.generation) != segment.generation:
            ends.insert(1, place)
        last[segment.file] = segment.generation
    ends += range(len(segments) - 1, 0, -1)
    for end in list(dict.fromkeys(ends))[:_MOST_MOMENTS]:
        if end:
            yield segments[:end]
