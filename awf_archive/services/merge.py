"""`awf-archive merge`: the archives of two branches become one, also in the middle of a merge of git's (docs/git.md).

Git merges path by path, and would mix two sessions of the same name. Here both sides are read whole from git's
objects, and what the other side has beyond ours follows ours.
"""

import tempfile
from dataclasses import dataclass
from hashlib import sha1, sha256
from pathlib import Path

from awf_archive.domain.wording import Wording
from awf_archive.errors import UsageError
from awf_archive.services.merge_feature import FeatureMerge, Sides, merge_feature
from awf_archive.store import atomic
from awf_archive.store.archive import Archive, read_bytes
from awf_archive.store.git_objects import Blob, Repository, find_repository, unpack
from awf_archive.store.layout import Layout
from awf_archive.store.lock import Lock, holding

_PENDING = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REBASE_HEAD", "REVERT_HEAD")
"""What git names the other side while it waits for us."""

_MARKS = b"<<<<<<< "

_OF_DECISIONS = ("/.context/manifest.json", "/.context/decisions.json")
"""What a list of decisions is read from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merging:
    """How to merge: where, when, in which language summaries are written, and when one is due."""

    archive: Archive
    now: str
    words: Wording
    threshold: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """What a merge did."""

    commit: str
    """The other side's."""
    features: tuple[FeatureMerge, ...]
    """Those in which something came in."""
    is_staged: bool
    """Git was in the middle of a merge: the archive's files are resolved and staged."""
    left: tuple[str, ...] = ()
    """Other paths that git still holds in conflict."""
    set_aside: tuple[str, ...] = ()
    """Files that were changed while git waited, kept where they are out of the way."""


def merge(merging: Merging, reference: str | None) -> Merge:
    """Take in what another branch's archive holds and ours lacks.

    Without a reference, the side that git is waiting for. Raises UsageError outside of a repository or for an
    unknown reference, DamagedArchiveError when the other side does not read, LockedError and DiskError.
    """
    layout = merging.archive.layout
    repository = find_repository(layout.root)
    pending = next((name for name in _PENDING if repository.says("rev-parse", "-q", "--verify", name)), None)
    if reference is None and pending is None:
        raise UsageError(
            "merge: git is not in the middle of one.", "Name the other branch: awf-archive merge REF"
        )
    commit = repository.commit(reference or str(pending))
    folder = archive_folder(repository, layout)
    is_pending = pending is not None or bool(_unmerged(repository, folder))
    with (
        holding(layout.lock) as lock,
        tempfile.TemporaryDirectory(prefix="merge-", dir=layout.private) as passing,
    ):
        other, before = (Layout(root=Path(passing), archive_dir=name) for name in ("other", "before"))
        theirs = _by_feature(repository.blobs(commit, folder), folder)
        unpack(repository, (blob for one in theirs.values() for blob in one.values()), folder, other.archive)
        _unpack_decisions(repository, repository.common("HEAD", commit), folder, before)
        sides = _sides(merging, lock, other, before, commit)
        run = _Run(merging, repository, folder, theirs, sides, commit)
        features, aside = run.resolve() if is_pending else (run.take_in(), [])
    return Merge(
        commit=commit,
        features=tuple(one for one in features if one.changed),
        is_staged=is_pending,
        left=tuple(_unmerged(repository, "")),
        set_aside=tuple(aside),
    )


def _sides(merging: Merging, lock: Lock, other: Layout, before: Layout, commit: str) -> Sides:
    return Sides(
        ours=merging.archive,
        theirs=Archive(layout=other),
        before=Archive(layout=before),
        lock=lock,
        now=merging.now,
        words=merging.words,
        threshold=merging.threshold,
        commit=commit[:10],
    )


def _unpack_decisions(repository: Repository, commit: str, folder: str, into: Layout) -> None:
    """Write what both sides had decided when they parted; nothing when they have no commit in common."""
    blobs = repository.blobs(commit, folder) if commit else []
    wanted = [blob for blob in blobs if blob.path.endswith(_OF_DECISIONS)]
    unpack(repository, wanted, folder, into.archive)


