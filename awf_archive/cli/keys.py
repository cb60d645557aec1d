"""Single keys of a terminal, and lines where a line is wanted; from a pipe a line is a key.

The terminal stays in one mode from the first key to the last: what is typed ahead is not thrown away.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_ESCAPE = b"\x1b"
_OTHER = "?"
"""Stands for a key of several bytes, such as an arrow: it is no answer."""


class Lines:
    """Answers from a pipe, or from a system whose terminals give whole lines only."""

    def key(self) -> str | None:
        """Return the next key in small letters; None at the end."""
        given = sys.stdin.readline()
        return given.strip()[:1].lower() if given else None

    def line(self) -> str:
        """Return a line that is typed, without its end; "" at the end too."""
        return sys.stdin.readline().strip()


class Terminal(Lines):
    """A terminal that gives each key at once, unseen."""

    def __init__(self, file: int) -> None:
        import termios

        self._file = file
        self._lines = termios.tcgetattr(file)

    def set_keys(self) -> None:
        """Let each key come at once."""
        import termios
        import tty

        tty.setcbreak(self._file, termios.TCSADRAIN)

    def set_lines(self) -> None:
        """Let whole lines come, as before."""
        import termios

        termios.tcsetattr(self._file, termios.TCSADRAIN, self._lines)

    def key(self) -> str | None:
        """Return the next key in small letters; None for Ctrl+D, Escape, and when the terminal is gone."""
        first = os.read(self._file, 1)
        if first == _ESCAPE or first >= b"\x80":
            return _OTHER if self._rest() or first != _ESCAPE else None
        return first.decode().lower() if first not in {b"", b"\x04"} else None

    def line(self) -> str:
        """Return a line, seen while it is typed."""
        self.set_lines()
        try:
            return super().line()
        finally:
            self.set_keys()

    def _rest(self) -> bytes:
        """Return what came with a first byte."""
        import select

        more = b""
        while select.select([self._file], [], [], 0)[0] and (part := os.read(self._file, 64)):
            more += part
        return more


@contextmanager
def answers() -> Iterator[Lines]:
    """Open stdin for keys; a terminal is as it was afterwards, whatever happens."""
    try:
        terminal = Terminal(sys.stdin.fileno()) if sys.stdin.isatty() else None
    except ImportError:  # Windows has no termios
        terminal = None
    if terminal is None:
        yield Lines()
        return
    terminal.set_keys()
    try:
        yield terminal
    finally:
        terminal.set_lines()
