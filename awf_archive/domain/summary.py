"""What a range of turns, and a session, was about: from the turns' own words, without a model (SPEC 1.6, 1.8)."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from unicodedata import east_asian_width

from awf_archive.domain.decisions import Decision
from awf_archive.domain.escape import escape
from awf_archive.domain.tool_lines import EDITING_TOOLS, calls_in, files_touched, one_line
from awf_archive.domain.transcript import Block, ToolCall
from awf_archive.domain.wording import Wording

_OVERVIEW_SENTENCES = 3
_MOST_FILES = 30
_TOPICS = 5

_SENTENCE_END = re.compile(r"(?<=[。！？])|(?<=[.!?])(?=\s)")
_SKIPPED_LINE = re.compile(r"\s*(?:[`~]{3,}.*|[-*_=]{3,}|\[Image #\d+\]|<[^>]*>)\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """One turn in a few words."""

    turn: int
    title: str
    """The prompt's first sentence on one line; may be empty."""
    files: tuple[str, ...]
    is_abandoned: bool = False


_TELLING = 16
"""Characters below which a sentence ("Good.", "! ls", "Chào!") says too little and the next one joins it."""

_MARKERS = re.compile(r"\[Image #\d+\]\s*")


def first_sentence(text: str, limit: int = 160) -> str:
    """Return the first sentence that says something, on one line.

    >>> first_sentence("```py\\nx\\n```\\nSửa lỗi đăng nhập đi. Rồi viết test.")
    'x'
    >>> first_sentence("Good. Check how many files that makes. Then stop.")
    'Good. Check how many files that makes.'
    >>> first_sentence("我们来设计一个新的用户屏蔽接口吧。先看表结构")
    '我们来设计一个新的用户屏蔽接口吧。'
    """
    for line in text.split("\n", 200)[:200]:
        plain = _MARKERS.sub("", line).strip().lstrip("#>*- \t")
        if plain and not _SKIPPED_LINE.fullmatch(line):
            return one_line(_first_telling(_SENTENCE_END.split(plain)), limit)
    return ""


def _first_telling(sentences: list[str]) -> str:
    told = sentences[0]
    for sentence in sentences[1:]:
        if len(told) >= _TELLING:
            break
        told += sentence
    return told


def chunk_text(
    number: int,
    turns: tuple[int, int],
    briefs: Sequence[Brief],
    decisions: Sequence[Decision],
    *,
    words: Wording,
) -> str:
    """Return the Markdown of a chunk file for a range of turns; always the same for the same turns.

    `briefs` may lack turns at the beginning: the original skill removed sessions that it had summarised.
    """
    chunk = words.chunk
    title = chunk.title.format(number=f"{number:03d}", a=turns[0], b=turns[1])
    kept = [brief for brief in briefs if not brief.is_abandoned] or list(briefs)
    overview = [one.title for one in kept if one.title][:_OVERVIEW_SENTENCES]
    sections = {
        chunk.overview: [_joined(overview)] if overview else [],
        chunk.decisions: _decision_lines(decisions, words) or [chunk.no_decisions],
        chunk.points: [_point(brief, words) for brief in briefs if brief.title],
        chunk.files: [f"- {path}" for path in _most_touched(briefs)],
    }
    parts = [title, *(f"## {name}\n" + "\n".join(lines) for name, lines in sections.items() if lines)]
    return escape("\n\n".join(parts)) + "\n"


def _joined(sentences: Iterable[str]) -> str:
    """Put sentences behind one another; Chinese ends them its own way and needs no blank between them."""
    return "".join(map(_ended, sentences)).rstrip()


def _ended(sentence: str) -> str:
    last = sentence[-1:]
    if last in "。！？":
        return sentence
    if last in ".!?…":
        return f"{sentence} "
    return f"{sentence}。" if east_asian_width(last) in "WF" else f"{sentence}. "


def _decision_lines(decisions: Iterable[Decision], words: Wording) -> list[str]:
    return [
        f"{place}. {one_line(one.text, 300)} {words.chunk.decision_turn.format(turn=one.turn)}"
        for place, one in enumerate(decisions, 1)
    ]


def _point(brief: Brief, words: Wording) -> str:
    mark = f" ({words.listing.abandoned})" if brief.is_abandoned else ""
    return words.chunk.point.format(turn=brief.turn, text=brief.title) + mark


def _most_touched(briefs: Iterable[Brief]) -> list[str]:
    counted = Counter(one_line(path, 300) for brief in briefs for path in brief.files)
    return [path for path, _ in counted.most_common(_MOST_FILES)]


def topics(titles: Iterable[str]) -> tuple[str, ...]:
    """Return what a session was about: the first few different prompts, cut short."""
    return tuple(dict.fromkeys(one_line(title, 60) for title in titles if title))[:_TOPICS]


_TEST_RUN = re.compile(
    r"\b(?:pytest|jest|vitest|go test|cargo test|npm (?:run )?test|mvn test|make test|unittest)\b"
)
_DEPLOY_RUN = re.compile(
    r"\b(?:kubectl|helm|docker push|terraform apply|vercel|fly deploy|npm publish|twine upload)\b"
)
_REVIEW_RUN = re.compile(r"\b(?:gh pr (?:review|diff|view)|git (?:diff|show|blame))\b")

_DOCUMENTS: Mapping[str, str] = {
    "requirements.md": "requirements",
    "design.md": "design",
    "tasks.md": "tasks",
}


def phase_signs(blocks: Iterable[Block]) -> Counter[str]:
    """Count what a turn's work says of the phase (SPEC 1.6); a written document of the spec counts most."""
    signs: Counter[str] = Counter()
    for call in calls_in(blocks):
        signs.update(_signs_of(call))
    return signs


def _signs_of(call: ToolCall) -> dict[str, int]:
    if call.name == "Bash" and isinstance(call.input, dict):
        command = str(call.input.get("command") or "")
        found = {
            "testing": bool(_TEST_RUN.search(command)),
            "deployment": 3 * bool(_DEPLOY_RUN.search(command)),
            "review": bool(_REVIEW_RUN.search(command)),
        }
        failed = bool(call.result and call.result.is_error)
        return found | {"debugging": int(failed)}
    if call.name in EDITING_TOOLS:
        written = files_touched([call])
        document = _DOCUMENTS.get(written[0].replace("\\", "/").rsplit("/", 1)[-1]) if written else None
        return {document: 5} if document else {"implementation": 1}
    return {}


def infer_phase(signs: Counter[str]) -> str:
    """Return the phase that most of the work points to; `requirements` when none does.

    >>> infer_phase(Counter(design=5, implementation=2)), infer_phase(Counter())
    ('design', 'requirements')
    """
    return max(signs, key=lambda phase: (signs[phase], phase)) if signs.total() else "requirements"
