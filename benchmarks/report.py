"""Write the table of docs/performance.md from the newest figures of every task."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "performance.md"
BUSY = 0.8
"""Load for each core above which processes wait for one another; one of our own counts as half on two cores."""
PLACE = re.compile(r"(<!-- bench -->\n).*?(<!-- end -->)", re.DOTALL)


def newest() -> list[dict[str, object]]:
    """Return the last result of each task, in the order the last whole run had."""
    results: dict[str, dict[str, object]] = {}
    for path in sorted((ROOT / "benchmarks" / "runs").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            result = json.loads(line)
            results[result["task"]] = result
    return list(results.values())


def table(results: list[dict[str, object]]) -> str:
    """Return the figures as Markdown: median, and smallest to largest."""
    rows = ["| | CPU | wall | peak memory | target |", "|---|--:|--:|--:|--:|"]
    for result in results:
        cells = [
            figure(result["cpuMs"], "ms"),
            figure(result["wallMs"], "ms"),
            figure(result["peakMb"], "MB"),
        ]
        target = f"{result['targetMs']} ms CPU" if result["targetMs"] else ""
        rows.append(f"| {result['title']} | {' | '.join(cells)} | {target} |")
    last = results[-1]
    machine = last["machine"]
    where = f"{machine['cpu']}, {machine['cores']} cores, Python {machine['python']}, {machine['system']}"
    commits = ", ".join(sorted({str(result["commit"]) for result in results}))
    busy = max(float(str(result["load"])) for result in results)
    if busy > BUSY * int(machine["cores"]):
        rows.append(
            f"\n**Others were using the machine** (load {busy}): CPU figures are higher than on a quiet one."
        )
    rows.append(f"\n{where}. Commit {commits}, {str(last['run'])[:10]}, {last['runs']} runs each.")
    return "\n".join(rows) + "\n"


def figure(spread: dict[str, float], unit: str) -> str:
    """Return a median with its spread."""
    if unit == "MB":
        return f"{spread['median']:.0f} MB"
    return f"{spread['median']:.0f} {unit} ({spread['min']:.0f}–{spread['max']:.0f})"


def page(text: str) -> str:
    """Return the page with the table made anew."""
    return PLACE.sub(lambda found: f"{found[1]}{table(newest())}{found[2]}", text)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(PAGE.relative_to(ROOT))
