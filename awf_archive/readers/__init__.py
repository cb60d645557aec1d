"""Readers turn a chat tool's bytes into a Transcript; one module and one row in `READERS` per format."""

from awf_archive.errors import AmbiguousFormatError, UnknownFormatError, UsageError
from awf_archive.readers import (
    ai_log,
    aider,
    chatgpt,
    claude_ai,
    claude_code,
    codex,
    context_archive,
    copilot,
    cursor,
    gemini,
    opencode,
    plain_markdown,
    specstory,
)
from awf_archive.readers.base import Reader, Source

READERS: tuple[Reader, ...] = (
    claude_code.READER,
    codex.READER,
    gemini.READER,
    opencode.READER,
    chatgpt.READER,
    claude_ai.READER,
    specstory.READER,
    aider.READER,
    plain_markdown.READER,
    ai_log.READER,
    copilot.READER,
    cursor.READER,
    context_archive.READER,
)


def identify(source: Source, name: str | None = None) -> Reader:
    """Return the one reader that accepts `source`, or the one called `name`.

    Raises UnknownFormatError or AmbiguousFormatError when not exactly one accepts it, UsageError when no
    reader has that name.
    """
    if name is not None:
        return _named(name)
    match [reader for reader in READERS if reader.accepts(source)]:
        case [reader]:
            return reader
        case []:
            raise UnknownFormatError(
                f"{source.name}: not recognised: {source.first_words()}.",
                f"Name its format with --format; known: {', '.join(reader.name for reader in READERS)}.",
            )
        case several:
            names = ", ".join(reader.name for reader in several)
            raise AmbiguousFormatError(f"{source.name}: could be {names}.", "Name one with --format.")


def _named(name: str) -> Reader:
    for reader in READERS:
        if reader.name == name:
            return reader
    known = ", ".join(reader.name for reader in READERS)
    raise UsageError(f"--format {name}: no such format.", f"Known formats: {known}.")
