"""What the index holds, in a file of ours beside it: digests of what was indexed, sizes of what was written.

There is one such file per generation, and it is written *before* the commit that makes the generation exist: so
after a crash between the two the old file still tells the truth about the old generation.
"""

import json
import os
import sys
import tempfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from awf_archive.search.documents import Key


class Held(NamedTuple):
    """One indexed key."""

    digest: str
    documents: int


class Seal(NamedTuple):
    """How a file looked when it was written."""

    size: int
    crc: int


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The content of an index at one generation."""

    generation: int
    held: Mapping[Key, Held] = field(default_factory=dict)
    files: Mapping[str, Seal] = field(default_factory=dict)
    """Empty until the commit is done; then every file of the generation."""


_FORMAT = f"awf-archive index state 1 {sys.byteorder}"


def path_of(folder: Path, generation: int) -> Path:
    """Return the state file's place."""
    return folder / f"state-{generation}.json"


def read(folder: Path, generation: int) -> State | None:
    """Return the state of a generation, or None where its file is missing or not ours."""
    try:
        raw = json.loads(path_of(folder, generation).read_bytes())
        if raw["format"] != _FORMAT:
            return None
        held = {
            Key(feature, unit): Held(str(digest), int(documents))
            for feature, units in raw["keys"].items()
            for unit, (digest, documents) in units.items()
        }
        files = {name: Seal(int(size), int(crc)) for name, (size, crc) in raw["files"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return State(generation=generation, held=held, files=files)


def write(folder: Path, state: State) -> None:
    """Write a state file at once or not at all; no sync, since the index may be lost at any time."""
    keys: dict[str, dict[str, Held]] = {}
    for (feature, unit), held in state.held.items():
        keys.setdefault(feature, {})[unit] = held
    content = json.dumps({"format": _FORMAT, "keys": keys, "files": state.files})
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=".state-")
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(content)
        Path(temporary).replace(path_of(folder, state.generation))
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def forget_others(folder: Path, generation: int) -> None:
    """Delete the state files of older generations, and what killed processes left half written.

    The one before stays, since a reader may be looking at it. Whoosh deletes its own leftovers but for these.
    """
    old = [path for path in folder.glob("state-*.json") if _number(path) < generation - 1]
    for path in [*old, *folder.glob(".state-*"), *folder.glob("_MAIN_*.toc.*")]:
        path.unlink(missing_ok=True)


def _number(path: Path) -> int:
    digits = path.stem.removeprefix("state-")
    return int(digits) if digits.isdecimal() else -1


def seal(path: Path) -> Seal:
    """Return a file's size and checksum."""
    crc = size = 0
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            crc = zlib.crc32(block, crc)
            size += len(block)
    return Seal(size, crc)
