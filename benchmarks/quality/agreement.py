"""How far two readers agree who labelled the same turns apart from one another.

Cohen's kappa: whether a turn holds a decision at all. F1: of all decisions of both, the share that the other has too;
two are the same by the rule of `GUIDELINE.md`, with the second reader's decisions in the place of found ones.
"""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from check_labels import HERE, Label, Row, read_rows
from scoring import Shown, judge

from awf_archive.domain.decisions import Found, Status

SECOND = HERE / "second_labels.jsonl"


def figures(first: Sequence[Row], second: Sequence[Row]) -> dict[str, float | int]:
    """Return kappa and F1 over the turns that both labelled."""
    ours = {(row.file, row.turn): row for row in first}
    pairs = [(ours[key], row) for row in second if (key := (row.file, row.turn)) in ours]
    by_file: dict[str, list[tuple[Row, Row]]] = defaultdict(list)
    for pair in pairs:
        by_file[pair[0].file].append(pair)
    matched = agreed = 0
    for its in by_file.values():
        shown = [Shown(other.turn, as_found(label)) for _, other in its for label in other.decisions]
        verdicts = judge([row for row, _ in its], shown).verdicts
        matched += sum(verdict.label is not None for verdict in verdicts)
        agreed += sum(
            verdict.label is not None
            and (verdict.label.status == "proposed") == (verdict.shown.found.status is Status.PROPOSED)
            for verdict in verdicts
        )
    count = sum(len(row.decisions) + len(other.decisions) for row, other in pairs)
    return {
        "turns": len(pairs),
        "kappa": round(kappa([(bool(row.decisions), bool(other.decisions)) for row, other in pairs]), 3),
        "decisionsFirst": sum(len(row.decisions) for row, _ in pairs),
        "decisionsSecond": sum(len(other.decisions) for _, other in pairs),
        "f1": round(2 * matched / count, 3) if count else 0.0,
        "statusAgrees": round(agreed / matched, 3) if matched else 0.0,
    }


def as_found(label: Label) -> Found:
    """Return a label as if it had been found: its keys are words of it too."""
    return Found(
        text=f"{label.text} {' '.join(label.keys)}",
        by=label.by,
        found_by="reader",
        evidence=label.evidence,
        reason=label.reason,
        status=Status(label.status),
    )


def kappa(pairs: Sequence[tuple[bool, bool]]) -> float:
    """Return Cohen's kappa of two readers' yes and no; 1.0 where neither leaves room for chance."""
    count = len(pairs)
    same = sum(one == other for one, other in pairs) / count
    yes = sum(one for one, _ in pairs) / count, sum(other for _, other in pairs) / count
    chance = yes[0] * yes[1] + (1 - yes[0]) * (1 - yes[1])
    return 1.0 if chance == 1 else (same - chance) / (1 - chance)


def main() -> None:
    print(figures(read_rows(), read_rows(Path(SECOND))))


if __name__ == "__main__":
    main()
