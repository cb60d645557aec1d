"""Chats as plain Markdown, messages under role headings; also an archive's turn files (docs/formats/markdown.md)."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from awf_archive.domain import turn_file
from awf_archive.domain.transcript import Block, Note, NoteKind, Start, Text, Transcript
from awf_archive.errors import InputError
from awf_archive.readers.aider import reader as aider
from awf_archive.readers.base import Reader, Source, single
from awf_archive.readers.context_archive.turns import draft_of
from awf_archive.readers.cursor import markdown as cursor_markdown
from awf_archive.readers.shared.drafts import Draft, Facts, Talk, transcript
from awf_archive.readers.shared.markdown_lines import head_lines, lines_of, trimmed
from awf_archive.readers.shared.markdown_roles import headings, sections
from awf_archive.readers.shared.values import digest, utc
from awf_archive.readers.specstory import reader as specstory

USER_NAMES = (
    "user",
    "human",
    "you",
    "you said",
    "người dùng",
    "bạn",
    "bạn đã nói",
    "用户",
    "用戶",
    "你",
    "你说",
)
ASSISTANT_NAMES = (
    *("assistant", "ai", "ai assistant", "claude", "claude code", "chatgpt", "chatgpt said", "gemini"),
    *("copilot", "github copilot", "cursor", "deepseek", "grok", "trợ lý", "助手", "ai 助手"),
)
"""Words that documents use as headings too, such as Prompt, Response, Model, are left out: none is a chat."""
ROLES = dict.fromkeys(USER_NAMES, True) | dict.fromkeys(ASSISTANT_NAMES, False)
_OTHERS = (specstory.accepts, cursor_markdown.accepts, aider.accepts)
"""Formats that are Markdown too and say what they are."""
_TURN_STEM = re.compile(r"turn-\d{3,}")
_KEY = re.compile(r"(?P<key>[A-Za-z_][\w .-]*?)\s*:(?:\s+(?P<value>.*))?")


def accepts(source: Source) -> bool:
    """Tell whether both a user's and an assistant's heading are there, or the front matter of a turn file."""
    lines = head_lines(source)
    if any(accepted(source) for accepted in _OTHERS):
        return False
    if _front_matter(lines).keys() >= {"turn", "session", "userSha256"}:
        return True
    return {heading.is_user for heading in headings(lines, ROLES)} == {True, False}


def read(source: Source) -> Transcript:
    """Read one chat, or the one turn of a turn file."""
    if _is_turn_file(source):
        return _turn_file(source)
    lines = lines_of(source)
    found = headings(lines.text, ROLES)
    about = _front_matter(lines.text)
    first = found[0].at if found else len(lines.text)
    preamble = lines.text[_body_start(lines.text) : first]
    title, rest = _title(preamble)
    messages = [_Message(one.at, one.is_user, trimmed(one.lines)) for one in sections(lines.text, found)]
    said = next((one.text for one in messages if one.is_user), "")
    window = about.get("id") or about.get("conversation_id") or digest("markdown", title, said)
    drafts = _drafts(window, messages, rest)
    if drafts:
        drafts[0].time = next(filter(None, (utc(about.get(key, "")) for key in _TIME_KEYS)), "")
    if about.get("model"):
        for draft in drafts:
            draft.models[about["model"]] = None
    facts = Facts(
        format=READER.name,
        windows=(window,),
        title=about.get("title") or title,
        records=len(messages),
        problems=lines.problems,
    )
    return transcript(drafts, facts)


_TIME_KEYS = ("date", "created", "created_at", "create_time", "time")


class _Message(NamedTuple):
    at: int
    is_user: bool
    text: str


def _drafts(window: str, messages: Sequence[_Message], preamble: str) -> list[Draft]:
    talk = Talk()
    if preamble:
        talk.waiting.append(Note(kind=NoteKind.CONTEXT, text=preamble))
    for message in messages:
        words: list[Block] = [Text(text=message.text)] if message.text else []
        if message.is_user or not talk.drafts:
            number = str(len(talk.drafts) + 1)
            name = digest(window, number, message.text)
            start = Start.PROMPT if message.is_user else Start.MACHINE
            talk.begin(Draft(id=name, start=start, line=message.at + 1))
        (talk.now.user if message.is_user else talk.now.assistant).extend(words)
        talk.now.took("user" if message.is_user else "assistant", message.text)
    return [draft for draft in talk.finish() if draft.user or draft.assistant]


def _front_matter(lines: Sequence[str]) -> dict[str, str]:
    """Return the keys between two rules at the top; nothing unless all of it is a mapping."""
    end = _rule_after(lines)
    known: dict[str, str] = {}
    for line in lines[1:end]:
        if not line.strip() or line.lstrip().startswith("#") or (known and line[0] in " \t-"):
            continue
        pair = _KEY.fullmatch(line)
        if pair is None:
            return {}
        known[pair["key"]] = (pair["value"] or "").strip().strip("\"'")
    return known


def _rule_after(lines: Sequence[str]) -> int:
    """Return the place of the rule that ends a front matter; 0 where there is none."""
    if not lines or lines[0].rstrip() != "---":
        return 0
    return next((at for at in range(1, len(lines)) if lines[at].rstrip() in {"---", "..."}), 0)


def _body_start(lines: Sequence[str]) -> int:
    return _rule_after(lines) + 1 if _front_matter(lines) else 0


def _title(preamble: Sequence[str]) -> tuple[str, str]:
    """Return the heading of the whole file, and what else stands before the first message."""
    for at, line in enumerate(preamble):
        if line.startswith("# "):
            return line[2:].strip(), trimmed([*preamble[:at], *preamble[at + 1 :]])
    return "", trimmed(preamble)


def _is_turn_file(source: Source) -> bool:
    known = _front_matter(head_lines(source)).keys() >= {"turn", "session", "userSha256"}
    return known or _TURN_STEM.fullmatch(source.stem) is not None


def _turn_file(source: Source) -> Transcript:
    """Read one turn as the archive wrote it, or the original skill did."""
    data = source.read(0, source.size)
    try:
        turn = turn_file.read(data.removeprefix(b"\xef\xbb\xbf"))
    except ValueError as problem:
        raise InputError(
            f"{source.name}: no turn in it can be read.", "Restore the file from its archive's git history."
        ) from problem
    window = digest("turn-file", str(turn.header.get("sourceId") or ""), turn.user)
    draft = draft_of(turn, digest(window, "1", turn.user))
    return transcript([draft], Facts(format=READER.name, windows=(window,), records=1))


READER = Reader(name="markdown", title="Markdown", accepts=accepts, read=single(read))
