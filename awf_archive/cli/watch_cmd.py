"""`awf-archive watch`: saves what chat tools write that have no hooks (issue 7, point 5)."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click

from awf_archive.cli import checkpoint_view, output, setup
from awf_archive.domain.wording.watch_words import WATCH_WORDS, WatchWords
from awf_archive.errors import ArchiveError, LockedError
from awf_archive.integrations import queue
from awf_archive.integrations.hook_files import Private, make_private
from awf_archive.services.checkpoint import Checkpoint, Request
from awf_archive.services.watch import LOCK, QUIET, Failed, Watch
from awf_archive.store.atomic import disk_errors
from awf_archive.store.lock import holding

_LEAST = 1.0
"""Seconds between two looks, at least."""
_REST = 20
"""How many times as long as a look took the next one waits, at least: a twentieth of a processor."""


@click.command()
@click.option(
    "--interval",
    type=click.FloatRange(min=_LEAST),
    default=10.0,
    show_default=True,
    help="Seconds between looks.",
)
@click.option(
    "--quiet",
    type=click.FloatRange(min=0),
    default=QUIET,
    show_default=True,
    help="Seconds for which a file must not have changed before it is saved.",
)
@click.option("--once", is_flag=True, help="Save what changed, wait for what is being written, and end.")
@click.option("--for", "minutes", type=click.FloatRange(min=0), help="End after so many minutes.")
@setup.common
def command(  # noqa: PLR0913 - click hands every option over as an argument
    *,
    interval: float,
    quiet: float,
    once: bool,
    minutes: float | None,
    as_json: bool,
    lang: str | None,
    workspace: Path | None,
) -> int:
    """Save the conversations of this workspace as they grow, whichever tool writes them. Ctrl-C ends it.

    For tools without hooks; beside hooks it saves nothing twice. A look reads only what changed.
    """
    ready = setup.prepare(workspace, lang)
    words = WATCH_WORDS[ready.words.language]
    request = Request(
        transcript=Path(),
        now=setup.now(),
        language=ready.words.language,
        threshold=ready.settings.chunk_threshold,
        redact=ready.settings.redact,
        vaults=ready.vaults,
    )
    with _stopping() as stop, _alone(ready, words):
        watch = Watch(layout=ready.layout, request=request, quiet=quiet, is_stopped=stop.is_set)
        run = _Run(ready, watch, words, is_silent=as_json)
        if not as_json:
            output.note(words.begins.format(path=ready.layout.root))
        run.until(stop, _deadline(minutes, quiet, is_once=once), interval, is_once=once)
    if as_json:
        language = ready.words.language
        saved = [checkpoint_view.as_json(one, language) | {"path": str(one.path)} for one in run.saved]
        failures = [{"path": str(one.path), "message": one.problem.message} for one in run.failed]
        output.json_object({"saved": saved, "failures": failures, "looks": run.looks})
    else:
        output.note(words.ends.format(turns=sum(one.saved for one in run.saved)))
    return run.failed[-1].problem.exit_code if once and run.failed else 0


def _deadline(minutes: float | None, quiet: float, *, is_once: bool) -> float:
    """Return when to end: after `--for`; once what is being written had its time."""
    seconds = 60 * minutes if minutes is not None else float("inf")
    return time.monotonic() + (min(seconds, 4 * quiet) if is_once else seconds)


class _Run:
    """The looks of one call."""

    def __init__(self, ready: setup.Setup, watch: Watch, words: WatchWords, *, is_silent: bool) -> None:
        self._ready, self._watch, self._words, self._is_silent = ready, watch, words, is_silent
        self._woken: frozenset[Path] = frozenset()
        self._said: set[str] = set()
        self.saved: list[Checkpoint] = []
        self.failed: list[Failed] = []
        self.looks = 0

    def until(self, stop: threading.Event, deadline: float, interval: float, *, is_once: bool) -> None:
        """Look again and again; at the end once more, also at what is still being written."""
        while True:
            started = time.monotonic()
            waiting = self._look(is_last=False)
            if is_once and not waiting:
                return
            rest = max(_LEAST if is_once else interval, _REST * (time.monotonic() - started))
            if stop.wait(max(0.0, min(rest, deadline - time.monotonic()))) or time.monotonic() >= deadline:
                break
        self._look(is_last=True)

    def _look(self, *, is_last: bool) -> int:
        look = self._watch.look(self._tell, is_last=is_last)
        self.looks += 1
        self.saved += look.saved
        for one in look.failed:
            self._fail(one)
        if look.saved:
            self._follow()
        self._wake()
        return look.waiting

    def _tell(self, done: Checkpoint) -> None:
        if not self._is_silent:
            output.text(
                self._words.saved.format(
                    time=time.strftime("%H:%M:%S"),
                    feature=done.feature,
                    turns=done.saved,
                    name=done.path.name,
                )
            )

    def _fail(self, one: Failed) -> None:
        """Tell of a failure, the same one once."""
        if one.problem.message not in self._said:
            self._said.add(one.problem.message)
            self.failed.append(one)
            output.note(f"{one.problem.message} {one.problem.hint}")

    def _follow(self) -> None:
        """Bring the index along; if that fails the archive is safe, and the next search mends it."""
        from awf_archive.services.index import sync

        try:
            sync(self._ready.archive, lambda _done, _total: None)
        except ArchiveError as problem:
            output.note(f"{problem.message} {problem.hint}")

    def _wake(self) -> None:
        """Start the worker for jobs that a killed one left; each job once, for its tries are counted."""
        private = Private(self._ready.layout.root)
        waiting = frozenset(queue.waiting(private))
        if waiting - self._woken and not queue.is_working(private):
            queue.wake(private)
        self._woken = waiting


@contextmanager
def _stopping() -> Iterator[threading.Event]:
    """Yield what is set by the first Ctrl-C or SIGTERM; the file at hand is finished. A second one ends at once."""
    stop = threading.Event()

    def asked(_number: int, _frame: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = {number: signal.signal(number, asked) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _alone(ready: setup.Setup, words: WatchWords) -> Iterator[None]:
    """Keep a second watch of the workspace out. Raises LockedError."""
    private = Private(ready.layout.root)
    with disk_errors(private.folder):
        make_private(private, private.folder)
    with ExitStack() as held:
        try:
            held.enter_context(holding(ready.layout.private / LOCK, wait=1.0))
        except LockedError as problem:
            raise LockedError(words.taken, words.taken_hint) from problem
        yield
