"""Processes that die at a chosen operation of the disk, or whenever they are killed."""

import builtins
import io
import os
import signal
import time

_WATCHED = ("open", "fsync", "replace", "rename", "unlink", "mkdir", "rmdir", "utime", "link")
"""Everything through which the store touches the disk, by its name in `os`."""

DIED = 9


class _Countdown:
    """Dies at the n-th operation; a write is torn in the middle first."""

    def __init__(self, operations):
        self.left = operations

    def step(self):
        if self.left == 0:
            os._exit(DIED)
        self.left -= 1

    def watched(self, real):
        def call(*arguments, **options):
            self.step()
            return real(*arguments, **options)

        return call

    def torn(self, real):
        def write(file, data):
            if self.left == 0:
                real(file, data[: len(data) // 2])
                file.flush()
            self.step()
            return real(file, data)

        return write


class _TornFile(io.BufferedWriter):
    countdown = None

    def write(self, data):
        return self.countdown.torn(super(_TornFile, type(self)).write)(self, data)


def dies_at(operation, action):
    """Run `action` in a process of its own that dies at that operation; return whether it did."""
    child = os.fork()
    if child == 0:
        _die_at(operation, action)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    assert code in (0, DIED), code
    return code == DIED


def _die_at(operation, action):
    countdown = _Countdown(operation)
    for name in _WATCHED:
        setattr(os, name, countdown.watched(getattr(os, name)))
    real = os.fdopen

    def fdopen(descriptor, mode="r", *arguments, **options):
        if mode != "wb":
            return real(descriptor, mode, *arguments, **options)
        file = _TornFile(io.FileIO(descriptor, "wb"))
        file.countdown = countdown
        return file

    os.fdopen = fdopen
    try:
        action()
    except builtins.BaseException:  # noqa: BLE001 - the child must never go on as a test run of its own
        os._exit(1)
    os._exit(0)


def killed_after(seconds, action):
    """Run `action` in a process of its own and kill it after a while; return whether it was still running."""
    child = os.fork()
    if child == 0:
        try:
            action()
        finally:
            os._exit(0)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if os.waitpid(child, os.WNOHANG) != (0, 0):
            return False
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)
