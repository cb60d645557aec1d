"""Measure a built site in headless Chromium: when a page's text stands there, and how long a search takes.

Usage: python benchmarks/bench_browser.py SITE [--runs 5]; SITE is a folder that `site build` made, such as the one
`bench_site.py` leaves. Pages are opened from the disk, each in a new context without a cache. Appends JSON lines to
`benchmarks/runs/site/browser-<date>.jsonl`.
"""

import argparse
import json
import os
import statistics
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tools.set_up import find_browser

ROOT = Path(__file__).resolve().parent.parent
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
]
QUERIES = ("deadlock", "queue timeout", "quyet dinh", "người dùng", "数据库", "step_573")
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


def pages_of(site: Path) -> dict[str, Path]:
    """Return the kinds of pages that are opened, and one of each."""
    session = sorted(site.glob("features/*/session-*/index.html"))
    return {
        "home": site / "index.html",
        "session": session[len(session) // 2],
        "decisions": site / "decisions" / "index.html",
        "files": site / "files" / "index.html",
        "statistics": site / "statistics" / "index.html",
    }


def painted(browser: Browser, path: Path) -> float:
    """Return the milliseconds until the page's first text is painted."""
    page = browser.new_page(bypass_csp=True)
    page.goto(path.as_uri(), wait_until="load")
    page.wait_for_function(PAINTED)
    found = float(page.evaluate(PAINTED))
    page.close()
    return found


def searched(page: Page, query: str) -> tuple[float, int]:
    """Return the milliseconds from the last key to the count of hits, and the count as the page tells it."""
    box, told = page.locator("[data-awf=find] [name=words]"), page.locator("[data-awf=find] output")
    box.fill("")
    page.wait_for_function("document.querySelector('[data-awf=find] output').textContent === ''")
    start = time.perf_counter()
    box.fill(query)
    page.wait_for_function("document.querySelector('[data-awf=find] output').textContent !== ''")
    took = (time.perf_counter() - start) * 1000
    digits = "".join(filter(str.isdigit, told.text_content() or ""))
    return took, int(digits or 0)


def measure(site: Path, runs: int) -> Iterator[dict[str, object]]:
    """Yield what each page and each query took."""
    with sync_playwright() as runner:
        browser = runner.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)
        for name, path in pages_of(site).items():
            times = [painted(browser, path) for _ in range(runs)]
            kilobytes = path.stat().st_size // 1024
            yield {"task": f"first paint: {name}", "ms": round(statistics.median(times)), "kb": kilobytes}
        for query in QUERIES:
            first, again, count = [], [], 0
            for _ in range(runs):
                page = browser.new_page(bypass_csp=True)
                page.goto((site / "search" / "index.html").as_uri(), wait_until="load")
                took, count = searched(page, query)
                first.append(took)
                again.append(searched(page, query)[0])
                page.close()
            yield {
                "task": f"search: {query}",
                "ms": round(statistics.median(first)),
                "again_ms": round(statistics.median(again)),
                "hits": count,
            }
        browser.close()


def main() -> None:
    """Measure and keep the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    asked = parser.parse_args()
    facts = {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "sessions": len(list(asked.site.glob("features/*/session-*"))),
        "cpus": os.cpu_count(),
    }
    runs = ROOT / "benchmarks" / "runs" / "site" / f"browser-{datetime.now(UTC).date().isoformat()}.jsonl"
    runs.parent.mkdir(parents=True, exist_ok=True)
    for one in measure(asked.site.resolve(), asked.runs):
        line = json.dumps({**facts, **one, "load": round(os.getloadavg()[0], 1)}, ensure_ascii=False)
        print(line, flush=True)
        with runs.open("a", encoding="utf-8") as stream:
            stream.write(line + "\n")


if __name__ == "__main__":
    main()
