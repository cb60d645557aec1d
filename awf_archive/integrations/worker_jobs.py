"""The kinds of work that hooks hand over: a table, and a function for each that may be done twice (SPEC 3, 5).

What makes doing it twice harmless: a checkpoint saves only what is new; an auto-save leaves an entry with the job's
time, a snapshot bears it, and both are looked for first.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from awf_archive import config
from awf_archive.brain.backends import Backend
from awf_archive.brain.events import append, events
from awf_archive.brain.folder import Brain, read
from awf_archive.domain import work_state
from awf_archive.domain.recap import moment
from awf_archive.domain.triggers import Counts, Level, Trigger, estimate, level_of
from awf_archive.errors import ArchiveError, LockedError
from awf_archive.integrations import trust
from awf_archive.integrations.hook_files import Private, log
from awf_archive.integrations.hook_tools import TOOLS
from awf_archive.integrations.settle import find_transcript, settle
from awf_archive.services import autosave_windows as counters
from awf_archive.services.auto_checkpoint import AutoCheckpoint, event_of
from awf_archive.services.auto_checkpoint_worker import Worker
from awf_archive.services.auto_checkpoint_workspace import Session, backend_of, capture_of, settings_of
from awf_archive.services.autosave_place import WAIT, Place, Saved, lock_of
from awf_archive.services.autosave_state import time_of
from awf_archive.services.autosave_write import Job as Save
from awf_archive.services.autosave_write import save
from awf_archive.services.checkpoint import Request, checkpoint
from awf_archive.services.watch import LOCK, Watch
from awf_archive.store.archive import Archive
from awf_archive.store.layout import Layout
from awf_archive.store.lock import holding


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One piece of work, as a hook wrote it."""

    kind: str
    trigger: str
    window: str
    tool: str = "claude-code"
    """The format of the conversation."""
    session: str = ""
    transcript: str = ""
    time: float = 0.0
    """When the hook was called; what is saved bears this time."""
    last: str = ""
    """The end of the final answer, which the file may not hold yet."""
    workflow: str = ""
    urgent: bool = False
    counts: tuple[int, ...] = ()
    tries: int = 0
    reason: str = ""
    """Why the last try failed."""

    @property
    def then(self) -> datetime:
        """When it was asked for."""
        return datetime.fromtimestamp(self.time, UTC)


_TEXTS = ("window", "session", "transcript", "last", "reason")


