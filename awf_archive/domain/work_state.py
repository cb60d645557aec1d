"""The work state and the brain as AWF writes them, however loosely they were filled (spec/awf-schemas.md).

Every field may be missing, null or of another type: what does not read as what it should be counts as missing.
Light on purpose: level 1 of `recap` and every hook load this, and `domain.transcript` alone costs 45 ms.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

Fields: TypeAlias = Mapping[str, object]

_LONGEST = 2_000
"""Characters of one value; nobody's task is longer, and a broken file may hold anything."""

_ONE_LINE = 300
"""Characters of a summary compressed to one line."""

PRIORITIES: Mapping[str, tuple[int, str]] = {"high": (0, "HIGH"), "medium": (1, "MED"), "low": (2, "LOW")}
"""Rank and label of each priority."""
_NO_PRIORITY = (3, "")


class Summary(NamedTuple):
    """What is being worked on, in the seed's fields; an empty text or None is not known."""

    project: str = ""
    feature: str = ""
    task: str = ""
    status: str = ""
    progress: int | None = None
    last_action: str = ""
    next_step: str = ""

    def to_json(self) -> dict[str, object]:
        """Return the object that `session.json` holds; what is not known is left out."""
        known: dict[str, object] = {
            "project": self.project,
            "current_feature": self.feature,
            "current_task": self.task,
            "status": self.status,
            "progress_percent": self.progress,
            "last_action": self.last_action,
            "next_step": self.next_step,
        }
        return {name: value for name, value in known.items() if value not in ("", None)}


class Task(NamedTuple):
    """Something still to be done."""

    text: str
    rank: int
    """0 is most urgent."""
    label: str
    """`HIGH`, `MED`, `LOW`, or nothing."""


class Pair(NamedTuple):
    """A thing and what belongs to it: a decision and its reason, an error and its fix, a change and its type."""

    text: str
    more: str
    is_resolved: bool = True


class SavePoint(NamedTuple):
    """One entry of `context_checkpoints`."""

    time: str
    trigger: str


def line(value: object) -> str:
    """Return a text or number on one line; nothing for anything else.

    >>> line(" a\\n b "), line(3), line(None), line(["x"])
    ('a b', '3', '', '')
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return " ".join(str(value)[: _LONGEST * 4].split())[:_LONGEST]


def fields(value: object) -> Fields:
    """Return an object's fields; none for anything else."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> Sequence[object]:
    """Return a list's items; a single value that should have been a list is one item."""
    if isinstance(value, list):
        return value
    return [] if value is None or value == "" else [value]


def saved_at(state: Fields) -> str:
    """Return when the work state was last saved, as it says."""
    return line(state.get("updated_at")) or line(state.get("timestamp"))


def is_summary_missing(state: Fields) -> bool:
    """Whether the work state lacks the summary that `recap` shows (seed 001, "Error Handling")."""
    return not fields(state.get("summary"))


def summary_of(state: Fields, brain: Fields, folder: str, progress: int | None = None) -> Summary:
    """Return the summary as it stands, what it lacks made from the rest of the work state.

    `folder` names the project where nothing else does; `progress` is what `tasks.md` says.
    """
    said, now = fields(state.get("summary")), fields(state.get("working_on"))
    return Summary(
        project=line(said.get("project")) or project_name(brain) or folder,
        feature=line(said.get("current_feature")) or line(now.get("feature")),
        task=line(said.get("current_task")) or line(now.get("task")),
        status=line(said.get("status")) or line(now.get("status")),
        progress=_first(_percent(said.get("progress_percent")), progress, progress_of(state)),
        last_action=line(said.get("last_action")) or _last_change(state) or line(state.get("summary")),
        next_step=line(said.get("next_step")) or next_step(state),
    )


