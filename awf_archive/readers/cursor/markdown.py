"""Cursor's own export of a chat as Markdown (docs/formats/cursor.md)."""

import re

from awf_archive.domain.transcript import Start, Text, Transcript
from awf_archive.readers.base import Source
from awf_archive.readers.shared.drafts import Draft, Facts, Talk, transcript
from awf_archive.readers.shared.markdown_lines import head_lines, lines_of, trimmed
from awf_archive.readers.shared.markdown_roles import headings, sections
from awf_archive.readers.shared.values import digest

_EXPORTED = re.compile(r"_Exported on (?P<when>.+?) from Cursor \((?P<version>[^)]*)\)_\s*")
_TOP = 4096
_ROLES = {"user": True, "cursor": False}
_UNTITLED = "Untitled Chat"


def accepts(source: Source) -> bool:
    """Tell whether Cursor's line about the export stands at the top."""
    return any(map(_EXPORTED.fullmatch, head_lines(source, _TOP)[:8]))


def read(source: Source) -> Transcript:
    """Read an exported chat. It names no id, no model and no time of a message."""
    lines = lines_of(source)
    found = headings(lines.text, _ROLES)
    top = lines.text[:8]
    exported = next(filter(None, map(_EXPORTED.fullmatch, top)), None)
    title = next((line[2:].strip() for line in top if line.startswith("# ")), "")
    talk = Talk()
    messages = [(one.at, one.is_user, trimmed(one.lines)) for one in sections(lines.text, found)]
    window = digest("cursor", title, next((text for _, is_user, text in messages if is_user), ""))
    for at, is_user, text in messages:
        if is_user or not talk.drafts:
            name = digest(window, str(len(talk.drafts) + 1), text)
            talk.begin(Draft(id=name, start=Start.PROMPT if is_user else Start.MACHINE, line=at + 1))
        if text:
            (talk.now.user if is_user else talk.now.assistant).append(Text(text=text))
        talk.now.took(text)
    facts = Facts(
        format="cursor",
        windows=(window,),
        title="" if title == _UNTITLED else title,
        tool_version=exported["version"] if exported else "",
        records=len(messages),
        problems=lines.problems,
    )
    return transcript([draft for draft in talk.finish() if draft.user or draft.assistant], facts)
