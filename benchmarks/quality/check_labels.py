"""Check the labels: their shape, that prompts are those of the turns, and that every quotation stands in its turn.

Every conversation is imported alone into an empty feature of a workspace that is thrown away. Conversations of the
shared corpus are left out, and named, where that folder is missing.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from awf_archive.domain import turn_file

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LABELS = HERE / "labels.jsonl"
MORE = HERE / "more_labels.jsonl"
"""What was labelled later, to tune on: `dev2`. A long file may have turns in both; never the same turn."""
SPLITS = ("dev", "dev2", "test")
CORPUS = ROOT.parent / "shared/corpus"
PROGRAM = Path(sys.executable).with_name("awf-archive")
PLACES = {"corpus": CORPUS, "sample": ROOT, "constructed": ROOT}
"""Where `file` is counted from, by `origin`."""
FIELDS = {"file", "turn", "prompt", "language", "split", "origin", "decisions", "files"}
DECISION = {"text", "by", "status", "reason", "keys", "evidence"}
LONGEST_QUOTE = 200
MOST_KEYS = 4
PROMPT = 60
FOLDED = re.compile(r"<details>.*?</details>", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """One decision of one turn."""

    text: str
    by: str
    status: str
    reason: str
    keys: tuple[str, ...]
    evidence: str
    also: tuple[int, ...]
    """Further turns in which the same decision is proposed, said again or carried out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One labelled turn."""

    file: str
    turn: int
    prompt: str
    language: str
    split: str
    origin: str
    decisions: tuple[Label, ...]
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What stands in a turn of the archive."""

    user: str
    assistant: str


def fold(text: str) -> str:
    """Return `text` as keys are compared: no marks, no case, single spaces."""
    bare = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    return " ".join(bare.replace("đ", "d").replace("Đ", "D").casefold().split())


def start_of(user: str) -> str:
    """Return the first characters of what was typed, without what the program folded away."""
    return " ".join(FOLDED.sub("", user).split())[:PROMPT].strip()


def read_rows(*paths: Path) -> list[Row]:
    """Return the labelled turns in `paths`; without any, all of them."""
    lines = (line for path in paths or (LABELS, MORE) for line in path.read_text("utf-8").splitlines())
    return [_row(json.loads(line)) for line in lines]


def conversations(rows: Iterable[Row]) -> dict[tuple[str, str], list[Row]]:
    """Return the rows of each conversation and split."""
    found = defaultdict(list)
    for row in rows:
        found[row.file, row.split].append(row)
    return found


def _row(given: Mapping[str, object]) -> Row:
    if given.keys() != FIELDS:
        message = f"{given.get('file')} {given.get('turn')}: fields {sorted(given.keys() ^ FIELDS)}"
        raise ValueError(message)
    return Row(
        file=_text(given["file"]),
        turn=_number(given["turn"]),
        prompt=_text(given["prompt"]),
        language=_text(given["language"]),
        split=_text(given["split"]),
        origin=_text(given["origin"]),
        decisions=tuple(_label(one) for one in _list(given["decisions"])),
        files=tuple(_text(one) for one in _list(given["files"])),
    )


