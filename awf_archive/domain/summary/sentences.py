"""Sentences of chat text in English, Vietnamese and Chinese: where they end, and where they may be shortened.

No library serves here (docs/summaries.md says which were tried): they end a sentence after `TP.` and `ThS.`, know
neither Markdown nor file names, and leave a log in the middle of the prose.
"""

import re
import unicodedata
from collections.abc import Iterator

HAN = "\u3400-\u9fff\uf900-\ufaff"

_SHORT_FORMS = """
e.g i.e etc vs cf al approx dr mr mrs ms prof st jr sr inc ltd co corp no fig eq sec vol pp p dept est incl
resp u.s u.k ph.d a.m p.m v.v v.d vd tp tt tx q p gs pgs ts ths bs ks cn nxb sđt đt stt tr
"""
_ABBREVIATIONS = frozenset(_SHORT_FORMS.split())
"""What a full stop may follow without ending the sentence, in lower case."""

_END = re.compile(
    rf"(?<=[{HAN}]{{4}}) +(?=[{HAN}]{{4}})|[。！？；][”’」』）)\"']*"
    rf"|[.!?…]+[”’\"')\]]*(?=\s|$|[{HAN}])|[.!?](?=\s|$)"
)
_LAST_WORD = re.compile(r"[^\s(\[\"'“]+$")
_CODE = re.compile(r"`[^`\n]*`")


def sentences(line: str) -> Iterator[str]:
    """Yield the sentences of one line of prose, each with its own end.

    >>> list(sentences("Use e.g. Redis v1.2. See server.py! Ok?"))
    ['Use e.g. Redis v1.2.', 'See server.py!', 'Ok?']
    >>> list(sentences("Chạy ở TP. HCM theo ThS. Nam, v.v. và thử. Sau đó sửa lỗi."))
    ['Chạy ở TP. HCM theo ThS. Nam, v.v. và thử.', 'Sau đó sửa lỗi.']
    >>> list(sentences("“好的。”他说：先看表结构！然后写测试？"))
    ['“好的。”', '他说：先看表结构！', '然后写测试？']
    """
    code = [match.span() for match in _CODE.finditer(line)]
    start = 0
    for match in _END.finditer(line):
        if any(first <= match.start() < last for first, last in code) or not _ends(line, start, match):
            continue
        if sentence := line[start : match.end()].strip():
            yield sentence
        start = match.end()
    if rest := line[start:].strip():
        yield rest


def _ends(line: str, start: int, match: re.Match[str]) -> bool:
    """Whether a sign that may end a sentence does: not after an abbreviation, an initial, a number of a list."""
    if match[0][0] == " ":
        return True  # how many write Chinese in a chat
    if match[0][0] != ".":
        return match[0][0] != "…" or _next(line, match.end()).isupper()
    if _next(line, match.end()).islower():
        return False
    word = _LAST_WORD.search(line, start, match.start())
    if match[0] != "." or word is None:
        return word is not None
    plain = word[0].lower().strip("(“")
    is_initial = len(plain) == 1 and plain.isalpha()
    is_number = plain.isdecimal() and word.start() == start + (line[start] == " " if start < len(line) else 0)
    return plain not in _ABBREVIATIONS and not is_initial and not is_number


def _next(line: str, place: int) -> str:
    """Return the first letter or digit behind a place, or nothing."""
    return next((mark for mark in line[place : place + 8] if mark.isalnum()), "")


_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})")
_LIST = re.compile(r"\s*(?:[-*+•–]|\d{1,3}[.)、])\s+(?:\[[ xX]\]\s*)?")
_NOT_PROSE = re.compile(
    r"\s*(?:\||#{1,6}\s|[-*_=]{3,}\s*$|</?[a-zA-Z!][^>]*>|\$ |% |❯|>>>|at \S+ ?\(|File \"|Traceback|\^+\s*$"
    r"|\[?\d{4}-\d\d-\d\d[T ]\d|\d{1,2}:\d\d:\d\d|[{}()\[\];<>+]"
    r"|(?:(?:export|async|default|public|private|static) )*(?:const|let|var|def|class|function|type|interface) "
    r"\w+ ?[=({:<;]|return [\w(]+ ?[({;.]|(?:import|from|export) [\w{*.@'\"]+(?: from\b.*)?$|import \{"
    r"|/\w[\w-]*(?:\s|$)|\w+ing https?://"
    r"|(?:remote|error|warning|npm|hint|fatal):?\s|\w+@\S+[:~%$#]|\(\w+\)\s*\S*[~%$#]"
    r"|\w*(?:Error|Exception)\b|-+>|\d+ \S|\w+ing (?:objects|deltas|delta)\b|\w+ing [A-Z]\w+$|Total \d|! \[|To \S+$)"
)
"""Lines of tables, headings, markup, code, logs and shells."""

