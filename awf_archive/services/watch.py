"""Saving what changed in the conversations of a workspace, whichever tool wrote them (issue 7, point 5).

A look costs a stat of each known file, and reading only those that changed. What it saves is what a hook would: the
same turns are never saved twice, whoever comes first.
"""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from awf_archive.domain.escape import json_pages
from awf_archive.errors import ArchiveError, DiskError, LockedError, UnknownFormatError
from awf_archive.readers import identify
from awf_archive.services.belongings import belongings, with_neighbours
from awf_archive.services.checkpoint import Checkpoint, Request, save_transcript
from awf_archive.services.conversation_places import candidates, is_of, took_place_in
from awf_archive.services.import_history import is_attached
from awf_archive.services.import_state import mark_of
from awf_archive.services.places import Candidate
from awf_archive.services.sources import opened
from awf_archive.store import atomic
from awf_archive.store.layout import Layout

LOCK = "watch-lock"
"""Held in the private folder by whoever looks."""
QUIET = 15.0
"""Seconds without a change after which a file counts as written: an answer that comes in would be saved in pieces."""
_PATIENCE = 300.0
"""Seconds after which a file that never rests is saved as it stands."""
_SHARE = 20
"""How many times as long as reading it took a file is left alone: at most a twentieth of a processor."""
_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """A file that could not be saved."""

    path: Path
    problem: ArchiveError


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What one look did."""

    saved: tuple[Checkpoint, ...] = ()
    failed: tuple[Failed, ...] = ()
    waiting: int = 0
    """Files that changed and are left for a later look."""


@dataclass(slots=True, kw_only=True)
class Watch:
    """Looks at a workspace's conversations again and again."""

    layout: Layout
    request: Request
    """What every checkpoint is asked; its transcript is filled in."""
    quiet: float = QUIET
    now: Callable[[], float] = time.time
    is_stopped: Callable[[], bool] = lambda: False
    """Asked before each file."""
    _marks: dict[str, str] = field(default_factory=dict, init=False)
    _since: dict[str, float] = field(default_factory=dict, init=False)
    """When each file that does not rest was first seen to have changed."""
    _rests: dict[str, float] = field(default_factory=dict, init=False)
    """Until when a file that takes long is left alone."""

    def __post_init__(self) -> None:
        self._marks = _read(self._state)

    @property
    def _state(self) -> Path:
        return self.layout.private / "watch.json"

    def look(self, told: Callable[[Checkpoint], None] = lambda _done: None, *, is_last: bool = False) -> Look:
        """Save what changed, the oldest first; `is_last` takes what is still being written, and nothing else.

        Raises DiskError when what was seen cannot be written down.
        """
        before = dict(self._marks)
        changed, waiting = self._changed(is_last=is_last)
        saved: list[Checkpoint] = []
        failed: list[Failed] = []
        for candidate, mark in changed:
            if self.is_stopped() and not is_last:
                waiting += 1
                continue
            started, name = time.monotonic(), str(candidate.path)
            try:
                for done in self._saved(candidate):
                    told(done)
                    saved.append(done)
            except (DiskError, LockedError) as problem:  # nothing of the file's: the next look tries again
                failed.append(Failed(path=candidate.path, problem=problem))
                continue
            except UnknownFormatError:
                pass  # a file that lies in a tool's folder and is none of its conversations
            except ArchiveError as problem:
                failed.append(Failed(path=candidate.path, problem=problem))
            self._marks[name] = mark
            self._since.pop(name, None)
            self._rests[name] = self.now() + _SHARE * (time.monotonic() - started)
        if self._marks != before:
            value = {"version": _VERSION, "marks": self._marks}
            atomic.write(self._state, json_pages(value))
        return Look(saved=tuple(saved), failed=tuple(failed), waiting=waiting)

    def _changed(self, *, is_last: bool) -> tuple[list[tuple[Candidate, str]], int]:
        """Return the files to read with their marks, taken before, and how many are left for later."""
        now, waiting = self.now(), 0
        found: list[tuple[float, Candidate, str]] = []
        seen: set[str] = set()
        for candidate in candidates(self.layout.root):
            name = str(candidate.path)
            try:
                mark, written = mark_of(candidate.path), candidate.path.stat().st_mtime
            except OSError:  # gone, or in a folder that we may not look into
                continue
            seen.add(name)
            if self._marks.get(name) == mark:
                continue
            if took_place_in(candidate, self.layout.root) is False:
                self._marks[name] = mark
            elif self._is_being_written(name, written, now) is is_last:
                found.append((written, candidate, mark))
            else:
                waiting += 1
        self._marks = {name: mark for name, mark in self._marks.items() if name in seen}
        return [(one, mark) for _, one, mark in sorted(found, key=lambda one: one[0])], waiting

    def _is_being_written(self, name: str, written: float, now: float) -> bool:
        """Whether a file is better left for later."""
        is_resting = not 0 <= now - written < self.quiet and now >= self._rests.get(name, 0.0)
        if is_resting:
            return False
        return now - self._since.setdefault(name, now) < _PATIENCE

    def _saved(self, candidate: Candidate) -> Iterator[Checkpoint]:
        """Save a file's conversations of this workspace; yield those that brought something."""
        path = candidate.path
        is_here = took_place_in(candidate, self.layout.root)
        with opened(path) as source:
            if not source.size:
                return
            reader = identify(source, candidate.format)
            for transcript, is_shared in with_neighbours(reader.read(source)):
                is_ours = is_here or (bool(transcript.cwd) and is_of(transcript.cwd, self.layout.root))
                if not (is_ours and transcript.outlines) or is_attached(path, transcript):
                    continue
                own = belongings(source, transcript, is_shared=is_shared)
                request = replace(self.request, transcript=path, now=_time(self.now()), extend=True)
                done = save_transcript(self.layout, transcript, request, own)
                if done.saved or done.updated or done.adopted:
                    yield done


def _time(moment: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment))


def _read(path: Path) -> dict[str, str]:
    """Return the marks of an earlier watch; nothing where they do not read: then every file is looked at anew."""
    try:
        value = json.loads(path.read_bytes())
        marks = value["marks"] if value["version"] == _VERSION else {}
        return {name: mark for name, mark in marks.items() if isinstance(mark, str)}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}
