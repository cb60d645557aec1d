"""`search --open`: show a hit in the person's own editor, at the line."""

import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from awf_archive import config
from awf_archive.errors import DiskError, UsageError
from awf_archive.search.snippets import place
from awf_archive.services.search_passages import Shown

_MAP = "\n<!-- awf-archive: where each block lies"
"""Begins the part of a turn file that is not for people."""

_Arguments = Callable[[str, int], list[str]]


def _plus(path: str, line: int) -> list[str]:
    return [f"+{line}", path]


def _colon(path: str, line: int) -> list[str]:
    return [f"{path}:{line}"]


def _alone(path: str, _line: int) -> list[str]:
    return [path]


def _goto(path: str, line: int) -> list[str]:
    return ["--goto", f"{path}:{line}"]


EDITORS: dict[str, _Arguments] = {
    **dict.fromkeys(("vi", "vim", "nvim", "gvim", "nano", "pico", "micro", "joe", "ne", "kak"), _plus),
    **dict.fromkeys(("emacs", "emacsclient", "gedit", "mcedit", "less"), _plus),
    **dict.fromkeys(("code", "code-insiders", "codium", "cursor", "windsurf"), _goto),
    **dict.fromkeys(("subl", "zed", "hx", "helix"), _colon),
}
"""How each editor is told the line. Any other gets the file alone: it might take `+12` for a file's name."""


def command_line(editor: str, path: Path, line: int) -> list[str]:
    """Return what to run; no shell reads it.

    >>> command_line("vim -R", Path("/a/turn-001.md"), 12)
    ['vim', '-R', '+12', '/a/turn-001.md']
    """
    words = shlex.split(editor)
    name = Path(words[0]).name.lower().removesuffix(".exe").removesuffix(".cmd")
    return [*words, *EDITORS.get(name, _alone)(str(path), line)]


def line_of(path: Path, shown: Shown, terms: tuple[str, ...]) -> int:
    """Return the line of a file on which a hit's passage begins. Raises DiskError when it cannot be read."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as problem:
        raise DiskError(
            f"{path}: cannot be read ({problem.strerror}).", "Bring it back from git or a backup."
        ) from problem
    start = text.find("\n---\n") + 1 if text.startswith("---\n") else 0
    body = text[start:].split(_MAP, 1)[0]
    return text.count("\n", 0, start + place(body, shown.snippet, terms)) + 1


def open_hit(root: Path, shown: Shown, terms: tuple[str, ...]) -> int:
    """Open a hit's file in the editor and return the editor's exit code. Raises UsageError without an editor."""
    editor = config.editor()
    hint = "For example: export VISUAL=vim"
    if not editor.strip():
        raise UsageError("--open: neither VISUAL nor EDITOR names an editor.", hint)
    path = root / shown.hit.path
    try:
        arguments = command_line(editor, path, line_of(path, shown, terms))
    except ValueError as problem:
        raise UsageError(f"--open: {editor!r} cannot be read ({problem}).", hint) from problem
    program = shutil.which(arguments[0])
    if program is None:
        raise UsageError(f"--open: there is no editor {arguments[0]!r}.", hint)
    return subprocess.run([program, *arguments[1:]], check=False).returncode  # noqa: S603 - the person's own editor
