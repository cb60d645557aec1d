"""Decisions in what was said: agreements, choices, a user's own statements, an assistant's reports (SPEC 1.8).

What the user's own words confirm is accepted, everything else proposed. Cues are data: `text_cues/`.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from awf_archive.domain.decisions.found import Context, Found, Place, Side, Status
from awf_archive.domain.decisions.text_cues import FIRM
from awf_archive.domain.decisions.text_proposals import (
    Option,
    Pick,
    options_in,
    pick_in,
    picked,
    proposal_in,
)
from awf_archive.domain.decisions.text_sentences import Sentence, has_marks, plain, sentences
from awf_archive.domain.decisions.text_speech import Said, Speech, reason, seeds, speeches
from awf_archive.domain.tool_lines import one_line
from awf_archive.domain.transcript import Block, prompt_text
from awf_archive.domain.triggers import begins_with_consent

_SHORT = 1_500
"""Characters; a longer message of a user is mostly pasted, so nothing in it is sure."""

_PICK = 300
"""Characters; a longer message says more than which option its writer takes."""

_FIRST = 2
"""Sentences of it in which the pick stands."""

_CHOSEN = 0.95
"""Confidence of a pick: the option is there, word for word."""

_TEXT, _EVIDENCE = 300, 500


def find(user: str, blocks: Sequence[Block], context: Context) -> Iterator[Found]:
    """Yield what a turn's words decide, the user's first."""
    yield from _agreed(user, context)
    yield from _stated(user, Side.USER)
    yield from _stated(prompt_text(blocks), Side.ASSISTANT)


def _agreed(user: str, context: Context) -> Iterator[Found]:
    """Yield the option that a user picks, else the proposal that he agrees to."""
    if user.lstrip()[:1] in {"", "/", "!", "<"}:
        return
    told = list(islice(sentences(user[:_PICK]), _FIRST))
    if picks := _picks(told) if len(user) <= _PICK else []:
        answer = _answer(context)
        options = options_in(answer)
        for sentence, pick, speech in picks:
            if option := picked(pick, options, speech):
                yield _choice(
                    option, options, reason(sentence, 0, speeches(is_bare=not has_marks(user)))[0], user
                )
                return
    if begins_with_consent(user) and not _amends(told) and (proposal := proposal_in(_answer(context))):
        yield Found(
            text=one_line(proposal.text, _TEXT),
            by="user",
            found_by="agreement",
            evidence=one_line(f"{proposal.words} → {user}", _EVIDENCE),
            place=Place(side=Side.ASSISTANT, offset=proposal.start, turns_back=1),
            reason=one_line(proposal.reason, _TEXT),
            confidence=FIRM,
        )


def _answer(context: Context) -> str:
    return context.before[-1].assistant if context.before else ""


def _picks(told: Iterable[Sentence]) -> list[tuple[Sentence, Pick, Speech]]:
    """Return which options a message may pick, before anything is known of them."""
    return [
        (sentence, pick, speech)
        for sentence in told
        if not sentence.is_question
        for speech in speeches(is_bare=not has_marks(sentence.text))
        if (pick := pick_in(sentence, speech))
    ]


def _choice(option: Option, options: Iterable[Option], why: str, user: str) -> Found:
    return Found(
        text=one_line(option.text, _TEXT),
        by="user",
        found_by="choice",
        evidence=one_line(f"{option.text} → {user}", _EVIDENCE),
        place=Place(side=Side.ASSISTANT, offset=option.start, turns_back=1),
        reason=one_line(why, _TEXT),
        options=tuple(one_line(one.text, _TEXT) for one in options),
        confidence=_CHOSEN,
    )


def _amends(told: Sequence[Sentence]) -> bool:
    """Whether a message changes what it agrees to."""
    first = told[0]
    return any(
        speech.pattern("amends").match(first.spoken, start)
        for speech in speeches(is_bare=not has_marks(first.text))
        for start in list(speech.clause_starts(first.spoken))[1:]
    )


def _stated(words: str, side: Side) -> Iterator[Found]:
    """Yield what one side says that it decides."""
    is_sure = side is Side.USER and len(words) <= _SHORT
    is_bare = not has_marks(words)
    for sentence in sentences(words, () if is_sure else seeds(is_bare=is_bare)):
        if sentence.is_question or (is_sure and _picks([sentence])):
            continue
        languages = [speech for speech in speeches(is_bare=is_bare) if speech.speaks(sentence)]
        if any(speech.find("doubts", sentence) or speech.find("asks", sentence) for speech in languages):
            continue
        for speech in languages:
            if said := speech.decides(sentence, side.value):
                yield _found(sentence, said, side, reason(sentence, said.start, languages), is_sure=is_sure)
                break


def _found(sentence: Sentence, said: Said, side: Side, why: tuple[str, int], *, is_sure: bool) -> Found:
    given, end = why
    is_accepted = is_sure and (said.cue.confidence >= FIRM or bool(given))
    return Found(
        text=one_line(plain(sentence.text[said.start : end]), _TEXT),
        by=side.value,
        found_by="statement" if side is Side.USER else "report",
        evidence=one_line(sentence.text, _EVIDENCE),
        place=Place(side=side, offset=sentence.start),
        reason=one_line(given, _TEXT),
        status=Status.ACCEPTED if is_accepted else Status.PROPOSED,
        confidence=said.cue.confidence,
    )
