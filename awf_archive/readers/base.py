"""What every reader gets and is: bytes in, values out. Readers open no file and fail on no record."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from awf_archive.domain.transcript import Transcript


class Source(Protocol):
    """A transcript's bytes as they were when it was opened, with the files that lie beside it.

    `size` is fixed at opening: what a chat tool appends later is not seen, so one read is one moment.
    """

    @property
    def name(self) -> str:
        """What to call it in messages: the path as the user gave it."""

    @property
    def stem(self) -> str:
        """The file's name without its ending."""

    @property
    def path(self) -> Path:
        """Where it lies, for what only a library can read, such as an SQLite database; never to be written."""

    @property
    def size(self) -> int:
        """Bytes to read."""

    def read(self, offset: int, length: int) -> bytes:
        """Return up to `length` bytes from `offset`; fewer only at the end."""

    def companions(self, pattern: str) -> "Mapping[str, Source]":
        """Return the regular files that match a glob pattern, by path relative to the transcript's folder.

        `{stem}` in the pattern stands for `stem`. Symbolic links are not followed.
        """

    def first_words(self) -> str:
        """Return what the bytes look like, for a person: `a PDF`, `JSON with the keys role, content`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """One transcript format."""

    name: str
    """As `--format` takes it and metadata keeps it: `claude-code`."""
    title: str
    """As people know it: `Claude Code`."""
    accepts: Callable[[Source], bool]
    """Positive detection by content; looks at the first 256 KB at most."""
    read: Callable[[Source], Iterator[Transcript]]
    """One transcript per conversation: most files hold one, an export holds many."""


def single(read: Callable[[Source], Transcript]) -> Callable[[Source], Iterator[Transcript]]:
    """Return the `Reader.read` of a format whose files hold one conversation each."""

    def read_all(source: Source) -> Iterator[Transcript]:
        yield read(source)

    return read_all
