"""Measure what each dependency costs to import: the smallest of several runs, beyond a bare interpreter."""

import os
import subprocess
import sys

MODULES = (
    "click",
    "platformdirs",
    "whoosh.index",
    "whoosh.qparser",
    "markdown_it",
    "pygments",
    "pygments.lexers",
    "zstandard",
    "jinja2",
    "mkdocs.commands.build",
)
RUNS = 9


def cpu_ms(statement: str) -> float:
    """Return the CPU time of one interpreter that runs `statement`."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen([sys.executable, "-W", "ignore", "-c", statement], env=environment)
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return (usage.ru_utime + usage.ru_stime) * 1000


def main() -> None:
    for statement in ("pass", *(f"import {name}" for name in MODULES)):
        cpu_ms(statement)
    bare = min(cpu_ms("pass") for _ in range(RUNS))
    print(f"bare interpreter: {bare:.0f} ms")
    for name in MODULES:
        cost = min(cpu_ms(f"import {name}") for _ in range(RUNS)) - bare
        count = f"import sys; before = len(sys.modules); import {name}; print(len(sys.modules) - before)"
        loaded = subprocess.check_output([sys.executable, "-W", "ignore", "-c", count], text=True).strip()
        print(f"{name}: {cost:.0f} ms, {loaded} modules")


if __name__ == "__main__":
    main()
