"""The resume text of a feature within its bytes: what goes first, and what is said of what is left out (SPEC 2).

Over budget, previews go first, then older turns, then the chunks' details; each leaves a line that says how many
and which command shows them. At last the newest turn itself is cut, never within a character.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from awf_archive.domain.escape import visible
from awf_archive.domain.fences import fence_for, open_fence
from awf_archive.domain.wording.counted import counted
from awf_archive.domain.wording.resume_words import ResumeWords
from awf_archive.domain.work_state import boxes_in

DEFAULT_BYTES = 15 * 1024
MOST_TURNS = 12
PREVIEW_LINES = 30
LEAST_BYTES = 1_000
"""Below this not even the status table fits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumedTurn:
    """One turn of the latest session, both sides as the turn file has them."""

    turn: int
    user: str
    assistant: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumedChunk:
    """One summary of older turns."""

    number: str
    """As in the file's name: `001`."""
    turns: tuple[int, int]
    overview: str
    decisions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecDocument:
    """`requirements.md`, `design.md` or `tasks.md`."""

    name: str
    path: str
    text: str | None
    """None when there is no such file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumed:
    """Everything a resume may show."""

    feature: str
    total: int
    phase: str
    session: str
    """`session-003`; empty when no session is on disk."""
    session_range: tuple[int, int]
    turns: tuple[ResumedTurn, ...]
    """The latest session's, oldest first, at most the last `MOST_TURNS`."""
    left_out: int
    """Turns of the latest session before those."""
    chunks: tuple[ResumedChunk, ...]
    documents: tuple[SpecDocument, ...]
    unreadable: tuple[str, ...] = ()
    """Files that could not be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """How much of it is shown."""

    turns: int
    detailed_chunks: int
    listed_chunks: int
    previews: int
    turn_bytes: int | None = None
    """Bytes of each side of a turn; None for all."""


def render(resumed: Resumed, words: ResumeWords, most_bytes: int = DEFAULT_BYTES) -> str:
    """Return the text, at most `most_bytes` of UTF-8; 0 is no limit."""
    text = ""
    for plan in _plans(resumed):
        text = "\n".join(_lines(resumed, words, plan)) + "\n"
        if not most_bytes or len(text.encode()) <= most_bytes:
            return text
    return cut_bytes(text, most_bytes)


def _plans(resumed: Resumed) -> Iterator[_Plan]:
    """Yield ever smaller plans, in the order in which things are given up."""
    chunks = len(resumed.chunks)
    plan = _Plan(
        turns=len(resumed.turns),
        detailed_chunks=chunks,
        listed_chunks=chunks,
        previews=len(resumed.documents),
    )
    yield plan
    for previews in range(plan.previews - 1, -1, -1):
        plan = replace(plan, previews=previews)
        yield plan
    for turns in range(plan.turns - 1, 0, -1):
        plan = replace(plan, turns=turns)
        yield plan
    for detailed in _falling(chunks):
        plan = replace(plan, detailed_chunks=detailed)
        yield plan
    for size in (8_000, 4_000, 2_000, 1_000, 500, 200):
        plan = replace(plan, turn_bytes=size)
        yield plan
    for listed in _falling(chunks):
        plan = replace(plan, listed_chunks=listed)
        yield plan
    yield replace(plan, turns=0)


def _falling(count: int) -> Iterator[int]:
    """Yield smaller counts down to 0; by one at first, by halves when there are many."""
    while count:
        count = count - 1 if count <= MOST_TURNS else count // 2
        yield count


def _lines(resumed: Resumed, words: ResumeWords, plan: _Plan) -> Iterator[str]:
    yield words.headline.format(feature=resumed.feature)
    if resumed.unreadable:
        yield from ("", words.partly, "", *(f"- {visible(path)}" for path in resumed.unreadable[:20]))
    yield from ("", words.overview, "")
    yield from _status(resumed, words)
    if resumed.turns:
        number = resumed.session.rpartition("-")[2]
        yield from ("", words.conversation.format(session=number))
        yield from _turns(resumed, words, plan)
    if resumed.chunks:
        yield from ("", words.history)
        yield from _chunks(resumed, words, plan)
    yield from ("", words.documents, "")
    yield from _documents(resumed.documents, words, plan)
    yield from ("", words.go_on, "", words.closing)


def _status(resumed: Resumed, words: ResumeWords) -> Iterator[str]:
    first, last = resumed.session_range
    latest = (
        words.latest_value.format(session=resumed.session, a=first, b=last)
        if resumed.session
        else words.missing
    )
    yield from _table(
        words.columns,
        (
            (words.feature, resumed.feature),
            (words.total, words.total_value.format(n=resumed.total)),
            (words.phase, resumed.phase or words.missing),
            (words.latest, latest),
        ),
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(_cell(one) for one in row)} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _turns(resumed: Resumed, words: ResumeWords, plan: _Plan) -> Iterator[str]:
    dropped = resumed.left_out + len(resumed.turns) - plan.turns
    if dropped:
        first = resumed.session_range[0]
        command = _show(resumed.feature, first, first + dropped - 1)
        yield from ("", words.left_out_turns.format(n=dropped, command=command))
    for one in resumed.turns[len(resumed.turns) - plan.turns :]:
        user, assistant = (_side(text, plan.turn_bytes) for text in (one.user, one.assistant))
        yield from (
            "",
            words.turn.format(n=one.turn),
            "",
            words.user,
            "",
            user,
            "",
            words.assistant,
            "",
            assistant,
        )
        if (user, assistant) != (_side(one.user, None), _side(one.assistant, None)):
            yield from ("", words.cut_turn.format(command=_show(resumed.feature, one.turn, one.turn)))


def _show(feature: str, first: int, last: int) -> str:
    """Return the command that shows a range of turns."""
    numbers = str(first) if first == last else f"{first}-{last}"
    return f"`awf-archive show {_word(f'{feature}#{numbers}')}`"


def _word(text: str) -> str:
    """Return a word of a command line; a feature's name may hold blanks, but nothing else a shell acts on."""
    return f"'{text}'" if " " in text else text