def archive_folder(repository: Repository, layout: Layout) -> str:
    """Return the archive's folder as git names it. Raises UsageError when it lies outside the repository."""
    try:
        return layout.archive.resolve().relative_to(repository.root.resolve()).as_posix()
    except ValueError as problem:
        raise UsageError(
            f"{layout.archive}: lies outside the repository {repository.root}.",
            "Only an archive in a repository can be merged with git.",
        ) from problem


def _unmerged(repository: Repository, folder: str) -> list[str]:
    out = repository.run("diff", "--name-only", "--diff-filter=U", "-z", "--", f":(top){folder}")
    return sorted({path.decode(errors="replace") for path in out.split(b"\0") if path})


def _by_feature(blobs: list[Blob], folder: str) -> dict[str, dict[str, Blob]]:
    """Return the archive's files of each feature by path; what else lies in the folders is not ours."""
    found: dict[str, dict[str, Blob]] = {}
    for blob in blobs:
        feature, _, rest = blob.path.removeprefix(f"{folder}/").partition("/")
        if rest.startswith(".context/"):
            found.setdefault(feature, {})[blob.path] = blob
    return found


def _oids(blobs: dict[str, Blob]) -> dict[str, str]:
    return {path: blob.oid for path, blob in blobs.items()}


@dataclass(frozen=True, slots=True)
class _Run:
    merging: Merging
    repository: Repository
    folder: str
    theirs: dict[str, dict[str, Blob]]
    sides: Sides
    commit: str

    def take_in(self) -> list[FeatureMerge]:
        """Merge into the files as they are now."""
        return [merge_feature(self.sides, feature) for feature in self.sides.theirs.features()]

    def resolve(self) -> tuple[list[FeatureMerge], list[str]]:
        """Put our side back as it was committed, merge, and stage the result."""
        head = self.repository.commit("HEAD")
        ours = _by_feature(self.repository.blobs(head, self.folder), self.folder)
        base_commit = self.repository.common(head, self.commit)
        base_blobs = self.repository.blobs(base_commit, self.folder) if base_commit else []
        base = _by_feature(base_blobs, self.folder)
        conflicts = _unmerged(self.repository, self.folder)
        merges, aside = [], list[str]()
        for feature in sorted({*ours, *self.theirs}):
            mine, other, before = (side.get(feature, {}) for side in (ours, self.theirs, base))
            context = f"{self.folder}/{feature}/.context"
            is_held = any(path.startswith(f"{context}/") for path in conflicts)
            one_sided = any(_oids(side) == _oids(before) for side in (mine, other))
            if not is_held and (one_sided or _oids(mine) == _oids(other)):
                continue  # git has taken the side that changed, whole
            aside += self._put_back(mine, other, context)
            if feature in self.sides.theirs.features():
                merges.append(merge_feature(self.sides, feature))
            self.repository.run("add", "--all", "--force", "--", f":(top){context}")
        return merges, aside

    def _put_back(self, mine: dict[str, Blob], other: dict[str, Blob], context: str) -> list[str]:
        """Let a feature's files be those of our last commit; what is neither side's is kept aside."""
        root = self.repository.root
        aside = []
        for path in sorted((root / context).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.is_symlink() or not path.is_file():
                continue
            data = read_bytes(path) or b""
            sides = [side[name].oid for side in (mine, other) if name in side]
            if _is_one_of(data, sides):
                if name not in mine:
                    path.unlink()
            elif sides and _MARKS not in data:
                aside.append(self._keep(path, data))
        if mine:
            self.repository.run("checkout", "HEAD", "--", f":(top){context}")
        return aside

    def _keep(self, path: Path, data: bytes) -> str:
        layout = self.merging.archive.layout
        kept = layout.private / "set-aside" / self.merging.now.replace(":", "") / path.name
        number = 1
        while kept.exists():
            number += 1
            kept = kept.with_name(f"{number}-{path.name}")
        atomic.write(kept, data)
        return layout.relative(kept)


def _is_one_of(data: bytes, oids: list[str]) -> bool:
    """Whether bytes are one of git's blobs."""
    whole = b"blob %d\0" % len(data) + data
    digests = (sha1(whole, usedforsecurity=False).hexdigest(), sha256(whole).hexdigest())
    return any(oid in digests for oid in oids)