def job_of(entry: Mapping[str, object]) -> Job | None:
    """Return the job in a file; None where it is none that we know."""
    known = {name: entry[name] for name in Job.__dataclass_fields__ if name in entry}
    numbers = known.get("counts")
    if isinstance(numbers, list) and all(type(one) is int for one in numbers):
        known["counts"] = tuple(numbers)
    is_sound = (
        all(isinstance(known.get(name, ""), str) for name in _TEXTS)
        and known.get("kind") in JOBS
        and known.get("tool", "claude-code") in TOOLS
        and isinstance(known.get("trigger"), str)
        and isinstance(known.get("time", 0.0), (int, float))
        and isinstance(known.get("tries", 0), int)
    )
    return Job(**known) if is_sound else None  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a job."""

    is_done: bool = True
    reason: str = ""
    """For the log."""
    told: tuple[str, ...] = ()
    """Ids of what the next prompt tells."""
    is_phantom: bool = False
    """Its transcript was never written: no failure, there was no conversation."""


@dataclass(slots=True, kw_only=True)
class Site:
    """The workspace that a worker works in."""

    layout: Layout
    settings: config.Settings
    language: str
    vaults: Path
    folder_of: Callable[[str], Path] = config.tool_folder
    """Where a tool keeps its conversations."""
    patience: float = 10.0
    """Seconds to wait for a transcript that is still being written."""
    grown: set[str] = field(default_factory=set, init=False)
    """Features whose archive grew, so that the index and the rendered pages must follow."""
    chunks: list[tuple[str, str]] = field(default_factory=list, init=False)
    """Features and ids of the summaries that were made."""

    @property
    def private(self) -> Private:
        """The passing files."""
        return Private(self.layout.root)


def work(site: Site, job: Job) -> Outcome:
    """Do a job. Raises ArchiveError where that could not be done."""
    return JOBS[job.kind](site, job)


_WITH_STATE: Mapping[str, Trigger] = {
    "pre_compact": Trigger.EMERGENCY,
    "on_event:session_end": Trigger.USER_LEAVING,
}
"""Moments after which a window is told where the work stands: so the work state is saved, as if it were said."""

_SAME_LEAVING = timedelta(minutes=2)
"""Within which a session's end and its user's goodbye are one."""


def _checkpoint(site: Site, job: Job) -> Outcome:
    outcome, _ = _archived(site, job)
    if not outcome.is_phantom:
        _state_too(site, job)
    return outcome


def _state_too(site: Site, job: Job) -> None:
    """Save the work state where the moment calls for it, unless that was done by now."""
    trigger = _WITH_STATE.get(job.trigger)
    place = _place(site, job)
    if trigger is None or not place.config().enabled:
        return
    points = work_state.save_points(read(place.brain.session).value or {})
    is_said = any(one.trigger == trigger.value and _is_near(one.time, job) for one in points)
    if trigger is Trigger.USER_LEAVING and is_said:
        return
    for name in _saved(site, replace(job, trigger=trigger.value)):
        log(site.private, f"{job.trigger}: {name}")


def _is_near(time: str, job: Job) -> bool:
    then = moment(time)
    return then is not None and abs(job.then - then) < _SAME_LEAVING


def _request(site: Site) -> Request:
    """Return what every checkpoint is asked, but for its transcript."""
    return Request(
        transcript=Path(),
        now=time_of(datetime.now(UTC)),
        language=site.language,
        threshold=site.settings.chunk_threshold,
        redact=site.settings.redact,
        vaults=site.vaults,
        extend=True,
    )


def _transcript(site: Site, job: Job) -> Path | None:
    return find_transcript(job.transcript, (job.window, job.session), job.tool, site.folder_of)


def _archived(site: Site, job: Job) -> tuple[Outcome, str]:
    """Save the conversation; return what is left to do, and the feature it went to."""
    path = _transcript(site, job)
    if path is None:
        reason = f"no transcript at {job.transcript or 'any place'}, will look again on next run"
        return Outcome(is_done=False, is_phantom=True, reason=reason), ""
    is_whole = settle(path, job.last, site.patience)
    done = checkpoint(site.layout, replace(_request(site), transcript=path, format=job.tool))
    if done.saved or done.updated or done.adopted:
        site.grown.add(done.feature)
    for unread in done.unread:
        log(site.private, f"{unread} does not read; the turns are saved. See: awf-archive status")
    if done.chunk:
        site.chunks.append((done.feature, done.chunk.chunk_id))
    if not is_whole:
        return Outcome(is_done=False, reason=f"{path}: the last answer is not there yet"), done.feature
    return Outcome(), done.feature


def _snapshot(site: Site, job: Job) -> Outcome:
    """Save the conversation and a snapshot of the work state (SPEC 5)."""
    outcome, feature = _archived(site, job)
    if outcome.is_phantom:
        return outcome
    _state_too(site, job)
    backend = backend_of(site.layout, site.settings)
    try:
        path = Brain(site.layout.root).events
        known = next((one.id for one in backend.ages(job.window) if one.time == job.then), "")
        if known:
            _see_to_event(path, backend, known)
            return outcome
        _own_brain(site)
        capture = capture_of(
            site.layout,
            Session(session_id=job.window, feature=feature or None),
            site.settings,
        )
        auto = AutoCheckpoint(
            backend, job.window, capture, settings_of(site.settings), now=lambda: job.then, worker=_AtOnce()
        )
        auto.subscribe(lambda event: append(path, event))
        auto.save(job.trigger)
    finally:
        backend.close()
    return outcome


def _see_to_event(path: Path, backend: Backend, known: str) -> None:
    """Add the event of a snapshot where a worker that was killed had not come to it."""
    snapshot = backend.get(known)
    if snapshot and all(event.get("checkpoint_id") != known for event in events(path)):
        append(path, event_of(snapshot, backend.name))


class _AtOnce(Worker):
    """Does a job where it is handed in, and lets its failure through: we are the background already."""

    def submit(self, job: Callable[[], None]) -> bool:
        """Do it."""
        job()
        return True


_ARCHIVED = frozenset({Trigger.USER_LEAVING, Trigger.EMERGENCY, Trigger.WORKFLOW_END})
"""Triggers whose notice says that all is saved: so the conversation is, too."""


def _save(site: Site, job: Job) -> Outcome:
    """Save the work state as auto-save does, and the conversation where the user is told that all is saved.

    What keeps the one from being saved does not keep the other.
    """
    told: tuple[str, ...] = ()
    failure: ArchiveError | None = None
    try:
        told = _saved(site, job)
    except ArchiveError as problem:
        failure = problem
    outcome = Outcome()
    if saves_conversation(job):
        outcome, _ = _archived(site, job)
    if failure:
        raise failure
    return replace(outcome, is_done=outcome.is_done or outcome.is_phantom, told=told)


def saves_conversation(job: Job) -> bool:
    """Whether a job's conversation is to be in the archive when it is done."""
    return job.kind in {"checkpoint", "snapshot"} or job.urgent or job.trigger in _ARCHIVED


