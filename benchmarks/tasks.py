"""What is measured of ours: what a person or a hook does, each as a whole process."""

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import stores
from measure import Call

SIZES = (0, 10_000, 100_000)
NEW_TURNS = (1, 20, 500)
NEEDLES = {
    "a rare word": "zephyrcache",
    "Vietnamese without marks": "bach dang",
    "Chinese": "凤凰网关",
    "common words": "retry timeout cache",
}
GROWTH = 1.3
"""What ten times the archive may cost, as a factor."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """One thing to measure."""

    name: str
    title: str
    group: str
    make: Callable[[Path, int], Iterator[Call]]
    """Yields as many calls as it is given, each when the one before is done, working in the folder given."""
    runs: int = 7
    warm: int = 1
    """Runs before those that count."""
    aim_ms: int | None = None
    """At most this much CPU."""
    is_long: bool = False
    """Takes minutes: only when it is named."""


def _started(*arguments: str) -> Callable[[Path, int], Iterator[Call]]:
    def make(folder: Path, runs: int) -> Iterator[Call]:
        place = stores.empty(folder / "place")
        for _ in range(runs):
            yield place.call(*arguments)

    return make


def _checkpoint(turns: int, size: int, folder: Path, runs: int) -> Iterator[Call]:
    """A new window each time, into an archive that is as large as before but for the runs before it."""
    place = stores.copied(stores.archive(size), folder / "place")
    for window in stores.windows(folder, turns, runs):
        if size == 0:
            place = stores.empty(folder / "place")
        yield place.call(
            "checkpoint", "--transcript", window, "--feature", "shop-0", "--workspace", place.work
        )


def _again(size: int, folder: Path, runs: int) -> Iterator[Call]:
    place = stores.copied(stores.archive(size), folder / "place")
    [window] = stores.windows(folder, 20, 1)
    for _ in range(runs):
        yield place.call(
            "checkpoint", "--transcript", window, "--feature", "shop-0", "--workspace", place.work
        )


def _asked(size: int, arguments: tuple[str, ...], folder: Path, runs: int) -> Iterator[Call]:
    place = stores.copied(stores.archive(size), folder / "place")
    for _ in range(runs):
        yield place.call(*arguments, good=(0, 1))


def _hook(size: int, event: dict[str, object], folder: Path, runs: int) -> Iterator[Call]:
    """A worker seems to be at it, so that none is started: it is not the hook's time, and it is always the same."""
    place = stores.copied(stores.archive(size), folder / "place")
    lock = place.work / ".awf-archive/worker-lock"
    lock.write_text(json.dumps({"pid": os.getpid()}), encoding="utf-8")
    os.utime(lock, (time.time() + 99_999,) * 2)
    told = {"session_id": "b", "cwd": str(place.work), "transcript_path": "/nowhere/b.jsonl", **event}
    for _ in range(runs):
        yield place.call("hook", "claude-code", stdin=json.dumps(told).encode())


def _import_cold(options: tuple[str, ...], folder: Path, runs: int) -> Iterator[Call]:
    for _ in range(runs):
        place = stores.empty(folder / "place")
        yield place.call("import", stores.corpus(), "--into", place.work, *options)


def _corpus(arguments: tuple[str, ...], folder: Path, runs: int) -> Iterator[Call]:
    """Something asked of the place that holds the corpus of 98 MB."""
    place = stores.copied(stores.imported(), folder / "place")
    for _ in range(runs):
        yield place.call(*arguments, "--workspace", place.work, good=(0, 1))


def _import_again(folder: Path, runs: int) -> Iterator[Call]:
    place = stores.copied(stores.imported(), folder / "place")
    for _ in range(runs):
        yield place.call("import", stores.corpus(), "--into", place.work)


def _search_cold(folder: Path, runs: int) -> Iterator[Call]:
    place = stores.copied(stores.imported(), folder / "place")
    for _ in range(runs):
        stores.forget_pages(place.work / ".awf-archive")
        yield place.call("search", NEEDLES["a rare word"], "--workspace", place.work)


def _site(kind: str, folder: Path, runs: int) -> Iterator[Call]:
    place = stores.copied(stores.imported(), folder / "place")
    build = ("site", "build", "--workspace", place.work)
    for number, window in enumerate(stores.windows(folder, 50, runs)):
        if kind == "cold":
            shutil.rmtree(place.work / ".awf-archive/site", ignore_errors=True)
            shutil.rmtree(place.work / ".awf-archive/render", ignore_errors=True)
        elif number == 0:
            stores.once(place.call(*build))
        if kind == "one more":
            save = ("checkpoint", "--transcript", window, "--feature", "app00", "--workspace", place.work)
            stores.once(place.call(*save))
        yield place.call(*build)


