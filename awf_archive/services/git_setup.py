"""`install git`: attributes, a merge driver that refuses, and what is done before and after a commit (docs/git.md).

What others set up is never overwritten: our part of a hook stands between two lines of its own, and `uninstall` takes
back exactly what was added.
"""

import os
import shlex
import shutil
import stat
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from awf_archive.errors import UsageError
from awf_archive.services.merge import archive_folder
from awf_archive.services.redacted_archive import allowed_in
from awf_archive.services.scan import Scan, scan_files
from awf_archive.store import atomic
from awf_archive.store.archive import read_bytes
from awf_archive.store.git_objects import Repository, find_repository
from awf_archive.store.layout import Layout

DRIVER = "awf-archive"
_BEGIN = "# >>> awf-archive >>>"
_END = "# <<< awf-archive <<<"
_SHELLS = ("sh", "bash", "dash", "zsh", "ksh")
REFUSAL = (
    "echo 'awf-archive: two people saved conversations here, and git alone would mix them."
    " Run: awf-archive merge' >&2; exit 1"
)
"""Git runs it for every path of an archive that both sides changed; it prints, and leaves our side in place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One thing to set up or to take back."""

    what: str
    """A file or a key of git's settings."""
    carry_out: Callable[[], object]


def scan_staged(layout: Layout) -> Scan:
    """Look at what git is about to commit of the archive."""
    repository = find_repository(layout.root)
    folder = archive_folder(repository, layout)
    blobs = [blob for blob in repository.staged(folder) if "/.context/" in blob.path]
    named = ((blob.path, data) for blob, data in repository.contents(blobs))
    return scan_files(named, allowed_in(layout.root))


def plan_install(layout: Layout) -> list[Change]:
    """Return what is to be set up; nothing when it is.

    Raises UsageError outside of a repository, or where a hook is there that is no shell script.
    """
    repository = find_repository(layout.root)
    attributes = _attributes(repository)
    scripts = [
        (hook, _with_ours(hook, read_bytes(hook), _command(repository, layout, hook)))
        for hook in _hooks(repository)
    ]
    changes = [
        Change(what=name, carry_out=partial(repository.run, "config", "--local", name, value))
        for name, value in _SETTINGS.items()
        if repository.says("config", "--local", "--get", name) != value
    ]
    changes += _put(attributes, _with_lines(read_bytes(attributes), _pattern(repository, layout)))
    return changes + [change for hook, script in scripts for change in _put(hook, script, is_program=True)]


def plan_uninstall(layout: Layout) -> list[Change]:
    """Return what is to be taken back: what `install` added, and nothing else."""
    repository = find_repository(layout.root)
    ours = [
        name
        for name, value in _SETTINGS.items()
        if repository.says("config", "--local", "--get", name) == value
    ]
    changes = [
        Change(what=name, carry_out=partial(repository.run, "config", "--local", "--unset", name))
        for name in ours
    ]
    for path in (_attributes(repository), *_hooks(repository)):
        data = read_bytes(path)
        if data is not None and _BEGIN.encode() in data:
            left = _without_ours(data)
            is_empty = left.strip() in (b"", b"#!/bin/sh")
            act = partial(_remove, path) if is_empty else partial(_write, path, left)
            changes.append(Change(what=str(path), carry_out=act))
    return changes


def _remove(path: Path) -> None:
    with atomic.disk_errors(path):
        path.unlink()


_SETTINGS = {
    f"merge.{DRIVER}.name": "awf-archive: refuses, and names the command that merges",
    f"merge.{DRIVER}.driver": REFUSAL,
}


def _pattern(repository: Repository, layout: Layout) -> list[str]:
    folder = archive_folder(repository, layout)
    return [f'"{folder}/*/.context/**" -text merge={DRIVER}']


def _attributes(repository: Repository) -> Path:
    """The repository's own attributes: a driver is named only where it is set up."""
    return repository.root / repository.says("rev-parse", "--git-path", "info/attributes")


