"""Measure the MCP server over an archive of 10 000 turns: its start, and what each tool costs, CPU and waiting.

Usage: python benchmarks/bench_mcp.py [--turns 10000] [--workspace FOLDER] [--program awf-archive] [--note TEXT]
The archive is the one of `stores.py`, or a workspace that has one. The client is the SDK's own, over stdio; CPU is
the server's, from /proc. Results are printed and appended to benchmarks/runs/mcp/<date>.jsonl.
"""

import argparse
import json
import os
import statistics
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path

import anyio
import stores
from mcp import Client, StdioServerParameters
from measure import PROGRAM, ROOT

ROUNDS, STARTS = 9, 7
QUERIES = ("config", "don hang kiem thu", "支付回调", '"retry index"', "timeout deadlock session")
CALLS = {
    "search": [("search", {"query": query}) for query in QUERIES],
    "get_turns": [("get_turns", {"place": "shop-0#5000-5010"})],
    "list_sessions": [("list_sessions", {})],
    "recap": [("recap", {}), ("recap", {"feature": "shop-0", "level": "full"})],
}


def cpu_of_children() -> dict[int, float]:
    """Return the CPU seconds of each child process that lives."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid():
            found[int(folder.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return found


async def timed(work: Callable[[], Awaitable[object]]) -> tuple[float, float, object]:
    """Return milliseconds waited and of the server's CPU, and what came back."""
    before, begin = sum(cpu_of_children().values()), time.perf_counter()
    answer = await work()
    waited = time.perf_counter() - begin
    return waited * 1000, (sum(cpu_of_children().values()) - before) * 1000, answer


async def measure(program: str, work: Path) -> list[dict[str, object]]:
    """Return a row for the start and for each tool."""
    server = StdioServerParameters(
        command=program, args=["mcp", "--workspace", str(work)], env=dict(os.environ)
    )
    starts, rows = [], []
    for _ in range(STARTS):
        begin = time.perf_counter()
        async with Client(server, mode="legacy") as client:
            await client.list_tools()
            waited = (time.perf_counter() - begin) * 1000
            starts.append((waited, sum(cpu_of_children().values()) * 1000, 0))
    rows.append(row("start, until the tools are listed", starts))
    async with Client(server, mode="legacy") as client:
        first = await timed(lambda: client.call_tool("search", {"query": "config"}))
        rows.append(row("search, the first", [sized(first)]))
        for name, calls in CALLS.items():
            taken = []
            for _ in range(ROUNDS):
                for tool, given in calls:
                    taken.append(
                        sized(await timed(lambda tool=tool, given=given: client.call_tool(tool, given)))
                    )
            rows.append(row(name, taken))
    return rows


def sized(taken: tuple[float, float, object]) -> tuple[float, float, int]:
    """Put the answer's length in the answer's place."""
    waited, cpu, answer = taken
    return waited, cpu, len(answer.content[0].text)


def row(name: str, taken: list[tuple[float, float, int]]) -> dict[str, object]:
    """Return the medians of some calls; CPU is counted in hundredths of a second, so it is their mean."""
    waited, cpu, size = zip(*taken, strict=True)
    return {
        "what": name,
        "calls": len(taken),
        "waitedMs": round(statistics.median(waited)),
        "cpuMs": round(statistics.mean(cpu)),
        "leastCpuMs": round(min(cpu)),
        "characters": round(statistics.median(size)),
    }


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--workspace", type=Path)
    parser.add_argument("--program", default=str(PROGRAM))
    parser.add_argument("--note", default="")
    given = parser.parse_args()
    work = given.workspace or stores.archive(given.turns) / "work"
    rows = anyio.run(measure, given.program, work)
    now = datetime.now(UTC)
    folder = ROOT / "benchmarks/runs/mcp"
    folder.mkdir(parents=True, exist_ok=True)
    entry = {
        "time": now.isoformat(timespec="seconds"),
        "turns": given.turns,
        "note": given.note,
        "rows": rows,
    }
    with (folder / f"{now:%Y-%m-%d}.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(entry) + "\n")
    for one in rows:
        print(one)


if __name__ == "__main__":
    main()