def _side(text: str, size: int | None) -> str:
    """Return one side of a turn; where it is cut, a fence that it left open is closed."""
    shown = visible(text).strip("\n")
    if size is None or len(shown.encode()) <= size:
        return shown
    kept = cut_bytes(shown, size)
    fence = open_fence(kept)
    return f"{kept}\n{fence}" if fence else kept


def _chunks(resumed: Resumed, words: ResumeWords, plan: _Plan) -> Iterator[str]:
    """The newest chunks are kept longest."""
    total = len(resumed.chunks)
    hidden = total - plan.detailed_chunks
    for place, chunk in enumerate(resumed.chunks):
        if place < total - plan.listed_chunks:
            continue
        first, last = chunk.turns
        yield from ("", words.chunk.format(number=chunk.number, a=first, b=last))
        if place >= hidden:
            if chunk.overview:
                yield from ("", chunk.overview)
            if chunk.decisions:
                yield from ("", f"**{words.decisions}**:", *chunk.decisions)
    if hidden:
        command = f"`awf-archive resume {_word(resumed.feature)} --max-bytes 0`"
        yield from ("", counted(words.left_out_chunks, n=hidden, command=command))


def _documents(documents: Sequence[SpecDocument], words: ResumeWords, plan: _Plan) -> Iterator[str]:
    yield from _table(words.document_columns, [(one.name, _state(one, words)) for one in documents])
    for place, one in enumerate(documents):
        if one.text is None or not one.text.strip():
            continue
        if place >= plan.previews:
            yield from ("", words.left_out_preview.format(path=one.path))
            continue
        preview = "\n".join(visible(one.text).strip("\n").split("\n")[:PREVIEW_LINES])
        fence = fence_for(preview)
        yield from ("", f"**{one.name}**", "", f"{fence}markdown", preview, fence)


_STORY_HEADING = re.compile(r"(?i)#{2,4}\s+.*(?:user stor|requirement|story|需求|用户故事|yêu cầu)")
_STORY_SENTENCE = re.compile(r"(?i)as an?\b.*\bi want\b|作为.+(?:我希望|我想|想要)|tôi muốn")


def stories_in(markdown: str) -> int:
    """Return how many user stories a `requirements.md` tells: by their sentences, else by their headings.

    >>> stories_in("### Requirement 1\\n**User Story:** As a user, I want to block someone, so that …")
    1
    """
    lines = markdown.split("\n")
    sentences = sum(bool(_STORY_SENTENCE.search(line)) for line in lines)
    return sentences or sum(bool(_STORY_HEADING.match(line)) for line in lines)


def _state(document: SpecDocument, words: ResumeWords) -> str:
    if document.text is None:
        return words.missing
    done, total = boxes_in(document.text)
    if document.name == "tasks.md" and total:
        return words.tasks.format(done=done, n=total)
    if document.name == "requirements.md" and (stories := stories_in(document.text)):
        return words.stories.format(n=stories)
    return words.present


def cut_bytes(text: str, size: int) -> str:
    """Return the beginning of `text` in at most `size` bytes, `…` at its end, never half a character.

    >>> cut_bytes("数据库", 8), cut_bytes("abc", 3)
    ('数…', 'abc')
    """
    data = text.encode(errors="replace")
    if len(data) <= size:
        return text
    end = "…".encode()
    return data[: max(0, size - len(end))].decode(errors="ignore") + (
        end.decode() if size >= len(end) else ""
    )


_HEADING = re.compile(r"^##\s+(?P<name>.+?)\s*$", re.MULTILINE)


def chunk_parts(
    markdown: str, overview: Sequence[str], decisions: Sequence[str]
) -> tuple[str, tuple[str, ...]]:
    """Return a chunk file's overview and the lines of its decisions; the headings may be of any of our languages."""
    found = list(_HEADING.finditer(markdown))
    ends = [match.start() for match in found[1:]] + [len(markdown)]
    parts = {
        match["name"]: markdown[match.end() : end].strip() for match, end in zip(found, ends, strict=True)
    }
    told = next((parts[name] for name in overview if name in parts), "")
    decided = next((parts[name] for name in decisions if name in parts), "")
    return visible(told), tuple(line for line in visible(decided).split("\n") if line.strip())
