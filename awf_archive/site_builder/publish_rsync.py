"""Publishing with rsync: a server gets our files, and loses only what an earlier site of ours put there."""

import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from awf_archive.errors import UsageError
from awf_archive.site_builder.writer import STATE_FILE, State

_MISSING = 23
"""rsync's exit code when a file that was asked for is not there."""
_GONE = 24
"""When a listed file, or its folder, is not at the source: those are the ones to delete."""


def rsync_to(live: Path, target: str) -> None:
    """Bring a place that rsync reaches up to date; `target` is as rsync takes it, such as `host:/srv/www`.

    The list of our files goes there last and is asked for first: what it does not name is never deleted.
    Raises UsageError when rsync is missing or fails.
    """
    folder = f"{target.rstrip('/')}/"
    ours = (State.load(live) or State()).all_files()
    theirs = _state_at(folder).all_files()
    names = sorted(filter(_is_inside, ours | theirs))
    _rsync(
        "--files-from=-",
        "--from0",
        "--delete-missing-args",
        "--",
        f"{live}/",
        folder,
        names=names,
        fine=_GONE,
    )
    _rsync("--", f"{live}/{STATE_FILE}", folder)


def _state_at(folder: str) -> State:
    with tempfile.TemporaryDirectory() as here:
        _rsync("--", f"{folder}{STATE_FILE}", f"{here}/", fine=_MISSING)
        return State.load(Path(here)) or State()


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts


def _rsync(*words: str, names: Iterable[str] = (), fine: int = 0) -> None:
    given = "\0".join(names).encode(errors="surrogateescape")
    try:
        done = subprocess.run(  # noqa: S603 - what the user names
            ["rsync", "--archive", *words],  # noqa: S607 - the user's own
            input=given,
            capture_output=True,
            check=False,
        )
    except FileNotFoundError as problem:
        raise UsageError("rsync: not found.", "Install rsync, or publish with --folder.") from problem
    if done.returncode not in {0, fine}:
        said = done.stderr.decode(errors="replace").strip()
        raise UsageError(f"rsync: {said}", "Check the target's name and your access.")
