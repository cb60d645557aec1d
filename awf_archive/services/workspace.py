"""Which folder is the workspace (SPEC 1.1)."""

from pathlib import Path

from awf_archive.errors import UsageError

_SIGNS = (".awf-archive", ".brain", ".claude/spec-workflow")


def find_workspace(start: Path, given: Path | None = None) -> Path:
    """Return the workspace: `given`, else the nearest folder upwards that is one.

    That is one that bears one of our signs, else the git root, else `start` itself. Raises UsageError when
    `given` is no folder.
    """
    if given is not None:
        if not given.is_dir():
            raise UsageError(f"--workspace {given}: not a folder.", "Name a folder that exists.")
        return given.resolve()
    start = start.resolve()
    folders = (start, *start.parents)
    for is_it in (_bears_sign, _is_git_root):
        if found := next((folder for folder in folders if is_it(folder)), None):
            return found
    return start


def is_workspace(folder: Path) -> bool:
    """Whether someone works in this folder as one: it bears one of our signs or is a git root."""
    return _bears_sign(folder) or _is_git_root(folder)


def _bears_sign(folder: Path) -> bool:
    return any((folder / sign).is_dir() for sign in _SIGNS)


def _is_git_root(folder: Path) -> bool:
    return (folder / ".git").exists()
