"""Measure search over archives of 10 000 and 100 000 turns, as checkpoints make them: CPU and memory.

Usage: python benchmarks/bench_search.py [--turns 10000] [--workspace FOLDER] [--note TEXT]
The archive is the one of `stores.py`; a workspace called `work` that has one already can be named. Results are
printed and appended to benchmarks/runs/search/speed-<date>.jsonl.
"""

import argparse
import json
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import generator
import stores
from measure import ROOT, once
from stores import Place

COLD_RUNS, ADDED_RUNS, WARM_ROUNDS = 5, 12, 3
COLD = (
    "config",
    "don hang kiem thu",
    "支付回调",
    '"retry index"',
    "snapshot_12",
    "shop/payments/retry.py",
    "timeout deadlock session",
    "getUserName login",
    "sesion zzyzx",
)
"""Words of each language, a phrase, an identifier, a path; the last two are nowhere, so every stage runs."""


def call(*arguments: str, base: Path) -> dict[str, float]:
    """Run the program; return its CPU and wall time in ms and its peak memory in MB."""
    return once(Place(root=base).call(*arguments, good=(0, 1)))


def rebuild(work: Path) -> dict[str, float]:
    """Build the index from nothing in a process of its own."""
    cost = call("index", "rebuild", "--workspace", str(work), base=work.parent)
    return {"seconds": cost["cpuMs"] / 1000, "wallSeconds": cost["wallMs"] / 1000, "peakMb": cost["peakMb"]}


def size(work: Path) -> dict[str, float]:
    """Return the index's size beside the text that it holds."""
    from awf_archive.services.documents import documents, wanted
    from awf_archive.services.index import open_index

    archive = _archive(work)
    count = letters = 0
    for key in wanted(archive):
        for document in documents(archive, key):
            count += 1
            letters += len(f"{document.title}{document.user}{document.text}".encode(errors="replace"))
    index = open_index(archive.layout.index).status().size
    return {
        "documents": count,
        "textMb": letters / 1e6,
        "indexMb": index / 1e6,
        "ratio": index / letters,
    }


def cold(work: Path) -> dict[str, dict[str, float]]:
    """Search in fresh processes; the first run of each warms the disk's cache and does not count."""
    found = {}
    for topic in COLD:
        runs = [
            call("search", topic, "--workspace", str(work), base=work.parent) for _ in range(COLD_RUNS + 1)
        ]
        found[topic] = {
            f"{name}{suffix}": pick([run[name] for run in runs[1:]])
            for name in ("cpuMs", "wallMs", "peakMb")
            for suffix, pick in (("", statistics.median), ("Max", max))
        }
    return found


def warm(work: Path) -> dict[str, float]:
    """Ask an open index many different things."""
    from awf_archive.search.documents import Request
    from awf_archive.services.index import open_index

    index = open_index(_archive(work).layout.index)
    topics = list(_topics())
    index.search(Request(topic="payment"))
    times = []
    for topic in topics:
        begin = time.process_time()
        index.search(Request(topic=topic))
        times.append((time.process_time() - begin) * 1000)
    times.sort()
    return {
        "queries": len(times),
        "p50": times[len(times) // 2],
        "p95": times[int(len(times) * 0.95)],
        "max": times[-1],
    }


def _topics() -> Iterator[str]:
    rng = random.Random(5)  # noqa: S311 - a benchmark
    for _ in range(WARM_ROUNDS):
        for language in ("vi", "en", "zh"):
            for count in (1, 2, 3):
                for _ in range(8):
                    yield generator.sentence(rng, language, count)
        yield from (f'"{generator.sentence(rng, "en", 2)}"' for _ in range(8))
        yield from (f"{rng.choice(generator.WORDS['en'])[:4]}*" for _ in range(8))
        yield from (f"snapshot_{rng.randrange(generator.NAMES)}" for _ in range(8))


def added(work: Path) -> dict[str, float]:
    """Bring the index along after a checkpoint of 20 new turns, several times; the archive is put back afterwards."""
    from awf_archive.services.checkpoint import Request, checkpoint
    from awf_archive.services.index import sync

    copy = work.with_name("work-added")
    shutil.rmtree(copy, ignore_errors=True)
    subprocess.run(["cp", "-al", work, copy], check=True)  # hard links: every file is replaced, never changed
    shutil.rmtree(copy / ".awf-archive/index")
    shutil.copytree(work / ".awf-archive/index", copy / ".awf-archive/index")
    archive = _archive(copy)
    sync(archive)
    times = []
    with tempfile.TemporaryDirectory() as folder:
        for run in range(ADDED_RUNS):
            path = generator.write(Path(folder), 20, 1_000_000 + run, 300)
            checkpoint(archive.layout, Request(transcript=path, feature="shop-0", now="2026-06-01T00:00:00Z"))
            begin = time.process_time()
            sync(archive)
            times.append((time.process_time() - begin) * 1000)
    shutil.rmtree(copy)
    return {"runs": len(times), "cpuMs": statistics.median(times), "cpuMsMax": max(times)}


def _archive(work: Path):
    from awf_archive.store.archive import Archive
    from awf_archive.store.layout import Layout

    return Archive(layout=Layout(root=work))


TASKS: dict[str, Callable[[Path], object]] = {
    "rebuild": rebuild,
    "cold": cold,
    "size": size,
    "warm": warm,
    "added": added,
}


def main() -> None:
    """Measure and write down."""
    parser = argparse.ArgumentParser()
    parser.add_argument("tasks", nargs="*", choices=[*TASKS, []], default=[])
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--workspace", type=Path)
    parser.add_argument("--note", default="")
    chosen = parser.parse_args()
    work = chosen.workspace or stores.archive(chosen.turns) / "work"
    now = datetime.now(UTC)
    asked = ["git", "describe", "--always", "--dirty"]
    commit = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    run: dict[str, object] = {"run": f"{now:%Y-%m-%dT%H:%M:%SZ}", "commit": commit, "note": chosen.note}
    run |= {"turns": chosen.turns, "python": sys.version.split()[0], "load": os.getloadavg()[0]}
    for name in chosen.tasks or TASKS:
        run[name] = _rounded(TASKS[name](work))
        print(name, json.dumps(run[name], ensure_ascii=False), flush=True)
    run["ownPeakMb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    with (ROOT / f"benchmarks/runs/search/speed-{now:%Y-%m-%d}.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(run, ensure_ascii=False) + "\n")


def _rounded(value: object) -> object:
    if isinstance(value, dict):
        return {name: _rounded(one) for name, one in value.items()}
    return round(value, 2) if isinstance(value, float) else value


if __name__ == "__main__":
    main()
