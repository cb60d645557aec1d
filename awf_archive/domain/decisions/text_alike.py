"""Whether two decisions say the same in other words, or the later one takes back what the earlier took (SPEC 1.8).

Precision first: what is not plainly the same stays two entries, and a contradiction is only ever proposed.
"""

import re
from functools import cache, lru_cache
from typing import NamedTuple

from awf_archive.domain.decisions.text_cues import CUES
from awf_archive.domain.decisions.text_sentences import sentences
from awf_archive.domain.decisions.text_speech import speeches
from awf_archive.domain.fold import fold


class Meaning(NamedTuple):
    """What a decision comes down to."""

    taken: frozenset[str]
    """Words of what is done, without fillers and marks; Chinese by pairs of characters."""
    refused: frozenset[str]
    """Words of what is not, where the decision says so."""
    is_against: bool


_WORD = re.compile(r"[a-z0-9][a-z0-9_.+#/'-]*[a-z0-9_+#]|[a-z0-9]|[\u3400-\u9fff]+")
_NUMBER = re.compile(r"\d[\d.,:%]*[a-z]{0,3}")


@cache
def _fillers() -> tuple[frozenset[str], str]:
    """Return the words that say nothing, and the characters."""
    words = (word for cues in CUES if cues.joint.endswith(" ") for word in cues.fillers.split())
    return frozenset(words), "".join(cues.fillers for cues in CUES if not cues.joint.endswith(" "))


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text that say something.

    >>> sorted(words_of("dùng SQLite cho hàng đợi")), sorted(words_of("用对象存储"))
    (['doi', 'hang', 'sqlite'], ['存储', '对象', '象存'])
    """
    fillers, characters = _fillers()
    found: set[str] = set()
    for word in _WORD.findall(fold(text)):
        if word[0] < "\u3400":
            if word not in fillers:
                found.add(word)
            continue
        for part in re.split(f"[{characters}]", word):
            found.update({part[at : at + 2] for at in range(max(1, len(part) - 1))} if part else ())
    return frozenset(found)


@lru_cache(maxsize=4096)
def meaning(text: str) -> Meaning:
    """Return what a decision's text comes down to."""
    languages = speeches(text)
    sentence = next(sentences(text), None)
    refused: frozenset[str] = frozenset()
    is_against = False
    for speech in languages:
        if sentence is None:
            break
        said = speech.decides(sentence, "user")
        if said and not refused and said.refused:
            refused = words_of(said.refused)
        is_against = is_against or bool(speech.find("denies", sentence))
    taken = words_of(text)
    if refused and taken - refused:
        return Meaning(taken - refused, refused, is_against=False)
    return Meaning(taken, refused, is_against)


_MOSTLY = 0.8


def says_the_same(one: str, other: str) -> bool:
    """Whether two decisions are one in other words.

    >>> says_the_same("dùng SQLite thay vì Redis", "let's use SQLite instead of Redis")
    True
    >>> says_the_same("use SQLite", "don't use SQLite"), says_the_same("timeout 30s", "timeout 60s")
    (False, False)
    """
    first, second = meaning(one), meaning(other)
    if first.is_against != second.is_against or not first.taken or not second.taken:
        return False
    if _numbers(first.taken) != _numbers(second.taken) or (
        first.refused and second.refused and first.refused != second.refused
    ):
        return False
    shared = len(first.taken & second.taken)
    return shared / len(first.taken | second.taken) >= _MOSTLY


def takes_back(later: str, earlier: str) -> bool:
    """Whether a later decision refuses what an earlier one took, or sets another number for the same thing.

    >>> takes_back("khỏi Redis, dùng SQLite", "dùng Redis làm hàng đợi")
    True
    >>> takes_back("default timeout is 60s", "default timeout is 30s")
    True
    >>> takes_back("dùng SQLite thay vì Redis", "dùng SQLite làm hàng đợi")
    False
    """
    new, old = meaning(later), meaning(earlier)
    if new.is_against != old.is_against and new.taken and new.taken == old.taken:
        return True
    if old.is_against or not old.taken:
        return False
    gone = {word for word in new.refused & old.taken if len(word) > 1 and not _NUMBER.fullmatch(word)}
    if gone:
        return new.is_against or not gone & new.taken
    numbers = _numbers(new.taken), _numbers(old.taken)
    rest = new.taken - numbers[0], old.taken - numbers[1]
    return bool(all(numbers) and numbers[0] != numbers[1] and len(rest[0]) > 1 and rest[0] == rest[1])


def _numbers(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words if _NUMBER.fullmatch(word))
