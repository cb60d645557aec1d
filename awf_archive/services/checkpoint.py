"""Saving one transcript: which turns are new, where they go, and what the archive says afterwards (SPEC 1).

The order survives a crash at any point: turn files, metadata, decisions, chunk, and the manifest last.
"""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from awf_archive.domain.features import DEFAULT_FEATURE, FeatureRule, check_feature
from awf_archive.domain.ids import SessionId, WindowId
from awf_archive.domain.manifest import ChunkEntry, Manifest
from awf_archive.domain.numbering import Numbers
from awf_archive.domain.session import SkippedTurn
from awf_archive.domain.transcript import Outline, Problem, Transcript, Turn
from awf_archive.domain.wording import choose
from awf_archive.errors import DamagedArchiveError, InputError, UsageError
from awf_archive.readers import ReaderRow, identify
from awf_archive.services.belongings import Belongings, belongings
from awf_archive.services.choose_feature import Ask, Wish, choose_feature
from awf_archive.services.commit import Committer, next_chunk
from awf_archive.services.decisions_file import why_unread
from awf_archive.services.grow_turns import Growth, find_growth, write_growths
from awf_archive.services.keep import keep, workspace_vault
from awf_archive.services.known import find_known
from awf_archive.services.recover import recover
from awf_archive.services.redact_saving import ARCHIVE, watch
from awf_archive.services.save_turns import Gathered, nowhere, save_turns
from awf_archive.services.sources import FileSource, opened
from awf_archive.services.write_session import Saving, Target, choose_target, write_session
from awf_archive.store.archive import Archive
from awf_archive.store.layout import Layout
from awf_archive.store.lock import holding

