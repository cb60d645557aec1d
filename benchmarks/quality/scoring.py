"""When a decision that was found is one that was labelled, and the figures: `GUIDELINE.md`, in code."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from check_labels import Label, Row, fold

from awf_archive.domain.decisions import Found


class Shown(NamedTuple):
    """A decision that a harvest found in a turn."""

    turn: int
    found: Found


def keys_in(found: Found, label: Label) -> int:
    """How many of a label's keys stand in what was found."""
    said = fold(f"{found.text} {found.reason} {found.evidence}")
    return sum(fold(key) in said for key in label.keys)


@dataclass(slots=True)
class Tally:
    """What a harvest did on some turns."""

    found: Counter[str] = field(default_factory=Counter)
    """Decisions found, by status."""
    right: Counter[str] = field(default_factory=Counter)
    """Those among them that a label confirms: accepted ones only by an accepted label."""
    labelled: Counter[str] = field(default_factory=Counter)
    recalled: Counter[str] = field(default_factory=Counter)
    matched: int = 0
    same_status: int = 0
    """Matched ones found as sure as they were labelled."""

    def figures(self) -> dict[str, float | int | None]:
        """Return shares, None where there is nothing to share."""
        return {
            "precisionAccepted": _share(self.right["accepted"], self.found["accepted"]),
            "precisionProposed": _share(self.right["proposed"], self.found["proposed"]),
            "recall": _share(self.recalled.total(), self.labelled.total()),
            "recallAccepted": _share(self.recalled["accepted"], self.labelled["accepted"]),
            "recallRejected": _share(self.recalled["rejected"], self.labelled["rejected"]),
            "recallProposed": _share(self.recalled["proposed"], self.labelled["proposed"]),
            "foundAccepted": self.found["accepted"],
            "foundProposed": self.found["proposed"],
            "labelled": self.labelled.total(),
            "statusAgrees": _share(self.same_status, self.matched),
        }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None


class Verdict(NamedTuple):
    """One decision that was found, judged."""

    shown: Shown
    label: Label | None
    is_right: bool


class Judged(NamedTuple):
    """A conversation, judged."""

    verdicts: list[Verdict]
    """Those that count for or against."""
    missed: list[tuple[Row, Label]]


def judge(rows: Sequence[Row], shown: Iterable[Shown]) -> Judged:
    """Judge what was found in the labelled turns of one conversation; other turns are not looked at."""
    labels = [(row.turn, label) for row in rows for label in row.decisions]
    labelled = {row.turn for row in rows}
    counted = [one for one in shown if one.turn in labelled]
    met: set[int] = set()
    own = {}
    for place, one in enumerate(counted):
        fits = [at for at, (turn, _) in enumerate(labels) if turn == one.turn and at not in met]
        if (at := _best(one.found, labels, fits)) is not None:
            met.add(at)
            own[place] = at
    verdicts = []
    for place, one in enumerate(counted):
        if place in own:
            verdicts.append(_verdict(one, labels[own[place]][1]))
            continue
        further = [at for at, (_, label) in enumerate(labels) if one.turn in label.also]
        at = _best(one.found, labels, [at for at in further if at not in met])
        if at is not None:
            met.add(at)
            verdicts.append(_verdict(one, labels[at][1]))
        elif _best(one.found, labels, further) is None:
            verdicts.append(Verdict(one, None, is_right=False))
    rows_of = {id(label): row for row in rows for label in row.decisions}
    return Judged(
        verdicts, [(rows_of[id(label)], label) for at, (_, label) in enumerate(labels) if at not in met]
    )


def _best(found: Found, labels: Sequence[tuple[int, Label]], places: Iterable[int]) -> int | None:
    """Return the label with most of its keys in what was found."""
    hits = {at: keys_in(found, labels[at][1]) for at in places}
    best = max(hits, key=lambda at: hits[at], default=None)
    return best if best is not None and hits[best] else None


def _verdict(shown: Shown, label: Label) -> Verdict:
    """A found decision that is accepted must not be one that nobody confirmed."""
    is_right = shown.found.status.value == "proposed" or label.status != "proposed"
    return Verdict(shown, label, is_right)


def add(tally: Tally, rows: Sequence[Row], judged: Judged) -> None:
    """Count a conversation."""
    for verdict in judged.verdicts:
        status = "proposed" if verdict.shown.found.status.value == "proposed" else "accepted"
        tally.found[status] += 1
        tally.right[status] += verdict.is_right
        if verdict.label:
            tally.matched += 1
            tally.same_status += (verdict.label.status == "proposed") == (status == "proposed")
    missed = {id(label) for _, label in judged.missed}
    for row in rows:
        for label in row.decisions:
            tally.labelled[label.status] += 1
            tally.recalled[label.status] += id(label) not in missed
