"""Architecture decision records: one file, one decision, in the forms of Nygard and of MADR."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from awf_archive.domain.decisions.found import Found, Place, Side, Status
from awf_archive.domain.decisions.joining import ADR
from awf_archive.domain.fold import fold
from awf_archive.domain.tool_lines import one_line

FOLDERS = (
    "docs/adr",
    "docs/adrs",
    "docs/ADR",
    "doc/adr",
    "docs/decisions",
    "doc/decisions",
    "docs/architecture/decisions",
    "docs/architecture/adr",
    "doc/architecture/decisions",
    "adr",
)
"""Where they lie in a workspace, by the customs of adr-tools, log4brains and MADR."""

_STATUS: Mapping[str, Status] = {
    "proposed": Status.PROPOSED,
    "draft": Status.PROPOSED,
    "pending": Status.PROPOSED,
    "de xuat": Status.PROPOSED,
    "提议": Status.PROPOSED,
    "建议": Status.PROPOSED,
    "rejected": Status.REJECTED,
    "declined": Status.REJECTED,
    "tu choi": Status.REJECTED,
    "已拒绝": Status.REJECTED,
    "拒绝": Status.REJECTED,
    "superseded": Status.SUPERSEDED,
    "replaced": Status.SUPERSEDED,
    "deprecated": Status.SUPERSEDED,
    "thay the": Status.SUPERSEDED,
    "已取代": Status.SUPERSEDED,
    "已废弃": Status.SUPERSEDED,
    "废弃": Status.SUPERSEDED,
}
"""How a status begins; anything else (accepted, approved, implemented) stands."""

_HEADING = re.compile(r"(?m)^(?P<level>#{1,4})[ \t]+(?P<name>[^\n]{1,300}?)[ \t]*#*[ \t]*$")
_FRONT = re.compile(r"\A---\s*\n(?P<fields>.{0,8000}?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"(?m)^[ \t]*(?:[*-][ \t]+)?(?P<name>[A-Za-z][\w -]{0,40}):[ \t]*(?P<value>[^\n]*)$")
_NUMBER = re.compile(r"^(?:(?:ADR|D)[-\s]?)?\d{1,5}\s*[.:·–-]\s*", re.IGNORECASE)
_CHOSEN = re.compile(
    r'(?is)chosen option:\s*[*_]*["“]?(?P<option>.+?)["”]?[*_]*(?:,|;)?\s*\b(?:because|since)\s+(?P<why>.+)'
)
_LINK = re.compile(r"\]\((?P<path>[^)\s]+\.md)(?:#[^)]*)?\)")
_BULLET = re.compile(r"(?m)^[ \t]{0,3}[*+-][ \t]+(\S[^\n]*)$")
_LINKED = re.compile(r"\[([^\]]{1,200})\]\([^)]{0,300}\)")
_FEW = 4000
"""Characters of a section that are searched."""

_CONTEXT = ("context and problem statement", "context", "boi canh", "van de", "背景", "上下文", "问题")
_DECISION = ("decision outcome", "decision", "quyet dinh", "决策", "决定", "决策结果")
_OPTIONS = (
    "considered options",
    "options",
    "alternatives",
    "cac lua chon",
    "phuong an",
    "备选方案",
    "考虑的选项",
    "候选方案",
)
_STATE = ("status", "trang thai", "状态")


@dataclass(frozen=True, slots=True)
class Record:
    """One file."""

    found: Found
    date: str
    """As the file gives it; may be empty."""
    replaced_by: str
    """File name of the record that took its place; may be empty."""


def read(markdown: str, path: str) -> Record | None:
    r"""Return what an ADR file decided; None for a file that is none: no title, or no section of a decision.

    >>> read("# 3. Use SQLite\n\n## Status\n\nAccepted\n\n## Decision\n\nWe use SQLite.", "a.md").found.text
    'Use SQLite'
    """
    front = _FRONT.match(markdown)
    body = markdown[front.end() :] if front else markdown
    title, sections = _sections(body)
    decided = _section(sections, _DECISION)
    if not title or not decided:
        return None
    fields = _fields(front["fields"] if front else "", sections[0][1][:_FEW])
    state = _section(sections, _STATE) or fields.get("status", "")
    chosen = _CHOSEN.search(decided[:_FEW])
    reason = chosen["why"] if chosen else _section(sections, _CONTEXT)
    options = _BULLET.findall(_section(sections, _OPTIONS))
    replaced = _LINK.search(state) if _status(state) is Status.SUPERSEDED else None
    return Record(
        found=Found(
            text=one_line(f"{title}: {chosen['option'].strip()}" if chosen else title, 300),
            reason=one_line(reason.strip().partition("\n\n")[0], 300),
            options=tuple(one_line(_LINKED.sub(r"\1", words), 300) for words in options),
            by="user",
            found_by=ADR,
            evidence=one_line(decided, 500),
            place=Place(side=Side.DOCUMENT, path=path, offset=max(markdown.find(decided), 0)),
            status=_status(state),
            matter=one_line(title, 300),
        ),
        date=fields.get("date", "")[:10],
        replaced_by=replaced["path"].rpartition("/")[2] if replaced else "",
    )


def _fields(*texts: str) -> dict[str, str]:
    """Return the `Name: value` lines of the front matter, and of what stands before the first section."""
    found: dict[str, str] = {}
    for one in (one for text in texts for one in _FIELD.finditer(text)):
        found.setdefault(fold(one["name"]), one["value"].strip(" \"'"))
    return found


def _sections(body: str) -> tuple[str, list[tuple[str, str]]]:
    """Return the title without its number, and the sections by folded heading, the first without one."""
    found = list(_HEADING.finditer(body))
    first = next((one for one in found if one["level"] == "#"), None)
    title = _NUMBER.sub("", first["name"]).strip() if first else ""
    ends = [one.start() for one in found[1:]] + [len(body)]
    named = [(fold(one["name"]), body[one.end() : end].strip()) for one, end in zip(found, ends, strict=True)]
    before = named[0][1] if named and found[0] is first else ""
    return title, [("", before), *named]


def _section(sections: Sequence[tuple[str, str]], names: Sequence[str]) -> str:
    """Return the text of the first section of such a name."""
    return next((text for name, text in sections if name.strip(" :*") in names and text), "")


def _status(state: str) -> Status:
    told = fold(state.lstrip("*_ \n>-").partition("\n")[0])
    return next((status for begin, status in _STATUS.items() if told.startswith(begin)), Status.ACCEPTED)
