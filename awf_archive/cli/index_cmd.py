"""`awf-archive index`: look after the search index, which can be deleted at any time."""

from pathlib import Path

import click

from awf_archive.cli import output, setup
from awf_archive.domain.wording import Wording
from awf_archive.domain.wording.counted import counted
from awf_archive.errors import NegativeAnswerError
from awf_archive.search.documents import Health
from awf_archive.services import index as service
from awf_archive.services.index import IndexStatus


@click.group()
def command() -> None:
    """Look after the search index: every search keeps it up to date by itself."""


@command.command()
@setup.common
def status(*, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Tell how the index is; every file's checksum is compared. Exit code 1 when it must be made anew."""
    ready = setup.prepare(workspace, lang)
    return _tell(service.index_status(ready.archive), ready.words, as_json=as_json)


@command.command()
@setup.common
def rebuild(*, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Make the index anew from the archive."""
    ready = setup.prepare(workspace, lang)
    done = service.rebuild(ready.archive, output.progress(ready.words.search.index.label))
    if as_json:
        output.json_object({"keys": done.added, "documents": done.documents})
    else:
        output.text(counted(ready.words.search.index.built, keys=done.added, documents=done.documents))
    return 0


@command.command()
@setup.common
def update(*, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Bring the index up to date, as a search does before it answers."""
    ready = setup.prepare(workspace, lang)
    service.sync(ready.archive, output.progress(ready.words.search.index.label))
    return _tell(service.index_status(ready.archive), ready.words, as_json=as_json)


@command.command()
@setup.common
def optimize(*, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Bring the index up to date and merge it into one piece: smaller, and a little faster."""
    ready = setup.prepare(workspace, lang)
    told = service.optimize(ready.archive, output.progress(ready.words.search.index.label))
    return _tell(told, ready.words, as_json=as_json)


def _tell(told: IndexStatus, words: Wording, *, as_json: bool) -> int:
    found = told.status
    is_sound = found.health is Health.READY and not told.damaged
    if as_json:
        output.json_object(_as_json(told))
    else:
        output.text(_text(told, words))
    return 0 if is_sound else NegativeAnswerError.exit_code


def _text(told: IndexStatus, words: Wording) -> str:
    said, found = words.search.index, told.status
    health = Health.DAMAGED if told.damaged else found.health
    reason = ", ".join(told.damaged) or found.reason
    lines = [f"{found.path}: {said.health[health]}{f' ({reason})' if reason else ''}"]
    if found.health is Health.READY:
        size = f"{found.size / 1_000_000:.1f} MB"
        facts = {"documents": found.documents, "keys": found.keys, "segments": found.segments, "size": size}
        lines += [counted(said.facts, **facts), said.current if told.is_current else said.stale]
    return "\n".join(lines)


def _as_json(told: IndexStatus) -> dict[str, object]:
    found = told.status
    return {
        "health": Health.DAMAGED if told.damaged else found.health.value,
        "reason": ", ".join(told.damaged) or found.reason or None,
        "isCurrent": told.is_current,
        "documents": found.documents,
        "keys": found.keys,
        "segments": found.segments,
        "size": found.size,
        "path": found.path,
    }
