"""What an assistant proposed, so that a user's "ok, do it" or "2" has a meaning (SPEC 1.8)."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from awf_archive.domain.decisions.text_sentences import Sentence, plain, sentences
from awf_archive.domain.decisions.text_speech import Speech, reason, speeches
from awf_archive.domain.tool_lines import one_line

_TAIL = 8_000
"""Characters of an answer's end in which a proposal stands: what is before was not asked about."""

_WORDS = 300
"""Characters of the answer, from the proposal on, that are quoted: a list behind it belongs to it."""

_LAST_SENTENCES = 8
"""An answer's last sentences: a question before them waits for no answer any more."""


class Proposal(NamedTuple):
    """What was proposed, in its own words."""

    text: str
    """Without `I suggest that` and the like."""
    reason: str
    words: str
    """The whole sentence."""
    start: int
    """Characters into the answer."""
    is_choice: bool = True
    """One way among several, not only a task."""


def proposal_in(answer: str) -> Proposal | None:
    """Return what an answer proposed at its end; None when it asked for nothing that can be agreed to.

    >>> proposal_in("Two ways. I recommend SQLite, it needs no server. Shall I go ahead?").text
    'SQLite, it needs no server'
    >>> proposal_in("Done. Would you like me to run the tests?")
    """
    tail = answer[-_TAIL:]
    told = list(sentences(tail))
    languages = speeches(tail)
    found = _asked(told, languages)
    if not found:
        return None
    words = one_line(tail[found.start :], _WORDS)
    return found._replace(start=found.start + len(answer) - len(tail), words=max(words, found.words, key=len))


def _asked(told: Sequence[Sentence], languages: Sequence[Speech]) -> Proposal | None:
    """Return what the last question offers; the recommendation where it names nothing, or nobody asked."""
    first = max(0, len(told) - _LAST_SENTENCES)
    for place in range(len(told) - 1, first - 1, -1):
        sentence = told[place]
        if any(speech.find("empties", sentence) for speech in languages):
            recommended = _recommended(told[first : place + 1], languages)
            is_judged = any(speech.find("judges", sentence) for speech in languages)
            laid_out = _section(told[:place], sentence) if is_judged else None
            return recommended or laid_out or _chosen(told[first:place], languages)
        if sentence.is_question:
            is_open = any(speech.find("alternatives", sentence) for speech in languages)
            return _recommended(told[first:place], languages) if is_open else _offered(sentence, languages)
    return _recommended(told[first:], languages) or _chosen(told[first:], languages)


def _chosen(told: Sequence[Sentence], languages: Sequence[Speech]) -> Proposal | None:
    """Return the last choice that an assistant said it made or would make."""
    for sentence in reversed(told):
        if sentence.is_question or any(
            speech.find(name, sentence) for speech in languages for name in _OPEN_WORDS
        ):
            continue
        for speech in languages:
            if said := speech.decides(sentence, "assistant"):
                proposal = _proposal(sentence, said.start, languages)
                return proposal._replace(is_choice=True) if proposal else None
    return None


_OPEN_WORDS = ("doubts", "asks", "announces")


def _offered(question: Sentence, languages: Sequence[Speech]) -> Proposal | None:
    for speech in languages:
        if found := speech.find("offers", question):
            is_trifle = _is_trifle(question, found.end(), speech)
            return None if is_trifle else _proposal(question, found.end(), languages)
    return None


def _recommended(told: Sequence[Sentence], languages: Sequence[Speech]) -> Proposal | None:
    for sentence in reversed(told):
        if sentence.is_question or any(speech.find("announces", sentence) for speech in languages):
            continue
        for speech in languages:
            found = speech.find("recommends", sentence)
            if found and not _is_trifle(sentence, found.end(), speech):
                proposal = _proposal(sentence, found.end(), languages)
                is_plan = bool(speech.pattern("plans").match(found[0]))
                return proposal if proposal is None or is_plan else proposal._replace(is_choice=True)
    return None


_LABEL = re.compile(r"[#(]?(?:\d{1,2}|[A-H])[)]?(?:\W|$)|.$")


def _section(told: Sequence[Sentence], question: Sentence) -> Proposal | None:
    """Return what was laid out before "does this look right?": its heading, with the first sentence under it."""
    heads = [place for place, one in enumerate(told) if _HEADING.match(one.text)]
    if not told:
        return None
    first = told[heads[-1]] if heads and len(told) - heads[-1] <= _SECTION else told[-1]
    section = [one for one in told[told.index(first) :] if plain(one.text)][:_QUOTED]
    text = ": ".join(_LINK.sub("", plain(one.text)) for one in section[:2])
    words = " ".join(one.text for one in (*section, question))
    return Proposal(text, "", words, first.start) if len(text) > 1 else None


_HEADING = re.compile(r"#{1,6}\s|\*\*[^*]{2,80}\*\*:?$|__[^_]{2,80}__:?$")
_LINK = re.compile(r",?\s+(?:so|because|since|and|or|that|nên|vì|để|và)$|[，,]?\s*(?:所以|因为|以及)$")
"""What led to the list behind a colon."""

_SECTION = 30
"""Sentences of what one question can ask about."""

_QUOTED = 6
"""Of them are quoted."""


def explained_in(answer: str) -> Proposal | None:
    """Return what a short answer says, for a user who had asked and now agrees."""
    told = list(sentences(answer)) if len(answer) <= EXPLAINED else []
    count = 2 if told and len(told[0].text) < _TELLING else 1
    text = plain(" ".join(one.text for one in told[:count]))
    return Proposal(text, "", " ".join(one.text for one in told), told[0].start) if text else None


EXPLAINED = 700
"""Characters: what is longer says more than one can agree to."""


_TELLING = 12
"""Characters; a shorter first sentence ("建議要。", "Yes.") tells nothing alone."""


def open_question(answer: str, *, is_refused: bool = False) -> str:
    """Return what an answer asks at its end and leaves to the user; "" when it asks nothing that settles a thing.

    An offer leaves nothing open, but where it is refused what comes instead is an answer.
    """
    told = list(sentences(answer[-_TAIL:]))[-_OPEN:]
    languages = speeches(answer)
    for sentence in reversed(told):
        if any(speech.find("leaves", sentence) for speech in languages):
            return sentence.text
        if not sentence.is_question:
            continue
        is_offer = any(speech.find("offers", sentence) for speech in languages)
        parted = [found for speech in languages if (found := speech.find("alternatives", sentence))]
        is_choice = any(not is_offer or found["open"] for found in parted)
        weighs = any(speech.find("weighs", sentence) for speech in languages)
        return sentence.text if is_choice or (is_refused if is_offer else weighs) else ""
    return ""


_OPEN = 3
"""Sentences at an answer's end among which the question stands."""


def _is_trifle(sentence: Sentence, start: int, speech: Speech) -> bool:
    rest = sentence.spoken[start:].lstrip(" :")
    return not rest or bool(speech.pattern("trifles").match(rest))


def _proposal(sentence: Sentence, start: int, languages: Sequence[Speech]) -> Proposal | None:
    why, end = reason(sentence, start, languages)
    text = plain(sentence.text[start:end])
    if not text or _LABEL.match(text):
        return None
    is_choice = any(speech.pattern("choices").search(sentence.spoken, start, end) for speech in languages)
    return Proposal(text, why, sentence.text, sentence.start, is_choice)
