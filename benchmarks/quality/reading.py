"""What stood in `decisions.json` of the labelled conversations after assistants had read them: `read/<split>.jsonl`.

An assistant cannot be run here again, so what it recorded is kept, to be judged anew. Usage, once it has read a
workspace that `run.py` made: python benchmarks/quality/reading.py WORKSPACE dev|test
"""

import argparse
import json
from collections import defaultdict
from pathlib import Path

from check_labels import HERE, SPLITS, conversations, read_rows
from labelled_turns import feature_of
from scoring import Shown

from awf_archive.domain.decisions import Decision, Found, Status
from awf_archive.store.archive import Archive
from awf_archive.store.layout import Layout

FOLDER = HERE / "read"
KEPT = ("turn", "text", "by", "foundBy", "status", "foundStatus", "reason", "evidence")


def kept(split: str) -> dict[str, list[Shown]]:
    """Return what is kept of a split, by file; what a reader dismissed is no decision any more."""
    found: dict[str, list[Shown]] = defaultdict(list)
    for line in (FOLDER / f"{split}.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["status"] == Status.REJECTED and row["foundStatus"] == Status.PROPOSED:
            continue
        found[row["file"]].append(
            Shown(
                row["turn"],
                Found(
                    text=row["text"],
                    by=row["by"],
                    found_by=row["foundBy"],
                    evidence=row["evidence"],
                    reason=row["reason"],
                    status=Status(row["status"]),
                ),
            )
        )
    return found


def rows_of(file: str, decisions: tuple[Decision, ...], turns: set[int]) -> list[dict[str, object]]:
    values = (one.to_json() for one in decisions if one.turn in turns)
    return [{"file": file} | {name: value[name] for name in KEPT} for value in values]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workspace", type=Path)
    parser.add_argument("split", choices=SPLITS)
    chosen = parser.parse_args()
    archive = Archive(layout=Layout(root=chosen.workspace))
    rows = []
    for (file, split), its in conversations(read_rows()).items():
        if split == chosen.split:
            rows += rows_of(file, archive.decisions(feature_of(file)), {row.turn for row in its})
    FOLDER.mkdir(exist_ok=True)
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (FOLDER / f"{chosen.split}.jsonl").write_text("".join(lines), "utf-8")


if __name__ == "__main__":
    main()