_MARKUP = re.compile(
    r"(?P<code>`[^`\n]*`)|\*\*|__(?=\S)|(?<=\S)__|(?<!\w)_(?=\w)|(?<=\w)_(?!\w)|!?\[(?P<link>[^\]\n]*)\]\((?:[^)\s]*)\)"
    r"|\[Image #?\d+\]"
    r"|</?[a-z][^>]*>|\\[()\[\]]|\u200b|\ufeff"
)
_EMOJI = re.compile("[\u2300-\u27bf\u2b00-\u2bff\ufe0f\U0001f000-\U0001faff]+ ?")
_PATH = re.compile(r"[\w.@-]*/[\w./@-]+|[\w-]+\.\w{1,5}|\.[\w-]+")
_LONG_ID = re.compile(r"\b(?=[0-9a-f-]*\d)([0-9a-f]{7})[0-9a-f-]{6,}\b")
_FORMULA = re.compile(r"\\frac\{(\w+)\}\{(\w+)\}")
_SHELL = re.compile(r"\w@[\w-]+[:~]|\(\.?venv\)")
_LONG_ADDRESS = re.compile(r"(https?://[^\s/]+/)[^\s,;)]{20,}")
_LOOKS_LIKE_CODE = re.compile(r"[{}<>=;|\\$^~]|(?<![\w.])\d[\d.,:%/]*")


