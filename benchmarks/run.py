"""Measure whole processes, as a person starts them: CPU, wall time and peak memory, several runs each.

Appends one JSON line per task to `benchmarks/runs/<date>.jsonl`; `report.py` makes docs/performance.md of it.
Usage: python benchmarks/run.py [--fresh] [TASK ...]
The archive of 10 000 turns takes minutes to make and is kept in the temporary folder; `--fresh` makes it anew.
"""

import compileall
import hashlib
import json
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import generator

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = Path(sys.executable).with_name("awf-archive")
SAMPLE = ROOT / "samples/claude-code/-home-linh-shop/5d0c7a52-3f0e-4b7e-9a41-2c6f8e1b7d90.jsonl"
RUNS = 7
WINDOWS, TURNS = 50, 200  # an archive of 10 000 turns
MEGABYTE_TURNS, MEGABYTE_SEED, MEGABYTE_OUTPUT = 145, 9001, 1500


@dataclass(frozen=True, kw_only=True)
class Task:
    """One thing a person does, what it may cost, and how to have everything ready for it."""

    name: str
    title: str
    arguments: tuple[str, ...]
    """`{work}` is a fresh workspace for each run, `{megabyte}` the transcript of about 1 MB."""
    prepare: Callable[[Path], None]
    target_ms: int | None = None
    """At most this much CPU, as the issue asks."""


