"""A thread that works jobs off one after another, and never holds up whoever hands them in (SPEC 5)."""

import contextlib
import logging
import queue
import threading
import time
from collections.abc import Callable

Job = Callable[[], None]

LOG = logging.getLogger("awf_archive.auto_checkpoint")

MOST_WAITING = 16
"""Jobs that may wait; a trigger beyond them is dropped with a warning: the next one saves the same state."""

PATIENCE = 60.0
"""Seconds after which a job counts as hanging, and another thread goes on without it."""


class Worker:
    """Runs jobs in a daemon thread, started with the first job and again after a fork or a job that hangs."""

    def __init__(self, *, patience: float = PATIENCE, most_waiting: int = MOST_WAITING) -> None:
        self._patience = patience
        self._most_waiting = most_waiting
        self._lock = threading.Lock()
        self._line: queue.Queue[Job | None] = queue.Queue(most_waiting)
        self._thread: threading.Thread | None = None
        self._busy_since: float | None = None
        self._is_closed = False

    def submit(self, job: Job) -> bool:
        """Hand a job in; False when it is dropped. Returns at once."""
        with self._lock:
            if self._is_closed:
                return False
            self._see_to_thread()
            try:
                self._line.put_nowait(job)
            except queue.Full:
                LOG.warning("auto-checkpoint: %d saves are waiting; one was dropped", self._line.qsize())
                return False
        return True

    def _see_to_thread(self) -> None:
        """Start a thread when there is none that works."""
        since = self._busy_since
        is_hanging = since is not None and time.monotonic() - since > self._patience
        if self._thread is not None and self._thread.is_alive() and not is_hanging:
            return
        if is_hanging:
            LOG.warning("auto-checkpoint: a save hangs; going on without it")
        self._line = queue.Queue(self._most_waiting)
        self._busy_since = None
        self._thread = threading.Thread(
            target=self._work, args=(self._line,), name="awf-auto-checkpoint", daemon=True
        )
        self._thread.start()

    def _work(self, line: "queue.Queue[Job | None]") -> None:
        while (job := line.get()) is not None:
            if line is self._line:
                self._busy_since = time.monotonic()
            try:
                job()
            except Exception as problem:  # noqa: BLE001 - a backend is anybody's code: the thread goes on
                LOG.warning("auto-checkpoint: a save failed: %s: %s", type(problem).__name__, problem)
            finally:
                if line is self._line:
                    self._busy_since = None
                line.task_done()

    def flush(self, timeout: float) -> bool:
        """Wait until everything handed in so far is done; False when that takes longer than `timeout` seconds."""
        done = threading.Event()
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                return True
            line = self._line
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            with contextlib.suppress(queue.Full):
                line.put_nowait(done.set)
                return done.wait(max(0.0, deadline - time.monotonic()))
            time.sleep(0.01)
        return False

    def close(self, timeout: float) -> bool:
        """Finish what waits, for `timeout` seconds at most; later jobs are not taken. False when some was left."""
        is_done = self.flush(timeout)
        with self._lock:
            self._is_closed = True
            with contextlib.suppress(queue.Full):
                self._line.put_nowait(None)
        return is_done
