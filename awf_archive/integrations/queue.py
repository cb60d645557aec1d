"""Jobs for what outlives a hook: a file each, and a worker that is woken when none works (issue 7).

A job is written before the worker is looked for, and a worker looks for jobs once more after it has let its lock
go: so no job is left without a worker.
"""

import json
import os
import sys
import time
from pathlib import Path

from awf_archive.integrations.hook_files import Private, make_private, put_json
from awf_archive.store.processes import is_alive

GUARD = "AWF_ARCHIVE_HOOK_ACTIVE"
"""Set for all that we start: a hook that finds it does nothing, so that nothing ever starts itself."""

_SILENT = 10.0
"""Seconds without a heartbeat (one every 2) after which a worker's lock says nothing."""


def add(private: Private, job: dict[str, object]) -> Path:
    """Write a job. Raises OSError."""
    path = private.queue / f"{time.time_ns():020d}-{os.getpid()}-{os.urandom(3).hex()}.json"
    for _ in range(3):
        make_private(private, private.queue)
        try:
            put_json(path, job)
        except FileNotFoundError:  # a worker that ended took the empty folder with it
            continue
        return path
    raise FileNotFoundError(str(path))


def waiting(private: Private) -> list[Path]:
    """Return the jobs, oldest first."""
    try:
        paths = sorted(private.queue.iterdir())
    except OSError:
        return []
    return [path for path in paths if path.name.endswith(".json") and not path.name.startswith(".")]


def is_working(private: Private) -> bool:
    """Whether a worker of this machine lives and beats, or one of another machine does."""
    try:
        age = time.time() - private.worker_lock.stat().st_mtime
        claim = json.loads(private.worker_lock.read_bytes())
    except (OSError, ValueError):
        return False
    if age > _SILENT or not isinstance(claim, dict):
        return False
    pid = claim.get("pid")
    return not isinstance(pid, int) or os.name != "posix" or is_alive(pid)


def wake(private: Private) -> bool:
    """Start a worker that goes on after us, unless one works. Raises OSError when none can be started."""
    if is_working(private):
        return False
    # -P: without it Python would look for modules in the current folder, which a stranger may have filled
    command = [sys.executable, "-P", "-m", "awf_archive", "worker", "run", "--workspace", str(private.root)]
    environment = {**os.environ, GUARD: "1"}
    if sys.platform == "win32" or not _spawned(command, environment):
        _started(command, environment)
    return True


def _spawned(command: list[str], environment: dict[str, str]) -> bool:
    """Start it in a session of its own, so that whatever ends the tool's does not end it; 10 ms less than Popen."""
    nothing = os.open(os.devnull, os.O_RDWR)
    actions = [(os.POSIX_SPAWN_DUP2, nothing, number) for number in range(3)]
    try:
        os.posix_spawn(command[0], command, environment, file_actions=actions, setsid=True)
    except NotImplementedError:
        return False
    finally:
        os.close(nothing)
    return True


def _started(command: list[str], environment: dict[str, str]) -> None:
    import subprocess

    flags = 0x00000008 | 0x00000200 if sys.platform == "win32" else 0  # DETACHED_PROCESS, a group of its own
    subprocess.Popen(  # noqa: S603 - our own program, no shell
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=sys.platform != "win32",
        creationflags=flags,
    )