class Bench:
    """The folder that holds what tasks need, kept between runs."""

    def __init__(self, *, fresh: bool) -> None:
        self.base = Path(tempfile.gettempdir()) / f"awf-archive-bench-{digest()[:12]}"
        if fresh:
            shutil.rmtree(self.base, ignore_errors=True)
        self.base.mkdir(exist_ok=True)
        self.megabyte = self.base / "megabyte.jsonl"
        if not self.megabyte.exists():
            made = generator.write(self.base, MEGABYTE_TURNS, MEGABYTE_SEED, MEGABYTE_OUTPUT)
            made.rename(self.megabyte)

    def big(self) -> Path:
        """Return a workspace with 10 000 turns, saved by the program itself, one window after another."""
        ready = self.base / "big"
        if ready.exists():
            return ready
        building = self.base / "building"
        shutil.rmtree(building, ignore_errors=True)
        empty(building)
        for seed in range(WINDOWS):
            path = generator.write(self.base, TURNS, seed)
            self.call(building, "checkpoint", "--transcript", str(path), "--feature", "shop", "--json")
            path.unlink()
            print(f"\r  building an archive: {(seed + 1) * TURNS} turns", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        building.rename(ready)
        return ready

    def saved(self) -> Path:
        """Return the big workspace after the 1 MB transcript was saved into it."""
        ready = self.base / "saved"
        if not ready.exists():
            building = self.base / "building"
            copy(self.big(), building)
            self.call(
                building, "checkpoint", "--transcript", str(self.megabyte), "--feature", "shop", "--json"
            )
            building.rename(ready)
        return ready

    def sample(self, work: Path) -> None:
        """Make a workspace that holds the sample conversation."""
        empty(work)
        self.call(work, "checkpoint", "--transcript", str(SAMPLE), "--feature", "payment-retry", "--json")

    def call(self, work: Path, *arguments: str) -> None:
        """Run the program, untimed."""
        command = [PROGRAM, *arguments, "--workspace", str(work)]
        subprocess.run(command, check=True, env=environment(self.base), stdout=subprocess.DEVNULL)


def tasks(bench: Bench) -> tuple[Task, ...]:
    def big(work: Path) -> None:
        copy(bench.big(), work)

    def saved(work: Path) -> None:
        copy(bench.saved(), work)

    save = (
        "checkpoint",
        "--transcript",
        "{megabyte}",
        "--feature",
        "shop",
        "--workspace",
        "{work}",
        "--json",
    )
    look = ("--workspace", "{work}", "--json")
    return (
        Task(name="version", title="`--version`", arguments=("--version",), prepare=empty),
        Task(name="help", title="`--help`", arguments=("--help",), prepare=empty, target_ms=80),
        Task(
            name="checkpoint",
            title="`checkpoint` of a 1 MB transcript into 10 000 turns",
            arguments=save,
            prepare=big,
            target_ms=1000,
        ),
        Task(name="again", title="the same once more: nothing new", arguments=save, prepare=saved),
        Task(
            name="search-vi",
            title="`search` in 10 000 turns, Vietnamese without marks",
            arguments=("search", "don hang kiem thu", *look),
            prepare=big,
        ),
        Task(
            name="search-zh",
            title="`search` in 10 000 turns, Chinese",
            arguments=("search", "支付回调", *look),
            prepare=big,
        ),
        Task(
            name="site",
            title="`site build` of the sample conversation",
            arguments=("site", "build", "--workspace", "{work}"),
            prepare=bench.sample,
        ),
    )


def measure(task: Task, bench: Bench) -> dict[str, object]:
    """Run a task several times; return what each run cost."""
    work = bench.base / "work"
    runs = []
    for _ in range(RUNS + 1):
        shutil.rmtree(work, ignore_errors=True)
        task.prepare(work)
        given = [each.format(work=work, megabyte=bench.megabyte) for each in task.arguments]
        runs.append(once([str(PROGRAM), *given], bench.base))
    shutil.rmtree(work, ignore_errors=True)
    runs = runs[1:]  # the first one warms the disk's cache
    figures = {key: spread([run[key] for run in runs]) for key in ("cpuMs", "wallMs", "peakMb")}
    told = {"task": task.name, "title": task.title, "runs": len(runs), "load": round(os.getloadavg()[0], 1)}
    return {**told, **figures, "targetMs": task.target_ms}


def once(command: list[str], base: Path) -> dict[str, float]:
    """Run one process; return its CPU (of all it started), wall time and peak memory."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.perf_counter()
    process = subprocess.Popen(command, env=environment(base), stdout=subprocess.DEVNULL, cwd=base)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)}: exit code {process.returncode}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"cpuMs": cpu * 1000, "wallMs": wall * 1000, "peakMb": usage.ru_maxrss / 1024}


def spread(values: list[float]) -> dict[str, float]:
    """Return the median, the smallest and the largest."""
    return {
        "median": round(statistics.median(values), 1),
        "min": round(min(values), 1),
        "max": round(max(values), 1),
    }


def empty(work: Path) -> None:
    """Make a workspace with nothing in it."""
    (work / ".awf-archive").mkdir(parents=True)


def copy(source: Path, target: Path) -> None:
    """Copy a workspace with its times: an index compares them."""
    subprocess.run(["cp", "-a", str(source), str(target)], check=True)


def environment(base: Path) -> dict[str, str]:
    """Return an environment like a person's: a home, byte code kept, no setting of ours."""
    kept = {
        key: value for key, value in os.environ.items() if not key.startswith(("AWF_", "PYTHON", "CLAUDE"))
    }
    return {**kept, "HOME": str(base / "home"), "LC_ALL": "C.UTF-8"}


def digest() -> str:
    """Return a digest of what makes the archive, but for the program itself: see `--fresh`."""
    code = Path(generator.__file__).read_bytes()
    return hashlib.sha256(code + f"{WINDOWS} {TURNS} {MEGABYTE_TURNS} {MEGABYTE_OUTPUT}".encode()).hexdigest()


def machine() -> dict[str, object]:
    """Return what the numbers were measured on."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    model = next(
        (line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine()
    )
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "system": platform.system(),
    }


def commit() -> str:
    """Return the commit measured, marked when there is more than the commit."""
    name = subprocess.check_output(["git", "rev-parse", "--short=10", "HEAD"], cwd=ROOT, text=True).strip()
    changed = subprocess.check_output(
        ["git", "status", "--porcelain", "--", "awf_archive"], cwd=ROOT, text=True
    )
    return f"{name}+" if changed else name


def main() -> None:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    for folder in (ROOT / "awf_archive", sysconfig.get_path("purelib")):
        compileall.compile_dir(str(folder), quiet=2)
    bench = Bench(fresh="--fresh" in sys.argv)
    wanted = set(sys.argv[1:]) - {"--fresh"}
    began = datetime.now(tz=UTC)
    about = {"run": began.strftime("%Y-%m-%dT%H:%M:%SZ"), "commit": commit(), "machine": machine()}
    out = ROOT / "benchmarks" / "runs" / f"{began.date()}.jsonl"
    out.parent.mkdir(exist_ok=True)
    for task in tasks(bench):
        if wanted and task.name not in wanted:
            continue
        result = measure(task, bench)
        with out.open("a", encoding="utf-8") as file:
            file.write(json.dumps({**about, **result}, ensure_ascii=False) + "\n")
        cpu = result["cpuMs"]
        print(f"{task.name:12} {cpu} ms CPU", flush=True)


if __name__ == "__main__":
    main()
