"""A conversation that is held in memory while it is read: what all formats but the largest share."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial

from awf_archive.domain.ids import Digest, TurnId, WindowId
from awf_archive.domain.transcript import (
    Block,
    Branch,
    Note,
    NoteKind,
    Origin,
    Outline,
    Problem,
    Start,
    Text,
    ToolCall,
    ToolResult,
    Transcript,
    Turn,
    Usage,
    prompt_digest,
    prompt_text,
)


@dataclass(slots=True, kw_only=True)
class Draft:
    """A turn while its parts are gathered."""

    id: str
    start: Start = Start.PROMPT
    time: str = ""
    end_time: str = ""
    line: int = 0
    branch: Branch = Branch.MAIN
    foreign: WindowId | None = None
    user: list[Block] = field(default_factory=list)
    assistant: list[Block] = field(default_factory=list)
    models: dict[str, None] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    payloads: dict[str, Callable[[], bytes]] = field(default_factory=dict)
    """How to get an attachment's bytes, by `Attachment.file`: they are read when the turn is."""
    problems: list[Problem] = field(default_factory=list)
    hasher: "hashlib._Hash" = field(default_factory=hashlib.sha256)

    def took(self, *raw: str) -> None:
        """Make what the source says of this turn part of its fingerprint."""
        for text in raw:
            self.hasher.update(text.encode(errors="surrogatepass") + b"\n")

    def seen(self, time: str, model: str = "") -> None:
        """Note when and by which model something was said."""
        if time:
            self.end_time = max(self.end_time, time)
        if model:
            self.models[model] = None


@dataclass(slots=True)
class Talk:
    """Turns in the making."""

    drafts: list[Draft] = field(default_factory=list)
    waiting: list[Block] = field(default_factory=list)
    """What stands before a prompt and belongs to it."""
    _now: Draft | None = None
    _calls: dict[str, tuple[list[Block], int]] = field(default_factory=dict)

    def begin(self, draft: Draft) -> Draft:
        """Start a turn; what waited for it becomes part of its user side."""
        draft.user[:0] = self.waiting
        self.waiting = []
        self.drafts.append(draft)
        self._now = draft
        return draft

    def go_on_with(self, draft: Draft) -> None:
        """Make an earlier turn the one that is going on."""
        self._now = draft

    @property
    def now(self) -> Draft:
        """The turn that is going on; one that nobody started where the file begins with the assistant."""
        if self._now is None:
            return self.begin(Draft(id="beginning", start=Start.MACHINE))
        return self._now

    def call(self, call: ToolCall) -> None:
        """Add a tool call, so that its answer finds it."""
        blocks = self.now.assistant
        if call.id:
            self._calls[call.id] = blocks, len(blocks)
        blocks.append(call)

    def knows(self, call_id: str) -> bool:
        """Tell whether a call of that id was made."""
        return call_id in self._calls

    def answer(self, call_id: str, result: ToolResult, name: str = "") -> None:
        """Add a tool's answer to its call, wherever that is; without one it stands on its own."""
        if call_id not in self._calls:
            self.call(ToolCall(id=call_id, name=name or "unknown", input=None, result=result))
            return
        blocks, place = self._calls[call_id]
        call = blocks[place]
        if isinstance(call, ToolCall):
            blocks[place] = replace(call, result=joined(call.result, result))

    def finish(self, *, is_over: bool = False) -> list[Draft]:
        """Return the turns; a command that nothing answered becomes a note on the turn after it.

        At the end such notes wait for the next turn, unless the conversation is over: were they given to the
        last turn, it would lose them again when the file grows.
        """
        drafts: list[Draft] = []
        notes: list[Block] = []
        for draft in self.drafts:
            if draft.start is Start.COMMAND and not draft.assistant:
                notes += _as_notes(draft.user)
                continue
            draft.user[:0] = notes
            notes = []
            drafts.append(draft)
        if drafts and is_over:
            drafts[-1].assistant += [*notes, *self.waiting]
            drafts[-1].took(*(block.text for block in notes if isinstance(block, Note)))
        return drafts


def joined(first: ToolResult | None, second: ToolResult) -> ToolResult:
    """Return two parts of a tool's answer as one."""
    if first is None:
        return second
    return ToolResult(blocks=(*first.blocks, *second.blocks), is_error=first.is_error or second.is_error)


def _as_notes(blocks: Iterable[Block]) -> list[Block]:
    return [
        Note(kind=NoteKind.COMMAND, text=block.text) if isinstance(block, Text) else block for block in blocks
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a reader knows of a conversation beside its turns."""

    format: str
    windows: tuple[str, ...]
    title: str = ""
    cwd: str = ""
    git_branch: str = ""
    tool_version: str = ""
    records: int = 0
    unreadable: int = 0
    duplicates: int = 0
    problems: tuple[Problem, ...] = ()


def transcript(drafts: list[Draft], facts: Facts) -> Transcript:
    """Return a conversation from its drafts; ids that repeat get a number."""
    named: dict[TurnId, Draft] = {}
    for draft in drafts:
        name, copy = TurnId(draft.id), 2
        while name in named:
            name, copy = TurnId(f"{draft.id}-{copy}"), copy + 1
        named[name] = draft
    return Transcript(
        format=facts.format,
        windows=tuple(dict.fromkeys(map(WindowId, facts.windows))),
        outlines=tuple(_outline(name, draft) for name, draft in named.items()),
        load=partial(_load, named),
        problems=facts.problems,
        title=facts.title,
        cwd=facts.cwd,
        git_branch=facts.git_branch,
        tool_version=facts.tool_version,
        records=facts.records,
        unreadable=facts.unreadable,
        duplicates=facts.duplicates,
    )


def _outline(name: TurnId, draft: Draft) -> Outline:
    return Outline(
        id=name,
        start=draft.start,
        time=draft.time,
        prompt_digest=prompt_digest(draft.user),
        fingerprint=Digest(draft.hasher.hexdigest()),
        prompt_size=len(prompt_text(draft.user)),
        branch=draft.branch,
        foreign=draft.foreign,
    )


def _load(named: dict[TurnId, Draft], outline: Outline) -> Turn:
    draft = named[outline.id]
    return Turn(
        outline=outline,
        user=tuple(draft.user),
        assistant=tuple(draft.assistant),
        end_time=draft.end_time,
        models=tuple(draft.models),
        usage=draft.usage,
        payloads={file: fetch() for file, fetch in draft.payloads.items()},
        origin=Origin(file="", line=draft.line),
        problems=tuple(draft.problems),
    )