def _label(given: object) -> Label:
    if not isinstance(given, dict) or given.keys() - {"also"} != DECISION:
        message = f"not a decision: {given!r}"
        raise ValueError(message)
    return Label(
        text=_text(given["text"]),
        by=_text(given["by"]),
        status=_text(given["status"]),
        reason=_text(given["reason"]),
        keys=tuple(_text(key) for key in _list(given["keys"])),
        evidence=_text(given["evidence"]),
        also=tuple(_number(turn) for turn in _list(given.get("also", []))),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        message = f"not a string: {value!r}"
        raise TypeError(message)
    return value


def _number(value: object) -> int:
    if not isinstance(value, int):
        message = f"not a number: {value!r}"
        raise TypeError(message)
    return value


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        message = f"not a list: {value!r}"
        raise TypeError(message)
    return value


def shape_problems(rows: Sequence[Row]) -> Iterator[str]:
    """Yield what is wrong with the labels by themselves."""
    places = Counter((row.file, row.turn) for row in rows)
    yield from (
        f"{file} {turn}: labelled {times} times" for (file, turn), times in places.items() if times > 1
    )
    for row in rows:
        if row.language not in {"vi", "zh", "en"} or row.split not in SPLITS or row.origin not in PLACES:
            yield f"{row.file} {row.turn}: {row.language}, {row.split}, {row.origin}"
        for label in row.decisions:
            for problem in _label_problems(label):
                yield f"{row.file} {row.turn}: {label.text!r}: {problem}"
    splits = defaultdict(set)
    for file, split in conversations(rows):
        splits[file].add(split)
    yield from (f"{file}: in {sorted(found)}" for file, found in splits.items() if found >= {"dev", "test"})


def _label_problems(label: Label) -> Iterator[str]:
    if label.by not in {"user", "assistant"} or label.status not in {"accepted", "proposed", "rejected"}:
        yield f"{label.by}, {label.status}"
    if not label.text.strip() or "\n" in label.text:
        yield "text is not one line"
    if not label.evidence or len(label.evidence) > LONGEST_QUOTE:
        yield f"evidence of {len(label.evidence)} characters"
    if not 1 <= len(label.keys) <= MOST_KEYS or not all(fold(key) for key in label.keys):
        yield f"keys {label.keys}"
    own = fold(f"{label.text} {label.evidence}")
    if not any(fold(key) in own for key in label.keys):
        yield "no key of its own stands in it"


def imported(row: Row, workspace: Path) -> dict[int, Said]:
    """Import the row's file alone into an empty feature and return its turns."""
    feature = re.sub(r"[^a-z0-9]+", "-", row.file.lower()).strip("-")[-60:].strip("-")
    command = (PROGRAM, "import", PLACES[row.origin] / row.file, "--into", workspace, "--feature", feature)
    environment = os.environ | {"AWF_ARCHIVE_DATA_HOME": str(workspace / ".data")}
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    if done.returncode:
        sys.exit(f"{row.file}: {done.stderr or done.stdout}")
    folder = workspace / ".claude/spec-workflow/specs" / feature / ".context/conversations/sessions"
    turns = {}
    for path in folder.glob("*/turn-*.md"):
        read = turn_file.read(path.read_bytes())
        turns[_number(read.header["turn"])] = Said(user=read.user, assistant=read.assistant)
    return turns


def turn_problems(rows: Sequence[Row], turns: Mapping[int, Said]) -> Iterator[str]:
    """Yield where the labels of one file do not fit its turns."""
    for row in rows:
        where = f"{row.file} {row.turn}"
        said = turns.get(row.turn)
        if said is None:
            yield f"{where}: no such turn"
            continue
        if start_of(said.user) != row.prompt:
            yield f"{where}: the prompt begins {start_of(said.user)!r}, not {row.prompt!r}"
        for label in row.decisions:
            if label.evidence not in said.user and label.evidence not in said.assistant:
                yield f"{where}: not in the turn: {label.evidence!r}"
            yield from (f"{where}: also {turn}, which is no turn" for turn in label.also if turn not in turns)


def main() -> None:
    """Print what is wrong, or how many labels there are."""
    rows = read_rows()
    problems = list(shape_problems(rows))
    by_file = defaultdict(list)
    for row in rows:
        by_file[row.file].append(row)
    with tempfile.TemporaryDirectory() as folder:
        workspace = Path(folder)
        (workspace / ".awf-archive").mkdir()
        for file, its in by_file.items():
            if (PLACES[its[0].origin] / file).exists():
                problems.extend(turn_problems(its, imported(its[0], workspace)))
            else:
                print(f"left out, not here: {file}")
    for problem in problems:
        print(problem)
    labels = Counter(label.status for row in rows for label in row.decisions)
    print(f"{len(rows)} turns of {len(by_file)} conversations, {labels.total()} decisions {dict(labels)}")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
