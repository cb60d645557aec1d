"""Cuts any text into search terms: one tokenizer for index, queries, snippets and the site's own index.

Vietnamese is found with and without marks, Chinese, Japanese and Korean by pairs and single characters, code
whole and in parts. Offsets always point into the text as it was given. No engine is loaded here; the
stemmer (Whoosh's Porter2) is imported with the first English word.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from awf_archive.search.lean_import import without_unused

ANALYSIS_VERSION = 1
"""Part of the index's name on disk: another number, another index."""

MAX_TERM = 64
"""Longer words are no terms; nobody types them."""

_LONGEST_SENT = 1_000
"""Characters; a mark on a mark on a mark. Lucene refuses a whole document for a term of 32 766 bytes."""

_MAX_PARTS = 8
"""An identifier of more parts is noise (a mangled name, an id) and stays whole."""


class Form(StrEnum):
    """What a token is to the word it comes from."""

    PLAIN = "plain"
    """Folded and stemmed: what a query looks for. One per position in query mode."""
    EXACT = "exact"
    """As written, with its marks: `quyết` beside `quyet`."""
    WHOLE = "whole"
    """All parts of an identifier as one: `getusername`."""


class Token(NamedTuple):
    """One term and where it stands."""

    text: str
    position: int
    start: int
    end: int
    form: Form = Form.PLAIN


_CJK = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005\u3007\u3021-\u3029\u3041-\u3096\u3099\u309a\u309d-\u309f"
    "\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u3131-\u318e\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb\uf900-\ufaff\uff66-\uff9f\uffa1-\uffdc"
    "\U00020000-\U0003ffff"
)
_AROUND_CJK = (
    "\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff"
)
"""The same in fewer ranges, for leaving it out: every range here costs start-up time when compiled."""
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u064b-\u065f\u0900-\u0963\u0966-\u0e7f"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u200c\u200d"
)
"""Combining marks; the letters between them are parts of words anyway."""
_LETTER = rf"[^\W{_AROUND_CJK}]"
_IN_WORD = rf"(?:{_LETTER}|[{_MARKS}])"

_ESCAPES = (
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours and cursor moves
    r"|\x1b\][^\x07\x1b]{0,2048}(?:\x07|\x1b\\)"  # OSC: window titles and links
    r"|\x1b[@-Z\\^_]"
    r"|\\(?:u001b|x1b|033|e)\[[0-9;?]*[A-Za-z]"  # the same, spelled out in JSON or source code
    r"|[\u27e6]U\+001B[\u27e7](?:\[[0-?]*[ -/]*[@-~])?"  # and as a turn file escapes it
    r"|[\u27e6]U\+[0-9A-F]{4}[\u27e7]"
)
ESCAPE_SEQUENCE = re.compile(_ESCAPES)
"""What a terminal would act on; never a term, never shown."""

_BASE64 = r"(?=[A-Za-z0-9+/]{0,79}[+/0-9])[A-Za-z0-9+/]{80,}={0,2}"

_SCAN = re.compile(
    rf"({_ESCAPES})"
    rf"|([a-z]+)(?![\w'’+#\u0300-\u036f])"
    rf"|([{_CJK}]+)"
    r"|([cC]\+\+(?!\+)|[cCfF]\#(?!\w))"
    rf"|({_BASE64})"
    rf"|({_LETTER}{_IN_WORD}*(?:['’]{_IN_WORD}+)*)"
)
_ESCAPE, _FAST, _CJK_RUN, _C_FAMILY, _BLOB, _WORD = range(1, 7)

Mode = Literal["index", "query"]
_Piece = tuple[str, int, int, int, Form]
"""Term, position, start and end relative to the word, form."""
_Pieces = tuple[tuple[_Piece, ...], int]
"""The pieces of a word and how many positions it takes."""


