"""What the parts of `repair` share: how to repair, on what, and what is told of it."""

from dataclasses import dataclass
from pathlib import Path

from awf_archive.domain.wording import Wording
from awf_archive.services.commit import Committer
from awf_archive.store import atomic
from awf_archive.store.archive import Archive
from awf_archive.store.lock import Lock
from awf_archive.store.vault import Vault


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired:
    """One thing that was mended."""

    path: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Repairing:
    """How to repair."""

    archive: Archive
    vault: Vault | None
    now: str
    words: Wording
    threshold: int
    redact: str = "view"
    """The setting: `archive` masks secrets in what is written anew from the vault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """The repair of one feature, while the lock is held."""

    repairing: Repairing
    feature: str
    lock: Lock

    @property
    def archive(self) -> Archive:
        """The archive."""
        return self.repairing.archive

    def committer(self) -> Committer:
        """Return what commits into the feature."""
        return Committer(
            archive=self.archive,
            feature=self.feature,
            lock=self.lock,
            now=self.repairing.now,
            words=self.repairing.words,
        )

    def told(self, path: Path, what: str) -> Repaired:
        """Return what is told of a file."""
        return Repaired(path=self.archive.layout.relative(path), what=what)

    def set_aside(self, path: Path, prefix: str = "") -> Path | None:
        """Move a file out of the way, if it is there; return where it is now. Raises DiskError."""
        if not (path.exists() or path.is_symlink()):
            return None
        stamp = self.repairing.now.replace(":", "").replace("-", "")
        folder = self.archive.layout.set_aside(self.feature) / stamp
        target, number = folder / f"{prefix}{path.name}", 1
        while target.exists():
            number += 1
            target = folder / f"{prefix}{path.name}.{number}"
        atomic.move(path, target)
        return target