def _hooks(repository: Repository) -> list[Path]:
    """The hooks that git runs: `core.hooksPath` is where husky and others keep theirs.

    Husky's own folder is made anew each time; the hook that it runs lies one folder up.
    """
    hooks = repository.root / repository.says("rev-parse", "--git-path", "hooks")
    if hooks.name == "_" and hooks.parent.name == ".husky":
        hooks = hooks.parent
    return [hooks / name for name in _LINES]


def _command(repository: Repository, layout: Layout, hook: Path) -> list[str]:
    """Return the hook's lines; one that is itself in git names no path of this machine."""
    git_folder = repository.root / repository.says("rev-parse", "--git-common-dir")
    is_own = hook.resolve().is_relative_to(git_folder.resolve())
    here = shutil.which("awf-archive", path=str(Path(sys.executable).parent))
    program = here if here and is_own else "awf-archive"
    below = os.path.relpath(layout.root.resolve(), repository.root.resolve())
    found = [
        f"awf_archive={shlex.quote(program)}",
        '[ -x "$awf_archive" ] || awf_archive=$(command -v awf-archive) || awf_archive=',
    ]
    return found + [line.format(place=shlex.quote(below)) for line in _LINES[hook.name]]


_LINES: Mapping[str, tuple[str, ...]] = {
    "pre-commit": (
        'if [ -z "$awf_archive" ]; then',
        "  echo 'awf-archive: not found, so conversations are committed without a look for secrets' >&2",
        "else",
        '  "$awf_archive" scan --staged --workspace {place} >&2 || exit 1',
        "fi",
    ),
    "post-commit": ('[ -z "$awf_archive" ] || "$awf_archive" hook git {place} >/dev/null 2>&1 || :',),
}
"""What each hook does: it refuses secrets; it hands over the saving of what changed, and never fails."""


def _with_ours(path: Path, data: bytes | None, lines: list[str]) -> bytes:
    """Return a hook with our part right behind its first line: what stands there may end the script."""
    if data is None:
        return "\n".join(["#!/bin/sh", _BEGIN, *lines, _END, ""]).encode()
    rest = _without_ours(data)
    first, separator, others = rest.partition(b"\n")
    if first.startswith(b"#!") and not _is_shell(first):
        raise UsageError(
            f"{path}: a hook is there that is no shell script.",
            f"Let it run: awf-archive {_INSTEAD[path.name]}",
        )
    ours = "\n".join([_BEGIN, *lines, _END, ""]).encode()
    return first + separator + ours + others if first.startswith(b"#!") else ours + rest


_INSTEAD = {"pre-commit": "scan --staged", "post-commit": "hook git"}


def _is_shell(first_line: bytes) -> bool:
    words = first_line.decode(errors="replace").removeprefix("#!").split()
    return any(Path(word).name in _SHELLS for word in words)


def _with_lines(data: bytes | None, lines: list[str]) -> bytes:
    rest = _without_ours(data or b"")
    gap = b"" if not rest or rest.endswith(b"\n") else b"\n"
    return rest + gap + "\n".join([_BEGIN, *lines, _END, ""]).encode()


def _without_ours(data: bytes) -> bytes:
    before, begin, rest = data.partition(_BEGIN.encode() + b"\n")
    _, end, after = rest.partition(_END.encode() + b"\n")
    return before + after if begin and end else data


def _put(path: Path, data: bytes, *, is_program: bool = False) -> list[Change]:
    if read_bytes(path) == data and (not is_program or os.access(path, os.X_OK)):
        return []
    return [Change(what=str(path), carry_out=partial(_write, path, data, is_program=is_program))]


def _write(path: Path, data: bytes, *, is_program: bool = False) -> None:
    """Replace a file, its permissions as they were."""
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o644
    if is_program:
        mode |= stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH
    atomic.write(path.resolve(), data, mode=mode)
    with atomic.disk_errors(path):
        path.chmod(mode)