def prose(text: str) -> Iterator[str]:
    """Yield the sentences of a Markdown text in NFC: no code, tables, headings, logs; a list item is a line."""
    for line in _joined(_lines(unicodedata.normalize("NFC", text))):
        plain = _MARKUP.sub(lambda match: match["code"] or match["link"] or "", line.split("##", 1)[0])
        plain = _LONG_ADDRESS.sub(r"\1…", _EMOJI.sub("", plain))
        plain = _LONG_ID.sub(r"\1…", _FORMULA.sub(r"\1/\2", plain)).replace("\\in ", "in ")
        plain = " ".join(plain.split())
        if plain.count('"') % 2:
            plain = plain.rstrip('"')
        if plain and not _is_symbols(plain):
            yield from sentences(plain)


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a text that are prose; list items marked, a blank line between paragraphs."""
    paragraph: list[str] = []
    for line in (*_outside_fences(text), ""):
        if line.strip():
            paragraph.append(line)
            continue
        yield from _of_paragraph(paragraph)
        yield ""
        paragraph = []


def _outside_fences(text: str) -> Iterator[str]:
    is_code = False
    for line in text.splitlines():
        if _FENCE.match(line):
            is_code = not is_code
            yield ""
        elif not is_code:
            yield re.sub(r"^(?:\s*>(?!>))+\s?", "", line)


_PASTED = 4
"""From so many lines on, a paragraph in which every third is a log's or code's is one whole."""


def _of_paragraph(paragraph: list[str]) -> Iterator[str]:
    told = []
    for line in paragraph:
        is_item = _LIST.match(line)
        plain = (line[is_item.end() :] if is_item else line).strip()
        if line.startswith(("    ", "\t")) and not is_item:
            continue
        if plain and not _NOT_PROSE.match(plain) and not _is_symbols(plain):
            told.append(f"{_ITEM}{plain}" if is_item else plain)
    if len(paragraph) < _PASTED or len(told) * 3 > len(paragraph) * 2:
        yield from told


_ITEM = "\0"
_WRAPPED = 55
"""From this length on a line that ends in the middle of a sentence was broken by an editor, not by its writer."""


def _joined(lines: Iterator[str]) -> Iterator[str]:
    """Put lines together that an editor broke; a list item begins a line, whatever stands before it."""
    held = ""
    for line in lines:
        is_item = line.startswith(_ITEM)
        plain = line.removeprefix(_ITEM)
        if (
            held
            and plain
            and not is_item
            and len(held) >= _WRAPPED
            and plain[0].islower()
            and held[-1] not in ".!?:"
        ):
            held = f"{held} {plain}"
            continue
        if held:
            yield held
        held = plain
    if held:
        yield held


def _is_symbols(line: str) -> bool:
    """Whether a line is code, a log or a list of paths rather than words: one sign in eight is a sign of code."""
    bare = _CODE.sub("", line)
    words = bare.split()
    if sum(bool(_PATH.fullmatch(word)) for word in words) * 2 >= max(1, len(words)):
        return True
    has_words = re.search(rf"[^\W\d_]{{2}}|[{HAN}]", bare)
    return (
        has_words is None or bool(_SHELL.search(bare)) or len(_LOOKS_LIKE_CODE.findall(bare)) * 8 > len(bare)
    )


_UNIT = re.compile(rf"[{HAN}]|[^\s{HAN}，。；：、！？（）“”]+")
_HAN_MARK = re.compile(rf"[{HAN}]")
_HAN_WEIGHT = 0.55
"""A Chinese character is read in about half the time of a word: 400 of them take as long as 220 words."""


def reading_words(text: str) -> float:
    """Return how long a text is to read, in English or Vietnamese words.

    >>> reading_words("two words"), round(reading_words("四个汉字"), 1)
    (2, 2.2)
    """
    units = _UNIT.findall(text)
    han = sum(bool(_HAN_MARK.match(unit)) for unit in units)
    return len(units) - han + (_HAN_WEIGHT * han if han else 0)


_LINKING_WORDS = """
and or but with for in on at by from that which who when while because so if as than via using into và hoặc
nhưng với cho để trong khi thì là ở từ mà nếu vì bằng do của nên theo sau trước
"""
_BEFORE = frozenset(_LINKING_WORDS.split())
"""Words before which a sentence may be cut: what stands before them stands by itself."""

_CLAUSE = ",;:—–，；：、。("
_HAN_AFTER = "的了和与或在把被对将是，；：、"


def clip(sentence: str, words: float) -> str:
    """Return a sentence of at most `words` reading words, cut between words at a clause if need be, with `…`.

    >>> clip("Added the export command, with tests for every format and docs", 6)
    'Added the export command, with tests…'
    >>> clip("分析一下图片处理的逻辑是不是有问题", 5)
    '分析一下图片处理的…'
    """
    if reading_words(sentence) <= words:
        return sentence
    best, spent, last = 0, 0.0, None
    for unit in _UNIT.finditer(sentence):
        if last is not None and spent <= words and _may_cut(sentence, last, unit):
            best = last.end()
        is_han = bool(_HAN_MARK.match(unit[0]))
        spent += _HAN_WEIGHT if is_han else 1
        if spent > words:
            if best == 0 or reading_words(sentence[:best]) < words * 0.45:
                best = last.end() if last is not None and not is_han else best or unit.start()
            break
        last = unit
    return closed(sentence[:best].rstrip(" " + _CLAUSE + "-→")) + "…"


def _may_cut(sentence: str, last: re.Match[str], unit: re.Match[str]) -> bool:
    """Whether a sentence may be cut between two units."""
    between = sentence[last.end() : unit.start()]
    is_gap = between == " " and bool(_HAN_MARK.match(last[0]) and _HAN_MARK.match(unit[0]))
    return bool(
        is_gap
        or set(between) & set(_CLAUSE)
        or last[0][-1] in _CLAUSE
        or unit[0].lower() in _BEFORE
        or (_HAN_MARK.match(unit[0]) and last[0] in _HAN_AFTER)
    )


def closed(text: str) -> str:
    """Drop a backtick, bracket or quotation mark that is left open.

    >>> closed("Support dotted names (e.g"), closed("Use `x` and `y")
    ('Support dotted names', 'Use `x` and y')
    """
    if text.count("`") % 2:
        text = text[: text.rindex("`")] + text[text.rindex("`") + 1 :]
    if text.count('"') % 2:
        text = text[: text.rindex('"')] + text[text.rindex('"') + 1 :]
    for opening, closing in ("()", "（）", "“”"):
        if text.count(opening) > text.count(closing):
            text = text[: text.rindex(opening)].rstrip() or text.replace(opening, "")
    return text
