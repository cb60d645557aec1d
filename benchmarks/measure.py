"""One process measured: CPU, wall time and peak memory of it and all it started, and what it was measured on."""

import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = Path(sys.executable).with_name("awf-archive")
WORK_OF_ONE_SIZE = (
    "import json,hashlib\n"
    "text=json.dumps([{'n':n,'t':'thanh toán '*9} for n in range(2000)])\n"
    "for _ in range(20): hashlib.sha256(json.dumps(json.loads(text)).encode()).hexdigest()\n"
)
"""Always the same work, done before every run: on a machine that others use it tells how slow the moment was."""


class FailedError(Exception):
    """A process did not end as it should."""


@dataclass(frozen=True, kw_only=True)
class Call:
    """One process."""

    command: Sequence[str | Path]
    environment: Mapping[str, str]
    folder: Path
    stdin: bytes = b""
    good: tuple[int, ...] = (0,)
    """Exit codes that mean that the work was done."""


def once(call: Call) -> dict[str, float]:
    """Run a process to its end: `cpuMs`, `wallMs`, `peakMb`. Raises FailedError."""
    given, told = os.memfd_create("given"), os.memfd_create("told")
    try:
        os.write(given, call.stdin)
        os.lseek(given, 0, os.SEEK_SET)
        begin = time.perf_counter()
        process = subprocess.Popen(
            list(map(str, call.command)),
            env=dict(call.environment),
            cwd=call.folder,
            stdin=given,
            stdout=subprocess.DEVNULL,
            stderr=told,
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in call.good:
            os.lseek(told, 0, os.SEEK_SET)
            words = os.read(told, 1 << 16).decode(errors="replace").strip().splitlines()[-3:]
            raise FailedError(f"exit code {process.returncode}: {' / '.join(words)[:300]}")
    finally:
        os.close(given)
        os.close(told)
    cpu = usage.ru_utime + usage.ru_stime
    return {"cpuMs": cpu * 1000, "wallMs": wall * 1000, "peakMb": usage.ru_maxrss / 1024}


@dataclass(kw_only=True)
class Runs:
    """What several runs of one thing cost."""

    each: list[dict[str, float]] = field(default_factory=list)
    fixed: list[float] = field(default_factory=list)
    """CPU of the work of one size beside each run, in ms."""

    def add(self, call: Call) -> None:
        """Run once more."""
        self.fixed.append(fixed_work(call.folder))
        self.each.append(once(call))

    def told(self) -> dict[str, object]:
        """Return median, smallest and largest of each figure."""
        names = ("cpuMs", "wallMs", "peakMb")
        figures = {name: spread(one[name] for one in self.each) for name in names}
        return {"runs": len(self.each), **figures, "fixedMs": spread(self.fixed), "load": os.getloadavg()[0]}


def fixed_work(folder: Path) -> float:
    """Return the CPU that the work of one size takes just now, in ms."""
    command = [sys.executable, "-I", "-S", "-c", WORK_OF_ONE_SIZE]
    return once(Call(command=command, environment={}, folder=folder))["cpuMs"]


def spread(values: Iterable[float]) -> dict[str, float]:
    """Return the median, the smallest and the largest."""
    found = sorted(values)
    picks: dict[str, Callable[[list[float]], float]] = {"median": statistics.median, "min": min, "max": max}
    return {name: round(pick(found), 1) for name, pick in picks.items()}


def environment(home: Path, **more: str) -> dict[str, str]:
    """Return an environment like a person's: a home of its own, byte code kept, no setting of ours."""
    dropped = ("AWF_", "PYTHON", "CLAUDE", "CODEX", "XDG_")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(dropped)}
    return {**kept, "HOME": str(home), "LC_ALL": "C.UTF-8", **more}


def machine() -> dict[str, object]:
    """Return what the numbers were measured on."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "")
    return {
        "cpu": model or platform.machine(),
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


def append(path: Path, result: Mapping[str, object]) -> None:
    """Add one line to a file of results."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(result, ensure_ascii=False) + "\n")
