"""Whose `.brain` and settings a workspace holds: the user's own, or those of whoever made the repository (SPEC 8).

What was made on this machine bears a token that also stands in the user's data folder; a clone cannot know it,
for `.awf-archive/` is never in git. Whatever bears none counts only after `awf-archive trust`.
"""

from pathlib import Path
from typing import NamedTuple

from awf_archive import config
from awf_archive.integrations.hook_files import Private, make_private, put, read_json

MADE_HERE = "made here"
TRUSTED = "trusted"


class Trust(NamedTuple):
    """What is known of one workspace."""

    token: str = ""
    origin: str = ""
    """`made here`, `trusted`, or nothing."""
    settings: str = ""
    """SHA-256 of the workspace's settings file when it was trusted."""


def record_path() -> Path:
    """Return where trust is kept: with the user, away from every workspace."""
    return config.data_folder() / "trust.json"


def token_path(root: Path) -> Path:
    """Return where a workspace bears its token."""
    return Private(root).folder / "origin"


def trust_of(root: Path) -> Trust:
    """Return what is known of a workspace; nothing where its token is not the one on record."""
    entry = read_json(record_path()).get(str(root))
    if not isinstance(entry, dict):
        return Trust()
    found = Trust(*(str(entry.get(name, "")) for name in Trust._fields))
    try:
        token = token_path(root).read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return Trust()
    return found if found.token and token == found.token else Trust()


def is_brain_trusted(root: Path) -> bool:
    """Whether what `.brain` says may go into a model's context."""
    return bool(trust_of(root).origin)


def settings_digest(root: Path) -> str:
    """Return the SHA-256 of a workspace's settings file; nothing where there is none."""
    from hashlib import sha256

    try:
        return sha256((root / config.FILE_NAME).read_bytes()).hexdigest()
    except OSError:
        return ""


def remember(root: Path, origin: str, settings: str = "") -> None:
    """Put a workspace on record with a new token. Raises DiskError or LockedError."""
    import secrets

    from awf_archive.store.atomic import disk_errors

    token = secrets.token_hex(16)
    with disk_errors(token_path(root)):
        make_private(Private(root), token_path(root).parent)
        put(token_path(root), f"{token}\n".encode())
    entry = Trust(token=token, origin=origin, settings=settings)._asdict()
    _change(root, entry)


def forget(root: Path) -> bool:
    """Take a workspace off the record; False when it was not on it. Raises DiskError or LockedError."""
    is_known = str(root) in read_json(record_path())
    if is_known:
        _change(root, None)
    return is_known


def _change(root: Path, entry: dict[str, str] | None) -> None:
    from awf_archive.domain.escape import json_pages
    from awf_archive.store import atomic
    from awf_archive.store.lock import holding

    path = record_path()
    with holding(path.with_name("trust-lock"), 10.0):
        record = {name: value for name, value in read_json(path).items() if name != str(root)}
        if entry is not None:
            record[str(root)] = entry
        atomic.write(path, json_pages(record), mode=0o600)
