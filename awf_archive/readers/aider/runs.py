"""One run of Aider as turns: who said a line shows only in how it begins, and ends."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import groupby, takewhile
from typing import NamedTuple

from awf_archive.domain.transcript import Note, NoteKind, Origin, Problem, Start, Text
from awf_archive.readers.shared.drafts import Draft, Talk
from awf_archive.readers.shared.markdown_lines import fenced, is_blank, trimmed
from awf_archive.readers.shared.values import digest, utc

_PROMPT, _HARNESS = "####", ">"
_BREAK = "  "
"""Aider ends its own lines and the user's with a Markdown line break; models seldom do."""
_BLANK = "<blank>"
_ENDS_ANSWER = re.compile(r"> (?:Tokens: |\^C|Applied edit to |Commit [0-9a-f]{7}|Cost: )")
"""What Aider says only when an answer has ended, even inside a fence that the answer left open."""
_FENCE = re.compile(r" {0,3}(?:`{3,}|~{3,})\s*(\S?)")
_COMMAND = re.compile(r"/[a-z][a-z-]*(?:\s|\Z)")
_INTERRUPT = re.compile(r"(?:\s*\^C[^\n]*|\s*)(?:\n(?:\s*\^C[^\n]*|\s*))*")
_MODEL = re.compile(r"^(?:Main model|Model|Models?): (\S+)", re.MULTILINE)
_VERSION = re.compile(r"^Aider (v[\w.+-]+)", re.MULTILINE)


class _Voice(Enum):
    USER = auto()
    AIDER = auto()
    MODEL = auto()


@dataclass(slots=True, kw_only=True)
class Run:
    """What was said in a run."""

    window: str = ""
    version: str = ""
    drafts: list[Draft] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


class _Spoken(NamedTuple):
    """Lines of one voice."""

    voice: _Voice
    at: int
    text: str
    lines: list[str]


def read_run(lines: list[str], start: str, first: int, *, is_over: bool) -> Run:
    """Read a run that started at `start`, local time, and whose first line is line `first` of the file."""
    voices = _Voices(lines)
    said = list(_spoken(lines, list(voices.of_all())))
    prompts = [one.text for one in said if one.voice is _Voice.USER and one.text != _BLANK]
    answers = [one.text for one in said if one.voice is _Voice.MODEL]
    if not prompts and not answers:
        return Run()
    run = Run(window=digest("aider", start, (prompts or answers)[0]))
    reader = _Turns(run=run, time=utc(start), first=first)
    for one in said:
        reader.add(one)
    run.drafts = reader.talk.finish(is_over=is_over)
    if voices.doubtful:
        run.problems.append(
            Problem(
                code="ambiguous-role",
                message="Lines begin as a prompt does but may be the assistant's headings.",
                origin=Origin(file="", line=first + 1 + voices.doubtful[0]),
                count=len(voices.doubtful),
            )
        )
    return run


@dataclass(slots=True)
class _Voices:
    """Tells who said each line."""

    lines: Sequence[str]
    doubtful: list[int] = field(default_factory=list)
    is_stripped: bool = False
    """An editor took the line breaks away: then only the beginnings of lines tell."""
    _inside: list[bool] = field(default_factory=list)

    def __post_init__(self) -> None:
        marked = [line for line in self.lines if line.startswith((f"{_PROMPT} ", f"{_HARNESS} "))]
        self.is_stripped = not any(line.endswith(_BREAK) for line in marked)
        self._inside = fenced(self.lines)

    def of_all(self) -> Iterator[_Voice]:
        """Yield the voice of every line."""
        before = _Voice.AIDER
        for at, line in enumerate(self.lines):
            voice = self._of(at, line, before)
            if line.strip():
                before = voice
            yield voice

    def _of(self, at: int, line: str, before: _Voice) -> _Voice:
        mark = _mark_of(line)
        if mark is None:
            return _Voice.MODEL
        goes_on = at > 0 and _mark_of(self.lines[at - 1]) is not None and before is not _Voice.MODEL
        follows_blank = is_blank(self.lines, at - 1) or goes_on
        is_own = line.endswith(_BREAK) or (line.rstrip() == mark and goes_on)
        if self._inside[at]:
            if not (is_own and follows_blank and self._breaks_fence(at)):
                return _Voice.MODEL
            self._inside[at:] = fenced(self.lines[at:])
        voice = _Voice.USER if mark == _PROMPT else _Voice.AIDER
        if is_own:
            return voice if follows_blank or mark == _HARNESS else _Voice.MODEL
        if self._is_taken_on_trust(before, follows_blank=follows_blank):
            self._doubt(at, mark, is_sure=before is not _Voice.MODEL)
            return voice
        self._doubt(at, mark, is_sure=False)
        return _Voice.MODEL

    def _is_taken_on_trust(self, before: _Voice, *, follows_blank: bool) -> bool:
        """Whether a line without Aider's line break is a mark: all lines lack it, or no answer has begun."""
        return follows_blank and (self.is_stripped or before is _Voice.AIDER)

    def _doubt(self, at: int, mark: str, *, is_sure: bool) -> None:
        if mark == _PROMPT and not is_sure:
            self.doubtful.append(at)

    def _breaks_fence(self, at: int) -> bool:
        """Whether marks inside a fence show that the fence was left open: by their words or what follows."""
        rest = self.lines[at:]
        if any(map(_ENDS_ANSWER.match, takewhile(_mark_of, rest))):
            return True
        following = next((match for one in rest if (match := _FENCE.match(one))), None)
        return following is None or bool(following[1])


