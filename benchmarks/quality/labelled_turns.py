"""The labelled conversations as the program saves them: imported one by one, their turns read back."""

import os
import re
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from check_labels import PLACES, PROGRAM, Row

from awf_archive.domain import turn_file
from awf_archive.domain.decisions import TURNS_BEFORE, Context, Exchange
from awf_archive.domain.transcript import Block, prompt_text
from awf_archive.store.layout import Layout


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """One turn of a conversation."""

    number: int
    user: str
    user_blocks: tuple[Block, ...]
    blocks: tuple[Block, ...]
    files: tuple[str, ...]
    context: Context

    @property
    def assistant(self) -> str:
        return prompt_text(self.blocks)


def build(workspace: Path, rows: Iterable[Row]) -> None:
    """Import every labelled file into a feature of its own; those that are there already are left."""
    workspace.mkdir(parents=True, exist_ok=True)
    environment = os.environ | {"AWF_ARCHIVE_DATA_HOME": str(workspace / ".data")}
    for file, origin in dict.fromkeys((row.file, row.origin) for row in rows):
        if _sessions(workspace, file).exists():
            continue
        source = PLACES[origin] / file
        if not source.exists():
            print(f"left out, not here: {file}", file=sys.stderr)
            continue
        command = (PROGRAM, "import", source, "--into", workspace, "--feature", feature_of(file))
        subprocess.run(command, check=True, capture_output=True, env=environment)


def feature_of(file: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", file.lower()).strip("-")[-60:].strip("-")


def _sessions(workspace: Path, file: str) -> Path:
    return Layout(root=workspace).sessions(feature_of(file))


def turns(workspace: Path, file: str) -> list[Spoken]:
    """Return the turns of a labelled file in order; none when it was left out."""
    paths = _sessions(workspace, file).glob("*/turn-*.md")
    read = sorted(
        (turn_file.read(path.read_bytes()) for path in paths), key=lambda one: int(str(one.header["turn"]))
    )
    said: list[Exchange] = []
    found = []
    for one in read:
        user = prompt_text(one.user_blocks)
        before = tuple(said[-TURNS_BEFORE:])
        found.append(
            Spoken(
                number=int(str(one.header["turn"])),
                user=user,
                user_blocks=one.user_blocks,
                blocks=one.assistant_blocks,
                files=one.files,
                context=Context.of(*before),
            )
        )
        said.append(Exchange(user=user, assistant=prompt_text(one.assistant_blocks)))
    return found
