"""The work state after a save: summary, count, checkpoint entry, and what a workflow leaves (SPEC 3.3). Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from awf_archive.domain import work_state
from awf_archive.domain.triggers import Trigger
from awf_archive.domain.work_state import Fields, Summary
from awf_archive.services.autosave_evidence import NOTHING, Evidence
from awf_archive.services.recap_state import with_summary

_MOST_FILES = 30
"""Files named as being edited; the last changed are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Saving:
    """What a save writes."""

    trigger: Trigger
    now: datetime
    message_count: int
    folder: str
    """The workspace folder's name."""
    brain: Fields
    progress: int | None = None
    """What `tasks.md` says."""
    workflow: str = ""
    """`plan`, `code`, `debug`, `test` or `deploy`."""
    found: Evidence = NOTHING
    feature: str = ""
    """The archive's feature, for a work state that names none."""


def time_of(now: datetime) -> str:
    """Return a time as AWF's files hold it.

    >>> time_of(datetime(2026, 3, 5, tzinfo=UTC))
    '2026-03-05T00:00:00Z'
    """
    return now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def saved_state(state: Fields, saving: Saving) -> dict[str, object]:
    """Return the work state after the save; every key that we do not know is kept."""
    changed = dict(state)
    for apply in WORKFLOWS.get(saving.workflow, ()):
        changed = {**changed, **apply(changed, saving)}
    changed = with_summary(changed, summary_after(changed, saving))
    entry: dict[str, object] = {
        "timestamp": time_of(saving.now),
        "trigger": saving.trigger.value,
        "summary": work_state.compressed(summary_after(changed, saving)),
        "message_count": saving.message_count,
    }
    old = changed.get("context_checkpoints")
    return {
        **changed,
        "updated_at": time_of(saving.now),
        "message_count": saving.message_count,
        "context_checkpoints": [*(old if isinstance(old, list) else []), entry],
    }


def summary_after(state: Fields, saving: Saving) -> Summary:
    """Return the summary of the seed: from the work state, completed by what the conversation shows."""
    made = work_state.new_summary(state, saving.brain, saving.folder, saving.progress)
    return made._replace(
        feature=made.feature or saving.feature,
        task=made.task or saving.found.title,
        status=made.status or _STATUS.get(saving.workflow, ""),
        last_action=saving.found.last_action or made.last_action,
    )


_STATUS: Mapping[str, str] = {
    "plan": "planning",
    "code": "coding",
    "debug": "debugging",
    "test": "testing",
    "deploy": "reviewing",
}
"""What a workflow says of the work where the work state says nothing (awf-schemas.md)."""

_Changes = dict[str, object]


def _decisions(state: Fields, saving: Saving) -> _Changes:
    entries = [{"decision": one.text, "reason": one.reason} for one in saving.found.decisions]
    return _appended(state, "decisions_made", entries, ("decision",))


def _plan(state: Fields, saving: Saving) -> _Changes:
    if not saving.found.plans:
        return {}
    now = dict(work_state.fields(state.get("working_on")))
    return {"working_on": {**now, "current_plan_path": saving.found.plans[-1]}}


def _files(state: Fields, saving: Saving) -> _Changes:
    if not saving.found.files:
        return {}
    now = dict(work_state.fields(state.get("working_on")))
    known = [path for path in work_state.files(state) if path not in saving.found.files]
    return {"working_on": {**now, "files": [*known, *saving.found.files][-_MOST_FILES:]}}


_CHANGE_TYPE: Mapping[str, str] = {"code": "feature", "debug": "bugfix"}


def _change(state: Fields, saving: Saving) -> _Changes:
    found = saving.found
    if not found.files:
        return {}
    entry = {
        "timestamp": time_of(saving.now),
        "type": _CHANGE_TYPE.get(saving.workflow, "config"),
        "description": found.title or found.last_action,
        "files": list(found.files),
    }
    return _appended(state, "recent_changes", [entry], ("description", "files"))


def _errors(state: Fields, saving: Saving) -> _Changes:
    entries = [
        {"error": one.error, "solution": one.solution, "resolved": one.is_resolved}
        for one in saving.found.errors
    ]
    return _appended(state, "errors_encountered", entries, ("error",))


def _tests(state: Fields, saving: Saving) -> _Changes:
    entries = [
        {
            "timestamp": time_of(saving.now),
            "command": one.command,
            "passed": one.is_passed,
            "result": one.summary,
        }
        for one in saving.found.tests[-5:]
    ]
    return _appended(state, "test_results", entries, ("command", "result", "passed"))


def _deploys(state: Fields, saving: Saving) -> _Changes:
    entries = [
        {
            "timestamp": time_of(saving.now),
            "command": one.command,
            "done": one.is_done,
            **({"url": one.url} if one.url else {}),
        }
        for one in saving.found.deploys
    ]
    return _appended(state, "deployments", entries, ("command", "url", "done"))


def _appended(
    state: Fields, name: str, entries: Sequence[Mapping[str, object]], same: Sequence[str]
) -> _Changes:
    """Append entries to a list of the work state; one that is there already is brought up to date in place."""
    old = list(work_state.items(state.get(name)))
    for entry in entries:
        known = [tuple(map(str, (work_state.fields(one).get(key) for key in same))) for one in old]
        key = tuple(map(str, (entry.get(key) for key in same)))
        if key in known:
            place = known.index(key)
            old[place] = {**work_state.fields(old[place]), **entry}
        else:
            old.append(dict(entry))
    return {name: old} if entries else {}


WORKFLOWS: Mapping[str, Sequence[Callable[[Fields, Saving], _Changes]]] = {
    "plan": (_decisions, _plan),
    "code": (_files, _change, _decisions),
    "debug": (_errors, _files, _change),
    "test": (_tests, _errors),
    "deploy": (_deploys,),
}
"""What each workflow leaves in the work state (seed 000, "Workflow End")."""
