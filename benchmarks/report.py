"""Writes the tables and the plots of docs/performance.md from everything in `benchmarks/runs/`."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import plots
from tasks import GROWTH, Task, tasks

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/performance.md"
PICTURES = ROOT / "docs/pictures"
Result = Mapping[str, Any]

_BUSY = 1.3
"""So many times the least CPU that the fixed work ever took here: others used the machine."""
_USUAL = 100.0
"""Milliseconds of CPU for the fixed work to which the trends are corrected."""
_PLACE = re.compile(r"(<!-- (bench\S*) -->\n).*?(<!-- end -->)", re.DOTALL)
_KINDS = {"cold": "from nothing", "again": "again, nothing new", "search": "one search"}


def results() -> list[Result]:
    """Return every result there is, the oldest first."""
    found = []
    for path in sorted((ROOT / "benchmarks/runs").glob("*.jsonl")):
        found += [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [one for one in found if "task" in one]


def newest(every: Iterable[Result]) -> dict[str, Result]:
    """Return the last result of each task; a tool that failed once and works now has not failed."""
    last: dict[str, Result] = {}
    for one in every:
        last[one["task"]] = one
        if one.get("kind") == "cold":
            last.pop(f"peer-{one['peer']}-failed", None)
    return last


def own_tables(last: Mapping[str, Result]) -> str:
    """Return the tables of our own tasks, a group each."""
    parts: list[str] = []
    for group in dict.fromkeys(task.group for task in tasks()):
        rows = [_own_row(task, last) for task in tasks() if task.group == group and task.name in last]
        if rows:
            head = "| | CPU | wall | peak memory | aim, CPU |\n|---|--:|--:|--:|--:|"
            parts.append(f"**{group}**\n\n{head}\n" + "\n".join(rows))
    return "\n\n".join(parts) + f"\n\n{_where(last)}\n"


def _own_row(task: Task, last: Mapping[str, Result]) -> str:
    result = last[task.name]
    if "failed" in result:
        return f"| {task.title} | failed: {result['failed'][:80]} | | | |"
    aim = f"{_time(task.aim_ms)}" if task.aim_ms else ""
    return f"| {task.title} | {_figures(result)} | {aim} |"


def _figures(result: Result) -> str:
    return f"{_spread(result['cpuMs'])} | {_spread(result['wallMs'])} | {result['peakMb']['max']:.0f} MB"


def _spread(figures: Mapping[str, float]) -> str:
    """Return a median with its smallest and largest in the same unit."""
    if figures["min"] == figures["max"]:
        return _time(figures["median"])
    _, parts = _unit(figures["median"])
    low, high = (f"{figures[name] / parts:.{_digits(figures['median'])}f}" for name in ("min", "max"))
    return f"{_time(figures['median'])} ({low}–{high})"


def _time(milliseconds: float) -> str:
    unit, parts = _unit(milliseconds)
    return f"{milliseconds / parts:.{_digits(milliseconds)}f} {unit}"


def _unit(milliseconds: float) -> tuple[str, int]:
    return ("s", 1000) if milliseconds >= 1000 else ("ms", 1)  # noqa: PLR2004


def _digits(milliseconds: float) -> int:
    return 1 if 1000 <= milliseconds < 100_000 else 0  # noqa: PLR2004


def growth_table(last: Mapping[str, Result]) -> str:
    """Return what ten times the archive costs, for everything that was measured at both sizes."""
    rows = [
        "| | 10,000 turns | 100,000 turns | factor of CPU, least runs |",
        "|---|--:|--:|--:|",
    ]
    for task in tasks():
        if not task.name.endswith("-100000") or task.name not in last:
            continue
        small, large = last.get(task.name.replace("-100000", "-10000")), last[task.name]
        if small is None or "failed" in small or "failed" in large:
            continue
        factor = large["cpuMs"]["min"] / small["cpuMs"]["min"]
        mark = "" if factor <= GROWTH else " ⚠"
        title = re.sub(r",? (?:into )?100,000(?: turns)?", "", task.title)
        cells = f"{_time(small['cpuMs']['median'])} | {_time(large['cpuMs']['median'])} | {factor:.2f}{mark}"
        rows.append(f"| {title} | {cells} |")
    return "\n".join(rows) + "\n"


def peer_table(last: Mapping[str, Result]) -> str:
    """Return the other tools beside us."""
    rows = [
        "| | from nothing: CPU | peak memory | again, nothing new: CPU | one search: CPU |",
        "|---|--:|--:|--:|--:|",
        *_own_peers(last),
    ]
    for name in dict.fromkeys(one["peer"] for one in last.values() if "peer" in one):
        of = {one["kind"]: one for one in last.values() if one.get("peer") == name}
        version = next(iter(of.values())).get("version", "")
        if "failed" in of and "cold" not in of:
            rows.append(f"| {name} {version} | failed: {of['failed']['failed'][:80]} | | | |")
            continue
        cold = of["cold"]
        cells = [_spread(of[kind]["cpuMs"]) if kind in of else "–" for kind in ("again", "search")]
        made = cold["title"].removeprefix("makes ")
        peak = f"{cold['peakMb']['max']:.0f} MB"
        rows.append(
            f"| {name} {version}: {made} | {_spread(cold['cpuMs'])} | {peak} | {cells[0]} | {cells[1]} |"
        )
    peers = {key: one for key, one in last.items() if "peer" in one}
    return "\n".join(rows) + f"\n\n{_where(peers or last)}\n"


_OWN = (
    ("vault, archive, index", "import", "import-again", "search-word"),
    ("vault and archive, `--no-index`", "import-no-index", "import-again", ""),
    ("pages", "site-cold", "site-cached", ""),
)


def _own_peers(last: Mapping[str, Result]) -> Iterator[str]:
    for about, cold, again, search in _OWN:
        if cold in last and "failed" not in last[cold]:
            cells = [_spread(last[one]["cpuMs"]) if one in last else "–" for one in (again, search)]
            peak = last[cold]["peakMb"]["max"]
            cost = _spread(last[cold]["cpuMs"])
            yield f"| **awf-archive**: {about} | **{cost}** | {peak:.0f} MB | **{cells[0]}** | **{cells[1]}** |"


def _where(last: Mapping[str, Result]) -> str:
    """Say what was measured, on what, and whether others used the machine."""
    measured = [one for one in last.values() if "machine" in one and "failed" not in one]
    machine = measured[-1]["machine"]
    commits = ", ".join(sorted({one["commit"] for one in measured}))
    days = sorted({one["run"][:10] for one in measured})
    fixed = [one["fixedMs"] for one in measured if "fixedMs" in one]
    words = [
        f"{machine['cpu']}, {machine['cores']} cores, Python {machine['python']}, {machine['system']}.",
        f"Commit {commits}, {days[0]}{f' to {days[-1]}' if len(days) > 1 else ''}.",
    ]
    if fixed:
        least, most = min(one["min"] for one in fixed), max(one["median"] for one in fixed)
        words.append(f"The fixed work beside each run took {least:.0f} ms of CPU at least,")
        words.append(f"{most:.0f} in the slowest task.")
        if most > _BUSY * least:
            words.append("**Others were using the machine**: the figures are higher than on a quiet one.")
    return " ".join(words)


PLOTS = {
    "start": ("Start-up and hooks", "ms", ("version", "help", "UserPromptSubmit-10000", "recap-10000")),
    "checkpoint": (
        "Saving 20 turns, and nothing",
        "ms",
        ("checkpoint-20-10000", "checkpoint-20-100000", "again-10000"),
    ),
    "history": (
        "A history of 98 MB",
        "s",
        ("import", "import-no-index", "verify", "index-rebuild", "site-cold"),
    ),
    "search": ("Searching", "ms", ("search-word", "search-chinese", "search-10000", "search-100000")),
}


def draw(every: list[Result]) -> str:
    """Draw the trends, corrected by the fixed work; return the Markdown that shows them."""
    lines = []
    for name, (title, unit, names) in PLOTS.items():
        series = {
            task: [
                (one["run"], one["commit"], _corrected(one) / (1000 if unit == "s" else 1))
                for one in every
                if one["task"] == task and "failed" not in one and "fixedMs" in one
            ]
            for task in names
        }
        series = {task: points for task, points in series.items() if points}
        if series:
            (PICTURES / f"trend-{name}.svg").write_text(plots.lines(title, unit, series), encoding="utf-8")
            lines.append(f"![{title}: CPU by run](pictures/trend-{name}.svg)")
    return "\n".join(lines) + "\n"


def _corrected(result: Result) -> float:
    """Return the CPU as it would be on a machine and at a moment where the fixed work takes `_USUAL`."""
    return float(result["cpuMs"]["median"]) * _USUAL / float(result["fixedMs"]["median"])


def main() -> None:
    every = results()
    known = {task.name for task in tasks()}
    last = newest(one for one in every if one["task"] in known or "peer" in one)
    made = {
        "bench": own_tables(last),
        "bench-growth": growth_table(last),
        "bench-peers": peer_table(last),
        "bench-trends": draw(every),
    }
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(
        _PLACE.sub(lambda found: f"{found[1]}{made.get(found[2], '')}{found[3]}", text), encoding="utf-8"
    )
    print(PAGE.relative_to(ROOT))


if __name__ == "__main__":
    main()
