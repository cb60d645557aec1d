"""One file of everything, proven when it is written and again before it is unpacked (docs/trust.md)."""

import io
import json
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath

from awf_archive.domain.escape import json_pages
from awf_archive.errors import DamagedArchiveError, InputError, UsageError
from awf_archive.services.keep import WORKSPACE_FILE
from awf_archive.store import atomic
from awf_archive.store.layout import Layout
from awf_archive.store.lock import holding
from awf_archive.store.vault import Vault

_CONTENTS = "contents.json"
_VERSION = 1
_LARGEST = 1 << 31
"""Bytes of one file in a backup: what claims more is no backup of ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """What was written or unpacked."""

    path: Path
    files: int
    bytes: int


def back_up(layout: Layout, vault: Vault | None, target: Path) -> Backup:
    """Write the archive, the work state and the vault of a workspace into one file; then read it back and compare.

    Raises UsageError when `target` is there already, DiskError, DamagedArchiveError when what was written
    does not read back.
    """
    if target.exists():
        raise UsageError(f"{target}: is there already.", "Name another file.")
    passing = atomic.temporary(target)
    try:
        with holding(layout.lock), atomic.disk_errors(target):
            contents = _write(layout, vault, passing)
        proven = _proven(passing)
        if proven != contents:
            raise DamagedArchiveError(f"{target}: does not read back as it was written.", "Try another disk.")
        with atomic.disk_errors(target):
            passing.replace(target)
    finally:
        passing.unlink(missing_ok=True)
    return Backup(path=target, files=len(contents), bytes=sum(size for size, _ in contents.values()))


_Contents = dict[str, tuple[int, str]]
"""Each file's size and SHA-256, by its name in the backup."""


def _write(layout: Layout, vault: Vault | None, target: Path) -> _Contents:
    contents: _Contents = {}
    with tarfile.open(target, "w:gz", compresslevel=6) as archive:
        for name, path in _files(layout, vault):
            data = path.read_bytes()
            contents[name] = (len(data), sha256(data).hexdigest())
            _add(archive, name, data)
        listed = {name: list(facts) for name, facts in contents.items()}
        _add(archive, _CONTENTS, json_pages({"version": _VERSION, "files": listed}))
    return contents


def _add(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(data), 0o600
    archive.addfile(entry, io.BytesIO(data))


def _files(layout: Layout, vault: Vault | None) -> Iterator[tuple[str, Path]]:
    """Yield every file with its name: `archive/…`, `brain/…`, `vault/…`; passing files and links are left out."""
    roots = [("archive", layout.archive), ("brain", layout.root / ".brain")]
    roots += [("vault", vault.root)] if vault else []
    for prefix, root in roots:
        for path in sorted(root.rglob("*")) if root.is_dir() else ():
            is_passing = path.name.startswith(atomic.TEMPORARY) or path == root / WORKSPACE_FILE
            if path.is_file() and not path.is_symlink() and not is_passing:
                yield f"{prefix}/{path.relative_to(root).as_posix()}", path


def _proven(source: Path) -> _Contents:
    """Read a backup through and return what it holds. Raises InputError when it is none, or is damaged."""
    found: _Contents = {}
    for name, data in _members(source):
        if name == _CONTENTS:
            listed = json.loads(data)["files"]
            if found != {name: tuple(facts) for name, facts in listed.items()}:
                raise InputError(f"{source}: its files are not those that it lists.", "Use another backup.")
            return found
        found[name] = (len(data), sha256(data).hexdigest())
    raise InputError(f"{source}: is cut off, or no backup of awf-archive.", "Use another backup.")


def _members(source: Path) -> Iterator[tuple[str, bytes]]:
    """Yield every file of a backup. Raises InputError for whatever is not one of ours."""
    try:
        with tarfile.open(source, "r|gz") as archive:
            for entry in archive:
                if not entry.isreg() or entry.size > _LARGEST or not _is_safe(entry.name):
                    raise InputError(f"{source}: holds {entry.name!a}, which no backup of ours does.")
                stream = archive.extractfile(entry)
                yield entry.name, stream.read() if stream else b""
    except (OSError, EOFError, tarfile.TarError, ValueError, KeyError) as problem:
        raise InputError(
            f"{source}: does not read as a backup ({problem}).", "Use another backup."
        ) from problem


def _is_safe(name: str) -> bool:
    parts = PurePosixPath(name).parts
    is_known = name == _CONTENTS or (len(parts) > 1 and parts[0] in {"archive", "brain", "vault"})
    return is_known and ".." not in parts and not name.startswith("/") and "\\" not in name


def unpack(layout: Layout, vault: Vault, source: Path) -> Backup:
    """Bring back a backup that was read through and proven first; a file that is there is never overwritten.

    Raises InputError when it is no whole backup, UsageError when a file with other bytes is in the way, before
    anything is written, and DiskError.
    """
    contents = _proven(source)
    roots = {"archive": layout.archive, "brain": layout.root / ".brain", "vault": vault.root}
    with holding(layout.lock):
        for name, (_, digest) in contents.items():
            path = _target(roots, name)
            if path.exists() and sha256(path.read_bytes()).hexdigest() != digest:
                raise UsageError(
                    f"{path}: is there already, with other bytes.", "Unpack into an empty workspace."
                )
        for name, data in _members(source):
            if name != _CONTENTS and not (path := _target(roots, name)).exists():
                atomic.write(path, data, mode=0o600 if name.startswith("vault/") else 0o644)
    return Backup(path=source, files=len(contents), bytes=sum(size for size, _ in contents.values()))


def _target(roots: dict[str, Path], name: str) -> Path:
    kind, _, rest = name.partition("/")
    return roots[kind] / rest
