"""What the summaries of twenty labelled turns tell: decisions and touched files in them, repetition, length.

A labelled decision is told when one of its keys stands in the summary, a touched file when its name does.
Two lines repeat each other when six in ten of their telling words are the same.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path, PurePosixPath
from statistics import median

from check_labels import Row, fold
from labelled_turns import Spoken, feature_of, turns

from awf_archive.domain.decisions.harvest import harvest
from awf_archive.domain.decisions.joining import Shown, joined
from awf_archive.domain.decisions.text_alike import words_of
from awf_archive.domain.summary import chunk_text, gist_of
from awf_archive.domain.summary.sentences import reading_words
from awf_archive.domain.wording import WORDINGS

RANGE = 20
"""Turns of one summary."""

SAME = 0.6


@dataclass(slots=True)
class Told:
    """Figures over some summaries."""

    labelled: int = 0
    told: int = 0
    files: int = 0
    files_told: int = 0
    lines: int = 0
    repeated: int = 0
    words: list[int] = field(default_factory=list)

    def figures(self) -> dict[str, float | int | None]:
        return {
            "summaries": len(self.words),
            "decisionsTold": _share(self.told, self.labelled),
            "filesTold": _share(self.files_told, self.files),
            "repeatedLines": _share(self.repeated, self.lines),
            "medianWords": round(median(self.words)) if self.words else None,
            "mostWords": round(max(self.words, default=0)),
            "labelled": self.labelled,
            "files": self.files,
        }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None


def summaries(rows: Sequence[Row], workspace: Path) -> Iterator[tuple[list[Row], str]]:
    """Yield a summary of each twenty turns of one conversation with the labelled rows in it."""
    said = turns(workspace, rows[0].file)
    shown = [
        Shown(found=found, session="session-001", turn=turn.number)
        for turn in said
        for found in harvest(turn.user, turn.blocks, turn.context)
    ]
    decisions = joined((), shown, feature_of(rows[0].file))
    for start in range(0, len(said), RANGE):
        some = said[start : start + RANGE]
        first, last = some[0].number, some[-1].number
        inside = [row for row in rows if first <= row.turn <= last]
        if inside:
            decided = [one for one in decisions if first <= one.turn <= last]
            gists = [_gist(turn) for turn in some]
            words = WORDINGS[rows[0].language]
            yield inside, chunk_text(start // RANGE + 1, (first, last), gists, decided, words=words)


def _gist(turn: Spoken):
    return gist_of(turn.number, turn.user_blocks, turn.blocks, known_files=turn.files)


def add(told: Told, rows: Iterable[Row], text: str) -> None:
    """Count a summary."""
    said = fold(text)
    names = set()
    for row in rows:
        for label in row.decisions:
            told.labelled += 1
            told.told += any(fold(key) in said for key in label.keys)
        names.update(PurePosixPath(path.replace("\\", "/")).name for path in row.files)
    told.files += len(names)
    told.files_told += sum(fold(name) in said for name in names)
    lines = [words for line in text.splitlines() if line[:1] != "#" and (words := words_of(line))]
    told.lines += len(lines)
    pairs = combinations(enumerate(lines), 2)
    told.repeated += len(
        {at for (_, one), (at, other) in pairs if len(one & other) >= SAME * len(one | other)}
    )
    told.words.append(reading_words(text))
