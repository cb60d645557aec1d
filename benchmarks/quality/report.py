"""Writes the figures of the last run into `docs/quality.md`, between its marks."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from agreement import SECOND, figures
from check_labels import ROOT, read_rows

PAGE = ROOT / "docs/quality.md"
START, END = "<!-- figures: python benchmarks/quality/report.py -->", "<!-- end -->"
GROUPS = {
    "dev": "dev",
    "dev2": "dev2",
    "test": "test",
    "corpus dev": "dev, real conversations",
    "corpus test": "test, real conversations",
    "vi dev": "dev, Vietnamese",
    "vi test": "test, Vietnamese",
    "zh dev": "dev, Chinese",
    "zh test": "test, Chinese",
    "en dev": "dev, English",
    "en test": "test, English",
}
FORMER = {
    "dev": ("decisions", "2b4afd4"),
    "dev2": ("decisions on dev2 before", "1ccbc82"),
    "test": ("decisions", "2b4afd4"),
}
"""The runs of the cues that were tuned on `dev` alone, by split."""
SHARES = {
    "precisionAccepted": "precision of accepted",
    "precisionProposed": "precision of proposed",
    "recall": "recall",
    "recallAccepted": "… of accepted",
    "recallProposed": "… of proposed",
    "labelled": "labels",
}
WAYS = {
    "agreement": "agreement to a proposal",
    "choice": "an option picked",
    "answer": "answer to an open question",
    "statement": "the user's own statement",
    "report": "the assistant's choice or recommendation",
    "question": "question of a tool, answered",
    "plan": "plan approved",
}
SUMMARIES = {
    "summaries": "summaries",
    "decisionsTold": "labelled decisions told",
    "filesTold": "touched files named",
    "repeatedLines": "lines that repeat another",
    "medianWords": "reading words, median",
    "mostWords": "most",
}


def runs() -> Iterator[Mapping]:
    """Yield every run, oldest first."""
    for path in sorted((ROOT / "benchmarks/runs/quality").glob("*.jsonl")):
        yield from map(json.loads, path.read_text("utf-8").splitlines())


def table(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    heads = list(heads)
    lines = [heads, ["---", *["--:"] * (len(heads) - 1)], *rows]
    return "\n".join(
        f"| {' | '.join('–' if cell is None else str(cell) for cell in line)} |" for line in lines
    )


def decisions(known: Sequence[Mapping]) -> Iterator[str]:
    told = [one for one in known if one["task"] == "decisions"]
    run, blind = told[-1], told[0]
    ours, plain = (run["harvests"][name]["groups"] for name in ("awf-archive", "plain patterns"))
    yield f"Run of {run['run'][:10]}, commit {run['commit']}, {run['turns']} turns."
    yield table(
        ("", *SHARES.values()),
        (
            (title, *(ours[group][share] for share in SHARES))
            for group, title in GROUPS.items()
            if group in ours
        ),
    )
    yield "Before the cues were rewritten for `dev2`, which was labelled before it was first run:"
    yield table(
        ("", *SHARES.values()),
        (
            (group, *(former["harvests"]["awf-archive"]["groups"][group][share] for share in SHARES))
            for group, named in FORMER.items()
            for former in [next(one for one in reversed(known) if (one["task"], one["commit"]) == named)]
        ),
    )
    yield "The same for the plain patterns, and for our first version, which was written before any label was read:"
    first = blind["harvests"]["awf-archive"]["groups"]
    yield table(
        ("", *SHARES.values()),
        (
            (f"{name}, {group}", *(groups[group][share] for share in SHARES))
            for name, groups in (("plain patterns", plain), ("first version", first))
            for group in ("dev", "test", "corpus test")
        ),
    )
    yield "By the way it was found, everything together:"
    ways = run["harvests"]["awf-archive"]["ways"]
    yield table(
        ("found by", "as", "found", "right"),
        (
            (f"`{way}`: {WAYS.get(way, way)}", status, got["found"], got["right"])
            for key, got in ways.items()
            for way, _, status in [key.partition(" ")]
        ),
    )


READ = {
    "test": "test",
    "corpus test": "test, real conversations",
    "vi test": "test, Vietnamese",
    "zh test": "test, Chinese",
    "en test": "test, English",
    "dev": "dev",
}


def read_by_assistants(known: Sequence[Mapping]) -> Iterator[str]:
    """What stood in `decisions.json` after assistants had read the turns: the last run of each split."""
    groups: dict[str, Mapping] = {}
    for run in known:
        if run["task"] == "recorded":
            groups |= run["harvests"]["recorded"]["groups"]
    yield table(
        ("", *SHARES.values(), "as sure as labelled"),
        (
            (title, *(groups[group][share] for share in (*SHARES, "statusAgrees")))
            for group, title in READ.items()
            if group in groups
        ),
    )


def summaries(run: Mapping) -> Iterator[str]:
    yield table(
        ("summaries of 20 turns", *SUMMARIES.values()),
        (
            (group, *(got[share] for share in SUMMARIES))
            for group, got in run["groups"].items()
            if group in GROUPS
        ),
    )


def agreed() -> str:
    got = figures(read_rows(), read_rows(Path(SECOND)))
    return (
        f"{got['turns']} turns were labelled a second time, by somebody who had read neither the code nor the first "
        f"labels. Whether a turn holds a decision: Cohen's kappa {got['kappa']}. Which: F1 {got['f1']} "
        f"({got['decisionsFirst']} and {got['decisionsSecond']} decisions); of those that both have, "
        f"{got['statusAgrees']:.0%} are as sure for both."
    )


def main() -> None:
    known = list(runs())
    parts = [
        *decisions(known),
        "### Read by an assistant",
        *read_by_assistants(known),
        "### Summaries",
        *summaries([one for one in known if one["task"] == "summaries"][-1]),
        "### Two readers",
        agreed(),
    ]
    page = PAGE.read_text("utf-8")
    before, rest = page.split(START, 1)
    after = rest.split(END, 1)[1]
    PAGE.write_text(f"{before}{START}\n" + "\n\n".join(parts) + f"\n{END}{after}", "utf-8")


if __name__ == "__main__":
    main()