def tokens(text: str, mode: Mode = "index") -> Iterator[Token]:
    """Cut `text` into terms. Index mode gives every form; query mode exactly one term per position.

    >>> [token.text for token in tokens("Sửa getUserName trong 数据库")]
    ['sua', 'sửa', 'get', 'getusernam', 'user', 'name', 'getusernam', 'trong', '数', '数据', '据', '据库', '库']
    >>> [token.text for token in tokens("Sửa getUserName trong 数据库", mode="query")]
    ['sua', 'get', 'user', 'name', 'trong', '数据', '据库']
    """
    chosen = _every(text) if mode == "index" else _one_per_position(text)
    for (term, position, start, end, form), base, offset in chosen:
        yield Token(term, base + position, offset + start, offset + end, form)


def term_positions(text: str, into: dict[str, list[int]], base: int = 0) -> int:
    """Add each term's positions, counted from `base`, to `into`; return the next free position."""
    for match in _SCAN.finditer(text):
        pieces, width = _word(match[0]) if match.lastindex == _FAST else _pieces(match)
        for piece in pieces:
            if piece[0] in into:
                into[piece[0]].append(base + piece[1])
            else:
                into[piece[0]] = [base + piece[1]]
        base += width
    return base


def term_stream(text: str) -> str:
    """Return the terms of a text for an engine that cuts at blanks: `|` between the terms of one position.

    A position without any term is `|` alone; a term too long for an engine is left out.

    >>> term_stream("Sửa getUserName trong 数据库")
    'sua|sửa get|getusernam user name|getusernam trong 数|数据 据|据库 库'
    """
    words = (
        (_known_stream if len(match[0]) <= MAX_TERM else _stream_of)(match[0], match.lastindex)
        for match in _SCAN.finditer(text)
    )
    return " ".join(filter(None, words))


def _stream_of(word: str, kind: int | None) -> str:
    pieces, width = _pieces_of(word, kind)
    slots: list[list[str]] = [[] for _ in range(width)]
    for piece in pieces:
        if len(piece[0]) <= _LONGEST_SENT:
            slots[piece[1]].append(piece[0])
    return " ".join("|".join(slot) or "|" for slot in slots)


_known_stream = lru_cache(maxsize=1 << 15)(_stream_of)


def fold(text: str) -> str:
    """Return `text` without case, width and marks, as terms are folded: what looks alike is alike.

    >>> fold("Bạch Đằng ＡＰＩ")
    'bach dang api'
    """
    return _without_marks(_exact(text))


def _every(text: str) -> Iterator[tuple[_Piece, int, int]]:
    base = 0
    for match in _SCAN.finditer(text):
        pieces, width = _pieces(match)
        for piece in pieces:
            yield piece, base, match.start()
        base += width


def _one_per_position(text: str) -> Iterator[tuple[_Piece, int, int]]:
    """Leave out exact and whole forms, and single characters but those that bridge to the next word.

    A run of n characters holds n positions but only n-1 pairs; without the last single character a phrase
    over a change of script (使用React) would have a hole.
    """
    bridge: tuple[_Piece, int, int] | None = None
    base = 0
    for match in _SCAN.finditer(text):
        pieces, width = _pieces(match)
        if bridge and pieces:
            yield bridge
        bridge = None
        if match.lastindex == _CJK_RUN and width > 1:
            bridge = pieces[-1], base, match.start()
            pieces = tuple(piece for piece in pieces if len(piece[0]) > 1)
        for piece in pieces:
            if piece[4] is Form.PLAIN:
                yield piece, base, match.start()
        base += width


def _pieces(match: re.Match[str]) -> _Pieces:
    return _pieces_of(match[0], match.lastindex)


def _pieces_of(word: str, kind: int | None) -> _Pieces:
    if kind in (_FAST, _WORD):
        return _word(word)
    if kind == _CJK_RUN:
        return _cjk_run(word)
    if kind == _C_FAMILY:
        term = word.lower()
        return ((term, 0, 0, len(term), Form.PLAIN),), 1
    if kind == _BLOB and not _is_base64(word):
        return _path_like(word)
    return (), 0


