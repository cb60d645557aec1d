"""Sentences of a chat message as cues read them, each leading back to its place (SPEC 1.8).

What is no speech is left out (code blocks, quoted lines, tables, tags) or becomes a hole (code, quotations and links
in a line). Only lines that hold a seed are looked at, so a text of a megabyte costs its reading and little more.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

HOLE = "\x00"
"""Stands for each character of what was code or quoted: something is there, but no word."""

LONGEST = 600
"""Characters of a sentence that are looked at; what is longer was not said but pasted."""


class Sentence(NamedTuple):
    """One sentence."""

    text: str
    """Its own words, composed (NFC)."""
    start: int
    """Characters into the message."""
    spoken: str
    """`text` as cues read it, character by character: lower case, narrow signs, holes, no emphasis."""
    following: str
    """What comes next on its line, else the next line: its own words."""

    @property
    def is_question(self) -> bool:
        """Whether it ends with a question mark."""
        return self.spoken.rstrip(" )\"'").endswith("?")


def sentences(text: str, seeds: Sequence[str] = ()) -> Iterator[Sentence]:
    """Yield the sentences of a message; with `seeds` only those that hold one of these lower-case words.

    >>> [one.text for one in sentences("Dùng SQLite đi. Vì nó gọn.\\n> not mine\\n好的。就这样")]
    ['Dùng SQLite đi.', 'Vì nó gọn.', '好的。', '就这样']
    """
    composed = unicodedata.normalize("NFC", text)
    spoken = _without_blocks(_lower(composed))
    held = [seed for seed in seeds if seed in spoken]
    if seeds and not held:
        return
    originals = text.split("\n") if composed != text else None
    lines = composed.split("\n")
    start = place = 0
    for number, line in enumerate(lines):
        speech = spoken[start : start + len(line)]
        if _is_speech(speech) and (not seeds or any(seed in speech for seed in held)):
            speech = _INLINE.sub(lambda found: HOLE * len(found[0]), speech)
            after = lines[number + 1] if number + 1 < len(lines) else ""
            for begin, end in _cuts(speech):
                said = speech[begin : min(end, begin + LONGEST)].rstrip()
                if not seeds or any(seed in said for seed in held):
                    words = line[begin : begin + len(said)]
                    yield Sentence(words, place + begin, _narrowed(said), (line[end:] or after)[:LONGEST])
        start += len(line) + 1
        place += len(originals[number] if originals else line) + 1


def _lower(text: str) -> str:
    """Return text in lower case, as long as it is."""
    lower = text.replace("’", "'").lower()
    return lower if len(lower) == len(text) else "".join(one.lower()[0] for one in text)


_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[^\n]*(?:\n.*?(?:^[ \t]*\1|\Z)|\Z)", re.DOTALL | re.MULTILINE)
_INLINE = re.compile(
    r"`[^`\n]+`|\]\([^)\n]{1,500}\)|https?://\S{1,500}"
    '|"[^"\n]{1,300}"|“[^”\n]{1,300}”|「[^」\n]{1,300}」|『[^』\n]{1,300}』|«[^»\n]{1,300}»|‘[^’\n]{1,300}’'
    r"|(?<!\w)'[^'\n]{1,300}'(?!\w)"
)
_NOT_NEWLINE = re.compile(r"[^\n]")


def _without_blocks(text: str) -> str:
    """Blank out fenced blocks, line by line, keeping every place."""
    if "```" in text or "~~~" in text:
        return _FENCE.sub(lambda found: _NOT_NEWLINE.sub(" ", found[0]), text)
    return text


def _is_speech(line: str) -> bool:
    plain = line.strip()
    return bool(plain) and plain[0] not in "><|" and plain[-1] not in "{};(" and not plain.startswith("at ")


_END = re.compile(
    r"(?<!\.)\.\.(?=\w)|[。！？][”」』）)\"']*|[!?]+[\"')*]*(?=\s|$)|(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\betc)(?<!\bvd)(?<!^\d)(?<!^\d\d)\.[\"')*]*(?=\s)"
)


def _cuts(line: str) -> Iterator[tuple[int, int]]:
    """Yield where each sentence of a line begins and ends."""
    begin = 0
    for end in (*_ends(line), len(line)):
        while begin < end and line[begin].isspace():
            begin += 1
        if begin < end:
            yield begin, end
        begin = end


_SIGN = re.compile(r"[.。！？!?]")
"""What every end begins with: looking for that alone is six times as fast as trying the pattern everywhere."""


def _ends(line: str) -> Iterator[int]:
    end = 0
    for sign in _SIGN.finditer(line):
        if sign.start() >= end and (found := _END.match(line, sign.start())):
            end = found.end()
            yield end


_TRADITIONAL = (
    "決採選統換還這個們說麼嗎應該為須設預認數時間後過對會開關簡單寫發點種從進"
    "運實現優棄維給請煩沒問題無兩幾讓傾議薦擇確標準備註號項據動態輸顯導緒庫類"
)
_SIMPLIFIED = (
    "决采选统换还这个们说么吗应该为须设预认数时间后过对会开关简单写发点种从进"
    "运实现优弃维给请烦没问题无两几让倾议荐择确标准备注号项据动态输显导绪库类"
)
"""Characters of the cues that are written in two ways; the cues have the second."""


@cache
def _narrow() -> dict[int, str]:
    wide = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    simple = {ord(old): new for old, new in zip(_TRADITIONAL, _SIMPLIFIED, strict=True)}
    return wide | simple | {ord(sign): " " for sign in "\u3000\xa0*"} | dict.fromkeys(map(ord, "’‘ʼ"), "'")


def _narrowed(text: str) -> str:
    """Return text with narrow signs and without emphasis, character by character."""
    return text.replace("*", " ") if text.isascii() else text.translate(_narrow())


@cache
def _unmarked() -> dict[int, str]:
    decomposed = {
        code: unicodedata.normalize("NFD", chr(code))
        for code in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00))
    }
    return {code: parts[0] for code, parts in decomposed.items() if len(parts) > 1} | {
        ord("đ"): "d",
        ord("Đ"): "D",
    }


def without_marks(text: str) -> str:
    """Return composed text without its marks, character by character.

    >>> without_marks("đừng dùng")
    'dung dung'
    """
    return text if text.isascii() else text.translate(_unmarked())


_MARKED = re.compile("[ăâđêôơưàáảãạằắẳẵặầấẩẫậèéẻẽẹềếểễệìíỉĩịòóỏõọồốổỗộờớởỡợùúủũụừứửữựỳýỷỹỵ]")


def has_marks(text: str) -> bool:
    """Whether its writer types Vietnamese marks: then `dùng` is not `đừng`."""
    return not text.isascii() and bool(_MARKED.search(unicodedata.normalize("NFC", text[:20_000]).lower()))


EDGE = " \t:,;.?!。？！，：；-–—*_#>"


def plain(text: str) -> str:
    """Return words without emphasis and without the signs at their edges.

    >>> plain("**Dùng SQLite**.")
    'Dùng SQLite'
    """
    words = text.replace("**", "").replace("__", "").strip(EDGE)
    return words.rstrip(")） ") if not {"(", "（"} & set(words) else words
