"""The harvest keeps its quality on some labelled conversations (`benchmarks/quality/` has the whole set).

`labelled.jsonl` holds the constructed conversations of the set's `dev` half as text: what tool calls show (answered
questions) is left out of both sides. The bounds are below what was measured, so that they fail for a reason.
"""

import json
from collections import defaultdict
from pathlib import Path

import pytest

from awf_archive.domain.decisions import Context, Exchange, Found, Status
from awf_archive.domain.decisions.text import find
from awf_archive.domain.fold import fold
from awf_archive.domain.transcript import Text

ROWS = [
    json.loads(line) for line in (Path(__file__).parent / "labelled.jsonl").read_text("utf-8").splitlines()
]


@pytest.fixture(scope="module")
def found():
    """What is found, by conversation and turn."""
    result: dict[tuple[str, int], list[Found]] = {}
    said: dict[str, list[Exchange]] = defaultdict(list)
    for row in ROWS:
        before = said[row["conversation"]]
        blocks = [Text(text=row["assistant"])]
        result[row["conversation"], row["turn"]] = list(find(row["user"], blocks, Context.of(*before[-2:])))
        before.append(Exchange(user=row["user"], assistant=row["assistant"]))
    return result


def is_it(one: Found, label: dict[str, object]) -> bool:
    words = fold(f"{one.text} {one.reason} {one.evidence}")
    return any(fold(key) in words for key in label["keys"])


def test_eight_in_ten_labelled_decisions_are_found(found):
    labels = [(row, label) for row in ROWS for label in row["labels"]]

    met = [
        any(
            is_it(one, label)
            for turn in (row["turn"], *label["also"])
            for one in found.get((row["conversation"], turn), ())
        )
        for row, label in labels
    ]

    assert len(met) > 30
    assert sum(met) / len(met) >= 0.8


@pytest.mark.parametrize(("status", "bound"), [(Status.ACCEPTED, 0.9), (Status.PROPOSED, 0.6)])
def test_most_of_what_is_found_was_decided(found, status, bound):
    right = [
        any(
            is_it(one, label) and (status is Status.PROPOSED or label["status"] != "proposed")
            for row in ROWS
            if row["conversation"] == conversation
            for label in row["labels"]
            if turn in (row["turn"], *label["also"])
        )
        for (conversation, turn), some in found.items()
        for one in some
        if one.status is status
    ]

    assert len(right) > 5
    assert sum(right) / len(right) >= bound
