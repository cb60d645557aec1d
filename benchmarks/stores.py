"""What the tasks work on, made once and kept in the temporary folder: corpora, archives, large transcripts."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import generator
from measure import PROGRAM, ROOT, Call, environment, once

WINDOW, WINDOWS, OUTPUT = 200, 50, 300
"""Turns in a window, windows in a feature, letters in a tool's result."""
SHARED = ROOT.parent / "shared/bench/make_corpus.py"
CORPUS_OPTIONS = ("--seed", "7")


def base() -> Path:
    """Return the folder of everything kept; another one when the maker of transcripts changed."""
    code = Path(generator.__file__).read_bytes() + f"{WINDOW} {WINDOWS} {OUTPUT}".encode()
    folder = Path(tempfile.gettempdir()) / f"awf-archive-bench-{hashlib.sha256(code).hexdigest()[:12]}"
    folder.mkdir(exist_ok=True)
    return folder


@dataclass(frozen=True, kw_only=True)
class Place:
    """A workspace with a home and a data folder of its own."""

    root: Path

    @property
    def work(self) -> Path:
        """The workspace."""
        return self.root / "work"

    def environment(self) -> dict[str, str]:
        """Return the environment of a command here."""
        return environment(
            self.root / "home",
            AWF_ARCHIVE_DATA_HOME=str(self.root / "data"),
            AWF_ARCHIVE_CONFIG_HOME=str(self.root / "config"),
        )

    def call(self, *arguments: str | Path, stdin: bytes = b"", good: tuple[int, ...] = (0,)) -> Call:
        """Return a call of the program, ready to be measured."""
        command = [PROGRAM, *arguments]
        return Call(command=command, environment=self.environment(), folder=self.work, stdin=stdin, good=good)


@contextmanager
def passing() -> Iterator[Path]:
    """Yield a folder for work that is gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="passing-", dir=base()))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def kept(name: str, make: Callable[[Path], None]) -> Path:
    """Return a folder of that name; made by `make` in one step when it is not there."""
    ready = base() / name
    if not ready.exists():
        print(f"  making {name} …", file=sys.stderr, flush=True)
        with passing() as folder:
            make(folder)
            folder.rename(ready)
    return ready


def empty(root: Path) -> Place:
    """Return a new workspace with nothing in it."""
    shutil.rmtree(root, ignore_errors=True)
    place = Place(root=root)
    for folder in (place.work / ".awf-archive", root / "home"):
        folder.mkdir(parents=True)
    return place


def copied(source: Path, root: Path) -> Place:
    """Return a copy of a kept place. Files of the workspace are linked: the program replaces, it never rewrites."""
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    for folder in source.iterdir():
        how = "-al" if folder.name == "work" else "-a"
        subprocess.run(["cp", how, str(folder), str(root / folder.name)], check=True)
    return Place(root=root)


def archive(turns: int) -> Path:
    """Return a place with so many turns, at most 10 000 in a feature, its index up to date."""
    if turns == 0:
        return kept("archive-0", empty)
    return kept(f"archive-{turns}", lambda folder: _archive(folder, turns))


def _archive(folder: Path, turns: int) -> None:
    place = empty(folder)
    for feature in range(-(-turns // (WINDOW * WINDOWS))):
        made = folder / "transcripts"
        made.mkdir()
        for window in range(min(WINDOWS, turns // WINDOW - feature * WINDOWS)):
            generator.write(made, WINDOW, feature * WINDOWS + window, OUTPUT)
        once(place.call("import", made, "--into", place.work, "--feature", f"shop-{feature}", "--json"))
        shutil.rmtree(made)


def windows(folder: Path, turns: int, count: int) -> list[Path]:
    """Return transcripts that no archive holds."""
    return [generator.write(folder, turns, 100_000 + turns * 100 + number, OUTPUT) for number in range(count)]


def corpus() -> Path:
    """Return the corpus of 98 MB that the peers are measured on too."""

    def make(folder: Path) -> None:
        subprocess.run(
            [sys.executable, str(SHARED), "--out", str(folder), *CORPUS_OPTIONS],
            check=True,
            stdout=subprocess.DEVNULL,
        )

    return kept("corpus", make)


def imported() -> Path:
    """Return a place that holds the corpus."""

    def make(folder: Path) -> None:
        place = empty(folder)
        once(place.call("import", corpus(), "--into", place.work, "--json"))

    return kept("imported", make)


def long_transcript() -> Path:
    """Return one window of about 200 MB."""

    def make(folder: Path) -> None:
        generator.write(folder, 7_000, 77, 12_000).rename(folder / "long.jsonl")

    return kept("long", make) / "long.jsonl"


def export() -> Path:
    """Return a ChatGPT export of about 1 GB: 20 000 conversations."""

    def make(folder: Path) -> None:
        with (folder / "conversations.json").open("w", encoding="utf-8") as file:
            file.write("[")
            for number in range(20_000):
                file.write("," if number else "")
                json.dump(generator.exported(number), file, ensure_ascii=False)
            file.write("]")

    return kept("export", make) / "conversations.json"


def forget_pages(folder: Path) -> None:
    """Let the system forget what it keeps of a folder's files in memory, as after a night."""
    for path in folder.rglob("*"):
        if path.is_file():
            descriptor = os.open(path, os.O_RDONLY)
            os.fsync(descriptor)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(descriptor)
