"""One line of Claude Code's history: what was typed, with what was pasted back in its place."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from awf_archive.domain.transcript import Block, Note, NoteKind, Start, Text, Unknown
from awf_archive.readers.base import Source
from awf_archive.readers.shared.values import JsonObject, dump, object_at, text_at

_PLACE = re.compile(r"\[Pasted text #(\d+)(?: \+\d+ lines?)?\]")
"""Where the prompt shows that something long was pasted."""
_COMMAND = re.compile(r"/([a-zA-Z][\w:-]*)(?:\s|\Z)")

QUIET = frozenset(
    [
        *("add-dir", "agents", "bashes", "bug", "clear", "config", "context", "cost", "doctor", "exit"),
        *("export", "fast", "feedback", "help", "hooks", "ide", "install-github-app", "login", "logout"),
        *("mcp", "memory", "model", "output-style", "permissions", "plugin", "privacy-settings", "quit"),
        *("release-notes", "rename", "resume", "rewind", "skills", "stats", "status", "statusline", "tasks"),
        *("terminal-setup", "theme", "todos", "upgrade", "usage", "vim"),
    ]
)
"""Claude Code's commands that the model never answers: they start no turn (SPEC 0)."""


@dataclass(frozen=True, slots=True)
class Pastes:
    """Pasted texts that newer versions keep in files of their own, by hash."""

    files: Mapping[str, Source]

    @classmethod
    def beside(cls, source: Source) -> "Pastes":
        """Find them beside the history."""
        found = source.companions("paste-cache/*.txt")
        return cls({name.rsplit("/", 1)[-1].removesuffix(".txt"): file for name, file in found.items()})

    def text(self, pasted: JsonObject) -> str | None:
        """Return a pasted text; None where it is an image or no longer there."""
        if text_at(pasted, "type") not in ("", "text"):
            return None
        if isinstance(pasted.get("content"), str):
            return text_at(pasted, "content")
        file = self.files.get(text_at(pasted, "contentHash"))
        return file.read(0, file.size).decode(errors="replace") if file else None


def start_of(display: str) -> Start:
    """Return what a prompt begins: a command that is never answered is told by its name.

    >>> [str(start_of(text)) for text in ("go on", "/model opus", "/review 12", "!git status", "/srv/x is full")]
    ['prompt', 'command', 'prompt', 'shell', 'prompt']
    """
    if display.startswith("!"):
        return Start.SHELL
    command = _COMMAND.match(display)
    return Start.COMMAND if command and command[1] in QUIET else Start.PROMPT


def typed_blocks(record: JsonObject, pastes: Pastes) -> list[Block]:
    """Return the user's side: the prompt whole, then what was pasted and has no place in it."""
    pasted = object_at(record, "pastedContents")
    used: set[str] = set()

    def put_back(place: re.Match[str]) -> str:
        text = pastes.text(object_at(pasted, place[1]))
        if text is None:
            return place[0]
        used.add(place[1])
        return text

    blocks: list[Block] = [Text(text=_PLACE.sub(put_back, _shown(text_at(record, "display"))))]
    for name, value in pasted.items():
        if name in used or not isinstance(value, dict):
            continue
        text = pastes.text(value)
        blocks.append(
            Note(kind=NoteKind.CONTEXT, text=text) if text else Unknown(kind="pasted", json=dump(value))
        )
    return blocks


def _shown(display: str) -> str:
    """Write a shell command as Claude Code's reader writes it."""
    return f"! {display[1:].lstrip()}" if display.startswith("!") else display