def _is_base64(blob: str) -> bool:
    """Tell data from a long path: data mixes capitals and digits evenly."""
    sample = blob[:400]
    capitals = sum(char.isupper() for char in sample)
    digits = sum(char.isdigit() for char in sample)
    return capitals * 6 > len(sample) and digits * 25 > len(sample)


def _path_like(blob: str) -> _Pieces:
    found: list[_Piece] = []
    base = 0
    for match in re.finditer(r"[A-Za-z0-9]+", blob):
        pieces, width = _word(match[0])
        shift = match.start()
        found += [
            (term, base + at, shift + start, shift + end, form) for term, at, start, end, form in pieces
        ]
        base += width
    return tuple(found), base


# Chinese, Japanese, Korean

_CLUSTER = re.compile(
    "[\u1100-\u115f\ua960-\ua97c]+[\u1160-\u11a7\ud7b0-\ud7c6]*[\u11a8-\u11ff\ud7cb-\ud7fb]*"
    "|[\uac00-\ud7a3][\u11a8-\u11ff]*"
    "|.[\u3099\u309a\uff9e\uff9f]?",
    re.DOTALL,
)
_NEEDS_CLUSTERS = re.compile(
    "[\u1100-\u11ff\u2e80-\u2fdf\u3099\u309a\u309f\u30ff\u3131-\u318e\ua960-\ua97c\ud7b0-\ud7fb"
    "\uf900-\ufaff\uff66-\uffdc\U0002f800-\U0002fa1f]"
)


def _cjk_run(run: str) -> _Pieces:
    """Give each character and each pair of neighbours.

    Half-width kana and Hangul letters are put together first, each cluster with the offsets it came from.
    """
    if _NEEDS_CLUSTERS.search(run):
        units = [
            (char, match.start(), match.end())
            for match in _CLUSTER.finditer(run)
            for char in unicodedata.normalize("NFKC", match[0])
        ]
    else:
        units = [(char, at, at + 1) for at, char in enumerate(run)]
    found: list[_Piece] = []
    for index, (char, start, end) in enumerate(units):
        found.append((char, index, start, end, Form.PLAIN))
        if index + 1 < len(units):
            following = units[index + 1]
            found.append((char + following[0], index, start, following[2], Form.PLAIN))
    return tuple(found), len(units)


# Words

