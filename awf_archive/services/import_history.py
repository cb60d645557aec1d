"""Bringing a whole history in: every conversation in every file, each to its workspace and feature."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from awf_archive.domain.formats import is_partial
from awf_archive.domain.transcript import Json, Transcript
from awf_archive.errors import ArchiveError, InputError, UnknownFormatError
from awf_archive.readers import identify
from awf_archive.services.belongings import belongings, with_neighbours
from awf_archive.services.checkpoint import Checkpoint, Request, save_transcript
from awf_archive.services.ghosts import Ghosts
from awf_archive.services.import_state import ImportState, mark_of
from awf_archive.services.import_target import Targets
from awf_archive.services.places import Candidate
from awf_archive.services.sources import FileSource, opened
from awf_archive.store.archive import Archive
from awf_archive.store.layout import Layout
from awf_archive.store.lock import holding
from awf_archive.store.recovery import sweep

_SAVE_EVERY = 5.0
"""Seconds between two writes of the state: what a stop in between loses is only the skipping."""


class Outcome(StrEnum):
    """What became of one conversation, or of a file that holds none."""

    NEW = "new"
    UNCHANGED = "unchanged"
    EMPTY = "empty"
    FAILED = "failed"
    IGNORED = "ignored"
    """A file in a folder that no reader recognises, or older than `since`; it is not counted as read."""
    COVERED = "covered"
    """Part of another conversation: a sub-agent's file, or prompts of one that is there whole; not counted."""


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
    is_partial: bool = False
    """Only the prompts are left of it."""


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
class _Seen:
    """What a file gave, for the state."""

    counted: int = 0
    is_empty: bool = True
    is_settled: bool = True
    """Reading it again while it is as it is would give the same."""
    features: dict[Path, set[str]] = field(default_factory=dict)

    def take(self, one: Imported) -> None:
        self.counted += one.outcome is not Outcome.COVERED
        self.is_empty = self.is_empty and one.outcome is Outcome.EMPTY
        self.is_settled = self.is_settled and one.outcome not in (Outcome.IGNORED, Outcome.FAILED)
        if one.workspace and one.checkpoint:
            self.features.setdefault(one.workspace, set()).add(one.checkpoint.feature)


