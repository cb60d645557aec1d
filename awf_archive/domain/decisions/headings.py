"""Lists and tables under a heading that says "decisions", in the assistant's words or in a document.

A heading is a Markdown heading, a line in bold, or a short line that ends in a colon; what follows counts until
the next heading. Code is passed over, and so are items that ask or that say they are open.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from awf_archive.domain.decisions.found import Context, Found, Place, Side
from awf_archive.domain.fold import fold
from awf_archive.domain.tool_lines import one_line
from awf_archive.domain.transcript import Block, prompt_text

_EN = (
    r"(?:(?:key|main|major|important|final|core|technical|design|architecture|architectural|product|ux|api|our|the|"
    r"user|confirmed|agreed|locked)\s+){0,3}decisions?(?:\s+(?:already|recorded|made|taken|log|summary|so far|"
    r"we made|locked in|confirmed|agreed|and rationale|and reasons)){0,2}|rationale and decisions"
)
_VI = (
    r"(?:(?:cac|nhung|mot so|tong hop|nhat ky)\s+)?(?:quyet dinh)(?:\s+(?:chinh|quan trong|thiet ke|ky thuat|"
    r"kien truc|cuoi cung|da chot|da dua ra|da thong nhat|then chot))*|(?:nhung gi |nhung dieu |cac diem )?"
    r"da (?:chot|quyet dinh|thong nhat)"
)
_ZH = (
    r"(?:本次|已确认的?|已确定的?|最终|关键|重要|主要|核心|设计|技术|架构|产品|的)*(?:决策|决定|决议)"
    r"(?:记录|列表|事项|要点|总结|汇总|如下|与理由|及理由|和理由)*"
)
_MAYBE = re.compile(
    r"(?i)decision|quy\S{1,4}t\s+\S{1,4}nh|决[策定议]|[đd]\S{1,2}\s+(?:ch\S{1,3}t|th\S{1,3}ng)"
)
"""Looked for first: most turns say none of these, and no line of theirs is looked at."""
_NAME = re.compile(rf"(?:{_EN}|{_VI}|{_ZH})")
_ASIDE = re.compile(r"\s*[(（].*$")
_LEADING = re.compile(r"^(?:[\W\d_]|[ivx]+\.\s)+")
_NUMBERED = re.compile(
    r"(?i)^(?:[^\w\s]\s*)?(?:decision|quyết định|决策|决定)\s*[#№]?\s*\d+\s*[:：.—–-]\s*(?P<words>\S.*)$"
)
_HEADING = re.compile(r"^ {0,3}#{1,6}\s+(?P<marked>.+?)\s*#*$")
_BOLD = re.compile(r"^ {0,3}(?P<mark>\*\*|__)(?P<bold>[^*_]{1,80})(?P=mark)\s*$")
_PLAIN = re.compile(r"^ {0,3}(?P<plain>[^\s|>].{0,80}[:：](?:\*\*|__)?)\s*$")
_FENCE = re.compile(r"^ {0,3}(?P<mark>`{3,}|~{3,})")
_ITEM = re.compile(
    r"^(?P<indent>[ \t]*)(?:[-*+•][ \t]+|\d{1,3}(?:[.)][ \t]+|、[ \t]*))(?:\[[ xX]\][ \t]+)?(?P<words>\S.*)$"
)
_ROW = re.compile(r"^ {0,3}\|.+\|\s*$")
_CELL_END = re.compile(r"(?<!\\)\|")
_SMALLEST_TABLE = 3
_LABEL = re.compile(
    r"^(?P<mark>\*\*|__)(?P<label>[^*_]{1,60}?)[:：]?(?P=mark)\s*(?:[:：]|[-–—]|→)?\s*(?P<rest>.*)$",
    re.DOTALL,
)
_ID = re.compile(r"(?i)^(?:\W*(?:D|DEC|ADR|QĐ|decision|决策|决定)?[-#\s]?\d+\W*|#)$")
_REASON = re.compile(
    r"(?i)^(?:\*\*|__)?(?:reason|why|rationale|because|ly do|lý do|vi sao|vì sao|原因|理由)"
    r"(?:\*\*|__)?\s*[:：](?:\*\*|__)?"
)
_WHY_COLUMN = re.compile(r"reason|why|rationale|because|ly do|vi sao|原因|理由|依据")
_WHAT_COLUMN = re.compile(rf"(?:{_NAME.pattern})|choice|chosen(?: option)?|lua chon|chon|选择|方案|结论")
_OPEN = re.compile(
    r"[?？][\s*_)]*$|\b(?:tbd|to be decided|undecided|not (?:yet )?decided|open question|chua (?:chot|quyet)\w*)\b|"
    r"待定|待决|未定|尚未决定"
)
_NOTHING = frozenset({"none", "n/a", "na", "khong co", "chua co", "无", "暂无", "没有"})
_EMPHASIS = re.compile(r"\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|^~~|~~$")

_LONGEST = 200
"""Lines looked at under one heading."""
_LONGEST_HEADING = 200
_WIDEST = 2000
"""Characters of a line that are looked at: a hostile line costs no more."""


@dataclass(frozen=True, slots=True)
class Item:
    """One decision of such a list."""

    text: str
    reason: str
    matter: str
    words: str
    """The line as it stands."""
    offset: int


def find(_user: str, blocks: Sequence[Block], _context: Context) -> Iterator[Found]:
    """Yield the items of decision lists in what the assistant said."""
    said = prompt_text(blocks)
    for item in items(said) if _MAYBE.search(said) else ():
        yield found(item, Place(side=Side.ASSISTANT, offset=item.offset))


def found(item: Item, place: Place, by: str = "assistant") -> Found:
    """Return an item as what a harvester gives."""
    return Found(
        text=one_line(item.text, 300),
        reason=one_line(item.reason, 300),
        by=by,
        found_by="heading" if place.side is not Side.DOCUMENT else "document",
        evidence=one_line(item.words, 500),
        place=place,
        matter=one_line(item.matter, 300),
    )


def items(markdown: str) -> Iterator[Item]:
    r"""Yield the items under decision headings, with their places in the text.

    >>> [one.text for one in items("## Quyết định\n1. Dùng SQLite\n2. Dùng Redis?\n\n## Khác\n- x")]
    ['Dùng SQLite']
    >>> [one.text for one in items("### Decision 2: one lock a workspace")]
    ['one lock a workspace']
    """
    lines = [line for line in _lines(markdown) if line.words.strip()]
    for number, line in enumerate(lines):
        name = heading_name(line.words)
        if numbered := _NUMBERED.match(name):
            yield from _decided(line, numbered["words"], _section(lines, number))
        elif name and is_decision_heading(name):
            section = _section(lines, number)
            yield from _listed(section)
            yield from _tabled(section)


def is_decision_heading(name: str) -> bool:
    """Tell whether a heading's words say that decisions follow.

    >>> is_decision_heading("2. ✅ Các quyết định chính"), is_decision_heading("Open decisions")
    (True, False)
    """
    plain = _LEADING.sub("", fold(name).replace("&", "and"))
    return bool(_NAME.fullmatch(_ASIDE.sub("", plain).strip(" :：.*_-")))


def heading_name(line: str) -> str:
    """Return the words of a heading; "" for any other line."""
    if len(line) > _LONGEST_HEADING:
        return ""
    if match := _HEADING.match(line):
        return str(match["marked"]).strip("*_ ")
    if match := _BOLD.match(line):
        return match["bold"]
    match = None if _ITEM.match(line) else _PLAIN.match(line)
    return match["plain"].strip("*_ ") if match else ""


@dataclass(frozen=True, slots=True)
class _Line:
    words: str
    offset: int


def _lines(markdown: str) -> Iterator[_Line]:
    """Yield the lines that are not fenced code, with their offsets."""
    offset, fence = 0, ""
    for line in markdown.splitlines(keepends=True):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark["mark"]
        elif not fence:
            yield _Line(line[:_WIDEST].rstrip("\r\n"), offset)
        elif mark and mark["mark"].startswith(fence):
            fence = ""
        offset += len(line)


def _section(lines: Sequence[_Line], heading: int) -> list[_Line]:
    """Return the lines below a heading, up to the next one."""
    rest = lines[heading + 1 : heading + 1 + _LONGEST]
    return list(takewhile(lambda line: line.words[0].isspace() or not heading_name(line.words), rest))


def _listed(section: Sequence[_Line]) -> Iterator[Item]:
    """Yield the outermost items of the lists in a section, each with what is indented below it."""
    entries: list[list[_Line]] = []
    depth: int | None = None
    for line in section:
        item = _ITEM.match(line.words)
        if item and (depth is None or len(item["indent"]) <= depth):
            depth = len(item["indent"])
            entries.append([line])
        elif entries and line.words[0].isspace():
            entries[-1].append(line)
        else:
            depth = None if not entries else -1
    for first, *below in entries:
        item = _ITEM.match(first.words)
        if item:
            yield from _decided(first, item["words"], below)


def _tabled(section: Sequence[_Line]) -> Iterator[Item]:
    """Yield the rows of a table whose head says which column tells what was decided."""
    rows = [(line, _cells(line.words)) for line in section if _ROW.match(line.words)]
    if len(rows) < _SMALLEST_TABLE:
        return
    head = [fold(cell).strip("*_ ") for cell in rows[0][1]]
    what = next((at for at, cell in enumerate(head) if _WHAT_COLUMN.fullmatch(cell)), None)
    why = next((at for at, cell in enumerate(head) if _WHY_COLUMN.search(cell)), None)
    for line, cells in rows[2:]:
        if what is None or what >= len(cells):
            continue
        matter = next((cell for at, cell in enumerate(cells[:what]) if cell and not _ID.match(cell)), "")
        reason = cells[why] if why is not None and why < len(cells) else ""
        text = f"{matter}: {cells[what]}" if matter else cells[what]
        if is_settled(cells[what]):
            yield _item(line, text, reason, matter)


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in _CELL_END.split(row.strip().strip("|"))]


def _decided(line: _Line, words: str, below: Sequence[_Line]) -> Iterator[Item]:
    """Yield one item unless it asks or is open; its reason from a line below that says so."""
    if not is_settled(words):
        return
    label = _LABEL.match(words)
    matter = (
        label["label"].strip() if label and label["rest"].strip() and not _ID.match(label["label"]) else ""
    )
    text = f"{matter}: {label['rest']}" if matter and label else words
    told = (one.words.strip().lstrip("-*+•> ") for one in below)
    reason = next((_REASON.sub("", one).strip() for one in told if _REASON.match(one)), "")
    yield _item(line, text, reason, matter)


def _item(line: _Line, text: str, reason: str, matter: str) -> Item:
    words = line.words.lstrip()
    offset = line.offset + len(line.words) - len(words)
    return Item(_plain(text), _plain(reason), _plain(matter), words.rstrip(), offset)


def is_settled(words: str) -> bool:
    """Tell whether an item says something, neither asks nor says that it is open.

    >>> is_settled("use SQLite"), is_settled("which store?"), is_settled("chưa chốt")
    (True, False, False)
    """
    folded = fold(words)
    return len(folded) > 1 and not _OPEN.search(folded) and folded.strip(" .*_()（）-") not in _NOTHING


def _plain(words: str) -> str:
    """Return words without the marks of emphasis, which no list of decisions shows."""
    return _EMPHASIS.sub("", words).strip().rstrip("。").strip()
