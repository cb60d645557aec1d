"""Decisions in a user's reply: an option picked, a proposal agreed to, a question answered (SPEC 1.8).

What was decided stands in the turn before: the context is asked for only when the reply may be one.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, takewhile

from awf_archive.domain.decisions.found import Context, Exchange, Found, Place, Side, Status
from awf_archive.domain.decisions.text_alike import words_of
from awf_archive.domain.decisions.text_cues import FIRM, LIKELY
from awf_archive.domain.decisions.text_options import Option, Pick, named, option_lists, pick_in, picked
from awf_archive.domain.decisions.text_proposals import (
    EXPLAINED,
    Proposal,
    explained_in,
    open_question,
    proposal_in,
)
from awf_archive.domain.decisions.text_sentences import EDGE, Sentence, plain, sentences
from awf_archive.domain.decisions.text_speech import Speech, reason, speeches
from awf_archive.domain.tool_lines import one_line
from awf_archive.domain.triggers import Consent, consent_in

_REPLY = 300
"""Characters; a longer message says more than what was asked."""

_FEW = 40
"""Characters of a reply that only takes up what it was told."""

_FIRST = 2
"""Sentences of a reply that answer."""

_CHOSEN = 0.95
"""Confidence of a pick: the option is there, word for word."""

TEXT, EVIDENCE = 300, 500
"""Characters of a decision's text and evidence (`domain.decisions`)."""


def replied(user: str, context: Context, stated: Collection[int]) -> Iterator[Found]:
    """Yield what a user's message settles of the turn before it.

    `stated` are the places of sentences that say a decision by themselves.
    """
    if user.lstrip()[:1] in {"", "/", "!", "<", ">"}:
        return
    told = list(islice(sentences(user[:_REPLY]), _FIRST))
    if not told:
        return
    if len(user) <= _REPLY and (picks := picks_in(told)):
        if choice := next(_choices(picks, user, context), None):
            yield choice
            return
        if option_lists(_last(context).assistant):
            return
    if consent := _consent(told[0], user):
        proposal = None if _amends(told[0]) else _agreed(consent, _last(context))
        if proposal and not proposal.is_choice:
            return
        if proposal:
            is_more = told[0].start in stated
            yield _agreement(proposal, _CLAUSE_END.split(told[0].text, 1)[0] if is_more else told[0].text)
            return
        told = told[1:] if len(told) > 1 else told
    if len(user) <= _REPLY:
        yield from _answered(list(takewhile(lambda one: one.start not in stated, told)), user, _last(context))


_CLAUSE_END = re.compile(r"[,;:.，；：。]")


def _last(context: Context) -> Exchange:
    return context.before[-1] if context.before else Exchange(user="", assistant="")


def picks_in(told: Iterable[Sentence]) -> list[tuple[Sentence, Pick, Speech]]:
    """Return which options sentences may pick, before anything is known of these."""
    return [
        (sentence, pick, speech)
        for sentence in told
        if not sentence.is_question
        for speech in speeches(sentence.text)
        if (pick := pick_in(sentence, speech))
    ]


def _choices(picks: Sequence[tuple[Sentence, Pick, Speech]], user: str, context: Context) -> Iterator[Found]:
    """Yield what each list of the turns before offers under the name that was picked, the last list first."""
    languages = speeches(user)
    for back, exchange in enumerate(reversed(context.before), 1):
        for options in option_lists(exchange.assistant):
            for sentence, pick, speech in picks:
                if option := picked(pick, options, speech):
                    why, _ = reason(sentence, 0, languages)
                    chosen = _of_option(option, options, user)
                    yield replace(
                        chosen, reason=one_line(why, TEXT), place=replace(chosen.place, turns_back=back)
                    )


def _of_option(option: Option, options: Iterable[Option], user: str) -> Found:
    return Found(
        text=one_line(option.text, TEXT),
        by="user",
        found_by="choice",
        evidence=one_line(f"{option.text} → {user}", EVIDENCE),
        place=Place(side=Side.ASSISTANT, offset=option.start, turns_back=1),
        options=tuple(one_line(one.text, TEXT) for one in options),
        confidence=_CHOSEN,
    )