_NOT_DECOMPOSED = str.maketrans(
    {"đ": "d", "ð": "d", "ł": "l", "ø": "o", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ħ": "h", "ŋ": "n"}
)
_LATIN_MARKS = re.compile("[\u0300-\u036f\u200c\u200d]")

_ASCII_PARTS = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_OTHER_PARTS = re.compile(rf"[^\W\d_](?:[^\W\d_]|[{_MARKS}])*|\d+")
_HASH = re.compile(r"(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{7,64}", re.IGNORECASE)
_VERSION = re.compile(r"[vV][0-9]+")
_CONTRACTIONS = frozenset({"s", "re", "ve", "ll", "d", "m"})


def is_hash(word: str) -> bool:
    """Whether `word` looks like (the beginning of) a commit hash.

    >>> is_hash("a1b2c3d"), is_hash("decade"), is_hash("20260302")
    (True, False, False)
    """
    return _HASH.fullmatch(word) is not None


@lru_cache(maxsize=1 << 16)
def _word(word: str) -> _Pieces:
    """Cut one word without blanks, dots or hyphens into its pieces."""
    if word.isascii() and word.islower() and word.isalpha():
        return _single(word, 0, len(word)), 1
    if "'" in word or "’" in word:
        return _with_apostrophe(word)
    if _VERSION.fullmatch(word):
        whole = (word.lower(), 0, 0, len(word), Form.WHOLE)
        return ((word[1:], 0, 1, len(word), Form.PLAIN), whole), 1
    pattern = _ASCII_PARTS if word.isascii() else _OTHER_PARTS
    parts = [match.span() for match in pattern.finditer(word)]
    if not parts or len(parts) > _MAX_PARTS or is_hash(word):
        return _single(word, 0, len(word)), 1
    if len(parts) == 1:
        return _single(word, *parts[0]), 1
    return _identifier(word, parts)


def _identifier(word: str, parts: list[tuple[int, int]]) -> _Pieces:
    """Give each part a position, and the joined whole those of the first and the last.

    The first lets `getusername now` be a phrase, the last `the sqlite`, whichever way the word was written.
    """
    folded = "".join(fold(word[start:end]) for start, end in parts)
    term = _stem(folded)
    pieces: list[_Piece] = []
    for position, (start, end) in enumerate(parts):
        pieces += [(text, position, at, to, form) for text, _, at, to, form in _single(word, start, end)]
        if position in (0, len(parts) - 1) and len(term) <= MAX_TERM:
            pieces.append((term, position, 0, len(word), Form.WHOLE))
    return tuple(pieces), len(parts)


def _with_apostrophe(word: str) -> _Pieces:
    """`user's` is `user`, `don't` is `dont`; anything else is several words."""
    head, *tails = re.split("['’]", word)
    if len(tails) == 1 and tails[0].lower() in _CONTRACTIONS:
        pieces, width = _word(head)
        return pieces, width
    if len(tails) == 1 and tails[0].lower() == "t":
        return ((_stem(fold(head + "t")), 0, 0, len(word), Form.PLAIN),), 1
    found: list[_Piece] = []
    base = offset = 0
    for part in (head, *tails):
        pieces, width = _word(part)
        found += [
            (term, base + at, offset + start, offset + end, form) for term, at, start, end, form in pieces
        ]
        base += width
        offset += len(part) + 1
    return tuple(found), base


def _single(word: str, start: int, end: int) -> tuple[_Piece, ...]:
    """Give one part: folded and stemmed, and as written when it has marks."""
    exact = _exact(word[start:end])
    folded = _without_marks(exact)
    if not 0 < len(folded) <= MAX_TERM:
        return ()
    plain = (_stem(folded), 0, start, end, Form.PLAIN)
    if exact == folded:
        return (plain,)
    return plain, (exact, 0, start, end, Form.EXACT)


def _exact(text: str) -> str:
    return text.lower() if text.isascii() else unicodedata.normalize("NFC", _casefold(text))


def _casefold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _without_marks(text: str) -> str:
    if text.isascii():
        return text
    bare = _LATIN_MARKS.sub("", unicodedata.normalize("NFD", text)).translate(_NOT_DECOMPOSED)
    return unicodedata.normalize("NFC", bare)


# English

_STEMS_BY_BEGINNING = {
    "importan": "important",
    "organiz": "organiz",
    "organis": "organiz",
    "universit": "university",
}
"""Beginnings that Porter2 joins with other words (import/important, organ/organization), and what they become."""

_STEMS_BY_WORD = {
    word: word
    for word in ("organ", "police", "redis", "kubernetes", "aws", "css", "sass", "alias", "news", "windows")
} | {"organs": "organ"}
"""Names and words that Porter2 would cut into another word."""

_SHORTEST_STEMMED = 3


def _stem(word: str) -> str:
    """Return the stem of an English word; anything else is its own.

    Porter2, not Porter1: of 1,443 Vietnamese syllables without marks Porter1 turns 44 into others (ngay → ngai).
    """
    if len(word) < _SHORTEST_STEMMED or not word.isascii() or not word.isalpha():
        return word
    if word in _STEMS_BY_WORD:
        return _STEMS_BY_WORD[word]
    for beginning, stem in _STEMS_BY_BEGINNING.items():
        if word.startswith(beginning):
            return stem
    return _porter2()(word)


@cache
def _porter2() -> Callable[[str], str]:
    with without_unused():
        from whoosh.lang.snowball.english import EnglishStemmer

    stem: Callable[[str], str] = EnglishStemmer().stem
    return stem
