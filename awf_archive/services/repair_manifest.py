"""A manifest made anew from what lies in the archive's folders (SPEC 1.11)."""

import re
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from awf_archive.domain.escape import json_pages
from awf_archive.domain.ids import Digest
from awf_archive.domain.manifest import ChunkEntry, Manifest, Moved, SessionEntry, next_number
from awf_archive.domain.session import Session
from awf_archive.errors import ArchiveError
from awf_archive.services.commit import entry_of
from awf_archive.services.repairing import Work
from awf_archive.store import atomic
from awf_archive.store.archive import parse_object, read_bytes
from awf_archive.store.layout import METADATA, chunk_name

_RANGE = re.compile(r"(?P<first>\d+)\s*[-–]\s*(?P<last>\d+)\D*$")
"""The range at the end of a chunk's title, in any of our languages."""


def rebuilt(work: Work) -> Manifest | None:
    """Make a manifest from session folders, chunk files and moved sessions; set a broken one aside.

    Returns None where no session is left to make it from. Raises DiskError.
    """
    moved = tuple(_moved(work))
    entries = sorted(_entries(work), key=lambda entry: entry.global_range)
    if not entries and not moved:
        return None
    manifest = with_watermarks(
        Manifest(
            spec_id=work.feature,
            last_updated=work.repairing.now,
            chunks=tuple(_chunks(work)),
            recent=tuple(entries),
            moved=moved,
        )
    )
    path = work.archive.layout.manifest(work.feature)
    work.set_aside(path)
    atomic.write(path, json_pages(manifest.to_json()))
    return manifest


def with_watermarks(manifest: Manifest) -> Manifest:
    """Return a manifest whose watermarks, lists and states follow from its sessions, chunks and pointers."""
    ends = [one.global_range[1] for one in manifest.sessions] + [one.turn_range[1] for one in manifest.moved]
    chunked = max((chunk.turn_range[1] for chunk in manifest.chunks), default=0)
    if not ends:
        return manifest
    sessions = manifest.sessions
    newest = sessions[-1:]
    listed = [replace(one, status="active" if one in newest else _older_status(one)) for one in sessions]
    is_archived = [one.global_range[1] <= chunked and one not in newest for one in sessions]
    recent = tuple(one for one, archived in zip(listed, is_archived, strict=True) if not archived)
    archived = tuple(one for one, archived in zip(listed, is_archived, strict=True) if archived)
    return replace(manifest, last_end=max(ends), last_chunked=chunked, recent=recent, archived=archived)


def _older_status(entry: SessionEntry) -> str:
    return "saved" if entry.status == "active" else entry.status


def lost_sessions(work: Work, manifest: Manifest) -> list[SessionEntry]:
    """Return whole sessions on disk whose turns are in no session that the manifest names.

    Sessions that the original skill dropped once they were summarised, without turns in their metadata, stay out.
    """
    named = {entry.session_id for entry in manifest.sessions}
    taken = [one.global_range for one in manifest.sessions] + [one.turn_range for one in manifest.moved]
    found = []
    for entry in _entries(work):
        first, last = entry.global_range
        is_free = all(last < start or end < first for start, end in taken)
        if entry.session_id not in named and entry.metadata_sha256 and is_free:
            taken.append(entry.global_range)
            found.append(entry)
    return found


def _entries(work: Work) -> Iterator[SessionEntry]:
    """Yield an entry for every session that is whole, in order of their numbers."""
    folders = sorted(
        work.archive.layout.sessions(work.feature).glob(f"session-*/{METADATA}"),
        key=lambda path: (len(path.parent.name), path.parent.name),
    )
    so_far = Manifest(spec_id=work.feature)
    for path in folders:
        session, digest = _described(path)
        if session is None or session.session_id != path.parent.name:
            continue
        if not session.turns:
            yield SessionEntry(
                session_id=session.session_id, global_range=session.global_range, status="saved"
            )
        elif any((path.parent / one.file).exists() for one in session.turns):
            entry = replace(entry_of(session, digest, so_far), status="saved")
            so_far = replace(so_far, recent=(*so_far.recent, entry))
            yield entry


def _described(path: Path) -> tuple[Session | None, Digest]:
    data = read_bytes(path) or b""
    digest = Digest(sha256(data).hexdigest())
    try:
        return Session.from_json(parse_object(data)), digest
    except (ValueError, KeyError, TypeError):
        return None, digest


def _moved(work: Work) -> Iterator[Moved]:
    """Yield where the sessions went that `move` took out: the feature that holds the same turns of the source."""
    for path in sorted((work.archive.layout.conversations(work.feature) / "moved").glob(f"*/{METADATA}")):
        session, _ = _described(path)
        there = _there(work, session) if session else None
        if session and there:
            feature, start = there
            yield Moved(turn_range=session.global_range, feature=feature, start=start)


def _there(work: Work, session: Session) -> tuple[str, int] | None:
    ids = {turn.source_id for turn in session.turns}
    for feature in work.archive.features():
        try:
            entries = work.archive.require(feature).sessions if feature != work.feature else ()
            for entry in entries:
                if session.source.window in entry.windows:
                    there = work.archive.session(feature, entry)
                    if ids <= {turn.source_id for turn in there.turns}:
                        return feature, there.global_range[0]
        except ArchiveError:
            continue  # mended in its own turn
    return None


def _chunks(work: Work) -> Iterator[ChunkEntry]:
    folder = work.archive.layout.conversations(work.feature) / "semantic-chunks"
    paths = {next_number([path.stem]) - 1: path for path in folder.glob("chunk-*.md")}
    paths.pop(0, None)  # `chunk-001.plain.md` is no chunk of its own
    for number, path in sorted(paths.items()):
        title = path.read_text(encoding="utf-8", errors="replace").split("\n", 1)[0]
        if match := _RANGE.search(title):
            yield ChunkEntry(
                chunk_id=chunk_name(number),
                turn_range=(int(match["first"]), int(match["last"])),
                file=f"semantic-chunks/{path.name}",
                made_by="command" if path.with_name(f"{path.stem}.plain.md").exists() else "",
            )
