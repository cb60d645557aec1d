"""Cursor: the editor's database, the agent's transcripts, exported chats (docs/formats/cursor.md)."""

from collections.abc import Callable, Iterator

from awf_archive.domain.transcript import Transcript
from awf_archive.readers.base import Reader, Source, single
from awf_archive.readers.cursor import agent as cursor_agent
from awf_archive.readers.cursor import database as cursor_database
from awf_archive.readers.cursor import markdown as cursor_markdown
from awf_archive.readers.cursor import session as cursor_session

_KINDS: tuple[tuple[Callable[[Source], bool], Callable[[Source], Iterator[Transcript]]], ...] = (
    (cursor_database.accepts, cursor_database.read),
    (cursor_agent.accepts_lines, cursor_agent.read_lines),
    (cursor_session.accepts, cursor_session.read),
    (cursor_markdown.accepts, single(cursor_markdown.read)),
    (cursor_agent.accepts_text, cursor_agent.read_text),
)
"""How each kind of file is recognised, and read."""


def accepts(source: Source) -> bool:
    """Tell whether the file is one of Cursor's."""
    return any(is_kind(source) for is_kind, _ in _KINDS)


def read(source: Source) -> Iterator[Transcript]:
    """Read the file as the kind that it is; an agent's transcript where that cannot be told."""
    for is_kind, read_kind in _KINDS:
        if is_kind(source):
            yield from read_kind(source)
            return
    yield from cursor_agent.read_lines(source)


READER = Reader(name="cursor", title="Cursor", accepts=accepts, read=read)
