"""Decisions in what was said: agreements, choices, a user's own statements, an assistant's reports (SPEC 1.8).

What the user's own words confirm is accepted, everything else proposed. Cues are data: `text_cues/`.
"""

import re
from collections.abc import Iterator, Sequence

from awf_archive.domain.decisions.found import Context, Found, Place, Side, Status
from awf_archive.domain.decisions.text_alike import words_of
from awf_archive.domain.decisions.text_cues import FIRM, LIKELY, RULE
from awf_archive.domain.decisions.text_replies import EVIDENCE, TEXT, picks_in, replied
from awf_archive.domain.decisions.text_sentences import Sentence, plain, sentences
from awf_archive.domain.decisions.text_speech import Said, Speech, reason, seeds, speeches
from awf_archive.domain.tool_lines import one_line
from awf_archive.domain.transcript import Block, prompt_text

_SHORT = 1_500
"""Characters; a longer message of a user is mostly pasted, so nothing in it is sure."""


_MOSTLY_PASTED = 0.5
"""Share of the lines of a longer message that begin or end as prose does not: somebody else wrote it."""

_NO_PROSE = re.compile(r"^(?:\s|[^\w\s\"'“‘(]|\d)|[;:{}\\]\s*$")

_CODE = re.compile(
    r"(?:[{};]|[^\s(]\([^\s)]*\))\s*$"
    r"|^\s*(?:/\w|\[\w|[\"']\w+[\"']: |[\w./-]+:\d+:|\w+Error\b|File \"|diff --git|@\S+ @)",
    re.MULTILINE,
)
"""A line that was not typed as prose: its message's plain sentences may be pasted too."""

_PASTED = re.compile(
    r"\s*(?:(?:\(\w+\) )?[\w.-]+@[\w.-]+[^\n]*[%$#] |[❯$%] |Traceback |error:|remote:|fatal:"
    r"|npm (?:ERR|WARN)|\[[\w:.-]+\] )",
    re.IGNORECASE,
)
"""How a message begins that a terminal wrote."""


def find(user: str, blocks: Sequence[Block], context: Context) -> Iterator[Found]:
    """Yield what a turn's words decide, the user's first."""
    stated = [] if _PASTED.match(user) else list(_stated(user, Side.USER))
    answers = list(replied(user, context, {one.place.offset for one in stated if one.confidence > RULE}))
    decided = [*answers, *(one for one in stated if not _is_answer(one, answers))]
    yield from decided
    known = [words_of(f"{one.text} {one.evidence}") for one in decided]
    for report in _stated(prompt_text(blocks), Side.ASSISTANT):
        if not any(_is_said(words_of(report.text), words) for words in known):
            yield report


def _is_answer(stated: Found, answers: Sequence[Found]) -> bool:
    """Whether a plain sentence of the user's says only what it answers."""
    return stated.confidence <= RULE and any(stated.evidence in one.evidence for one in answers)


_ECHO = 0.5
"""Share of a report's words that stand in what the user just decided: the assistant only says it again."""


def _is_said(words: frozenset[str], known: frozenset[str]) -> bool:
    return len(words & known) >= _ECHO * len(words)


def _stated(words: str, side: Side) -> Iterator[Found]:
    """Yield what one side says that it decides."""
    is_sure = side is Side.USER and len(words) <= _SHORT
    languages = speeches(words)
    is_ruling = (is_sure and not _CODE.search(words)) or side is Side.ASSISTANT
    typed = len(words) if is_ruling else _typed(words)
    looked_for = () if is_sure else seeds(languages, side.value, RULE if is_ruling else LIKELY)
    for sentence in sentences(words, looked_for):
        if is_sure and picks_in([sentence]):
            continue
        request = _request(sentence, languages) if side is Side.USER else None
        if sentence.start >= typed:
            least = FIRM
        elif is_ruling and request is None:
            least = _least(sentence, languages, side)
        else:
            least = LIKELY
        if request is None and not _is_plain(sentence, languages):
            continue
        for speech in languages:
            if said := speech.decides(sentence, side.value, request, least):
                is_firm = is_sure and request is None
                yield _found(sentence, said, side, reason(sentence, said.start, languages), is_sure=is_firm)
                break


def _typed(words: str) -> int:
    """Return how many characters of a long message its user typed: all, or only the line before what was pasted."""
    lines = [line for line in words.split("\n") if line.strip()]
    pasted = sum(bool(_NO_PROSE.search(line)) for line in lines)
    return max(0, words.find("\n")) if pasted >= _MOSTLY_PASTED * len(lines) else len(words)


def _is_plain(sentence: Sentence, languages: Sequence[Speech]) -> bool:
    """Whether a sentence neither asks nor doubts."""
    return not sentence.is_question and not any(
        speech.find(name, sentence) for speech in languages for name in ("doubts", "asks", "announces")
    )


def _least(sentence: Sentence, languages: Sequence[Speech], side: Side) -> float:
    """Return how sure words must be: surer where a user tells what was, less where nothing does."""
    told = [found.start() for speech in languages if (found := speech.find("tells", sentence))]
    if told and side is Side.USER and min(told) < _reason_start(sentence.spoken, languages):
        return FIRM
    return LIKELY if told or any(speech.find("orders", sentence) for speech in languages) else RULE


def _reason_start(words: str, languages: Sequence[Speech]) -> int:
    """Return where a sentence begins to say why: that tells what was, but not what is decided."""
    found = (speech.pattern("because").search(words, 1) for speech in languages)
    return min((one.start() for one in found if one), default=len(words))


def _request(sentence: Sentence, languages: Sequence[Speech]) -> int | None:
    """Return where a request in the form of a question begins to say what is wanted (`can you …?`)."""
    found = (speech.find("requests", sentence) for speech in languages)
    return next((one.end() for one in found if one), None)


_TELLING = 18
"""Characters; a shorter decision ("không đụng vào", "至少两个字") is told with what stands before it."""


def _told(words: str, start: int, *, is_explained: bool) -> str:
    text = plain(words[start:])
    is_bare = len(text) < _TELLING and not is_explained and len(words_of(words[:start])) > 1
    return plain(words) if is_bare else text


def _quoted(sentence: Sentence) -> str:
    """A sentence's own words; with what follows where it ends in a colon."""
    is_open = sentence.spoken.endswith(":")
    return f"{sentence.text} {sentence.following.strip()}" if is_open else sentence.text


def _found(sentence: Sentence, said: Said, side: Side, why: tuple[str, int], *, is_sure: bool) -> Found:
    given, end = why
    is_accepted = is_sure and said.cue.confidence >= (LIKELY if given else FIRM)
    return Found(
        text=one_line(_told(sentence.text[:end], said.start, is_explained=bool(given)), TEXT),
        by=side.value,
        found_by="statement" if side is Side.USER else "report",
        evidence=one_line(_quoted(sentence), EVIDENCE),
        place=Place(side=side, offset=sentence.start),
        reason=one_line(given, TEXT),
        status=Status.ACCEPTED if is_accepted else Status.PROPOSED,
        confidence=said.cue.confidence,
    )
