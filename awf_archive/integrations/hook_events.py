"""What each event makes us do, under Claude Code's names for them; a table, and a small function for each (SPEC 7).

Nothing here reads a transcript, saves, or waits: that is the worker's. A hook prints what its event may print.
"""

import re
import time
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from awf_archive import config
from awf_archive.errors import ArchiveError
from awf_archive.integrations import queue
from awf_archive.integrations.hook_files import Private, log, read_json
from awf_archive.integrations.hook_input import CLAUDE_CODE, Event
from awf_archive.integrations.hook_tools import GIT_COMMIT, TOOLS, TURN_COMPLETE, Tool
from awf_archive.integrations.hook_window import Counter, Window, counting, window_of

Answer = dict[str, object]

_WORKFLOW = re.compile(r"\s*/(?:awf[:-])?(plan|code|debug|test|deploy)\b", re.IGNORECASE)
"""The same as `autosave_transcript.workflow_in`, which a hook has no time to load; a test holds them together."""

_APPROVAL = re.compile(r"permission|approv", re.IGNORECASE)
_SAME_ASKING = 30.0
"""Seconds within which Notification and PermissionRequest speak of the same question."""
_LAST = 400
"""Characters of the final answer by which the worker knows that it has reached the file."""


class Call:
    """One hook call: the event, the workspace, and its settings once they are asked for."""

    def __init__(self, event: Event, root: Path, tool: Tool = TOOLS[CLAUDE_CODE]) -> None:
        self.event = event
        self.tool = tool
        self.private = Private(root)

    @cached_property
    def settings(self) -> config.Settings:
        """What holds in the workspace; the defaults where a settings file is wrong."""
        try:
            return config.load(self.private.root)
        except (ArchiveError, OSError) as problem:
            log(self.private, f"settings: {problem}")
            return config.Settings()

    @property
    def language(self) -> str:
        """How we speak."""
        return self.settings.language or config.language_of_locale()

    def add(self, kind: str, trigger: str, **more: object) -> None:
        """Hand a job to the worker. Raises OSError."""
        job = {
            "kind": kind,
            "trigger": trigger,
            "tool": self.event.tool,
            "window": self.event.window,
            "session": self.event.session,
            "transcript": self.event.transcript,
            "time": time.time(),
        }
        queue.add(self.private, job | more)

    def notice(self, *names: str) -> str:
        """Return what the person is told, each once; nothing where the tool has no place for it."""
        if not self.tool.shows_messages:
            return ""
        from awf_archive.integrations.hook_words import notice

        texts = (notice(name, self.language, self.tool.sign) for name in dict.fromkeys(names))
        return "\n".join(filter(None, texts))


def session_start(call: Call) -> Answer:
    """Tell the new window where the work stands; one that was cleared or compacted counts anew."""
    is_same_window = call.event.text("source") in {"clear", "compact"}
    if is_same_window and not call.event.is_of_agent:
        with counting(call.private, call.event.window) as counter:
            counter.now = Window(turns=counter.now.turns)
    from awf_archive.integrations.hook_recap import context

    said = context(call.private.root, call.settings, call.language)
    answer: Answer = {}
    if said.text:
        answer["hookSpecificOutput"] = {"hookEventName": "SessionStart", "additionalContext": said.text}
    if said.note and not is_same_window:  # once a window is enough
        answer["systemMessage"] = said.note
    return answer


def user_prompt(call: Call) -> Answer:
    """Look at a message: count it, save when it calls for it, tell what there is to tell."""
    from awf_archive.integrations.hook_prompt import look

    notices = look(call)
    if call.tool.shows_messages:
        notices = (*told_by_worker(call.private), *notices)
    return {"systemMessage": text} if (text := call.notice(*notices)) else {}


def told_by_worker(private: Private) -> tuple[str, ...]:
    """Return what the worker left to be told, once."""
    try:
        names = private.notices.read_text(encoding="ascii", errors="replace").split()
        private.notices.unlink()
    except OSError:
        return ()
    return tuple(names)


def workflow_in(prompt: str) -> str:
    """Return the workflow that a prompt begins, or nothing (SPEC 3.7)."""
    match = _WORKFLOW.match(prompt)
    return match[1].lower() if match else ""


def stop(call: Call) -> Answer:
    """Count a completed turn; save each so many, and at a workflow's end."""
    said = call.event.text("last_assistant_message")
    last = said.strip()[-_LAST:]
    with counting(call.private, call.event.window) as counter:
        if call.event.is_of_agent or not _is_new_stop(call.event, counter, said):
            return {}
        now, workflow = counter.now, counter.now.workflow
        turns = now.turns + 1
        counter.now = now._replace(
            messages=now.messages + 1, code_blocks=now.code_blocks + _blocks(said), turns=turns, workflow=""
        )
    every = call.settings.every_n_turns
    if every and turns % every == 0:
        call.add("snapshot", "every_n_turns", last=last)
    if not workflow:
        return {}
    from awf_archive.integrations.hook_prompt import preferences

    wanted = preferences(call)
    if not wanted.enabled:
        return {}
    call.add("save", "workflow_end", workflow=workflow, last=last, counts=counts_in(counter.now))
    return {"systemMessage": call.notice("workflow_end")} if wanted.notify_on_save else {}


