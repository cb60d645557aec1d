"""Bringing a whole history in: every conversation in every file, each to its workspace and feature."""

import fnmatch
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from awf_archive import config
from awf_archive.domain.transcript import Json, Transcript
from awf_archive.errors import ArchiveError, InputError, UnknownFormatError
from awf_archive.readers import identify
from awf_archive.services.belongings import belongings, with_neighbours
from awf_archive.services.checkpoint import Checkpoint, Request, save_transcript
from awf_archive.services.import_state import ImportState, mark_of
from awf_archive.services.places import Candidate
from awf_archive.services.sources import FileSource, opened
from awf_archive.services.workspace import find_workspace, is_workspace
from awf_archive.store.layout import Layout

_SAVE_EVERY = 5.0
"""Seconds between two writes of the state: what a stop in between loses is only the skipping."""

_WITHOUT_FOLDER = frozenset({"chatgpt", "claude-ai"})
"""Formats of services that know no folder: their conversations go to a feature of the format's name."""


class Outcome(StrEnum):
    """What became of one conversation, or of a file that holds none."""

    NEW = "new"
    UNCHANGED = "unchanged"
    EMPTY = "empty"
    FAILED = "failed"
    IGNORED = "ignored"
    """A file in a folder that no reader recognises, or older than `since`; it is not counted as read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """One conversation, or one file without any."""

    path: Path
    outcome: Outcome
    checkpoint: Checkpoint | None = None
    workspace: Path | None = None
    message: str = ""
    conversations: int = 1
    """How many conversations an unchanged file holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How to import."""

    layout: Layout
    """Where the command runs; conversations without a folder on this machine go here."""
    request: Request
    """Language, format, dry run, time: what every checkpoint of the import is asked."""
    into: Layout | None = None
    """Everything goes here."""
    since: str = ""
    """ISO date: conversations that ended before it are left out."""
    rules: Mapping[str, str] = field(default_factory=dict)
    """Glob over the recorded folder → feature (setting `import_features`)."""


@dataclass(slots=True)
class _Importer:
    plan: Plan
    state: ImportState
    layouts: dict[str, Layout | None] = field(default_factory=dict)

    def file(self, candidate: Candidate) -> Iterator[Imported]:
        """Import one file. A failure is an answer, not an end."""
        path = candidate.path
        try:
            if known := self.state.unchanged(path):
                yield _as_before(path, known)
                return
            mark = mark_of(path)
            with opened(path) as source:
                results = list(self._conversations(candidate, source))
        except UnknownFormatError as problem:
            outcome = Outcome.FAILED if candidate.is_named else Outcome.IGNORED
            yield Imported(path=path, outcome=outcome, message=problem.message)
            return
        except (InputError, FileNotFoundError) as problem:
            message = problem.message if isinstance(problem, ArchiveError) else f"{path}: gone."
            yield Imported(path=path, outcome=Outcome.FAILED, message=message)
            return
        self._remember(path, mark, results)
        yield from results

    def _conversations(self, candidate: Candidate, source: FileSource) -> Iterator[Imported]:
        path = candidate.path
        if source.size == 0:
            yield Imported(path=path, outcome=Outcome.EMPTY)
            return
        reader = identify(source, self.plan.request.format or candidate.format)
        count = 0
        for transcript, is_shared in with_neighbours(reader.read(source)):
            count += 1
            yield self._conversation(source, transcript, is_shared=is_shared)
        if count == 0:
            yield Imported(path=path, outcome=Outcome.EMPTY)

    def _conversation(self, source: FileSource, transcript: Transcript, *, is_shared: bool) -> Imported:
        path = source.path
        if not transcript.outlines:
            return Imported(path=path, outcome=Outcome.EMPTY)
        if self.plan.since and _ended(transcript) < self.plan.since:
            return Imported(path=path, outcome=Outcome.IGNORED)
        layout, feature = self._target(transcript)
        request = replace(
            self.plan.request,
            transcript=path,
            default_feature=feature,
            feature=self.plan.request.feature or self._ruled(transcript.cwd),
        )
        own = belongings(source, transcript, is_shared=is_shared)
        done = save_transcript(layout, transcript, request, own)
        outcome = Outcome.NEW if done.saved or done.updated else Outcome.UNCHANGED
        return Imported(path=path, outcome=outcome, checkpoint=done, workspace=layout.root)

    def _ruled(self, folder: str) -> str | None:
        return next(
            (feature for glob, feature in self.plan.rules.items() if fnmatch.fnmatch(folder, glob)), None
        )

    def _target(self, transcript: Transcript) -> tuple[Layout, str]:
        """Return the workspace of the recorded folder, and the feature when no other rule gives one."""
        folder = transcript.cwd
        if transcript.format in _WITHOUT_FOLDER or not folder:
            name = "general" if transcript.format == "claude-code" else transcript.format
            return self.plan.into or self.plan.layout, name
        if self.plan.into is None and (own := self._layout_of(folder)):
            return own, self.plan.request.default_feature
        target = self.plan.into or self.plan.layout
        if Path(folder) == target.root or target.root in Path(folder).parents:
            return target, self.plan.request.default_feature
        return target, self.state.feature_of(folder)

    def _layout_of(self, folder: str) -> Layout | None:
        """Return the workspace of a recorded folder; None when the folder is gone or nobody works there."""
        if folder not in self.layouts:
            root = find_workspace(Path(folder)) if Path(folder).is_dir() else None
            is_one = root is not None and is_workspace(root)
            self.layouts[folder] = _layout(root) if root and is_one else None
        return self.layouts[folder]

    def _remember(self, path: Path, mark: str, results: list[Imported]) -> None:
        if self.plan.request.dry_run or any(one.outcome is Outcome.IGNORED for one in results):
            return
        manifests = {
            str(self._manifest(one.workspace, one.checkpoint.feature))
            for one in results
            if one.workspace and one.checkpoint
        }
        facts: dict[str, Json] = {
            "conversations": len(results),
            "empty": all(one.outcome is Outcome.EMPTY for one in results),
            "manifests": list(manifests),
        }
        self.state.remember(path, mark, facts)

    def _manifest(self, root: Path, feature: str) -> Path:
        layouts = (*self.layouts.values(), self.plan.into or self.plan.layout)
        return next(one for one in layouts if one and one.root == root).manifest(feature)


def _layout(root: Path) -> Layout:
    return Layout(root=root, archive_dir=config.load(root).archive_dir)


def _as_before(path: Path, known: Mapping[str, Json]) -> Imported:
    outcome = Outcome.EMPTY if known["empty"] else Outcome.UNCHANGED
    count = known["conversations"]
    return Imported(path=path, outcome=outcome, conversations=count if isinstance(count, int) else 1)


def _ended(transcript: Transcript) -> str:
    return max((outline.time for outline in transcript.outlines), default="")


def import_history(
    plan: Plan,
    candidates: Iterable[Candidate],
    told: Callable[[Imported], None],
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Import every candidate and tell of each conversation.

    It can be stopped and run again at any point: what was saved is saved, and the rest is new. Raises DiskError
    and LockedError, after which nothing more would work.
    """
    state = ImportState.load((plan.into or plan.layout).private / "imports.json")
    importer = _Importer(plan, state)
    saved_at = clock()
    try:
        for candidate in candidates:
            for one in importer.file(candidate):
                told(one)
            if not plan.request.dry_run and clock() - saved_at > _SAVE_EVERY:
                state.save()
                saved_at = clock()
    finally:
        if not plan.request.dry_run:
            state.save()
