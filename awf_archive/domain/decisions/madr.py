"""A decision as a MADR file: Markdown that tools for architecture decision records read (https://adr.github.io/madr/).

The headings are MADR's own in every language. Texts are a stranger's: they stay on their lines, and open no HTML,
no link and no heading.
"""

import re
from collections.abc import Mapping

from awf_archive.domain.decisions.found import Status
from awf_archive.domain.decisions.records import Decision
from awf_archive.domain.escape import json_line, visible

_MARK = "<!-- awf-archive decision "
_EXPORTED = re.compile(re.escape(_MARK) + r'(?P<name>"(?:[^"\\]|\\.)*")')
_NOT_IN_NAMES = re.compile(r"[^\w]+|_+")
_LONGEST_NAME = 50
_OPENS = re.compile(r"[\\<\[\]|]")
_BEGINS = re.compile(r"^(?=[#>+*=~-]|\d+[.)])")


def file_name(decision: Decision) -> str:
    """Return a file name that is safe everywhere: the number, then the words of the text.

    >>> from awf_archive.domain.decisions.found import Status
    >>> one = Decision(id="D-003", text="Dùng ../SQLite!", status=Status.ACCEPTED, feature="f", session="", turn=0)
    >>> file_name(one)
    '0003-dùng-sqlite.md'
    """
    words = _NOT_IN_NAMES.sub("-", visible(decision.text).casefold()).strip("-")[:_LONGEST_NAME].strip("-")
    number = f"{int(decision.id[2:]):04d}" if decision.id[2:].isdecimal() else "0000"
    return f"{number}-{words}.md" if words else f"{number}.md"


def is_exported(markdown: str) -> bool:
    """Tell whether this module wrote a file."""
    return exported_id(markdown) != ""


def exported_id(markdown: str) -> str:
    """Return `feature D-003` of a file that this module wrote; "" for any other."""
    found = _EXPORTED.search(markdown[:2000])
    return found["name"].strip('"') if found else ""


def madr(decision: Decision, files: Mapping[str, str], place: str) -> str:
    """Return a decision's file.

    `files` names the file of each decision of its feature, `place` leads to the turn ("" when there is none).
    """
    return "\n".join((*_front(decision, files), *_body(decision), *_more(decision, files, place), ""))


def _front(decision: Decision, files: Mapping[str, str]) -> list[str]:
    status = decision.status.value
    if decision.status is Status.SUPERSEDED and decision.superseded_by:
        by = decision.superseded_by
        status = f"superseded by [{by}]({files[by]})" if by in files else f"superseded by {by}"
    name = f"{decision.feature} {decision.id}".replace("--", "-\u200b-")
    return [
        "---",
        f"status: {json_line(status)}",
        f"date: {json_line(decision.date[:10])}",
        f"decision-makers: {json_line(decision.by)}",
        "---",
        f"{_MARK}{json_line(name)} -->",
        "",
        f"# {line(decision.text)}",
        "",
    ]


def _body(decision: Decision) -> list[str]:
    lines = ["## Context and Problem Statement", "", line(decision.matter) or line(decision.text), ""]
    if decision.options:
        lines += ["## Considered Options", "", *(f"* {line(one)}" for one in decision.options), ""]
    why = f", because {line(decision.reason)}" if decision.reason else ""
    return [*lines, "## Decision Outcome", "", f'Chosen option: "{line(decision.text)}"{why}', ""]


def _more(decision: Decision, files: Mapping[str, str], place: str) -> list[str]:
    linked = [
        f"* Supersedes [{one}]({files[one]})" if one in files else f"* Supersedes {one}"
        for one in decision.supersedes
    ]
    told = [
        f"* Said in {place}" if place else "",
        f"* Files: {', '.join(map(line, decision.files))}" if decision.files else "",
        f"* Found by {decision.found_by}, confidence {decision.confidence:.2f}" if decision.found_by else "",
    ]
    quoted = ["", f"> {line(decision.evidence)}"] if decision.evidence else []
    return ["## More Information", "", *linked, *filter(None, told), *quoted]


def line(text: str) -> str:
    r"""Return a stranger's text as one line of Markdown that opens nothing.

    >>> line("# <b>x</b>\n[a](javascript:b)")
    '\\# \\<b>x\\</b> \\[a\\](javascript:b)'
    """
    shown = " ".join(visible(text).split())
    return _BEGINS.sub(r"\\", _OPENS.sub(lambda match: f"\\{match[0]}", shown))