def _is_new_stop(event: Event, counter: Counter, said: str) -> bool:
    """Whether this stop ends a turn that was not counted: hooks may fire twice, and keep a turn going."""
    if event.fields.get("stop_hook_active") is True:
        return False
    key = event.text("prompt_id") and f"{event.text('prompt_id')} {len(said)}"
    if key and key == counter.now.stopped:
        return False
    counter.now = counter.now._replace(stopped=key)
    return True


def counts_in(window: Window) -> list[int]:
    """Return the counters as a job holds them."""
    return [window.messages, window.code_blocks, window.error_dumps]


def counts_now(call: Call) -> list[int]:
    """Return the counters as they stand."""
    return counts_in(window_of(call.private, call.event.window))


def _blocks(text: str) -> int:
    """Count fenced blocks; the module that knows how is loaded only where there may be one."""
    if "```" not in text and "~~~" not in text:
        return 0
    from awf_archive.domain.triggers import code_blocks_in

    return code_blocks_in(text)


_ERROR_SIGNS = ("Traceback (most recent", "panicked at", "panic: ", "Caused by: ", "Unhandled exception")


def tool(call: Call) -> Answer:
    """Save after the tools that the settings name; count what looks like an error."""
    if call.event.is_of_agent:
        return {}
    name = call.event.text("tool_name")
    if name in call.settings.on_tools:
        call.add("snapshot", f"on_tool:{name}")
    if _is_error(call.event.fields.get("tool_response")):
        with counting(call.private, call.event.window) as counter:
            counter.now = counter.now._replace(error_dumps=counter.now.error_dumps + 1)
    return {}


def _is_error(response: object) -> bool:
    if isinstance(response, dict) and response.get("is_error") is True:
        return True
    texts = response.values() if isinstance(response, dict) else (response,)
    return any(sign in text for text in texts if isinstance(text, str) for sign in _ERROR_SIGNS)


def asked(call: Call) -> Answer:
    """Save when a person is asked for approval; the two events of one question save once."""
    event = call.event
    if event.name == "Notification":
        kind = event.text("notification_type") or event.text("message")
        if not _APPROVAL.search(kind):
            return {}
    if "approval_required" not in call.settings.on_events:
        return {}
    now = time.time()
    with counting(call.private, event.window) as counter:
        is_same = 0 <= now - counter.now.asked_at < _SAME_ASKING
        counter.now = counter.now._replace(asked_at=now)
    if not is_same:
        call.add("snapshot", "on_event:approval_required")
    return {}


def aborted(call: Call) -> Answer:
    """Save when the assistant broke off, where the settings ask for it."""
    if "agent_abort" in call.settings.on_events and not call.event.is_of_agent:
        call.add("snapshot", "on_event:agent_abort")
    return {}


def compacting(call: Call) -> Answer:
    """Save the conversation before the tool shortens it."""
    call.add("checkpoint", "pre_compact", counts=counts_now(call))
    return {}


def session_end(call: Call) -> Answer:
    """Save the conversation at its end."""
    is_snapshot = "session_end" in call.settings.on_events
    call.add("snapshot" if is_snapshot else "checkpoint", "on_event:session_end", counts=counts_now(call))
    return {}


def refused(call: Call) -> Answer:
    """Tell a prompt that nothing could be kept; other events have nobody to tell."""
    if call.event.name != "UserPromptSubmit":
        return {}
    return {"systemMessage": call.notice("save_failed")}


def turn_complete(call: Call) -> Answer:
    """Count and save a turn: whoever only notifies never says that a session ends."""
    stop(call)
    call.add("checkpoint", "turn_complete")
    return {}


def committed(call: Call) -> Answer:
    """Save what conversations of any tool brought since the last commit; one job is enough for many commits."""
    jobs = (read_json(path) for path in queue.waiting(call.private))
    if all(job.get("kind") != "sweep" for job in jobs):
        call.add("sweep", "on_event:git_commit")
    return {}


class EventRow(NamedTuple):
    """One event: what it does, and how `install` registers it."""

    name: str
    act: Callable[[Call], Answer]
    timeout: int
    """Seconds that the tool waits at most. For SessionEnd it also raises the 1.5 s that all hooks have together."""
    is_async: bool = False
    """Whether the tool need not wait for it."""


EVENTS: tuple[EventRow, ...] = (
    EventRow("SessionStart", session_start, 10),
    EventRow("UserPromptSubmit", user_prompt, 10),
    EventRow("Stop", stop, 10),
    EventRow("StopFailure", aborted, 10),
    EventRow("PostToolUse", tool, 10, is_async=True),
    EventRow("Notification", asked, 10, is_async=True),
    EventRow("PermissionRequest", asked, 10),
    EventRow("PreCompact", compacting, 10),
    EventRow("SessionEnd", session_end, 10),
)
"""Every event of Claude Code that we listen to."""

ACTS: Mapping[str, Callable[[Call], Answer]] = {row.name: row.act for row in EVENTS} | {
    TURN_COMPLETE: turn_complete,
    GIT_COMMIT: committed,
}
"""What is done for each event of any tool; an event that is not here does nothing."""