def new_summary(state: Fields, brain: Fields, folder: str, progress: int | None = None) -> Summary:
    """Return the summary that a save writes: the work itself first, the old summary where that is silent."""
    old, now = summary_of(state, brain, folder), fields(state.get("working_on"))
    return Summary(
        project=project_name(brain) or old.project,
        feature=line(now.get("feature")) or old.feature,
        task=line(now.get("task")) or old.task,
        status=line(now.get("status")) or old.status,
        progress=_first(progress, progress_of(state), old.progress),
        last_action=old.last_action,
        next_step=next_step(state) or old.next_step,
    )


def compressed(summary: Summary) -> str:
    """Return the summary on one line, as `context_checkpoints` keeps it.

    >>> compressed(Summary(project="shop", feature="login", status="coding", progress=65))
    'shop · login · coding (65%)'
    """
    status = summary.status
    if summary.progress is not None:
        status = f"{status} ({summary.progress}%)".lstrip()
    step = f"→ {summary.next_step}" if summary.next_step else ""
    whole = " · ".join(filter(None, (summary.project, summary.feature, summary.task, status, step)))
    return whole if len(whole) <= _ONE_LINE else whole[: _ONE_LINE - 1] + "…"


def project_name(brain: Fields) -> str:
    """Return the project's name as the brain has it."""
    project = brain.get("project")
    return line(fields(project).get("name")) or line(project)


def blockers(state: Fields) -> list[str]:
    """Return what keeps the work from going on."""
    return list(filter(None, map(_blocker, items(fields(state.get("working_on")).get("blockers")))))


def blockers_count(state: Fields) -> int:
    """Return how many blockers there are: those listed, else the number that the summary gives."""
    counted = fields(state.get("summary")).get("blockers_count")
    given = counted if isinstance(counted, int) and not isinstance(counted, bool) else 0
    return len(blockers(state)) or max(0, given)


def _blocker(value: object) -> str:
    if isinstance(value, dict):
        return next(filter(None, map(line, value.values())), "")
    return line(value)


def tasks(state: Fields) -> list[Task]:
    """Return the pending tasks in the order of the file; those marked done are none."""
    return [task for one in items(state.get("pending_tasks")) if (task := _task(one)) and not is_done(one)]


def _task(value: object) -> Task | None:
    entry = fields(value)
    text = line(entry.get("task") or entry.get("title") or entry.get("description")) or line(value)
    rank, label = PRIORITIES.get(line(entry.get("priority")).lower(), _NO_PRIORITY)
    return Task(text, rank, label) if text else None


_DONE = frozenset({"done", "completed", "complete", "finished", "hoàn thành", "xong", "完成", "已完成"})


def is_done(task: object) -> bool:
    """Whether an entry of `pending_tasks` says of itself that it is done."""
    entry = fields(task)
    return (
        entry.get("done") is True
        or entry.get("completed") is True
        or line(entry.get("status")).lower() in _DONE
    )


def next_step(state: Fields) -> str:
    """Return the most urgent pending task, the first of equals."""
    return min(tasks(state), key=lambda task: task.rank, default=Task("", 0, "")).text


def files(state: Fields) -> list[str]:
    """Return the files being edited."""
    return list(filter(None, map(_path, items(fields(state.get("working_on")).get("files")))))


def _path(value: object) -> str:
    return line(fields(value).get("path") or fields(value).get("file")) or line(value)


def decisions(state: Fields) -> list[Pair]:
    """Return what was decided, oldest first, each with its reason."""
    return list(_pairs(state.get("decisions_made"), ("decision", "title", "text"), ("reason", "rationale")))


def errors(state: Fields) -> list[Pair]:
    """Return the errors met, each with its solution."""
    return list(_pairs(state.get("errors_encountered"), ("error", "message", "text"), ("solution", "fix")))


def changes(state: Fields) -> list[Pair]:
    """Return what was changed; `more` is the type of change."""
    return list(_pairs(state.get("recent_changes"), ("description", "change", "text"), ("type",)))


def skipped_tests(state: Fields) -> list[Pair]:
    """Return the tests that were skipped; they stand in the way of a deploy."""
    return list(_pairs(state.get("skipped_tests"), ("test", "name"), ("reason",)))


