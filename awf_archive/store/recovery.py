"""What an interrupted run left: found before every change, finished or set aside, never deleted (SPEC 1.10)."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from awf_archive.domain.ids import Digest, SessionId, WindowId
from awf_archive.domain.manifest import Manifest, SessionEntry
from awf_archive.domain.session import Session
from awf_archive.store import atomic
from awf_archive.store.archive import parse_object, read_bytes
from awf_archive.store.layout import METADATA, Layout


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
    for entry in manifest.sessions:
        if entry not in last and not set(windows).intersection(entry.windows):
            continue
        session, digest = _complete(layout.session(feature, entry.session_id), entry.session_id)
        if session is None or entry.metadata_sha256 in (None, digest):
            continue
        if session.global_range == entry.global_range or (entry in last and _extends(session, entry)):
            end = max(end, session.global_range[1])
            yield Unfinished(session=session, digest=digest, is_extended=True)
    for session_id in _strangers(layout, feature, manifest):
        session, digest = _complete(layout.session(feature, session_id), session_id)
        if session is not None and session.global_range[0] == end + 1:
            end = session.global_range[1]
            yield Unfinished(session=session, digest=digest, is_extended=False)


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


def _complete(folder: Path, session_id: SessionId) -> tuple[Session | None, Digest]:
    """Return a session's metadata when every file that it names is there with its digest."""
    data = read_bytes(folder / METADATA) or b""
    digest = Digest(sha256(data).hexdigest())
    try:
        session = Session.from_json(parse_object(data))
    except (ValueError, KeyError, TypeError):
        return None, digest
    is_whole = bool(session.turns) and session.session_id == session_id
    is_whole = is_whole and all(_has_digest(folder / turn.file, turn.sha256) for turn in session.turns)
    return (session if is_whole else None), digest


def _has_digest(path: Path, digest: Digest) -> bool:
    data = read_bytes(path)
    return data is not None and sha256(data).hexdigest() == digest


def leftovers(layout: Layout, feature: str, manifest: Manifest) -> list[Path]:
    """Return what lies in the archive's folders and belongs to nothing: temporary files, incomplete sessions."""
    named = {entry.session_id for entry in manifest.sessions}
    conversations = layout.conversations(feature)
    folders = [layout.context(feature), conversations, conversations / "semantic-chunks"]
    folders += [layout.session(feature, entry.session_id) for entry in manifest.sessions[-1:]]
    found = [
        path for folder in folders for path in _children(folder) if path.name.startswith(atomic.TEMPORARY)
    ]
    found += [path for path in _children(layout.sessions(feature)) if path.name not in named]
    return sorted(found)


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
