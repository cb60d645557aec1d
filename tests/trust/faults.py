"""A disk that fails, or a process that dies, at a chosen operation; every operation of the store is counted."""

import io
import os
import signal
import time

WATCHED = (
    *("open", "fsync", "replace", "rename", "unlink", "mkdir", "rmdir", "utime", "link", "truncate", "chmod"),
)
"""Everything through which the store touches the disk, by its name in `os`; writes are watched as well."""
GROWING = frozenset({"open", "mkdir", "replace", "rename", "link", "write"})
"""What a full disk refuses."""
DIED = 9


class Countdown:
    """Calls `happen` at the n-th operation; `lasting` from then on at every one that needs space."""

    def __init__(self, operations, happen, *, lasting=False):
        self.left, self.happen, self.lasting = operations, happen, lasting
        self.reached = False

    def step(self, name):
        if self.left == 0 or (self.reached and self.lasting and name in GROWING):
            self.reached = True
            self.left = -1
            self.happen()
        elif self.left > 0:
            self.left -= 1

    def watched(self, name, real):
        def call(*arguments, **options):
            if name != "open" or (len(arguments) > 1 and arguments[1] & (os.O_WRONLY | os.O_RDWR)):
                self.step(name)
            return real(*arguments, **options)

        return call

    def fdopen(self, real):
        def fdopen(descriptor, mode="r", *arguments, **options):
            if mode != "wb":
                return real(descriptor, mode, *arguments, **options)
            file = _TornFile(io.FileIO(descriptor, "wb"))
            file.countdown = self
            return file

        return fdopen

    def install(self, put):
        for name in WATCHED:
            put(name, self.watched(name, getattr(os, name)))
        put("fdopen", self.fdopen(os.fdopen))


class _TornFile(io.BufferedWriter):
    """Half of what is written when it fails reaches the disk."""

    countdown = None

    def write(self, data):
        if self.countdown.left == 0:
            super().write(data[: len(data) // 2])
            self.flush()
        self.countdown.step("write")
        return super().write(data)


def dies_at(operation, action):
    """Run `action` in a process of its own that dies at that operation; return whether it did."""
    child = os.fork()
    if child == 0:
        Countdown(operation, lambda: os._exit(DIED)).install(lambda name, new: setattr(os, name, new))
        try:
            action()
        except BaseException as problem:  # noqa: BLE001 - the child must never go on as a test run of its own
            os.write(2, f"{problem!r}\n".encode())
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    assert code in (0, DIED), code
    return code == DIED


def killed_after(seconds, process):
    """Kill a process with SIGKILL after a while; return whether it was still running."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            return False
    process.send_signal(signal.SIGKILL)
    return process.wait() == -signal.SIGKILL
