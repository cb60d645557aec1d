"""Options that an assistant listed, and which of them a user picks (SPEC 1.8)."""

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from awf_archive.domain.decisions.text_alike import words_of
from awf_archive.domain.decisions.text_cues import CUES
from awf_archive.domain.decisions.text_sentences import EDGE, Sentence, plain, without_marks
from awf_archive.domain.decisions.text_speech import Speech

_TAIL = 8_000
"""Characters of an answer's end in which options stand: what is before was not asked about."""


class Option(NamedTuple):
    """One of several that were offered."""

    label: str
    """`a`, `2`: lower case, without marks."""
    text: str
    start: int


@cache
def _option_line() -> re.Pattern[str]:
    words = "|".join(cues.option_words + "|" + without_marks(cues.option_words) for cues in CUES)
    return re.compile(
        rf"^[\s>#*_\-•]*(?:(?P<word>{words})\s*#?)?(?P<label>[a-h]|\d{{1,2}}|[一二三四五六甲乙丙])"
        r"(?:\s*[.):：、）]|\s+[-–—]|\*\*|\s*$)[\s*:：\-–—]*(?P<text>.*)$",
        re.IGNORECASE | re.MULTILINE,
    )


_LETTERS = "abcdefgh"

_SAME_LABEL = {label: str(number) for number, label in enumerate("一二三四五六", 1)} | dict(
    zip("甲乙丙", "123", strict=True)
)


def option_lists(answer: str) -> list[tuple[Option, ...]]:
    """Return the lists of options in an answer: what is called options before what is only numbered, the last first.

    A list of questions has no options.

    >>> option_lists("Two ways:\\n1. SQLite\\n2. **Redis**: fast\\nWhich one?")[0][1].text
    'Redis: fast'
    """
    tail = answer[-_TAIL:]
    before = len(answer) - len(tail)
    found = [one for one in _option_line().finditer(tail) if plain(one["text"]) or one["word"]]
    lists: list[list[re.Match[str]]] = []
    for some in ([one for one in found if one["word"]], [one for one in found if not one["word"]]):
        runs: list[list[re.Match[str]]] = []
        for one in some:
            if not runs or _label(one["label"]) in {"1", "a"}:
                runs.append([])
            runs[-1].append(one)
        lists.extend(reversed(runs))
    return [
        tuple(
            Option(_label(one["label"]), _option_text(one, tail), before + one.start("label")) for one in run
        )
        for run in lists
        if not any(one["text"].rstrip(" *_").endswith(("?", "？")) for one in run)
    ]


def named(said: str, options: Sequence[Option]) -> Option | None:
    """Return the one option whose name a few words say; None when they say none, several, or much besides.

    >>> named("SQLite please", option_lists("1. **Redis**: fast\\n2. **SQLite**: no server")[0]).text
    'SQLite: no server'
    """
    words = words_of(said)
    met = [one for one in options if words & words_of(_NAME_END.split(one.text, maxsplit=1)[0])]
    return met[0] if len(met) == 1 and len(words) <= _MOST_WORDS else None


_NAME_END = re.compile(r"\s[-–—]+\s|[:：(（,，。]")
"""What parts an option's name from what is said of it."""

_MOST_WORDS = 4
"""Telling words of a reply that only names an option."""


def _option_text(found: re.Match[str], answer: str) -> str:
    text = plain(found["text"])
    if text:
        return text
    return plain(next((line for line in answer[found.end() :].split("\n", 3) if line.strip()), ""))


def _label(label: str) -> str:
    return _SAME_LABEL.get(label, label.lower())


class Pick(NamedTuple):
    """Which option a sentence picks."""

    name: str
    is_place: bool
    """Counted in the list (`the second one`), not named by its label."""


_BARE = re.compile(r"\b(?:[a-h]|\d{1,2})\b")
"""A label alone: before another one, both are meant (`2 and 3`), and neither is picked."""


def pick_in(words: Sentence, speech: Speech) -> Pick | None:
    """Return the option that a user's sentence picks, whatever was offered; a bare `2` only when it stands first."""
    said = words.spoken.strip(EDGE)
    for start in speech.clause_starts(said):
        found = speech.pattern("picks").match(said, start)
        if not found:
            continue
        if found[0][-1:].isalnum() and said[found.end() : found.end() + 1].isalnum() and said.isascii():
            continue
        rest = said[found.end() :].lstrip()
        groups = {name: value for name, value in found.groupdict().items() if value}
        is_one_of_some = "bare" in groups and bool(_BARE.search(said[:start]))
        if not is_one_of_some and (not rest or (_goes_on(rest, speech) and not ("bare" in groups and start))):
            group, name = next(iter(groups.items()))
            return Pick(name, is_place=group in {"place", "last"})
    return None


def _goes_on(rest: str, speech: Speech) -> bool:
    """Whether what follows a pick says more of it: it is none when it goes on otherwise (`the first thing …`)."""
    return rest[0] in ",.;:!-–—(、。" or any(
        speech.pattern(name).match(rest) for name in ("because", "amends")
    )


def picked(pick: Pick, options: Sequence[Option], speech: Speech) -> Option | None:
    """Return the option that a pick means; None when it is none of these."""
    if pick.is_place:
        place = speech.ordinals.get(pick.name, int(pick.name) if pick.name.isdecimal() else 0)
        fits = place and abs(place) <= len(options)
        return options[place - 1 if place > 0 else place] if fits else None
    label = _label(pick.name)
    number = label if label.isdecimal() else str(speech.ordinals.get(pick.name, 0))
    letter = _LETTERS[int(number) - 1] if 0 < int(number) <= len(_LETTERS) else ""
    return next((one for one in options if one.label in {label, number, letter}), None)
