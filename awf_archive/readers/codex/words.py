"""What a person typed and what Codex put around it or in its place, told apart in user texts."""

import re
from enum import Enum, auto
from typing import NamedTuple

from awf_archive.domain.transcript import NoteKind


class Kind(Enum):
    """What a part of a user text is."""

    TYPED = auto()
    SHELL = auto()
    """A `!` command, as the person typed it."""
    OUTPUT = auto()
    """What that command printed."""
    NOTE = auto()


class Part(NamedTuple):
    """One part of a user text."""

    kind: Kind
    text: str
    note: NoteKind = NoteKind.CONTEXT


_WRITTEN = {
    "INSTRUCTIONS": NoteKind.CONTEXT,
    "codex_internal_context": NoteKind.CONTEXT,
    "collaboration_mode": NoteKind.CONTEXT,
    "environment_context": NoteKind.CONTEXT,
    "goal_context": NoteKind.CONTEXT,
    "hook_prompt": NoteKind.CONTEXT,
    "permissions instructions": NoteKind.CONTEXT,
    "realtime_conversation": NoteKind.CONTEXT,
    "recommended_plugins": NoteKind.CONTEXT,
    "skill": NoteKind.CONTEXT,
    "skills_instructions": NoteKind.CONTEXT,
    "subagent_notification": NoteKind.NOTICE,
    "turn_aborted": NoteKind.INTERRUPT,
    "user_action": NoteKind.CONTEXT,
    "user_instructions": NoteKind.CONTEXT,
}
"""What Codex writes stands within these tags from beginning to end; a person who only names one is no Codex."""
_TAG = "|".join(_WRITTEN)
_WITHIN = re.compile(rf"<({_TAG})(?:\s[^>]*)?>.*</(?:{_TAG})>\s*", re.DOTALL)
_AGENTS = re.compile(r"# AGENTS\.md instructions\b.*<INSTRUCTIONS>", re.DOTALL)
_SHELL = re.compile(
    r"<user_shell_command>\s*<command>\n?(.*?)\n?</command>\s*(.*?)\s*</user_shell_command>\s*", re.DOTALL
)
_RESULT = re.compile(r"<result>\n?(.*?)\n?</result>", re.DOTALL)
_REQUEST = re.compile(r"^## My request for Codex:[ \t]*\r?\n?", re.MULTILINE)
_REQUEST_HEADINGS = ("# Context from my IDE setup:", "# Files mentioned by the user:")
_IMAGE_TAG = re.compile(r"\s*(?:<image(?: name=[^>]*)?>|</image>)\s*")


def split_words(text: str) -> list[Part]:
    r"""Split a user text; what the person typed stays byte for byte.

    >>> text = "# Context from my IDE setup:\n\n## My request for Codex:\ngo "
    >>> [(part.kind.name, part.text) for part in split_words(text)]
    [('NOTE', '# Context from my IDE setup:\n\n'), ('TYPED', 'go ')]
    >>> split_words("<environment_context>x</environment_context>")[0].kind.name
    'NOTE'
    """
    start = text.lstrip()
    if not start or _IMAGE_TAG.fullmatch(text):
        return []
    if (note := _note_kind(start)) is not None:
        return [Part(Kind.NOTE, text, note)]
    if shell := _SHELL.fullmatch(start):
        return _shell(shell[1], shell[2])
    if start.startswith(_REQUEST_HEADINGS) and (request := _REQUEST.search(text)):
        return _request(text[: request.start()], text[request.end() :])
    return [Part(Kind.TYPED, text)]


def _note_kind(start: str) -> NoteKind | None:
    """Say what a text is that Codex wrote to its end."""
    if _AGENTS.match(start):
        return NoteKind.CONTEXT
    within = _WITHIN.fullmatch(start) if start.startswith("<") else None
    return _WRITTEN[within[1]] if within else None


def _shell(command: str, rest: str) -> list[Part]:
    printed = _RESULT.search(rest)
    output = printed[1] if printed else rest
    parts = [Part(Kind.SHELL, f"! {command}")]
    return [*parts, Part(Kind.OUTPUT, output)] if output else parts


def _request(context: str, request: str) -> list[Part]:
    parts = [Part(Kind.NOTE, context)]
    return [*parts, Part(Kind.TYPED, request)] if request.strip() else parts
