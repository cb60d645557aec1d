"""From the staged site to the live one: each file whole at every instant, unchanged ones untouched."""

import errno
import filecmp
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from awf_archive.errors import DiskError, UsageError
from awf_archive.render.cache import swap_in
from awf_archive.site_builder.writer import STATE_FILE, State


def check_target(site_dir: Path, own: Path) -> State:
    """Return the state of the live site. Raises UsageError when the folder holds what we did not put there."""
    state = State.load(site_dir)
    if state is not None:
        return state
    try:
        is_foreign = site_dir != own and site_dir.exists() and any(site_dir.iterdir())
    except NotADirectoryError as problem:
        raise UsageError(f"{site_dir}: is a file, not a folder.", "Name another folder.") from problem
    if is_foreign:
        raise UsageError(
            f"{site_dir}: is not empty, and awf-archive did not make what is in it.",
            "Name an empty or a new folder.",
        )
    return State()


def publish(staged: Path, live: Path, old: State, new: State) -> int:
    """Bring the live site up to date and return how many files changed.

    Pages go before the lists that lead to them; what is gone from the archive is deleted last.
    """
    live.mkdir(parents=True, exist_ok=True)
    names = list(_files(staged))
    changed = 0
    for name, inside in sorted(_units(names, live), key=lambda one: (-one[0].count("/"), one[0])):
        changed += _bring(staged, live, name, inside)
    kept = {name for _, files in new.sessions.values() for name in files} | new.index_files
    new.files = set(names) - kept
    gone = old.all_files() - new.all_files()
    for name in sorted(gone):
        _remove(live, name)
    new.save(live)
    return changed + len(gone)


def copy_to(live: Path, folder: Path) -> int:
    """Bring a folder up to date with the live site; return how many files changed.

    Raises UsageError when it holds what we did not put there.
    """
    folder = folder.resolve()
    old, new = check_target(folder, live), State.load(live) or State()
    if folder == live.resolve():
        return 0
    folder.mkdir(parents=True, exist_ok=True)
    changed = 0
    for name in sorted(new.all_files(), key=lambda one: (-one.count("/"), one)):
        if not _is_same(live / name, folder / name):
            swap_in(folder / name, (live / name).read_bytes())
            changed += 1
    gone = old.all_files() - new.all_files()
    for name in sorted(gone):
        _remove(folder, name)
    new.save(folder)
    return changed + len(gone)


def _files(folder: Path) -> Iterator[str]:
    start = len(str(folder)) + 1
    for base, _, names in os.walk(folder):
        inside = base[start:].replace(os.sep, "/")
        yield from (f"{inside}/{name}" if inside else name for name in names)


def _units(names: Iterable[str], live: Path) -> list[tuple[str, list[str]]]:
    """Return what is brought over in one step, with the files in it: a folder that is new, else a file."""
    is_new: dict[str, str] = {"": ""}
    units: dict[str, list[str]] = {}
    for name in names:
        folder = name.rpartition("/")[0]
        units.setdefault(_new_folder(folder, live, is_new) or name, []).append(name)
    return list(units.items())


def _new_folder(folder: str, live: Path, known: dict[str, str]) -> str:
    """Return the uppermost folder on the way to this one that the live site does not have; "" where it has all."""
    if folder not in known:
        above = _new_folder(folder.rpartition("/")[0], live, known)
        known[folder] = above or ("" if os.path.lexists(f"{live}/{folder}") else folder)
    return known[folder]


def _bring(staged: Path, live: Path, name: str, inside: list[str]) -> int:
    """Bring one unit over and return how many files that changed."""
    if inside != [name] and _is_renamed(staged / name, live / name):
        return len(inside)
    changed = 0
    for one in inside:
        if not _is_same(staged / one, live / one):
            _move(staged / one, live / one)
            changed += 1
    return changed


def _is_renamed(staged: Path, live: Path) -> bool:
    """Put a whole folder in its place; not from another file system."""
    try:
        staged.rename(live)
    except OSError as problem:
        if problem.errno != errno.EXDEV:
            raise
        return False
    return True


def _is_same(staged: Path, live: Path) -> bool:
    try:
        return staged.stat().st_size == live.stat().st_size and filecmp.cmp(staged, live, shallow=False)
    except OSError:
        return False


def _move(staged: Path, live: Path) -> None:
    """Put a file in its place in one step, also from another file system."""
    live.parent.mkdir(parents=True, exist_ok=True)
    try:
        staged.replace(live)
    except OSError as problem:
        if problem.errno == errno.EXDEV:
            swap_in(live, staged.read_bytes())
        elif live.is_dir() and not live.is_symlink():
            shutil.rmtree(live)
            staged.replace(live)
        else:
            raise


def _remove(live: Path, name: str) -> None:
    """Delete one of our files, and its folders as far as they are empty."""
    path = live / name
    if name == STATE_FILE or not path.resolve().is_relative_to(live.resolve()):
        return
    path.unlink(missing_ok=True)
    with suppress(OSError):
        while (path := path.parent) != live:
            path.rmdir()


def as_disk_error(problem: OSError, folder: Path) -> DiskError:
    """Return what to tell a person when the site cannot be written."""
    where = problem.filename or folder
    return DiskError(
        f"{where}: cannot be written ({problem.strerror}).",
        "Make room, check the folder's permissions or name another with --site-dir; the site that was there is still "
        "whole.",
    )