PHASES = (
    "requirements",
    "design",
    "tasks",
    "implementation",
    "testing",
    "debugging",
    "review",
    "deployment",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a checkpoint is asked to do."""

    transcript: Path
    now: str
    """UTC, ISO 8601 with Z: services have no clock of their own."""
    format: str | None = None
    feature: str | None = None
    phase: str | None = None
    language: str = "en"
    threshold: int = 20
    keep_all: bool = False
    dry_run: bool = False
    extend: bool = False
    """An auto-save: go on with the window's session while it is the feature's last and not full."""
    ask: Ask | None = None
    default_feature: str = DEFAULT_FEATURE
    """Where a window goes that no other rule places."""
    redact: str = "view"
    """`archive` masks secrets in what is saved (docs/secrets.md)."""
    vaults: Path | None = None
    """The folder of all vaults; None keeps no source bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """What a checkpoint did, or would do."""

    path: Path
    window: WindowId
    title: str = ""
    feature: str = ""
    rule: FeatureRule = FeatureRule.DEFAULT
    session: SessionId | None = None
    saved: int = 0
    updated: int = 0
    numbers: tuple[int, int] | None = None
    chunk: ChunkEntry | None = None
    skipped: tuple[SkippedTurn, ...] = ()
    continues: SessionId | None = None
    problems: tuple[Problem, ...] = ()
    records: int = 0
    unreadable: int = 0
    is_empty: bool = False
    """A transcript in a known format without any conversation."""
    is_dry: bool = False
    adopted: tuple[SessionId, ...] = ()
    set_aside: str = ""
    secrets: Mapping[str, int] = field(default_factory=dict)
    """How many secrets the turns hold that were read, by kind; masked or not, as the request says."""
    are_masked: bool = False
    unread: tuple[str, ...] = ()
    """Files made from the turns that do not read, relative to the workspace: left as they are, the turns saved."""
    postponed: tuple[int, int] | None = None
    """Turns whose summary is due and could not be made: one does not read, or its file cannot be written."""


def checkpoint(layout: Layout, request: Request) -> Checkpoint:
    """Save what is new in one transcript file that holds one conversation.

    Raises InputError when it cannot be read, FeatureNameError for an unsafe name, UsageError for an unknown
    phase, LockedError and DiskError; then the archive is as it was.
    """
    _check(request)
    with opened(request.transcript) as source:
        if source.size == 0:
            return Checkpoint(path=request.transcript, window=WindowId(source.stem), is_empty=True)
        transcript = _only(identify(source, request.format), source, request)
        return save_transcript(layout, transcript, request, belongings(source, transcript, is_shared=False))


def _check(request: Request) -> None:
    """Refuse wrong words before anything is read."""
    if request.phase is not None and request.phase not in PHASES:
        raise UsageError(f"--phase {request.phase}: no such phase.", f"Phases: {', '.join(PHASES)}.")
    if request.feature is not None:
        check_feature(request.feature)


def _only(reader: ReaderRow, source: FileSource, request: Request) -> Transcript:
    """Return the one conversation of a file. Raises InputError when it holds several."""
    match list(islice(reader.read(source), 2)):
        case [transcript]:
            return transcript
        case []:
            return Transcript(format=reader.name, windows=(), outlines=(), load=_nothing)
        case _:
            raise InputError(
                f"{source.name}: holds several conversations ({reader.title}).",
                f"Bring them all in with: {_import_command(request)}",
            )


def _import_command(request: Request) -> str:
    """Return the command that brings in every conversation of a file, as a shell takes it."""
    given = (("--feature", request.feature), ("--format", request.format))
    options = [part for name, value in given if value for part in (name, value)]
    return shlex.join(["awf-archive", "import", *options, str(request.transcript)])


def _nothing(outline: Outline) -> Turn:
    raise KeyError(outline.id)


def save_transcript(layout: Layout, transcript: Transcript, request: Request, own: Belongings) -> Checkpoint:
    """Save what is new in one conversation, and its own bytes. Raises as `checkpoint` does."""
    window = transcript.windows[0] if transcript.windows else WindowId(request.transcript.stem)
    base = Checkpoint(
        path=request.transcript,
        window=window,
        title=transcript.title,
        problems=transcript.problems,
        records=transcript.records,
        unreadable=transcript.unreadable,
        is_dry=request.dry_run,
    )
    if not transcript.outlines:
        return replace(base, is_empty=True)
    archive = Archive(layout=layout)
    try:
        feature, rule = choose_feature(archive, transcript, _wish(request))
    except DamagedArchiveError:
        with holding(layout.lock):
            _keep_bytes(layout, request, own)
        raise
    base = replace(base, feature=feature, rule=rule, are_masked=request.redact == ARCHIVE)
    watched = watch(layout, request.redact)
    transcript = watched.over(transcript)
    if request.dry_run:
        plan = _plan(archive, transcript, request, base)
        return replace(plan, secrets=watched.kinds, unread=_unread(archive, feature))
    with holding(archive.layout.lock) as lock:
        _keep_bytes(layout, request, own)
        committer = Committer(
            archive=archive,
            feature=feature,
            lock=lock,
            now=request.now,
            words=choose(request.language),
        )
        # a damaged manifest is found here, before anything of the archive is written
        unread = _unread(archive, feature)
        done = _commit(committer, transcript, request, base)
        return replace(done, secrets=watched.kinds, unread=unread)


def _keep_bytes(layout: Layout, request: Request, own: Belongings) -> None:
    """Keep the conversation's own bytes, before the archive is looked at: they are safe also where it is damaged."""
    if request.vaults and not request.dry_run:
        keep(workspace_vault(layout, request.vaults), own)


def _unread(archive: Archive, feature: str) -> tuple[str, ...]:
    """Return what does not read of what is made from turns. Raises DamagedArchiveError for the manifest itself."""
    is_broken = why_unread(archive, feature) is not None
    return (archive.layout.relative(archive.layout.decisions(feature)),) if is_broken else ()


def _wish(request: Request) -> Wish:
    return Wish(given=request.feature, ask=request.ask, default=request.default_feature)


def _plan(archive: Archive, transcript: Transcript, request: Request, base: Checkpoint) -> Checkpoint:
    """Work everything out and write nothing."""
    manifest = archive.manifest(base.feature) or Manifest(spec_id=base.feature)
    known = find_known(archive, base.feature, manifest, transcript)
    problems: list[Problem] = []
    growths = list(find_growth(archive, base.feature, known, transcript, problems))
    target = choose_target(archive.layout, base.feature, manifest, known, _saving(request))
    gathered = save_turns(transcript, target.new_turns(transcript, known), nowhere)
    numbers = target.numbers(manifest, len(gathered.entries))
    chunk = (
        ChunkEntry(chunk_id=next_chunk(manifest), turn_range=numbers.chunk, file="")
        if numbers.chunk
        else None
    )
    done = _Done(growths=growths, gathered=gathered, numbers=numbers, chunk=chunk, target=target)
    return _report(base, transcript, done, problems)


def _commit(committer: Committer, transcript: Transcript, request: Request, base: Checkpoint) -> Checkpoint:
    """Write turn files, then what names them, the manifest last."""
    archive, feature = committer.archive, base.feature
    manifest = archive.manifest(feature) or Manifest(spec_id=feature)
    recovered = recover(committer, manifest, transcript.windows, request.threshold)
    manifest = recovered.manifest
    known = find_known(archive, feature, manifest, transcript)
    problems: list[Problem] = []
    growths = list(find_growth(archive, feature, known, transcript, problems))
    changed = write_growths(archive, feature, known, growths)
    target = choose_target(archive.layout, feature, manifest, known, _saving(request))
    gathered, session = write_session(archive.layout, feature, transcript, target, known)
    numbers = target.numbers(manifest, len(gathered.entries))
    chunk = None
    if session or changed:
        found = [(one.session_id, one.entry, what) for one in growths for what in one.decisions]
        found += [(target.session_id, entry, what) for entry, what in gathered.decisions]
        chunk = committer.commit(manifest, changed, session, found, numbers)
    done = _Done(growths=growths, gathered=gathered, numbers=numbers, chunk=chunk, target=target)
    report = _report(base, transcript, done, problems)
    return replace(report, adopted=recovered.adopted, set_aside=recovered.set_aside)


def _saving(request: Request) -> Saving:
    return Saving(
        source_name=request.transcript.name,
        now=request.now,
        phase=request.phase,
        language=request.language,
        threshold=request.threshold,
        keep_all=request.keep_all,
        extend=request.extend,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Done:
    growths: list[Growth]
    gathered: Gathered
    numbers: Numbers
    chunk: ChunkEntry | None
    target: Target


def _report(base: Checkpoint, transcript: Transcript, done: _Done, problems: list[Problem]) -> Checkpoint:
    saved = len(done.gathered.entries)
    return replace(
        base,
        session=done.target.session_id if saved else None,
        saved=saved,
        updated=sum(growth.data is not None for growth in done.growths),
        numbers=(done.numbers.start, done.numbers.end) if saved else None,
        chunk=done.chunk if saved else None,
        postponed=done.numbers.chunk if saved and not done.chunk else None,
        skipped=tuple(done.gathered.skipped),
        continues=done.target.continues,
        problems=(*transcript.problems, *problems, *done.gathered.problems),
    )
