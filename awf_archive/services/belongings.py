"""Which bytes are a conversation's own: its file and those beside it, or its part of a file of many."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from awf_archive.domain.formats import vault_name
from awf_archive.domain.ids import WindowId
from awf_archive.domain.transcript import Transcript
from awf_archive.errors import InputError
from awf_archive.services.sources import FileSource
from awf_archive.store.vault import Readable


@dataclass(frozen=True, kw_only=True)
class _Part:
    """A part of an export, unpacked when it is asked for."""

    fetch: Callable[[], bytes]

    @cached_property
    def _data(self) -> bytes:
        return self.fetch()

    @property
    def size(self) -> int:
        """How many bytes there are."""
        return len(self._data)

    def read(self, offset: int, length: int) -> bytes:
        """Return some of them."""
        return self._data[offset : offset + length]


@dataclass(frozen=True, slots=True, kw_only=True)
class Belongings:
    """What the vault keeps of one conversation."""

    window: WindowId
    kept_as: WindowId
    """The window itself, or a name for the file when several conversations share it."""
    files: Mapping[str, Readable]
    """By name relative to the transcript's folder; "" is the transcript."""
    format: str
    path: Path
    name: str
    """What to call the file when it is given back."""
    _kept_in: set[Path] = field(default_factory=set)

    def is_kept_in(self, folder: Path) -> bool:
        """Whether this run has kept the file already, for another of its conversations."""
        return self.kept_as != self.window and folder in self._kept_in

    def now_kept_in(self, folder: Path) -> None:
        """Remember that it has."""
        self._kept_in.add(folder)


def belongings(source: FileSource, transcript: Transcript, *, is_shared: bool) -> Belongings:
    """Return what belongs to a conversation.

    Its own part of an export, if its reader gives that; the whole file, once for all its conversations, if it
    holds several; else the file and those beside it.
    """
    window = transcript.windows[0] if transcript.windows else WindowId(source.stem)
    window = WindowId(vault_name(window, transcript.format))
    path, own = source.path, transcript.own_files
    files: Mapping[str, Readable]
    if own:
        files = {name: _Part(fetch=fetch) for name, fetch in own.items()}
        name, kept_as = f"{window}.json", window
    else:
        files, name = source.with_companions(transcript.companions), path.name
        kept_as = WindowId(f"file-{path.name}:{path.absolute()}") if is_shared else window
    return Belongings(
        window=window,
        kept_as=kept_as,
        files=files,
        format=transcript.format,
        path=path,
        name=name,
        _kept_in=source.kept_in,
    )


def with_neighbours(transcripts: Iterator[Transcript]) -> Iterator[tuple[Transcript, bool]]:
    """Yield every conversation of a file, and whether the file holds others too.

    Raises InputError where the file is damaged, after what stands before the damage.
    """
    one, is_first = next(transcripts, None), True
    while one is not None:
        try:
            following = next(transcripts, None)
        except InputError:
            yield one, True
            raise
        yield one, not (is_first and following is None)
        one, is_first = following, False
