"""Measure whole processes, as a person starts them: CPU, wall time and peak memory, several runs each.

Appends one JSON line a task to `benchmarks/runs/<date>.jsonl`; `report.py` makes docs/performance.md of them.
Usage: python benchmarks/run.py [--peers] [--quick] [--runs N] [--long] [--only TASK ...] [--list]
What the tasks work on takes many minutes to make the first time and is kept in the temporary folder.
"""

import argparse
import compileall
import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path

import peers
import stores
from measure import ROOT, FailedError, Runs, append, commit, machine
from tasks import Task, tasks

QUICK_RUNS = 3
PEER_RUNS = 2


def main() -> int:
    options = _options()
    if options.list:
        print("\n".join([task.name for task in tasks()] + [f"peer-{one.package}" for one in peers.PEERS]))
        return 0
    _compile()
    began = datetime.now(tz=UTC)
    about = {"run": began.strftime("%Y-%m-%dT%H:%M:%SZ"), "commit": commit(), "machine": machine()}
    out = ROOT / "benchmarks/runs" / f"{began.date()}.jsonl"
    failed = 0
    for result in _results(options):
        append(out, {**about, **result})
        failed += "failed" in result
        print(_line(result), flush=True)
    return 1 if failed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="TASK", help="these tasks; search-* is several"
    )
    parser.add_argument("--runs", type=int, default=0, metavar="N", help="at most so many runs each")
    parser.add_argument("--quick", action="store_true", help=f"at most {QUICK_RUNS} runs each")
    parser.add_argument("--long", action="store_true", help="the tasks that take minutes too")
    parser.add_argument("--peers", action="store_true", help="the other tools too, on the same corpus")
    parser.add_argument("--list", action="store_true", help="name the tasks")
    return parser.parse_args()


def _results(options: argparse.Namespace) -> Iterator[dict[str, object]]:
    most = options.runs or (QUICK_RUNS if options.quick else sys.maxsize)
    for task in tasks():
        named = _is_named(task.name, options.only)
        if named or (not options.only and (options.long or not task.is_long)):
            yield _measured(replace(task, runs=min(task.runs, most)))
    for peer in peers.PEERS:
        if _is_named(f"peer-{peer.package}", options.only) or (options.peers and not options.only):
            yield from _peer(peer, min(most, 1 if options.quick else PEER_RUNS))


def _is_named(name: str, only: Sequence[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in only)


def _measured(task: Task) -> dict[str, object]:
    told: dict[str, object] = {
        "task": task.name,
        "title": task.title,
        "group": task.group,
        "aimMs": task.aim_ms,
    }
    runs = Runs()
    try:
        with stores.passing() as folder:
            for number, call in enumerate(task.make(folder, task.warm + task.runs)):
                (Runs() if number < task.warm else runs).add(call)
    except (FailedError, OSError, subprocess.CalledProcessError) as problem:
        return {**told, "failed": str(problem)}
    return {**told, **runs.told()}


def _peer(peer: peers.Peer, times: int) -> Iterator[dict[str, object]]:
    told: dict[str, object] = {"peer": peer.package, "makesPages": peer.makes_pages}
    found: dict[str, tuple[str, Runs]] = {}
    problem = ""
    try:
        told["version"] = peers.version(peer)
        with stores.passing() as folder:
            for one in peers.runs(peer, folder, times):
                title, runs = found.setdefault(one.kind, (one.title, Runs()))
                runs.add(one.call)
    except (FailedError, OSError, subprocess.CalledProcessError) as error:
        problem = str(getattr(error, "stderr", "") or error)[-300:]
    for kind, (title, runs) in found.items():
        if runs.each:
            yield {"task": f"peer-{peer.package}-{kind}", "kind": kind, "title": title, **told, **runs.told()}
    if problem:
        yield {"task": f"peer-{peer.package}-failed", "kind": "failed", **told, "failed": problem}


def _line(result: dict[str, object]) -> str:
    if "failed" in result:
        return f"{result['task']:28} failed: {result['failed']}"
    cpu, fixed = result["cpuMs"], result["fixedMs"]
    return f"{result['task']:28} {cpu} ms CPU; the fixed work {fixed}"


def _compile() -> None:
    """Compile every module, as an installer does."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    for folder in (ROOT / "awf_archive", Path(sysconfig.get_path("purelib"))):
        compileall.compile_dir(str(folder), quiet=2)


if __name__ == "__main__":
    sys.exit(main())