def _large(source: Callable[[], Path], command: str, folder: Path, runs: int) -> Iterator[Call]:
    for _ in range(runs):
        place = stores.empty(folder / "place")
        into = (
            ("--workspace", place.work, "--transcript") if command == "checkpoint" else ("--into", place.work)
        )
        yield place.call(command, *into, source())


def tasks() -> tuple[Task, ...]:
    """Return everything that can be measured, in the order of the table."""
    return (*_starting(), *_saving(), *_whole_corpus(), *_large_files(), *_sites())


def _starting() -> Iterator[Task]:
    group = "Starting, and what hooks and new windows ask"
    yield Task(name="version", title="`--version`", group=group, make=_started("--version"), aim_ms=80)
    yield Task(name="help", title="`--help`", group=group, make=_started("--help"), aim_ms=80)
    prompt = {"hook_event_name": "UserPromptSubmit", "prompt": "làm tiếp phần đăng nhập nhé"}
    asked = {
        "recap": ("`recap`", ("recap",)),
        "recap-3": ("`recap --level 3`", ("recap", "--level", "3")),
        "status": ("`status`", ("status",)),
    }
    for size in SIZES[1:]:
        for name, (title, arguments) in asked.items():
            yield Task(
                name=f"{name}-{size}",
                title=f"{title}, {size:,} turns",
                group=group,
                make=partial(_asked, size, arguments),
            )
        for event in ({"hook_event_name": "SessionStart", "source": "startup"}, prompt):
            name = str(event["hook_event_name"])
            yield Task(
                name=f"{name}-{size}",
                title=f"hook `{name}`, {size:,} turns",
                group=group,
                make=partial(_hook, size, event),
                aim_ms=60,
            )


def _saving() -> Iterator[Task]:
    group = "Saving into an archive that is there"
    for turns in NEW_TURNS:
        for size in SIZES:
            yield Task(
                name=f"checkpoint-{turns}-{size}",
                title=f"`checkpoint` of {turns} new turn{'s' * (turns > 1)} into {size:,}",
                group=group,
                make=partial(_checkpoint, turns, size),
                runs=7 if turns < NEW_TURNS[-1] else 3,
            )
    for size in SIZES[1:]:
        yield Task(
            name=f"again-{size}",
            title=f"the same window again, nothing new, {size:,} turns",
            group=group,
            make=partial(_again, size),
        )


def _whole_corpus() -> Iterator[Task]:
    group = "A history of 98 MB: 235 files, 10 250 turns"
    new = Task(name="", title="", group=group, make=_import_again)
    cold, rest = partial(_import_cold, ()), partial(_import_cold, ("--no-index",))
    for name, title, make, runs, warm, aim in (
        ("import", "`import`: vault, archive and index", cold, 3, 0, 50_000),
        ("import-no-index", "`import --no-index`: vault and archive", rest, 3, 0, None),
        ("import-again", "`import` again, nothing new", _import_again, 7, 1, 200),
        ("verify", "`verify`: every digest, and every turn against the source", _verify, 1, 0, None),
        ("index-rebuild", "`index rebuild`", partial(_corpus, ("index", "rebuild")), 3, 0, None),
        ("search-disk", "`search`, a rare word, nothing of the index in memory", _search_cold, 5, 0, None),
    ):
        yield Task(name=name, title=title, group=new.group, make=make, runs=runs, warm=warm, aim_ms=aim)
    for name, topic in NEEDLES.items():
        yield Task(
            name=f"search-{name.split()[-1].lower()}",
            title=f"`search`, {name}",
            group=group,
            make=partial(_corpus, ("search", topic)),
        )
    for size in SIZES[1:]:
        yield Task(
            name=f"search-{size}",
            title=f"`search`, words that are everywhere, {size:,} turns",
            group="Searching in larger archives",
            make=partial(_asked, size, ("search", "retry timeout cache")),
        )


def _verify(folder: Path, runs: int) -> Iterator[Call]:
    yield from _corpus(("verify",), folder, runs)


def _large_files() -> Iterator[Task]:
    group = "Very large files"
    yield Task(
        name="long",
        title="`checkpoint` of one transcript of 200 MB, 7 000 turns",
        group=group,
        make=partial(_large, stores.long_transcript, "checkpoint"),
        runs=1,
        warm=0,
        is_long=True,
    )
    yield Task(
        name="export",
        title="`import` of a ChatGPT export of 1 GB, 20 000 conversations",
        group=group,
        make=partial(_large, stores.export, "import"),
        runs=1,
        warm=0,
        is_long=True,
    )


def _sites() -> Iterator[Task]:
    for kind, title, runs in (
        ("cold", "`site build`, nothing made yet", 1),
        ("cached", "`site build` again", 3),
        ("one more", "`site build` after one more session of 50 turns", 3),
    ):
        yield Task(
            name=f"site-{kind.replace(' ', '-')}",
            title=title,
            group="The site of the same history",
            make=partial(_site, kind),
            runs=runs,
            warm=0,
        )