def _mark_of(line: str) -> str | None:
    for mark in (_PROMPT, _HARNESS):
        if line.startswith(mark) and line[len(mark) : len(mark) + 1] in ("", " "):
            return mark
    return None


def _spoken(lines: Sequence[str], voices: Sequence[_Voice]) -> Iterator[_Spoken]:
    """Gather lines of one voice; an empty line ends what the user or Aider says, not what the model says."""
    for voice, group in groupby(range(len(lines)), key=lambda at: voices[at]):
        places = list(group)
        said = [lines[at] for at in places]
        text = trimmed(said) if voice is _Voice.MODEL else "\n".join(map(_without_mark, said))
        if text.strip():
            yield _Spoken(voice, places[0], text.strip("\n") if voice is _Voice.AIDER else text, said)


def _without_mark(line: str) -> str:
    mark = _mark_of(line) or ""
    return line[len(mark) :].removeprefix(" ").removesuffix(_BREAK)


@dataclass(slots=True, kw_only=True)
class _Turns:
    run: Run
    time: str
    first: int
    talk: Talk = field(default_factory=Talk)
    model: str = ""

    def add(self, one: _Spoken) -> None:
        """Put what was said where it belongs."""
        match one.voice:
            case _Voice.USER:
                self._hear(one)
            case _Voice.AIDER:
                self._note(one)
            case _Voice.MODEL:
                self._answer(one)
        if self.talk.drafts:
            self.talk.now.took(one.text)

    def _hear(self, one: _Spoken) -> None:
        text = one.text.rstrip()
        if text.strip() in {_BLANK, ""}:
            return
        number = str(len(self.talk.drafts) + 1)
        name = digest(self.run.window, number, text)
        time = self.time if not self.talk.drafts else ""
        self.talk.begin(Draft(id=name, start=_start_of(text), time=time, line=self.first + 1 + one.at))
        self.talk.now.user.append(Text(text=text))

    def _note(self, one: _Spoken) -> None:
        if model := _MODEL.findall(one.text):
            self.model = model[-1]
        if version := _VERSION.search(one.text):
            self.run.version = version[1]
        now = self.talk.drafts[-1] if self.talk.drafts else None
        if _INTERRUPT.fullmatch(one.text):
            note = Note(kind=NoteKind.INTERRUPT, text=one.text.strip())
            is_answer = now is not None and (now.start is Start.PROMPT or bool(now.assistant))
        else:
            is_command = now is not None and now.start is not Start.PROMPT
            note = Note(kind=NoteKind.OUTPUT if is_command else NoteKind.NOTICE, text=one.text)
            is_answer = now is not None
        (now.assistant if now is not None and is_answer else self.talk.waiting).append(note)

    def _answer(self, one: _Spoken) -> None:
        if not self.talk.drafts:
            name = digest(self.run.window, "beginning", one.text)
            line = self.first + 1 + one.at
            self.talk.begin(Draft(id=name, start=Start.MACHINE, time=self.time, line=line))
        self.talk.now.assistant.append(Text(text=one.text))
        self.talk.now.seen("", self.model)


def _start_of(text: str) -> Start:
    if text.startswith("!"):
        return Start.SHELL
    return Start.COMMAND if _COMMAND.match(text) else Start.PROMPT
