"""The index that follows the archive, on Whoosh: noticed when broken, rebuilt, never trusted.

Everything here can be deleted at any time. The folder is ours alone (0700), because Whoosh's files hold pickles.
"""

import gc
import os
import shutil
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NoReturn

from awf_archive.errors import DiskError, LockedError
from awf_archive.search import state as states
from awf_archive.search.asking import ask
from awf_archive.search.documents import (
    DamagedIndexError,
    Health,
    Key,
    Load,
    Progress,
    Request,
    Result,
    Status,
    Synced,
    Wanted,
    no_progress,
)
from awf_archive.search.engine import TOC, FileIndex, FileLock, FileStorage, try_for
from awf_archive.search.guard import only_our_errors
from awf_archive.search.rank import rank
from awf_archive.search.schema import INDEX_NAME, schema
from awf_archive.search.snapshot import Snapshot
from awf_archive.search.state import State
from awf_archive.search.suggest import suggestion

_SECOND_LOOK = 0.05
"""Seconds before a damaged index is looked at once more."""


class WhooshIndex:
    """A `SearchBackend` in a folder that is its own.

    >>> import tempfile
    >>> from awf_archive.search.documents import Document, Kind
    >>> index = WhooshIndex(Path(tempfile.mkdtemp()) / "index")
    >>> turn = Document(kind=Kind.TURN, feature="tc", session="session-001", turn=7, user="Trận Bạch Đằng")
    >>> index.sync({Key("tc", "session-001"): "digest"}, lambda key: [turn]).documents
    1
    >>> [hit.turn for hit in index.search(Request(topic="bach dang")).hits]
    [7]
    """

    def __init__(self, folder: Path, *, lock_timeout: float = 30.0) -> None:
        self._root = folder
        self._folder = folder / INDEX_NAME
        self._lock_timeout = lock_timeout
        self._snapshot: Snapshot | None = None
        self._snapshot_of: State | None = None
        self._is_broken = ""

    def close(self) -> None:
        """Let go of the open files."""
        if self._snapshot:
            self._snapshot.close()
            self._snapshot = None

    # What is there

    def status(self) -> Status:
        """Tell what state the index is in, without changing anything."""
        health, reason, state = self._look()
        files = [path for path in self._folder.glob("*") if path.is_file()] if self._folder.is_dir() else []
        held = state.held if state else {}
        return Status(
            health=health,
            reason=reason,
            keys=len(held),
            documents=sum(each.documents for each in held.values()),
            segments=sum(path.suffix == ".seg" for path in files),
            size=sum(path.stat().st_size for path in files),
            path=str(self._folder),
        )

    def is_current(self, wanted: Wanted) -> bool:
        """Whether a `sync` with `wanted` would have nothing to do."""
        health, _, state = self._look()
        return health is Health.READY and state is not None and _digests(state) == dict(wanted)

    def verify(self) -> tuple[str, ...]:
        """Return the names of files that are not as they were written; reads the whole index."""
        health, reason, state = self._look()
        if health is not Health.READY or state is None:
            return (reason or health.value,)
        return tuple(name for name, seal in state.files.items() if states.seal(self._folder / name) != seal)

    def _look(self) -> tuple[Health, str, State | None]:
        if self._is_broken:
            return Health.DAMAGED, self._is_broken, None
        if not self._folder.is_dir():
            others = self._root.is_dir() and any(self._root.glob("v*-*"))
            return (
                (Health.OUTDATED, "made by another version", None) if others else (Health.MISSING, "", None)
            )
        if reason := _who_else_may_write(self._folder) or _who_else_may_write(self._root):
            return Health.UNSAFE, reason, None
        state, reason = _read_state(self._folder)
        return (Health.READY if state else Health.DAMAGED), reason, state

    # Following the archive

    def sync(self, wanted: Wanted, load: Load, progress: Progress = no_progress) -> Synced:
        """Make the index hold exactly `wanted`, reading only what is new or changed; heal it if need be."""
        if self.is_current(wanted):
            return Synced()
        with self._writing():
            health, _, state = self._look()
            if health is not Health.READY or state is None:
                return self._build(wanted, load, progress, health.value)
            try:
                return self._update(self._folder, state, wanted, load, progress)
            except DamagedIndexError as damage:
                return self._build(wanted, load, progress, damage.health.value)

    def rebuild(self, wanted: Wanted, load: Load, progress: Progress = no_progress) -> Synced:
        """Make the index anew."""
        with self._writing():
            return self._build(wanted, load, progress, "asked")

    def optimize(self) -> None:
        """Merge the index into one segment."""
        with self._writing():
            health, reason, state = self._look()
            if health is not Health.READY or state is None:
                raise DamagedIndexError(health, reason)
            from awf_archive.search.writer import IndexWriter, commit

            with only_our_errors():
                commit(IndexWriter(self._folder), self._folder, state.held, everything=True)

    def _build(self, wanted: Wanted, load: Load, progress: Progress, why: str) -> Synced:
        """Build beside the old index, then take its place."""
        self.close()
        fresh = self._root / f".new-{os.urandom(8).hex()}"
        fresh.mkdir(mode=0o700)
        try:
            with only_our_errors():
                FileIndex.create(FileStorage(str(fresh)), schema(), "MAIN")
                states.write(fresh, State(generation=0))
            done = self._update(fresh, State(generation=0), wanted, load, progress)
            self._replace_by(fresh)
        except BaseException:
            shutil.rmtree(fresh, ignore_errors=True)
            raise
        self._is_broken = ""
        return Synced(added=done.added, documents=done.documents, rebuilt=why)

    def _replace_by(self, fresh: Path) -> None:
        for old in [*self._root.glob("v*-*"), *self._root.glob(".old-*")]:
            aside = self._root / f".old-{os.urandom(8).hex()}"
            old.rename(aside)
            shutil.rmtree(aside, ignore_errors=True)
        fresh.rename(self._folder)

    def _update(self, folder: Path, state: State, wanted: Wanted, load: Load, progress: Progress) -> Synced:
        from awf_archive.search.writer import Batches  # a search does not pay for it

        held = dict(state.held)
        gone = [key for key, known in held.items() if wanted.get(key) != known.digest]
        new = sorted(key for key, digest in wanted.items() if key not in held or held[key].digest != digest)
        removed = sum(key not in wanted for key in gone)
        batches = Batches(folder, held, gone)
        try:
            for done, key in enumerate(new):
                progress(done, len(new))
                batches.add(key, wanted[key], load)
            batches.commit()
        except BaseException:
            batches.cancel()
            raise
        if new:
            progress(len(new), len(new))
        return Synced(added=len(new), removed=removed, documents=batches.documents)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Hold the only right to write; another process waits its turn."""
        _make_private(self._root)
        lock = FileLock(str(self._root / "write.lock"))
        try:
            taken = try_for(lock.acquire, timeout=self._lock_timeout, delay=0.05)
        except OSError as error:
            _raise_disk(error, self._root)
        if not taken:
            raise LockedError(
                f"{self._root}: another process has been updating the search index for {self._lock_timeout:.0f} s.",
                "Try again when it is done.",
            )
        try:
            for left in [*self._root.glob(".new-*"), *self._root.glob(".old-*")]:
                shutil.rmtree(left, ignore_errors=True)
            yield
        except OSError as error:
            _raise_disk(error, self._root)
        finally:
            lock.release()

    # Asking

    def search(self, request: Request) -> Result:
        """Answer a request; raises `DamagedIndexError` rather than answering from a broken index."""
        started = time.perf_counter()
        try:
            return self._answer(request, started)
        except DamagedIndexError:
            # Another process may have committed or rebuilt between two of our reads: look once more.
            self.close()
            time.sleep(_SECOND_LOOK)
        try:
            return self._answer(request, started)
        except DamagedIndexError as damage:
            self.close()
            self._is_broken = damage.reason if damage.health is Health.DAMAGED else ""
            raise

    def _answer(self, request: Request, started: float) -> Result:
        health, reason, state = self._look()
        if health is not Health.READY or state is None:
            raise DamagedIndexError(health, reason)
        with only_our_errors(), _without_collecting():
            snapshot = self._open(state)
            query, ranked = ask(request, partial(rank, corpus=snapshot))
            page = ranked.answers[request.offset : request.offset + request.limit]
            is_odd = ranked.note or not page
            return Result(
                query=request.topic,
                total=len(ranked.answers),
                took_ms=round((time.perf_counter() - started) * 1000, 1),
                note=ranked.note,
                did_you_mean=suggestion(request.topic, query, snapshot.frequencies) if is_odd else "",
                terms=query.marks,
                hits=tuple(snapshot.hit(doc, score) for doc, score in page),
            )

    def _open(self, state: State) -> Snapshot:
        """Open the index, or keep it open; after a rebuild the generation may be the same, the files are not."""
        if self._snapshot is None or self._snapshot_of != state:
            self.close()
            self._snapshot = Snapshot(str(self._folder))
            self._snapshot_of = state
        self._snapshot.forget_large()
        return self._snapshot


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Keep the collector from walking hundreds of thousands of new lists: there are no cycles among them.

    A phrase of two words that half of 100 000 turns hold: 0.88 s with it, 0.74 s without.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _digests(state: State) -> dict[Key, str]:
    return {key: held.digest for key, held in state.held.items()}


def _read_state(folder: Path) -> tuple[State | None, str]:
    """Return what the newest generation holds, or what is wrong with it."""
    generation = _generation(folder)
    state = states.read(folder, generation) if generation >= 0 else None
    if state is None:
        reason = "no list of segments" if generation < 0 else "what it holds is not written down"
    else:
        lost = [name for name, seal in state.files.items() if not _has_size(folder / name, seal.size)]
        reason = f"{lost[0]} is missing or cut" if lost else ""
    if reason and generation != _generation(folder):  # a commit in between took the old files away
        return _read_state(folder)
    return (None if reason else state), reason


def _generation(folder: Path) -> int:
    return int(TOC._latest_generation(FileStorage(str(folder)), "MAIN"))  # noqa: SLF001


def _has_size(path: Path, size: int) -> bool:
    try:
        return path.stat().st_size == size
    except OSError:
        return False


def _who_else_may_write(folder: Path) -> str:
    """Return who besides us could have put pickles into a folder, or ""."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        return f"{folder} is not a folder"
    if hasattr(os, "geteuid") and found.st_uid not in (os.geteuid(), 0):
        return f"{folder} belongs to another user"
    if os.name == "posix" and stat.S_IMODE(found.st_mode) & 0o022:
        return f"{folder} can be written by others"
    return ""


def _make_private(folder: Path) -> None:
    """Make the folder, or take the others' rights to write away before anything is built in it."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _who_else_may_write(folder):
            folder.chmod(0o700)
        ignore = folder / ".gitignore"
        if not ignore.exists():  # in a fresh clone a search may be the first to write here
            ignore.write_text("*\n", encoding="ascii")
    except OSError as error:
        _raise_disk(error, folder)


def _raise_disk(error: OSError, folder: Path) -> NoReturn:
    raise DiskError(
        f"{folder}: the search index cannot be written: {error.strerror or error}.",
        "Searching what is indexed still works. Free some space, or let yourself write there.",
    ) from error
