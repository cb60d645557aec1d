"""Writes what the engines find, shuffled and without their names, for somebody to judge.

Usage: python benchmarks/relevance/pool.py WORKSPACE OUT
OUT is a folder: `pool.tsv` names the pooled turns, `to-judge.txt` shows those that nobody judged yet.
"""

import csv
import hashlib
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from collection import Turn, build, turns
from engines import ENGINES, Engine

from awf_archive.search.analysis import tokens
from awf_archive.search.snippets import snippet

HERE = Path(__file__).parent


def read(name: str) -> Iterator[dict[str, str]]:
    """Yield the rows of a table beside this file."""
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def pooled(query: str, engines: Iterable[Engine]) -> list[str]:
    """Return the turns that any engine puts among its first, in an order that tells nothing."""
    names = {name for engine in engines for name in engine(query)}
    return sorted(names, key=lambda name: hashlib.sha256(f"{query}{name}".encode()).digest())


def shown(turn: Turn, query: str) -> str:
    """Return the prompt and the passages of a turn that touch the query most."""
    terms = [token.text for token in tokens(query)]
    passages = [snippet(f"{one.user}\n{one.text}", terms, 220).text for one in turn.documents]
    return f"{turn.feature[:14]}#{turn.number} «{turn.title[:80]}» " + " ¦ ".join(passages)


def main(workspace: Path, out: Path) -> None:
    """Pool and write."""
    build(workspace)
    everything = {turn.name: turn for turn in turns(workspace)}
    judged = {(row["query"], row["turn"]) for row in read("judgements.tsv")} if _are_there() else set()
    out.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, (out / "to-judge.txt").open("w", encoding="utf-8") as sheet:
        engines = [make(list(everything.values()), Path(folder)) for make in ENGINES.values()]
        with (out / "pool.tsv").open("w", encoding="utf-8") as table:
            for row in read("queries.tsv"):
                names = pooled(row["query"], engines)
                print(f"\n=== {row['id']}  {row['query']}  → {row['wanted']}", file=sheet)
                for place, name in enumerate(names):
                    print(row["id"], place, name, sep="\t", file=table)
                    if (row["id"], name) not in judged:
                        print(place, shown(everything[name], row["query"]), file=sheet)


def _are_there() -> bool:
    return (HERE / "judgements.tsv").exists()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
