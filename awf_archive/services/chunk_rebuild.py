"""Making summaries anew, from the turns' own words or by the configured command (SPEC 1.8; docs/summaries.md).

A command may take minutes, so it runs while no lock is held; what it wrote is committed under the lock if the
archive still names the same range. What stood in a file before is kept in `set-aside`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from awf_archive.domain.manifest import ChunkEntry, Manifest, next_number
from awf_archive.domain.summary import chunk_text
from awf_archive.domain.summary.gist import Gist
from awf_archive.domain.summary.model_words import Told, UnusableError
from awf_archive.domain.wording import WORDINGS, Wording
from awf_archive.errors import DamagedArchiveError, UsageError
from awf_archive.services.chunk_model import Model
from awf_archive.services.chunk_turns import gist, turns_of
from awf_archive.services.commit import Committer
from awf_archive.services.decisions_file import readable_decisions
from awf_archive.services.summary_command import CommandFailedError
from awf_archive.store import atomic
from awf_archive.store.archive import Archive, read_bytes
from awf_archive.store.lock import Lock, holding

COMMAND = "command"
"""`ChunkEntry.made_by` of what the configured command wrote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilding:
    """How summaries are made anew."""

    archive: Archive
    now: str
    words: Wording | None = None
    """None keeps each summary's language."""
    fallback: Wording
    """The language of a summary that names none."""
    model: Model | None = None
    """None makes them of the turns' own words."""
    is_dry: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    """What became of one summary."""

    feature: str
    chunk_id: str
    turns: tuple[int, int]
    path: str
    outcome: str
    """`made`, `unchanged`, `kept` (it cannot be made anew) or `would` (a dry run)."""
    made_by: str = ""
    """`command`, or nothing for the turns' own words."""
    why: str = ""
    """Why it was kept, or why the command's answer was not taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Made:
    plain: str
    text: str
    made_by: str
    why: str


def rebuild(work: Rebuilding, feature: str, chunk_ids: Sequence[str] = ()) -> Iterator[Rebuilt]:
    """Make a feature's summaries anew, all or those named; yield what became of each.

    Raises NoArchiveError, UsageError for a summary that there is none of, LockedError and DiskError.
    """
    manifest = work.archive.require(feature)
    for entry in _chosen(manifest, feature, chunk_ids):
        yield _rebuilt(work, feature, manifest, entry)


def _chosen(manifest: Manifest, feature: str, chunk_ids: Sequence[str]) -> list[ChunkEntry]:
    known = {one.chunk_id: one for one in manifest.chunks}
    for name in chunk_ids:
        if name not in known:
            raise UsageError(
                f"{feature}: there is no summary {name}.", f"Summaries: {', '.join(known) or 'none yet'}."
            )
    return [known[name] for name in dict.fromkeys(chunk_ids)] if chunk_ids else list(known.values())


def _rebuilt(work: Rebuilding, feature: str, manifest: Manifest, entry: ChunkEntry) -> Rebuilt:
    layout = work.archive.layout
    path = layout.conversations(feature) / entry.file
    done = Rebuilt(
        feature=feature,
        chunk_id=entry.chunk_id,
        turns=entry.turn_range,
        path=layout.relative(path),
        outcome="kept",
        made_by=entry.made_by,
    )
    if path != layout.chunk(feature, entry.chunk_id):
        return replace(done, why="its file does not lie where summaries lie")
    try:
        made = _make(work, feature, manifest, entry)
    except DamagedArchiveError as problem:
        return replace(done, why=problem.message)
    if made is None:
        return replace(done, why="not all of its turns are here any more")
    if work.is_dry:
        return replace(done, outcome="would", made_by=COMMAND if work.model else "")
    is_new = _commit(work, feature, entry, made)
    if is_new is None:
        return replace(done, why="another process changed it meanwhile")
    return replace(done, outcome="made" if is_new else "unchanged", made_by=made.made_by, why=made.why)


def _make(work: Rebuilding, feature: str, manifest: Manifest, entry: ChunkEntry) -> _Made | None:
    """Return the new texts of a summary; None when turns of its range are missing."""
    first, last = entry.turn_range
    count = last - first + 1
    gists: list[Gist] = []
    given: list[tuple[int, str]] = []
    for turn_entry, turn in turns_of(work.archive, feature, manifest, entry.turn_range):
        gists.append(gist(turn_entry, turn))
        if work.model and not work.is_dry:
            given.append(work.model.masked_turn(turn_entry, turn, count))
    if len(gists) < count:
        return None
    words = work.words or _words_of(work, feature, entry)
    decisions = [one for one in readable_decisions(work.archive, feature) if first <= one.turn <= last]

    def text_of(told: Told | None) -> str:
        number = next_number([entry.chunk_id]) - 1
        return chunk_text(number, entry.turn_range, gists, decisions, words=words, told=told)

    plain = text_of(None)
    if work.model is None or work.is_dry:
        return _Made(plain=plain, text=plain, made_by="", why="")
    try:
        return _Made(plain=plain, text=text_of(work.model.tell(given, words)), made_by=COMMAND, why="")
    except (CommandFailedError, UnusableError) as problem:
        return _Made(plain=plain, text=plain, made_by="", why=str(problem))


def _words_of(work: Rebuilding, feature: str, entry: ChunkEntry) -> Wording:
    """Return the language that a summary is written in."""
    data = read_bytes(work.archive.layout.conversations(feature) / entry.file) or b""
    title = data.decode(errors="replace").partition("\n")[0]
    begins = ((one.chunk.title.partition("{")[0], one) for one in WORDINGS.values())
    return next((one for begin, one in begins if title.startswith(begin)), work.fallback)


def _commit(work: Rebuilding, feature: str, entry: ChunkEntry, made: _Made) -> bool | None:
    """Write what was made: the one without a model first, the manifest last.

    Return whether anything changed; None when the archive names the range no longer.
    """
    layout = work.archive.layout
    with holding(layout.lock) as lock:
        manifest = work.archive.require(feature)
        if entry not in manifest.chunks:
            return None
        path, beside = layout.chunk(feature, entry.chunk_id), layout.plain_chunk(feature, entry.chunk_id)
        before, text = read_bytes(path), made.text.encode()
        if made.why and entry.made_by and before is not None:
            return False  # the command failed this time; what it wrote before stands
        changed = before != text or made.made_by != entry.made_by
        if before is not None and before != text:
            _keep(work, feature, entry, before)
        if made.made_by and read_bytes(beside) != made.plain.encode():
            atomic.write(beside, made.plain.encode())
            changed = True
        if before != text:
            atomic.write(path, text)
        if changed:
            _name(work, feature, lock, manifest, replace(entry, made_by=made.made_by))
        if not made.made_by:
            beside.unlink(missing_ok=True)
    return changed


def _keep(work: Rebuilding, feature: str, entry: ChunkEntry, before: bytes) -> None:
    """Keep what stood in a summary: a person or a model may have written it."""
    stamp = work.now.replace(":", "").replace("-", "")
    folder = work.archive.layout.set_aside(feature) / stamp
    target, number = folder / f"{entry.chunk_id}.md", 1
    while target.exists():
        number += 1
        target = folder / f"{entry.chunk_id}.md.{number}"
    atomic.write(target, before)


def _name(work: Rebuilding, feature: str, lock: Lock, manifest: Manifest, entry: ChunkEntry) -> None:
    """Commit the manifest that says who made a summary."""
    chunks = tuple(entry if one.chunk_id == entry.chunk_id else one for one in manifest.chunks)
    committer = Committer(
        archive=work.archive, feature=feature, lock=lock, now=work.now, words=work.words or work.fallback
    )
    committer.write_manifest(replace(manifest, chunks=chunks, last_updated=work.now))
