"""What an interrupted run left: found before every change, finished or set aside, never deleted (SPEC 1.10)."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from awf_archive.domain.ids import Digest, SessionId, WindowId
from awf_archive.domain.manifest import Manifest, SessionEntry
from awf_archive.domain.session import Session
from awf_archive.store import atomic
from awf_archive.store.archive import parse_object, read_bytes
from awf_archive.store.layout import ATTACHMENTS, METADATA, REVISIONS, Layout


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfinished:
    """A session whose files are all there, but which the manifest does not name as it now is."""

    session: Session
    digest: Digest
    is_extended: bool
    """The manifest names it, with fewer turns or with another digest."""


def unfinished(
    layout: Layout, feature: str, manifest: Manifest, windows: Collection[WindowId]
) -> Iterator[Unfinished]:
    """Yield complete sessions that a crash kept out of the manifest, in order.

    Only the feature's last session, those of `windows`, and folders that the manifest does not name are looked
    at: the rest was committed long ago, and looking at it would cost time that grows with the archive.
    """
    end = manifest.last_end
    last = manifest.sessions[-1:]
    for entry in _touched(manifest, windows):
        folder = layout.session(feature, entry.session_id)
        session, digest = _described(folder, entry.session_id)
        if session is None or entry.metadata_sha256 in (None, digest) or not is_whole(folder, session):
            continue
        if session.global_range == entry.global_range or (entry in last and _extends(session, entry)):
            end = max(end, session.global_range[1])
            yield Unfinished(session=session, digest=digest, is_extended=True)
    for session_id in _strangers(layout, feature, manifest):
        folder = layout.session(feature, session_id)
        session, digest = _described(folder, session_id)
        if session and session.global_range[0] == end + 1 and is_whole(folder, session):
            end = session.global_range[1]
            yield Unfinished(session=session, digest=digest, is_extended=False)


def _touched(manifest: Manifest, windows: Collection[WindowId]) -> list[SessionEntry]:
    """Return the sessions that a run for `windows` may have been changing: theirs, and the last one."""
    last = manifest.sessions[-1:]
    return [one for one in manifest.sessions if one in last or set(windows).intersection(one.windows)]


def _extends(session: Session, entry: SessionEntry) -> bool:
    first, last = entry.global_range
    return session.global_range[0] == first and session.global_range[1] > last


def _strangers(layout: Layout, feature: str, manifest: Manifest) -> list[SessionId]:
    """Session folders that the manifest does not name, in the order of their numbers."""
    named = {entry.session_id for entry in manifest.sessions}
    names = (path.name for path in _children(layout.sessions(feature)) if path.name.startswith("session-"))
    return [
        SessionId(name) for name in sorted(names, key=lambda name: (len(name), name)) if name not in named
    ]


def _children(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []


def _described(folder: Path, session_id: SessionId) -> tuple[Session | None, Digest]:
    """Return a session's metadata, if it reads and is its own, and the digest of the file."""
    data = read_bytes(folder / METADATA) or b""
    digest = Digest(sha256(data).hexdigest())
    try:
        session = Session.from_json(parse_object(data))
    except (ValueError, KeyError, TypeError):
        return None, digest
    return (session if session.session_id == session_id else None), digest


def is_whole(folder: Path, session: Session) -> bool:
    """Whether every turn that a session names is there with its digest."""
    return bool(session.turns) and all(_has_digest(folder / one.file, one.sha256) for one in session.turns)


def _has_digest(path: Path, digest: Digest) -> bool:
    data = read_bytes(path)
    return data is not None and sha256(data).hexdigest() == digest


def leftovers(layout: Layout, feature: str, manifest: Manifest, windows: Collection[WindowId]) -> list[Path]:
    """Return what lies in the archive's folders and belongs to nothing: temporary files, incomplete sessions."""
    conversations = layout.conversations(feature)
    folders = [layout.context(feature), *(conversations / name for name in ("", "semantic-chunks", "merged"))]
    touched = [layout.session(feature, entry.session_id) for entry in _touched(manifest, windows)]
    for folder in touched:
        folders += [folder, folder / ATTACHMENTS, folder / REVISIONS]
    found = [
        path for folder in folders for path in _children(folder) if path.name.startswith(atomic.TEMPORARY)
    ]
    found += [path for folder in touched for path in _unnamed(folder)]
    named = {entry.session_id for entry in manifest.sessions}
    strangers = [path for path in _children(layout.sessions(feature)) if path.name not in named]
    return sorted({*found, *(path for path in strangers if not _is_older(path, manifest))})


def _unnamed(folder: Path) -> list[Path]:
    """Turn files and attachments of an extension that stopped before the metadata named them."""
    session, _ = _described(folder, SessionId(folder.name))
    if session is None or not session.turns:
        return []
    turns = {turn.file for turn in session.turns}
    attachments = {name for turn in session.turns for name in turn.attachments}
    found = [path for path in _children(folder) if _TURN.fullmatch(path.name) and path.name not in turns]
    return found + [path for path in _children(folder / ATTACHMENTS) if path.name not in attachments]


_TURN = re.compile(r"turn-\d+\.md")


def _is_older(folder: Path, manifest: Manifest) -> bool:
    """Whether a session was dropped from the list by the original skill: its turns were committed long ago."""
    session, _ = _described(folder, SessionId(folder.name))
    return session is not None and session.global_range[1] <= manifest.last_end


def sweep(layout: Layout) -> None:
    """Delete what a crash left of files that are made anew anyway: the lock, the vault's name, git's list."""
    with atomic.disk_errors(layout.private):
        for name in (layout.lock.name, layout.ignore.name, "id", "imports.json"):
            for passing in layout.private.glob(f"{atomic.TEMPORARY}*-{name}"):
                passing.unlink(missing_ok=True)


def set_aside(layout: Layout, feature: str, paths: Iterable[Path], now: str) -> Path | None:
    """Move leftovers out of the way; return the folder they went to, or None when there were none."""
    target = layout.set_aside(feature) / now.replace(":", "").replace("-", "")
    moved = False
    for path in paths:
        atomic.move(path, _free(target / path.name))
        moved = True
    return target if moved else None


def _free(path: Path) -> Path:
    number = 1
    free = path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.name}.{number}")
    return free