_SWEEP = 30.0
"""Seconds to wait for files that are still being written; what takes longer waits for the next commit or hook."""


def _sweep(site: Site, _job: Job) -> Outcome:
    """Save what changed in conversations of any tool; a `watch` that is at it does that by itself."""
    watch = Watch(layout=site.layout, request=_request(site))
    try:
        with holding(site.layout.private / LOCK, 1.0):
            deadline = time.monotonic() + _SWEEP
            while True:
                look = watch.look()
                site.grown.update(one.feature for one in look.saved)
                for one in look.failed:
                    log(site.private, f"sweep: {one.problem.message}")
                if not look.waiting or time.monotonic() > deadline:
                    return Outcome()
                time.sleep(1.0)
    except LockedError:
        return Outcome()


def _place(site: Site, job: Job) -> Place:
    return Place(layout=site.layout, now=lambda: job.then)


def _saved(site: Site, job: Job) -> tuple[str, ...]:
    """Save the work state (SPEC 3.3); return what the user is to be told."""
    trigger, place = Trigger(job.trigger), _place(site, job)
    path = _transcript(site, job)
    if path:
        settle(path, job.last, site.patience)
    if _is_saved(place, job):
        return ()
    _own_brain(site)
    done = save(place, _asked(place, job, trigger), place.config(), Save(path, job.workflow, job.urgent))
    if done.failure:
        raise done.failure
    for problem in done.problems:
        log(site.private, f"save {job.trigger}: {problem}")
    return done.notices


def _asked(place: Place, job: Job, trigger: Trigger) -> Saved:
    """Return what is saved, and put the hook's counters where all commands look for them."""
    with holding(lock_of(place), WAIT):
        windows = counters.load(place.layout)
        known = windows.get(job.window, counters.Window())
        counts = Counts(*job.counts[:3]) if job.counts else known.counts
        level = level_of(estimate(counts), place.config())
        shown = level if level in {Level.WARNING, Level.CRITICAL} else known.shown
        windows[job.window] = counters.Window(counts, counts.messages, shown)
        counters.save(place.layout, windows, job.window)
    return Saved(trigger=trigger, level=level, tokens=estimate(counts), message_count=counts.messages)


def _is_saved(place: Place, job: Job) -> bool:
    """Whether a worker that was killed had saved this already."""
    points = work_state.save_points(read(place.brain.session).value or {})
    return any(one.time == time_of(job.then) and one.trigger == job.trigger for one in points)


def _own_brain(site: Site) -> None:
    """Remember that this workspace's `.brain` is made here, where there is none yet."""
    if not Brain(site.layout.root).folder.exists():
        trust.remember(site.layout.root, trust.MADE_HERE)


def sync_index(site: Site) -> None:
    """Bring the index along; if that fails the archive is safe, and the next search mends it."""
    from awf_archive.services.index import sync

    try:
        sync(Archive(layout=site.layout), lambda _done, _total: None)
    except ArchiveError as problem:
        log(site.private, f"index: {problem.message}")


def render_ahead(site: Site) -> None:
    """Render what was saved where a site is built; if that fails the next build says why."""
    if not site.layout.render_cache.is_dir():
        return  # nobody builds a site here
    from awf_archive.site_builder.warm import warm

    try:
        warm(site.layout, sorted(site.grown))
    except (ArchiveError, OSError) as problem:
        log(site.private, f"render: {problem}")


JOBS: Mapping[str, Callable[[Site, Job], Outcome]] = {
    "checkpoint": _checkpoint,
    "snapshot": _snapshot,
    "save": _save,
    "sweep": _sweep,
}
"""Every kind of work."""
