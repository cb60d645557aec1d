"""Measures the four engines against the judgements and appends the figures to `benchmarks/runs/search/`.

Usage: python benchmarks/relevance/measure.py WORKSPACE [--note TEXT] [--show] [--only-ours]
"""

import argparse
import json
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from collection import ROOT, build, turns
from engines import DEPTH, ENGINES, Engine
from pool import read

LANGUAGES = {
    "vi": "Vietnamese",
    "vi0": "Vietnamese without marks",
    "zh": "Chinese",
    "en": "English",
    "code": "code",
}


@dataclass(slots=True)
class Tally:
    """What an engine did on the queries of one language."""

    pooled_recalls: list[float] = field(default_factory=list)
    """Over what any engine put among its first twenty."""
    recalls: list[float] = field(default_factory=list)
    ranks: list[float] = field(default_factory=list)
    false_hits: list[int] = field(default_factory=list)
    unjudged: int = 0

    def add(self, found: list[str], judged: Mapping[str, "Judged"]) -> None:
        """Count one query. One that has no right answer counts for false hits only."""
        right = {name for name, verdict in judged.items() if verdict.is_relevant}
        pooled = {name for name in right if judged[name].is_pooled}
        hits = [name in right for name in found[:DEPTH]]
        self.false_hits.append(len(hits) - sum(hits))
        self.unjudged += sum(name not in judged for name in found[:DEPTH])
        if right:
            self.recalls.append(sum(hits) / min(len(right), DEPTH))
            if pooled:
                self.pooled_recalls.append(len(pooled.intersection(found)) / min(len(pooled), DEPTH))
            self.ranks.append(1 / (1 + hits.index(True)) if any(hits) else 0.0)

    def figures(self) -> dict[str, float]:
        """Return the means."""
        return {
            "queries": len(self.false_hits),
            "recall20": _mean(self.pooled_recalls),
            "recall20OfAll": _mean(self.recalls),
            "mrr": _mean(self.ranks),
            "falseHits": _mean(self.false_hits),
            "unjudged": self.unjudged,
        }


def _mean(values: Iterable[float]) -> float:
    known = list(values)
    return round(sum(known) / len(known), 3) if known else 0.0


class Judged(NamedTuple):
    """One verdict."""

    is_relevant: bool
    is_pooled: bool
    """Some engine found it; otherwise the judge knew of it, in other words than the query's."""


def judgements() -> dict[str, dict[str, Judged]]:
    """Return, by query, the turns that were judged."""
    found: dict[str, dict[str, Judged]] = {}
    for row in read("judgements.tsv"):
        verdict = Judged(row["relevant"] == "1", row["found"] == "pooled")
        found.setdefault(row["query"], {})[row["turn"]] = verdict
    return found


def measure(engine: Engine, *, show: bool = False) -> dict[str, dict[str, float]]:
    """Return an engine's figures by language, and over all queries under "all"."""
    judged = judgements()
    tallies = {language: Tally() for language in (*LANGUAGES, "all")}
    for row in read("queries.tsv"):
        found = engine(row["query"])
        for language in (row["language"], "all"):
            tallies[language].add(found, judged.get(row["id"], {}))
        if show:
            _show(row, found, judged.get(row["id"], {}))
    return {language: tally.figures() for language, tally in tallies.items()}


def _show(row: dict[str, str], found: list[str], judged: Mapping[str, Judged]) -> None:
    single = Tally()
    single.add(found, judged)
    figures = single.figures()
    if figures["recall20"] < 1 or figures["mrr"] < 1 or single.unjudged:
        print(row["id"], row["query"], figures, sum(verdict.is_relevant for verdict in judged.values()))


def main() -> None:
    """Measure every engine and write the run."""
    parser = argparse.ArgumentParser()
    parser.add_argument("workspace", type=Path)
    parser.add_argument("--note", default="")
    parser.add_argument("--show", action="store_true", help="List the queries that are not right.")
    parser.add_argument("--only-ours", action="store_true", help="Do not write the run.")
    chosen = parser.parse_args()
    build(chosen.workspace)
    everything = list(turns(chosen.workspace))
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, make in ENGINES.items():
            if name == "awf-archive" or not chosen.only_ours:
                is_ours = name == "awf-archive"
                results[name] = measure(make(everything, Path(folder)), show=chosen.show and is_ours)
                print(name, *(f"\n  {language}: {got}" for language, got in results[name].items()))
    if not chosen.only_ours:
        _write(results, len(everything), chosen.note)


def _write(results: dict[str, dict[str, dict[str, float]]], count: int, note: str) -> None:
    now = datetime.now(UTC)
    asked = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True)
    run = {
        "run": now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "commit": commit.stdout.strip(),
        "task": "relevance",
        "title": "judged queries",
        "note": note,
        "turns": count,
        "engines": results,
    }
    path = ROOT / f"benchmarks/runs/search/relevance-{now:%Y-%m-%d}.jsonl"
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(run, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