def _consent(first: Sentence, user: str) -> Consent | None:
    """Return how a message agrees, if it does."""
    clause = _CLAUSE_END.split(first.spoken.strip(), maxsplit=1)[0].strip()
    whole = first.spoken.strip(EDGE)
    goes_on = any(
        speech.pattern("consents").fullmatch(words)
        for speech in speeches(first.text)
        for words in (clause, whole)
    )
    return consent_in(user) or (Consent.WEAK if goes_on and not first.is_question else None)


def _amends(first: Sentence) -> bool:
    """Whether a message changes what it agrees to."""
    return any(
        speech.find("overrides", first)
        or any(speech.pattern("amends").match(first.spoken, at) for at in speech.clause_starts(first.spoken))
        for speech in speeches(first.text)
    )


def _agreed(consent: Consent, last: Exchange) -> Proposal | None:
    """Return what was agreed to: what was proposed, else what was explained when the user had asked."""
    if proposal := proposal_in(last.assistant):
        return proposal
    is_settling = consent is Consent.STRONG and _is_asked(last.user)
    return explained_in(last.assistant) if is_settling else None


def _is_asked(words: str) -> bool:
    """Whether a message ends with a question of what to do."""
    told = list(sentences(words[-_REPLY:]))
    return bool(told) and any(
        speech.find("weighs", told[-1])
        and (told[-1].is_question or speech.find("asks", told[-1]) or speech.find("alternatives", told[-1]))
        for speech in speeches(words)
    )


def _agreement(proposal: Proposal, consent: str) -> Found:
    return Found(
        text=one_line(proposal.text, TEXT),
        by="user",
        found_by="agreement",
        evidence=one_line(f"{one_line(proposal.words, EVIDENCE - 100)} → {consent}", EVIDENCE),
        place=Place(side=Side.ASSISTANT, offset=proposal.start, turns_back=1),
        reason=one_line(proposal.reason, TEXT),
        confidence=FIRM,
    )


def _answered(told: Sequence[Sentence], user: str, last: Exchange) -> Iterator[Found]:
    """Yield the answer to what the assistant asked, or what its answer to the user's question came to."""
    answers = [one for one in told if _is_answer(one)]
    if not answers or not last.assistant:
        return
    asked = open_question(last.assistant, is_refused=_refuses(told[0]))
    said = " ".join(one.text for one in answers)
    if not asked and not (_is_asked(last.user) and _takes_up(said, last.assistant)):
        return
    denied = any(speech.find("denies", one) for one in answers for speech in speeches(said))
    for options in option_lists(last.assistant) if asked and not denied else ():
        if option := named(said, options):
            yield _of_option(option, options, user)
            return
    yield Found(
        text=one_line(f"{one_line(asked, TEXT // 2)} → {plain(said)}" if asked else plain(said), TEXT),
        by="user",
        found_by="answer",
        evidence=one_line(said, EVIDENCE),
        place=Place(side=Side.USER, offset=answers[0].start),
        status=Status.PROPOSED,
        confidence=LIKELY,
        matter=one_line(asked, TEXT),
    )


def _takes_up(said: str, answer: str) -> bool:
    """Whether a few words take up those of a short answer: they settle what the user had asked."""
    return len(said) <= _FEW and len(answer) <= EXPLAINED and bool(words_of(said) & words_of(answer))


def _refuses(first: Sentence) -> bool:
    languages = speeches(first.text)
    return any(speech.pattern("refuses").match(first.spoken.lstrip()) for speech in languages)


def _is_answer(sentence: Sentence) -> bool:
    """Whether a sentence may answer: it asks nothing, doubts nothing, and orders no work."""
    languages = speeches(sentence.text)
    if sentence.is_question or any(
        speech.pattern("refuses").fullmatch(sentence.spoken.strip(EDGE)) for speech in languages
    ):
        return False
    return not any(
        speech.find(name, sentence) for speech in languages for name in ("doubts", "asks", "works")
    )
