"""What words of a sentence count when sentences are compared, and what a session was about (docs/summaries.md)."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise

from awf_archive.domain.summary.sentences import HAN
from awf_archive.domain.summary.stop_words import HAN_STOPS, STOP_WORDS

_WORD = re.compile(rf"[^\W\d_{HAN}][\w{HAN}'’./+#-]*[^\W{HAN}]|[^\W\d_{HAN}]|[{HAN}]+|\d[\w.]*")
_IDENTIFIER = re.compile(r"[a-z][A-Z]|\w[_./#]\w|[A-Z]{2}|\w\d|^[A-Z][a-z]+[A-Z]")
_HAN_RUN = re.compile(rf"[{HAN}]+")


@lru_cache(maxsize=4096)
def terms(sentence: str) -> frozenset[str]:
    """Return the words that tell what a sentence is about, folded; Chinese by pairs of characters.

    >>> sorted(terms("Add the `--since` option to export_cli.py"))
    ['export_cli.py']
    >>> sorted(terms("修复登录错误"))
    ['修复', '复登', '录错', '登录', '错误']
    """
    found: set[str] = set()
    for match in _WORD.finditer(unicodedata.normalize("NFC", sentence)):
        word = match[0].rstrip(".'’-/")
        if _HAN_RUN.match(word):
            found.update(_pairs(word))
        elif (folded := word.casefold()) not in STOP_WORDS and len(folded) > 1 and not _is_number(folded):
            found.add(folded.removesuffix("'s").removesuffix("’s"))
    return frozenset(found)


_HEX = re.compile(r"[0-9a-f-]{7,}")


def _is_number(word: str) -> bool:
    """Whether a word is a number, a time or an id: it tells a reader nothing."""
    return sum(map(str.isdecimal, word)) * 2 >= len(word) or (
        bool(_HEX.fullmatch(word)) and any(map(str.isdecimal, word))
    )


def _pairs(run: str) -> Iterator[str]:
    for one, two in pairwise(run):
        if one not in HAN_STOPS and two not in HAN_STOPS and one + two not in STOP_WORDS:
            yield one + two


def overlap(one: frozenset[str], two: frozenset[str]) -> float:
    """Return which part of the shorter of two sentences the other says too: 0 to 1."""
    return len(one & two) / min(len(one), len(two)) if one and two else 0.0


_SAME = 0.6


def is_same(one: frozenset[str], two: frozenset[str]) -> bool:
    """Whether two sentences say the same: most words of the shorter are in the other."""
    return overlap(one, two) >= _SAME


def is_identifier(word: str) -> bool:
    """Whether a word is a name of code or a file rather than of a language."""
    return bool(_IDENTIFIER.search(word))


_TOPICS = 5
_LONGEST = 40
_PLACE = re.compile(r"^(?:https?:|/|~|\.{1,2}/)")


def topics(titles: Iterable[str], files: Iterable[str] = ()) -> tuple[str, ...]:
    """Return what a session was about: names, identifiers and words that its prompts and changed files share.

    >>> topics(["Add OAuth login to the API", "why does the OAuth callback fail?"], ["src/login.py"])
    ('OAuth', 'login', 'API', 'callback', 'fail')
    >>> topics(["thêm xác thực hai lớp", "sửa lỗi xác thực"])
    ('xác thực', 'hai lớp', 'lỗi')
    >>> topics(["设计拉黑接口", "拉黑记录表需要哪些字段"])
    ('拉黑', '设计', '接口', '记录', '字段')
    """
    shown: dict[str, str] = {}
    counted: Counter[str] = Counter()
    in_files = {part for path in files for part in _parts_of_path(path)}
    for title in titles:
        for name in dict.fromkeys(_names(unicodedata.normalize("NFC", title))):
            key = name.casefold()
            shown.setdefault(key, name)
            counted[key] += 2 if is_identifier(name) or key in in_files else 1
            if " " in name or _HAN_RUN.match(name):
                counted[key] += 1
    kept: list[str] = []
    used: set[str] = set()
    for key in sorted(counted, key=lambda key: -counted[key]):
        parts = set(key) if _HAN_RUN.match(key) else set(key.split())
        if not parts & used and len(kept) < _TOPICS:
            kept.append(key)
            used |= parts
    return tuple(shown[key] for key in kept)


def _parts_of_path(path: str) -> set[str]:
    name = path.replace("\\", "/").rsplit("/", 1)[-1].casefold()
    return {name, name.split(".", 1)[0]}


def _names(title: str) -> Iterator[str]:
    """Yield what may name a topic: words, pairs with marks (a Vietnamese word is often two), Chinese pairs."""
    before = ""
    place = 0
    for match in _WORD.finditer(title):
        word = match[0].strip(".'’-/+")
        is_next = title[place : match.start()] == " "
        place = match.end()
        folded = word.casefold()
        if _HAN_RUN.match(word):
            yield from _pairs(word)
            before = ""
            continue
        if folded in STOP_WORDS or not 1 < len(word) <= _LONGEST or _is_number(folded) or _PLACE.match(word):
            before = ""
            continue
        if before and is_next and not (word.isascii() and before.isascii()):
            yield f"{before} {word}"
        yield word.rsplit("/", 1)[-1]
        before = word
