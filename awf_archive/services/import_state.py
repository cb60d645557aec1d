"""What an import remembers of each file, so that an unchanged one costs a stat and not a parse."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from awf_archive.domain.escape import json_pages
from awf_archive.domain.features import check_feature
from awf_archive.domain.transcript import Json
from awf_archive.errors import FeatureNameError
from awf_archive.store import atomic

_VERSION = 1
_FACTS = frozenset({"mark", "conversations", "empty", "manifests"})
_TELLING = 3
"""Characters that a folder's name needs to stand alone: `.worktrees/1` becomes `worktrees-1`."""


@dataclass(slots=True, kw_only=True)
class ImportState:
    """Kept in the workspace's private folder; may be deleted at any time: then everything is read again."""

    path: Path
    files: dict[str, dict[str, Json]] = field(default_factory=dict)
    features: dict[str, str] = field(default_factory=dict)
    """Which feature the conversations of a folder went to that is not on this machine."""
    has_new_feature: bool = False
    """A folder was given a feature since the state was written."""

    @classmethod
    def load(cls, path: Path) -> "ImportState":
        """Return what was remembered; nothing when the file is missing, damaged or of another version."""
        try:
            value = json.loads(path.read_bytes())
            files, features = value["files"], value["features"]
            is_ours = value["version"] == _VERSION and all(one.keys() >= _FACTS for one in files.values())
            is_ours = is_ours and all(isinstance(one, str) for one in features.values())
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            is_ours, files, features = False, {}, {}
        return cls(path=path, files=files, features=features) if is_ours else cls(path=path)

    def save(self) -> None:
        """Write it down. Raises DiskError."""
        value = {"version": _VERSION, "features": self.features, "files": self.files}
        atomic.write(self.path, json_pages(value))
        self.has_new_feature = False

    def unchanged(self, file: Path) -> dict[str, Json] | None:
        """Return what was remembered of a file that is as it was and whose archive is still there."""
        known = self.files.get(str(file))
        if known is None or known["mark"] != mark_of(file):
            return None
        manifests = cast("list[str]", known["manifests"])
        return known if all(Path(one).exists() for one in manifests) else None

    def remember(self, file: Path, mark: str, facts: dict[str, Json]) -> None:
        """Remember what a file gave; `mark` was taken before it was read, so a change meanwhile is seen."""
        self.files[str(file)] = {"mark": mark, **facts}

    def feature_of(self, folder: str, others: Iterable[str] = ()) -> str:
        """Return a feature's name for the conversations of a folder, never shared by two folders.

        The folder's own name, with its parents' before it while another folder has that name, or one of
        `others`: features that somebody made for something else.
        """
        if folder in self.features:
            return self.features[folder]
        parts = [_cleaned(part) for part in folder.replace("\\", "/").split("/") if _cleaned(part)] or [
            "general"
        ]
        taken = {name.casefold() for name in (*self.features.values(), *others)}
        least = 1 if len(parts[-1]) >= _TELLING else 2
        names = ("-".join(parts[-depth:]) for depth in range(least, max(len(parts), least) + 1))
        numbered = (f"{parts[-1]}-{number}" for number in range(2, len(taken) + 3))
        name = next(one for one in (*names, *numbered) if one.casefold() not in taken and _is_feature(one))
        self.features[folder] = name
        self.has_new_feature = True
        return name


def _cleaned(part: str) -> str:
    """Return a folder's name with only what a feature's name may hold."""
    kept = "".join(mark if mark.isalnum() or mark in "-_." else "-" for mark in part)
    return kept.strip("-. ")[:60]


def _is_feature(name: str) -> bool:
    try:
        return check_feature(name) == name
    except FeatureNameError:
        return False


def mark_of(file: Path) -> str:
    """Return what changes when a transcript or a file that belongs to it does: sizes and times.

    Those are a session's folder beside it, and what a database has not yet taken in.
    """
    found = file.stat()
    marks = [f"{found.st_size}:{found.st_mtime_ns}"]
    ahead = file.with_name(f"{file.name}-wal")
    if ahead.exists():
        marks.append(f"wal:{ahead.stat().st_size}:{ahead.stat().st_mtime_ns}")
    beside = file.with_suffix("")
    if file.suffix == ".jsonl" and beside.is_dir():
        for path in sorted(beside.rglob("*")):
            one = path.stat()
            marks.append(f"{path.relative_to(beside).as_posix()}:{one.st_size}:{one.st_mtime_ns}")
    return " ".join(marks) if len(marks) == 1 else f"{marks[0]} {len(marks)} {hash_of(marks)}"


def hash_of(marks: list[str]) -> str:
    """Return a short digest of many marks."""
    from hashlib import sha256

    return sha256("\n".join(marks).encode(errors="surrogateescape")).hexdigest()[:24]