def save_points(state: Fields) -> list[SavePoint]:
    """Return the automatic saves in the order of the file."""
    entries = map(fields, items(state.get("context_checkpoints")))
    return [
        SavePoint(line(one.get("timestamp")), line(one.get("trigger")))
        for one in entries
        if line(one.get("timestamp"))
    ]


def _pairs(value: object, texts: Sequence[str], mores: Sequence[str]) -> Iterator[Pair]:
    for one in items(value):
        entry = fields(one)
        text = next(filter(None, (line(entry.get(name)) for name in texts)), "") or line(one)
        more = next(filter(None, (line(entry.get(name)) for name in mores)), "")
        if text:
            yield Pair(text, more, is_resolved=entry.get("resolved", True) not in (False, "false", 0))


def _last_change(state: Fields) -> str:
    """Return the newest change; files list it first or last, so their times decide where there are any."""
    entries = [fields(one) for one in items(state.get("recent_changes"))]
    if not entries:
        return ""
    newest = max(enumerate(entries), key=lambda one: (line(one[1].get("timestamp")), -one[0]))
    return line(newest[1].get("description"))


def progress_of(state: Fields) -> int | None:
    """Return how much is done in percent: as the file says, else from pending and done tasks."""
    said = _percent(fields(state.get("progress")).get("percentage"))
    if said is not None:
        return said
    entries = items(state.get("pending_tasks"))
    done = sum(map(is_done, entries)) + len(items(state.get("completed_tasks")))
    total = len(entries) + len(items(state.get("completed_tasks")))
    return round(100 * done / total) if done else None


_CHECK_BOX = r"(?m)^\s*(?:[-*+]|\d+[.)])\s+\[(?P<mark>[ xX✓✔-])\]\s+\S"
"""Compiled only when there is a `tasks.md`: level 1 has no time to spare."""


def boxes_in(markdown: str) -> tuple[int, int]:
    """Return how many check boxes a `tasks.md` has ticked, and how many it has.

    >>> boxes_in("- [x] a\\n- [ ] b\\n  * [X] c")
    (2, 3)
    """
    marks = [match["mark"] for match in re.finditer(_CHECK_BOX, markdown)]
    return sum(mark in "xX✓✔" for mark in marks), len(marks)


def progress_in(markdown: str) -> int | None:
    """Return the percentage of ticked check boxes; None when there is none."""
    done, total = boxes_in(markdown)
    return round(100 * done / total) if total else None


def brain_summary(brain: Fields) -> dict[str, object]:
    """Return what a snapshot keeps of the brain: the project, its techniques and how much is known.

    >>> brain_summary({"project": {"name": "shop", "urls": {}}, "features": ["a", "b"]})
    {'project': {'name': 'shop'}, 'counts': {'features': 2}}
    """
    project = fields(brain.get("project"))
    told = {name: line(project.get(name)) for name in ("name", "description", "type", "status")}
    stack = {
        part: sorted(filter(None, map(line, fields(value).values())))
        for part, value in fields(brain.get("tech_stack")).items()
        if fields(value)
    }
    counts = {name: len(value) for name, value in brain.items() if isinstance(value, list) and value}
    parts: dict[str, object] = {
        "project": {name: value for name, value in told.items() if value},
        "tech_stack": stack,
        "counts": counts,
        "updated_at": line(brain.get("updated_at")) or line(fields(brain.get("meta")).get("updated_at")),
    }
    return {name: value for name, value in parts.items() if value}


def _percent(value: object) -> int | None:
    """Return a percentage from 0 to 100, written as a number or as `65%`."""
    text = line(value).rstrip("% ")
    try:
        return max(0, min(100, round(float(text)))) if text else None
    except (ValueError, OverflowError):
        return None


def _first(*values: int | None) -> int | None:
    return next((value for value in values if value is not None), None)