@dataclass(slots=True)
class _Importer:
    plan: Plan
    state: ImportState
    targets: Targets
    ghosts: Ghosts = field(default_factory=Ghosts)

    def file(self, candidate: Candidate) -> Iterator[Imported]:
        """Import one file, telling of each conversation as it is saved. A failure is an answer, not an end."""
        path, seen = candidate.path, _Seen()
        try:
            if known := self.state.unchanged(path):
                yield _as_before(path, known)
                return
            mark = mark_of(path)
            with opened(path) as source:
                for one in self._conversations(candidate, source):
                    seen.take(one)
                    yield one
        except UnknownFormatError as problem:
            outcome = Outcome.FAILED if candidate.is_named else Outcome.IGNORED
            yield Imported(path=path, outcome=outcome, message=problem.message)
            return
        except (InputError, FileNotFoundError) as problem:
            message = problem.message if isinstance(problem, ArchiveError) else f"{path}: gone."
            yield Imported(path=path, outcome=Outcome.FAILED, message=message)
            return
        if seen.is_settled and not self.plan.request.dry_run:
            self._remember(path, mark, seen)

    def _conversations(self, candidate: Candidate, source: FileSource) -> Iterator[Imported]:
        path = candidate.path
        if source.size == 0:
            yield Imported(path=path, outcome=Outcome.EMPTY)
            return
        if self._is_own(path):
            yield Imported(path=path, outcome=Outcome.COVERED)
            return
        reader = identify(source, self.plan.request.format or candidate.format)
        count = 0
        for transcript, is_shared in with_neighbours(reader.read(source)):
            count += 1
            yield self._conversation(candidate, source, transcript, is_shared=is_shared)
        if count == 0:
            yield Imported(path=path, outcome=Outcome.EMPTY)

    def _is_own(self, path: Path) -> bool:
        """Whether a file belongs to the archive that is written to: its turns are there already."""
        return (self.plan.into or self.plan.layout).archive in path.absolute().parents

    def _conversation(
        self, candidate: Candidate, source: FileSource, transcript: Transcript, *, is_shared: bool
    ) -> Imported:
        path = candidate.path
        if not transcript.outlines:
            return Imported(path=path, outcome=Outcome.EMPTY)
        if not candidate.is_named and is_attached(path, transcript):
            return Imported(path=path, outcome=Outcome.COVERED)
        if self.plan.since and _ended(path, transcript) < self.plan.since:
            return Imported(path=path, outcome=Outcome.IGNORED)
        target = self.targets.of(path, transcript)
        if is_partial(transcript.format):
            transcript = self.ghosts.without_known(Archive(layout=target.layout), transcript)
            if not transcript.outlines:
                return Imported(path=path, outcome=Outcome.COVERED)
            if self.ghosts.is_on_disk(path, transcript):
                return Imported(path=path, outcome=Outcome.IGNORED)
        request = replace(
            self.plan.request, transcript=path, feature=target.feature, default_feature=target.default
        )
        self._note_features()
        own = belongings(source, transcript, is_shared=is_shared)
        done = save_transcript(target.layout, transcript, request, own)
        outcome = Outcome.NEW if done.saved or done.updated else Outcome.UNCHANGED
        return Imported(
            path=path,
            outcome=outcome,
            checkpoint=done,
            workspace=target.layout.root,
            is_partial=is_partial(transcript.format),
        )

    def _note_features(self) -> None:
        """Write down a folder's new feature before anything lies there: a stop must not give it another name."""
        if self.state.has_new_feature and not self.plan.request.dry_run:
            self.state.save()

    def _remember(self, path: Path, mark: str, seen: _Seen) -> None:
        facts: dict[str, Json] = {
            "conversations": seen.counted,
            "empty": seen.is_empty,
            "manifests": list[Json](self.targets.manifests(seen.features)),
        }
        self.state.remember(path, mark, facts)


def is_attached(path: Path, transcript: Transcript) -> bool:
    """Whether a sub-agent's own file lies where its parent's reader finds it: then it is part of the parent."""
    parent = transcript.agent_of
    if not parent or any(mark in parent for mark in "*?[/\\"):
        return False
    beside = path.parent.glob(f"rollout-*{parent}.jsonl*")
    above = path.parent.parent.glob(f"session-*{parent[:8]}.json*") if path.parent.name == parent else ()
    same = (path.with_name(f"{parent}.json"),)
    return any(one != path and one.exists() for one in (*beside, *above, *same))


def _as_before(path: Path, known: Mapping[str, Json]) -> Imported:
    count = known["conversations"] if isinstance(known["conversations"], int) else 1
    if not count:
        return Imported(path=path, outcome=Outcome.COVERED)
    outcome = Outcome.EMPTY if known["empty"] else Outcome.UNCHANGED
    return Imported(path=path, outcome=outcome, conversations=count)


def _ended(path: Path, transcript: Transcript) -> str:
    """Return when a conversation ended; one without times when its file was last written."""
    ended = max((outline.time for outline in transcript.outlines), default="")
    return ended or datetime.fromtimestamp(path.stat().st_mtime, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


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
    targets = Targets(
        here=plan.layout, into=plan.into, feature=plan.request.feature, rules=plan.rules, state=state
    )
    importer = _Importer(plan, state, targets)
    saved_at = clock()
    try:
        for candidate in candidates:
            for one in importer.file(candidate):
                told(one)
            if not plan.request.dry_run and clock() - saved_at > _SAVE_EVERY:
                _remember(state, plan)
                saved_at = clock()
    finally:
        if not plan.request.dry_run:
            _remember(state, plan)


def _remember(state: ImportState, plan: Plan) -> None:
    """Write the state down while nobody else writes, and take away what an interrupted import left of it."""
    layout = plan.into or plan.layout
    with holding(layout.lock):
        sweep(layout)
        state.save()
