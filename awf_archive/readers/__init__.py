"""Readers turn a chat tool's bytes into a Transcript; one package and one row in `READERS` per format.

A format's module is loaded when it is asked for: all of them take longer to load than a checkpoint may.
"""

from collections.abc import Iterator
from importlib import import_module
from typing import NamedTuple

from awf_archive.domain.transcript import Transcript
from awf_archive.errors import AmbiguousFormatError, UnknownFormatError, UsageError
from awf_archive.readers.base import Reader, Source

_HEAD = 1 << 18
"""What readers look at at most."""


class ReaderRow(NamedTuple):
    """One format: what `base.Reader` is, its module loaded at the first question."""

    name: str
    title: str
    package: str
    marks: tuple[bytes, ...] = ()
    """Every file of the format holds one of these in its first bytes: without one its package is not even loaded."""

    def load(self) -> Reader:
        """Return the module's `READER`."""
        reader: Reader = import_module(f"awf_archive.readers.{self.package}.reader").READER
        return reader

    def accepts(self, source: Source) -> bool:
        """Tell whether the source is of this format."""
        if self.marks and not any(map(source.read(0, _HEAD).__contains__, self.marks)):
            return False
        return self.load().accepts(source)

    def read(self, source: Source) -> Iterator[Transcript]:
        """Yield the source's conversations."""
        return self.load().read(source)


_ZIP = b"PK\x03\x04"
_ZSTD = b"\x28\xb5\x2f\xfd"
_CODEX_MARKS = (
    *(b'"payload"', b'"instructions"', b'"input_text"', b'"output_text"', b'"call_id"', b'"session_id"'),
    _ZSTD,
)
_COPILOT_MARKS = (b'"requests"', b'"kind"', b'"data"', b'"totalPrompts"', b'"resourceSpans"')

READERS: tuple[ReaderRow, ...] = (
    ReaderRow("claude-code", "Claude Code", "claude_code"),
    ReaderRow("claude-history", "Claude Code, prompts only", "claude_history", (b'"display"',)),
    ReaderRow("codex", "Codex CLI", "codex", _CODEX_MARKS),
    ReaderRow("gemini-cli", "Gemini CLI", "gemini"),
    ReaderRow("opencode", "opencode", "opencode"),
    ReaderRow("chatgpt", "ChatGPT", "chatgpt", (b'"mapping"', _ZIP)),
    ReaderRow("claude-ai", "Claude.ai", "claude_ai", (b'"chat_messages"', _ZIP)),
    ReaderRow("specstory", "SpecStory", "specstory"),
    ReaderRow("aider", "Aider", "aider"),
    ReaderRow("markdown", "Markdown", "plain_markdown"),
    ReaderRow("ai-log", "AWF .ai-log", "ai_log"),
    ReaderRow("copilot", "GitHub Copilot", "copilot", _COPILOT_MARKS),
    ReaderRow("cursor", "Cursor", "cursor"),
    ReaderRow("context", "Another archive", "context_archive", (b'"turnWatermark"',)),
)


def identify(source: Source, name: str | None = None) -> ReaderRow:
    """Return the one reader that accepts `source`, or the one called `name`.

    Raises UnknownFormatError or AmbiguousFormatError when not exactly one accepts it, UsageError when no
    reader has that name.
    """
    if name is not None:
        return named_reader(name)
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


def named_reader(name: str) -> ReaderRow:
    """Return the reader called `name`. Raises UsageError when there is none."""
    for reader in READERS:
        if reader.name == name:
            return reader
    known = ", ".join(reader.name for reader in READERS)
    raise UsageError(f"--format {name}: no such format.", f"Known formats: {known}.")
