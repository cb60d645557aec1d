"""Measures the cues on single messages that were written for it: `messages/*.jsonl`, in two halves by their digest.

A found decision is right when its words overlap a labelled one; a label is found when one overlaps it. Turns and
their context play no part: this says which ways of saying are known, `run.py` what becomes of it in conversations.
Usage: python benchmarks/quality/messages.py [--half a|b] [--show]
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from check_labels import fold

from awf_archive.domain.decisions import NO_CONTEXT, Found
from awf_archive.domain.decisions.text import find
from awf_archive.domain.transcript import Text

FOLDER = Path(__file__).resolve().parent / "messages"
ENOUGH = 0.5
"""Share of the shorter one's words that overlap."""


class Message(NamedTuple):
    """One message, labelled."""

    speaker: str
    language: str
    text: str
    decisions: tuple[str, ...]

    @property
    def half(self) -> str:
        """`a` to tune on, `b` to see what tuning is worth."""
        return "ab"[sha256(self.text.encode()).digest()[0] % 2]


def messages() -> Iterator[Message]:
    for path in sorted(FOLDER.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            yield Message(row["speaker"], row["language"], row["text"], tuple(row["decisions"]))


def found_in(message: Message) -> list[Found]:
    is_user = message.speaker == "user"
    user, blocks = (message.text, ()) if is_user else ("go on", (Text(text=message.text),))
    return [one for one in find(user, blocks, NO_CONTEXT) if one.by == message.speaker]


def overlaps(one: str, other: str) -> bool:
    words, others = set(fold(one).split()), set(fold(other).split())
    if not any(" " in fold(text).strip() for text in (one, other)):  # Chinese: by characters
        words, others = set(fold(one)), set(fold(other))
    return len(words & others) >= ENOUGH * min(len(words), len(others))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("a", "b"))
    parser.add_argument("--show", action="store_true", help="List what is wrong or missed in half a.")
    chosen = parser.parse_args()
    counts: Counter[tuple[str, str, str]] = Counter()
    for message in messages():
        if chosen.half not in {None, message.half}:
            continue
        found = found_in(message)
        right = [one for one in found if any(overlaps(one.text, label) for label in message.decisions)]
        known = [label for label in message.decisions if any(overlaps(one.text, label) for one in found)]
        group = (message.half, message.speaker, message.language)
        for key in (group, (message.half, "all", "all")):
            counts[(*key, "found")] += len(found)
            counts[(*key, "right")] += len(right)
            counts[(*key, "labels")] += len(message.decisions)
            counts[(*key, "known")] += len(known)
        if chosen.show and message.half == "a":
            for one in found:
                if one not in right:
                    print(f"+ {message.speaker} {message.language}: {one.text}\n    {message.text[:200]!r}")
            for label in message.decisions:
                if label not in known:
                    print(f"- {message.speaker} {message.language}: {label}")
    for half, speaker, language in sorted({key[:3] for key in counts}):
        found, right, labels, known = (
            counts[(half, speaker, language, name)] for name in ("found", "right", "labels", "known")
        )
        precision = right / found if found else 0
        told = f"precision {precision:.2f} of {found}, recall {known / labels:.2f} of {labels}"
        print(f"{half} {speaker:9} {language:3} {told}")


if __name__ == "__main__":
    main()
