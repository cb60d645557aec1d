"""Running the command that writes summaries: its whole process group ends, whatever it does (SPEC 1.8, 8)."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from threading import Thread
from typing import IO

_MOST_OUTPUT = 200_000
"""Bytes of an answer; a summary has a hundredth of it."""
_MOST_COMPLAINT = 4_000
_PATIENCE = 1.0
"""Seconds in which the rest of an answer may arrive after the command ended."""


class CommandFailedError(Exception):
    """The command gave no answer; the message says why."""


def ask(command: Sequence[str], text: str, seconds: float, environment: Mapping[str, str]) -> str:
    """Return what the command prints when it gets `text` on its standard input.

    It runs in an empty folder, so that an assistant finds no project there, and in a process group of its own that
    is ended with all its children when it answered, when `seconds` have passed, or when it floods us.
    Raises CommandFailedError.
    """
    with tempfile.TemporaryDirectory(prefix="awf-archive-", ignore_cleanup_errors=True) as folder:
        process = _started(command, folder, environment)
        running = _Running(process, text.encode(errors="replace"))
        try:
            running.wait(seconds)
        finally:
            end_group(process)
        return running.answer()


def _started(
    command: Sequence[str], folder: str, environment: Mapping[str, str]
) -> "subprocess.Popen[bytes]":
    try:
        return subprocess.Popen(  # noqa: S603 - from the user's own settings, without a shell
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=dict(environment),
            start_new_session=True,
        )
    except OSError as problem:
        raise CommandFailedError(f"{command[0]} cannot be started ({problem.strerror})") from problem


def end_group(process: "subprocess.Popen[bytes]") -> None:
    """End a process and all its children at once, and wait for it."""
    if sys.platform == "win32":
        subprocess.run(  # noqa: S603
            ["taskkill", "/T", "/F", "/PID", str(process.pid)],  # noqa: S607
            check=False,
            capture_output=True,
        )
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


class _Running:
    """A command at work: one thread feeds it, two listen."""

    def __init__(self, process: "subprocess.Popen[bytes]", given: bytes) -> None:
        self._process = process
        self._said = bytearray()
        self._complaint = bytearray()
        self._is_flooding = False
        self._is_late = False
        self._listener = Thread(target=self._listen, daemon=True)
        self._threads = (
            Thread(target=self._feed, args=(given,), daemon=True),
            self._listener,
            Thread(target=self._hear_complaint, daemon=True),
        )
        for thread in self._threads:
            thread.start()

    def _feed(self, given: bytes) -> None:
        stdin = _pipe(self._process.stdin)
        with contextlib.suppress(OSError, ValueError):  # it does not read, or was ended: its answer tells
            stdin.write(given)
        with contextlib.suppress(OSError, ValueError):
            stdin.close()

    def _listen(self) -> None:
        stdout = _pipe(self._process.stdout)
        with contextlib.suppress(OSError, ValueError):
            while data := os.read(stdout.fileno(), 65_536):
                self._said += data
                if len(self._said) > _MOST_OUTPUT:
                    self._is_flooding = True
                    end_group(self._process)
                    return

    def _hear_complaint(self) -> None:
        stderr = _pipe(self._process.stderr)
        with contextlib.suppress(OSError, ValueError):
            while data := os.read(stderr.fileno(), 65_536):
                self._complaint = (self._complaint + data)[-_MOST_COMPLAINT:]

    def wait(self, seconds: float) -> None:
        """Wait until the command ended, or `seconds` have passed; not for a child that keeps the pipe open."""
        try:
            self._process.wait(timeout=seconds)
            self._listener.join(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._is_late = True

    def answer(self) -> str:
        """Return what it said, once its group has ended. Raises CommandFailedError."""
        for thread in self._threads:
            thread.join(_PATIENCE)
        for pipe in (self._process.stdout, self._process.stderr):
            _pipe(pipe).close()
        if self._is_flooding:
            raise CommandFailedError(f"it printed more than {_MOST_OUTPUT:,} bytes and was ended")
        if self._is_late:
            raise CommandFailedError("it did not answer in time and was ended")
        if code := self._process.returncode:
            last = self._complaint.decode(errors="replace").strip().split("\n")[-1]
            raise CommandFailedError(f"it ended with code {code}{f': {last[:300]}' if last else ''}")
        if not self._said.strip():
            raise CommandFailedError("it printed nothing")
        return self._said.decode(errors="replace")


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise CommandFailedError("it has no pipe")
    return pipe
