"""Measures the decisions found in the labelled turns, against the plain-pattern baseline.

Usage: python benchmarks/quality/run.py WORKSPACE [--split dev|dev2|test] [--show] [--write] [--note TEXT]
With --recorded what assistants recorded counts, `read/` (docs/quality.md).
"""

import argparse
import json
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import baseline
import summaries
from check_labels import ROOT, SPLITS, Row, conversations, read_rows
from labelled_turns import Spoken, build, turns
from reading import kept
from scoring import Judged, Shown, Tally, add, judge

from awf_archive.domain.decisions.harvest import harvest

READ = ("dev", "test")
"""Splits that assistants read."""

Harvest = Callable[[Spoken], Iterable]
HARVESTS: dict[str, Harvest] = {
    "awf-archive": lambda turn: harvest(turn.user, turn.blocks, turn.context),
    "plain patterns": baseline.find,
}


def measure_recorded(rows: Iterable[Row]) -> Iterator[tuple[list[Row], Judged]]:
    """Yield every labelled conversation that assistants read, with what they recorded, judged."""
    for (file, split), its in conversations(rows).items():
        if split in READ:
            yield its, judge(its, kept(split)[file])


def measure(find: Harvest, rows: Iterable[Row], workspace: Path) -> Iterator[tuple[list[Row], Judged]]:
    """Yield every labelled conversation with what was found in it, judged."""
    for (file, _), its in conversations(rows).items():
        said = turns(workspace, file)
        if said:
            shown = [Shown(turn.number, found) for turn in said for found in find(turn)]
            yield its, judge(its, shown)


def figures(judged: Iterable[tuple[list[Row], Judged]]) -> dict[str, dict]:
    """Return the figures over everything, by language and split, and by the way something was found."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    ways: dict[str, list[bool]] = defaultdict(list)
    for rows, one in judged:
        first = rows[0]
        for group in (
            "all",
            first.split,
            *(f"{name} {first.split}" for name in (first.language, first.origin)),
        ):
            add(tallies[group], rows, one)
        for verdict in one.verdicts:
            found = verdict.shown.found
            ways[f"{found.found_by} {found.status.value}"].append(verdict.is_right)
    by_way = {way: {"found": len(right), "right": sum(right)} for way, right in sorted(ways.items())}
    return {"groups": {name: tally.figures() for name, tally in sorted(tallies.items())}, "ways": by_way}


def summary_figures(rows: Iterable[Row], workspace: Path) -> dict[str, dict]:
    """Return the figures of the summaries, by split, language and origin."""
    told: dict[str, summaries.Told] = defaultdict(summaries.Told)
    for its in conversations(rows).values():
        first = its[0]
        for inside, text in summaries.summaries(its, workspace):
            for group in (
                "all",
                first.split,
                f"{first.language} {first.split}",
                f"{first.origin} {first.split}",
            ):
                summaries.add(told[group], inside, text)
    return {group: one.figures() for group, one in sorted(told.items())}


def show(judged: Iterable[tuple[list[Row], Judged]]) -> None:
    """Print what is wrong: found without a label, and labelled but missed."""
    for rows, one in judged:
        for verdict in one.verdicts:
            if not verdict.is_right:
                found = verdict.shown.found
                print(
                    f"+ {rows[0].file}#{verdict.shown.turn} {found.found_by} {found.status.value}: {found.text}"
                )
                if verdict.label:
                    print(f"    is {verdict.label.status}: {verdict.label.text}")
        for row, label in one.missed:
            print(f"- {row.file}#{row.turn} {label.by} {label.status}: {label.text}\n    {label.evidence!r}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workspace", type=Path)
    parser.add_argument("--split", choices=SPLITS)
    parser.add_argument("--show", action="store_true", help="List what is wrong.")
    parser.add_argument("--write", action="store_true", help="Append the run to benchmarks/runs/quality/.")
    parser.add_argument("--note", default="")
    parser.add_argument("--recorded", action="store_true", help="Judge what assistants recorded, no harvest.")
    chosen = parser.parse_args()
    rows = [row for row in read_rows() if chosen.split in {None, row.split}]
    if not chosen.recorded:
        build(chosen.workspace, rows)
    results = {}
    ways: dict[str, Iterable[tuple[list[Row], Judged]]] = (
        {"recorded": measure_recorded(rows)}
        if chosen.recorded
        else {name: measure(find, rows, chosen.workspace) for name, find in HARVESTS.items()}
    )
    for name, way in ways.items():
        judged = list(way)
        results[name] = figures(judged)
        print(name)
        for group, got in results[name]["groups"].items():
            print(f"  {group:16}", *(f"{figure} {value}" for figure, value in got.items()))
        for kind, got in results[name]["ways"].items():
            print("     ", kind, got)
        if chosen.show and name != "plain patterns":
            show(judged)
    if chosen.recorded:
        if chosen.write:
            write({"task": "recorded", "note": chosen.note, "turns": len(rows), "harvests": results})
        return
    told = summary_figures(rows, chosen.workspace)
    print("summaries")
    for group, got in told.items():
        print(f"  {group:16}", *(f"{figure} {value}" for figure, value in got.items()))
    if chosen.write:
        write({"task": "decisions", "note": chosen.note, "turns": len(rows), "harvests": results})
        write({"task": "summaries", "note": chosen.note, "turns": len(rows), "groups": told})


def write(run: dict) -> None:
    now = datetime.now(UTC)
    asked = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    path = ROOT / f"benchmarks/runs/quality/{now:%Y-%m-%d}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        head = {"run": now.strftime("%Y-%m-%dT%H:%M:%SZ"), "commit": commit}
        file.write(json.dumps(head | run, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
