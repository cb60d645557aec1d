"""The one entry of all hooks: reads the event, acts, prints what may be printed, leaves with 0.

Whatever happens: a hook that fails would show its failure at every step of somebody's work.
"""

import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from awf_archive.integrations import queue
from awf_archive.integrations.hook_files import Private, log
from awf_archive.integrations.hook_input import CLAUDE_CODE, Event, parsed, read
from awf_archive.integrations.hook_tools import GIT_COMMIT, TOOLS, tool_of, translated

__all__ = ["TOOLS", "answer", "event_data", "main", "workspace_of"]

_LIMIT = 8
"""Seconds after which a hook gives up, whatever holds it: a share that hangs, a disk that sleeps."""


def main(name: str = CLAUDE_CODE, arguments: Sequence[str] = ()) -> None:
    """Answer one event of the tool of this name; never returns, never fails."""
    try:
        if queue.GUARD not in os.environ:  # read here: it must hold before anything else is loaded
            _give_up_in_time()
            _print(answer(event_data(name, arguments), name))
    except BaseException as problem:  # noqa: BLE001 - the last line of defence; see above
        _note(f"hook failed: {type(problem).__name__}: {problem}")
    finally:
        os._exit(0)  # at once: nothing at the interpreter's end may print, wait or fail


def event_data(name: str, arguments: Sequence[str]) -> bytes:
    """Return the event: on stdin, but Codex hands a `notify` program an argument, and git says nothing."""
    if name == "codex-notify":
        return "".join(arguments[-1:]).encode("utf-8", "surrogateescape")
    if name == "git":
        for variable in [one for one in os.environ if one.startswith("GIT_")]:
            del os.environ[variable]  # the worker would take this commit's index for that of every repository
        folder = Path("".join(arguments[-1:])).absolute()
        return json.dumps({"hook_event_name": GIT_COMMIT, "cwd": str(folder)}).encode()
    return read()


def answer(data: bytes, name: str = CLAUDE_CODE) -> dict[str, object]:
    """Return what to print for an event of a tool; an empty object prints nothing."""
    raw = parsed(data)
    if raw is None:
        _note(f"{name}: no event ({len(data)} bytes)" if data else f"{name}: stdin was empty or never ended")
        return {}
    tool = tool_of(raw, name)
    event = translated(raw, tool)
    from awf_archive.integrations.hook_events import ACTS, Call, refused

    act = ACTS.get(event.name)
    if act is None:
        return {}
    root = workspace_of(event, tool.folder)
    if root is None:
        _note(f"{event.name}: {event.cwd or 'no folder'}: no such workspace, nothing was saved")
        return {}
    call = Call(event, root, tool)
    try:
        told = act(call)
    except OSError as problem:
        _note(f"{event.name}: {problem}", call.private)
        told = refused(call)
    _wake(call.private)
    return tool.answered(told)


def workspace_of(event: Event, variable: str = "CLAUDE_PROJECT_DIR") -> Path | None:
    """Return the workspace of an event; None where its folder is gone, or is nobody's place of work.

    The home folder is no workspace of itself: ours there would swallow every folder below it.
    """
    from awf_archive.services.workspace import find_workspace, is_workspace

    given = os.environ.get(variable, "") if variable else ""
    folder = Path(given if given and Path(given).is_dir() else event.cwd or "?").expanduser()
    if not folder.is_absolute() or not folder.is_dir():
        return None
    root = find_workspace(folder)
    if root in {Path.home(), Path(root.anchor)} and not is_workspace(root):
        return None
    return root


def _wake(private: Private) -> None:
    """Start the worker where a job waits."""
    try:
        if queue.waiting(private):
            queue.wake(private)
    except OSError as problem:
        _note(f"the worker could not be started: {problem}", private)


def _print(told: dict[str, object]) -> None:
    """Print the answer as JSON in ASCII: whatever the encoding of the pipe, it arrives."""
    if told:
        os.write(sys.stdout.fileno(), (json.dumps(told) + "\n").encode("ascii"))


def _note(message: str, private: Private | None = None) -> None:
    """Add a line to our own log; where even that fails, nothing is said."""
    from awf_archive import config

    with suppress(OSError):
        log(private, message, config.data_folder() / "log" / "hook.log")


def _give_up_in_time() -> None:
    if hasattr(os, "fork"):
        import signal

        for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda *_: os._exit(0))
        signal.alarm(_LIMIT)
