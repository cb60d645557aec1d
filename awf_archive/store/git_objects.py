"""Git's objects, read with git's own plumbing and never through a shell: trees, blobs, and what is staged.

Names from a tree are a stranger's: they reach the disk only through `unpack`, which refuses what leads elsewhere.
"""

import os
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from awf_archive.errors import InputError, UsageError
from awf_archive.store import atomic

_FILE_MODES = ("100644", "100755")
"""Plain files; a link in a tree may lead anywhere and is left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blob:
    """A file as a tree names it."""

    path: str
    """Relative to the repository's root."""
    oid: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """A working copy."""

    root: Path

    def run(self, *arguments: str, data: bytes | None = None) -> bytes:
        """Return what a git command prints. Raises InputError with git's own words when it fails."""
        done = self._run(arguments, data)
        if done.returncode:
            words = done.stderr.decode(errors="replace").strip().splitlines()
            raise InputError(f"git {arguments[0]}: {words[-1] if words else 'failed'}", "Ask git status.")
        return done.stdout

    def _run(
        self, arguments: tuple[str, ...], data: bytes | None = None
    ) -> "subprocess.CompletedProcess[bytes]":
        try:
            return subprocess.run(  # noqa: S603 - no shell, and every argument is ours or follows --end-of-options
                [*_GIT, *arguments], cwd=self.root, input=data, capture_output=True, check=False
            )
        except FileNotFoundError as problem:
            raise UsageError("git: it is not installed here.", "Install git first.") from problem

    def says(self, *arguments: str) -> str:
        """Return a command's first line, or "" when git says no."""
        done = self._run(arguments)
        return done.stdout.decode(errors="surrogateescape").split("\n", 1)[0] if not done.returncode else ""

    def commit(self, reference: str) -> str:
        """Return the id of a commit. Raises UsageError when there is none of that name."""
        found = self.says("rev-parse", "--verify", "--quiet", "--end-of-options", f"{reference}^{{commit}}")
        if not found:
            raise UsageError(
                f"{ascii(reference)[1:-1]}: git knows no such commit.",
                "git branch --all lists what there is.",
            )
        return found

    def common(self, one: str, other: str) -> str:
        """Return the newest commit that both sides have, or ""."""
        return self.says("merge-base", one, other)

    def blobs(self, commit: str, folder: str) -> list[Blob]:
        """Return every plain file below a folder in a commit."""
        out = self.run("ls-tree", "-r", "-z", "--full-tree", commit, "--", folder)
        found = []
        for line in filter(None, out.split(b"\0")):
            about, _, name = line.partition(b"\t")
            mode, _, oid = about.decode().split(" ")[:3]
            if mode in _FILE_MODES:
                found.append(Blob(path=os.fsdecode(name), oid=oid))
        return found

    def staged(self, folder: str) -> list[Blob]:
        """Return the files below a folder that the next commit adds or changes."""
        out = self.run(
            *("diff", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", "--diff-filter=ACM"),
            *("--", f":(top){folder}"),
        )
        parts = [part for part in out.split(b"\0") if part]
        pairs = zip(parts[::2], parts[1::2], strict=True)
        return [Blob(path=os.fsdecode(name), oid=about.decode().split(" ")[3]) for about, name in pairs]

    def contents(self, blobs: Iterable[Blob]) -> Iterator[tuple[Blob, bytes]]:
        """Yield each file's bytes; git is asked once for all of them."""
        wanted = list(blobs)
        if not wanted:
            return
        with subprocess.Popen(  # noqa: S603 - no shell
            [*_GIT, "cat-file", "--batch"],
            cwd=self.root,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process:
            assert process.stdin is not None  # noqa: S101 - both are pipes
            assert process.stdout is not None  # noqa: S101
            for blob in wanted:
                process.stdin.write(blob.oid.encode() + b"\n")
                process.stdin.flush()
                yield blob, _answer(process.stdout, blob)
            process.stdin.close()


_GIT = ("git", "-c", "core.quotePath=false", "-c", "core.fsmonitor=false")


def _answer(stream: IO[bytes], blob: Blob) -> bytes:
    head = stream.readline().split()
    if len(head) != 3:  # noqa: PLR2004 - id, type and size
        raise InputError(f"{blob.path}: git does not have its bytes.", "git fsck tells what is missing.")
    data = stream.read(int(head[2]))
    stream.read(1)
    return data


def find_repository(folder: Path) -> Repository:
    """Return the working copy that a folder lies in. Raises UsageError when it lies in none."""
    top = Repository(root=folder).says("rev-parse", "--show-toplevel")
    if not top:
        raise UsageError(f"{folder}: not in a git repository.", "git init makes one.")
    return Repository(root=Path(top))


def unpack(repository: Repository, blobs: Iterable[Blob], below: str, target: Path) -> None:
    """Write files of a tree into a passing folder, by their names below `below`; unsafe names are left out."""
    safe = [blob for blob in blobs if _is_safe(_below(blob.path, below))]
    for blob, data in repository.contents(safe):
        atomic.write_new(target / _below(blob.path, below), data)


def _below(path: str, folder: str) -> str:
    return path.removeprefix(f"{folder}/") if folder else path


def _is_safe(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return bool(parts) and not path.startswith("/") and ".." not in parts and "\\" not in path
