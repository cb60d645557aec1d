"""One file of everything, proven when it is written and again before and after it is unpacked (docs/trust.md)."""

import io
import json
import os
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO

from awf_archive.domain.escape import json_pages
from awf_archive.errors import ArchiveError, DamagedArchiveError, InputError, UsageError
from awf_archive.services.keep import WORKSPACE_FILE
from awf_archive.store import atomic
from awf_archive.store.layout import Layout
from awf_archive.store.lock import holding
from awf_archive.store.vault import Hasher, Vault
from awf_archive.store.vault_append import private_folder

_CONTENTS = "contents.json"
_VERSION = 1
_LARGEST = 1 << 32
"""Bytes of one file in a backup: what claims more is no backup of ours."""
_LONGEST_LIST = 1 << 28
_FREE, _MOST_RATIO = 1 << 28, 400
"""Beyond this size a backup may unpack to this many times its own; text shrinks to a tenth, seldom to a hundredth."""
_BLOCK = 1024 * 1024
_MARK_CONTROL = 32

_Contents = dict[str, tuple[int, str]]
"""Each file's size and SHA-256, by its name in the backup."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """What was written or unpacked."""

    path: Path
    files: int
    bytes: int


@dataclass(slots=True)
class _Counted:
    """A file that is hashed while it is read."""

    file: IO[bytes]
    size: int = 0
    hasher: Hasher = field(default_factory=sha256)

    def read(self, length: int = -1) -> bytes:
        """Read on."""
        data = self.file.read(length)
        self.size += len(data)
        self.hasher.update(data)
        return data

    def blocks(self) -> Iterator[bytes]:
        """Yield what is left, piece by piece."""
        while data := self.read(_BLOCK):
            yield data

    @property
    def facts(self) -> tuple[int, str]:
        """Size and digest of what was read so far."""
        return self.size, self.hasher.hexdigest()


def back_up(layout: Layout, vault: Vault | None, target: Path) -> Backup:
    """Write the archive, the work state and the vault of a workspace into one file; then read it back and compare.

    Raises UsageError when `target` is there already, DiskError, DamagedArchiveError when what was written
    does not read back.
    """
    if target.exists():
        raise UsageError(f"{target}: is there already.", "Name another file.")
    passing = atomic.temporary(target)
    try:
        with ExitStack() as stack:
            stack.enter_context(holding(layout.lock))
            if vault and vault.root.is_dir():
                stack.enter_context(holding(vault.lock))
            stack.enter_context(atomic.disk_errors(target))
            contents = _write(layout, vault, passing)
        if _proven(passing) != contents:
            raise DamagedArchiveError(f"{target}: does not read back as it was written.", "Try another disk.")
        with atomic.disk_errors(target):
            passing.replace(target)
            atomic.sync_folder(target.parent)
    finally:
        passing.unlink(missing_ok=True)
    return _told(target, contents)


def _told(path: Path, contents: _Contents) -> Backup:
    return Backup(path=path, files=len(contents), bytes=sum(size for size, _ in contents.values()))


def _write(layout: Layout, vault: Vault | None, target: Path) -> _Contents:
    contents: _Contents = {}
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        with tarfile.open(fileobj=file, mode="w:gz", compresslevel=6) as archive:
            for name, path in _files(layout, vault):
                with path.open("rb") as source:
                    counted = _Counted(source)
                    _add(archive, name, counted, os.fstat(source.fileno()).st_size)
                contents[name] = counted.facts
            listed = {name: list(facts) for name, facts in contents.items()}
            data = json_pages({"version": _VERSION, "files": listed})
            _add(archive, _CONTENTS, _Counted(io.BytesIO(data)), len(data))
        file.flush()
        os.fsync(descriptor)
    return contents


def _add(archive: tarfile.TarFile, name: str, source: _Counted, size: int) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = size, 0o600
    archive.addfile(entry, source)


def _files(layout: Layout, vault: Vault | None) -> Iterator[tuple[str, Path]]:
    """Yield every file with its name: `archive/…`, `brain/…`, `vault/…`; passing files and links are left out."""
    roots = [("archive", layout.archive), ("brain", layout.root / ".brain")]
    roots += [("vault", vault.root)] if vault else []
    for prefix, root in roots:
        for path in sorted(root.rglob("*")) if root.is_dir() else ():
            name = f"{prefix}/{path.relative_to(root).as_posix()}"
            is_ours = not path.name.startswith(atomic.TEMPORARY) and name not in _OF_THIS_MACHINE
            if path.is_file() and not path.is_symlink() and is_ours:
                yield name, path


_OF_THIS_MACHINE = frozenset({f"vault/{WORKSPACE_FILE}", "vault/lock"})


def _proven(source: Path) -> _Contents:
    """Read a backup through and return what it holds. Raises InputError when it is none, or is damaged."""
    found: _Contents = {}
    with _only_input_errors(source):
        for name, file in _members(source):
            if name == _CONTENTS:
                listed = json.loads(file.read(_LONGEST_LIST))["files"]
                if found != {name: tuple(facts) for name, facts in listed.items()}:
                    raise InputError(
                        f"{source}: its files are not those that it lists.", "Use another backup."
                    )
                return found
            if name in found:
                raise InputError(f"{source}: holds {name!a} twice.", "Use another backup.")
            for _ in file.blocks():
                pass
            found[name] = file.facts
    raise InputError(f"{source}: is cut off, or no backup of awf-archive.", "Use another backup.")


@contextmanager
def _only_input_errors(source: Path) -> Iterator[None]:
    """Turn whatever a damaged file makes `tarfile` and `json` raise into one error of ours."""
    try:
        yield
    except ArchiveError:
        raise
    except (*_BROKEN, OSError) as problem:
        raise InputError(
            f"{source}: does not read as a backup ({problem}).", "Use another backup."
        ) from problem


_BROKEN = (EOFError, tarfile.TarError, zlib.error, ValueError, KeyError, TypeError, AttributeError)


def _members(source: Path) -> Iterator[tuple[str, _Counted]]:
    """Yield every file of a backup. Raises InputError for whatever is not one of ours."""
    total = 0
    most = max(_FREE, _MOST_RATIO * source.stat().st_size)
    with tarfile.open(source, "r|gz") as archive:
        for entry in archive:
            total += entry.size
            if not entry.isreg() or entry.size > _LARGEST or not _is_safe(entry.name):
                raise InputError(f"{source}: holds {entry.name!a}, which no backup of ours does.")
            if total > most:
                raise InputError(f"{source}: unpacks to far more than a backup of ours would.")
            stream = archive.extractfile(entry)
            if stream:
                yield entry.name, _Counted(stream)


def _is_safe(name: str) -> bool:
    path = PurePosixPath(name)
    is_known = name == _CONTENTS or (len(path.parts) > 1 and path.parts[0] in {"archive", "brain", "vault"})
    is_plain = name == str(path) and not any(ord(mark) < _MARK_CONTROL for mark in name)
    leads_out = ".." in path.parts or "\\" in name or any(PureWindowsPath(one).drive for one in path.parts)
    return is_known and is_plain and not leads_out and name not in _OF_THIS_MACHINE


def unpack(layout: Layout, vault: Vault, source: Path) -> Backup:
    """Bring back a backup that was read through and proven first; a file that is there is never overwritten.

    Raises InputError when it is no whole backup, UsageError when a file with other bytes is in the way, before
    anything is written; DiskError, and DamagedArchiveError when what was written does not read back.
    """
    contents = _proven(source)
    roots = {"archive": layout.archive, "brain": layout.root / ".brain", "vault": vault.root}
    targets = {name: _target(roots, name) for name in contents}
    with holding(layout.lock), holding(vault.lock):
        for name, path in targets.items():
            if path.exists() and _digest(path) != contents[name][1]:
                raise UsageError(
                    f"{path}: is there already, with other bytes.", "Unpack into an empty workspace."
                )
        with _only_input_errors(source):
            for name, file in _members(source):
                if name != _CONTENTS and not targets[name].exists():
                    _put(targets[name], file, is_private=name.startswith("vault/"))
        for name, path in targets.items():
            if _digest(path) != contents[name][1]:
                raise DamagedArchiveError(f"{path}: is not what the backup holds.", "Try another disk.")
    return _told(source, contents)


def _put(path: Path, file: _Counted, *, is_private: bool) -> None:
    if is_private:
        private_folder(path.parent)
    atomic.write_pieces(path, file.blocks(), mode=0o600 if is_private else 0o644)


def _digest(path: Path) -> str:
    with atomic.disk_errors(path), path.open("rb") as file:
        counted = _Counted(file)
        for _ in counted.blocks():
            pass
    return counted.facts[1]


def _target(roots: dict[str, Path], name: str) -> Path:
    """Return where a file goes. Raises UsageError when a link in the way leads elsewhere."""
    kind, _, rest = name.partition("/")
    path = roots[kind] / rest
    root = roots[kind].resolve()
    if path.is_symlink() or root not in (path.parent / "_").resolve().parents:
        raise UsageError(f"{path}: a link leads elsewhere.", "Unpack into an empty workspace.")
    return path
