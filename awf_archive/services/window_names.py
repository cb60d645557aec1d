"""What a person calls a conversation: its window's id, or the session of it that `list` shows."""

import re
from dataclasses import dataclass

from awf_archive.domain.ids import SessionId, WindowId
from awf_archive.domain.manifest import SessionEntry
from awf_archive.errors import NoArchiveError, UsageError
from awf_archive.store.archive import Archive

_SESSION = re.compile(r"(?:(?P<feature>.+)[/ ])?(?P<session>session-\d+)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A conversation as it was named."""

    window: str
    """Its id, or the beginning of it."""
    feature: str = ""
    """Where the session lies by which it was named; empty when a window's id was given."""


def named(archive: Archive, name: str) -> Named:
    """Return the window that `login/session-003`, `session-003` or a window's id means.

    Raises NoArchiveError when there is no such session or it names no window, UsageError when several features
    hold one of that name.
    """
    match = _SESSION.fullmatch(name.strip())
    if match is None:
        return Named(window=name)
    held = _held(archive, match["feature"] or "", SessionId(match["session"]))
    if held is None:
        return Named(window=name)  # a chat tool may call its windows so
    feature, entry = held
    if not entry.windows:
        raise NoArchiveError(
            f"{feature}/{entry.session_id}: does not say which conversation it comes from.",
            "The original skill saved it: its turns are all there is.",
        )
    return Named(window=entry.windows[0], feature=feature)


def _held(archive: Archive, feature: str, session_id: SessionId) -> tuple[str, SessionEntry] | None:
    manifests = [(feature, archive.require(feature))] if feature else [*archive.sound()]
    holding = [(name, entry) for name, manifest in manifests if (entry := manifest.session(session_id))]
    if not holding and feature:
        raise NoArchiveError(
            f"{feature}/{session_id}: there is no such session.", "awf-archive list shows every session."
        )
    if len(holding) > 1:
        features = ", ".join(name for name, _ in holding)
        raise UsageError(
            f"{session_id}: {features} each hold one.", f"Say which: {holding[0][0]}/{session_id}"
        )
    return next(iter(holding), None)


def of_window(sessions: tuple[SessionEntry, ...], window: str) -> list[SessionEntry]:
    """Return the sessions of a window, named whole or by its beginning; a whole name wins over longer ones.

    Raises UsageError when several windows begin so.
    """
    own = [one for one in sessions if one.windows and one.windows[0].startswith(window)]
    entries = [one for one in own if one.windows[0] == WindowId(window)] or own
    if len({one.windows[0] for one in entries}) > 1:
        raise UsageError(
            f"{window}: several windows begin so.", "Give more of its id, or a session: awf-archive list."
        )
    return entries
