"""Which turns are nothing but our own command, and why they are skipped (SPEC 1.2).

A turn is skipped only when nothing else happened in it. A reply that merely contains 保存完成, or a `resume`
followed by half an hour of work, is kept.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping

from awf_archive.domain.transcript import (
    Block,
    Json,
    Note,
    NoteKind,
    Start,
    Text,
    Thinking,
    ToolCall,
    Turn,
    prompt_text,
)

COMMAND_REASON = "command"
REPORT_REASON = "report"

_COMMAND = re.compile(
    r"/?(?:保存|恢复|checkpoint|resume|save|lưu|luu)(?P<name>[ \t]+\S+)?[\s.!。！…~]*", re.IGNORECASE
)
_OWN_SLASH = re.compile(
    r"/(?:recap|awf[-:](?:recap|checkpoint|resume)|spec-context-\w+)\b.*", re.IGNORECASE | re.DOTALL
)

_ANNOUNCEMENT = re.compile(
    r"(?:好的?[，,。]?\s*)?(?:执行|正在|开始)?(?:保存|恢复)中?[.。…]*"
    r"|(?:saving|restoring|resuming)\b[^.\n]{0,40}[.…]*"
    r"|đang (?:lưu|khôi phục)\b[^.\n]{0,40}[.…]*",
    re.IGNORECASE,
)

_MARKS = re.compile(r"[*_`#>✅❌⚠️\s]+")
_SAVE_HEADLINE = re.compile(
    r"(?:保存完成|checkpoint saved|đã lưu checkpoint"
    r"|没有新的对话需要保存|nothing new to save|không có gì mới để lưu)[!！.。]?",
    re.IGNORECASE,
)
_ADVICE = re.compile(r"(?:建议|next|gợi ý)\s*[：:]", re.IGNORECASE)
_RESUME_HEADLINE = re.compile(r"(?:恢复|resume|khôi phục)\s*[:：]\s*\S", re.IGNORECASE)
_RESUME_SECTION = re.compile(r"^##\s*📊", re.MULTILINE)
_RECAP_HEADLINES = ("👋", "🔍")


def skip_reason(turn: Turn) -> str | None:
    """Return why a turn is skipped, or None when it is kept.

    `command`: the whole message is a save or resume command and the assistant did nothing beyond it.
    `report`: the reply is nothing but the report of such a command.
    """
    words = [block for block in turn.assistant if not _is_silent(block)]
    if any(isinstance(block, ToolCall) and not _is_own_call(block) for block in words):
        return None
    if not all(isinstance(block, (Text, ToolCall)) for block in words):
        return None
    texts = [_normal(block.text) for block in words if isinstance(block, Text) and block.text.strip()]
    is_report = any(map(_is_report, texts)) and all(_is_report(one) or _announces(one) for one in texts)
    if is_command(prompt_text(turn.user), turn.outline.start) and _only_words(turn.user):
        did_nothing = all(map(_announces, texts))
        return COMMAND_REASON if is_report or (did_nothing and _is_bare(turn)) else None
    return REPORT_REASON if is_report and any(map(_has_table, texts)) and _asks_little(turn) else None


def is_command(text: str, start: Start = Start.PROMPT) -> bool:
    """Tell whether a whole message is a save or resume command.

    >>> is_command("保存"), is_command("Save!"), is_command("save the file to disk"), is_command("/awf-recap x")
    (True, True, False, True)
    """
    plain = _normal(text).strip()
    if start is Start.SHELL:
        return False
    return bool(_COMMAND.fullmatch(plain) or _OWN_SLASH.fullmatch(plain))


def _only_words(user: Iterable[Block]) -> bool:
    return all(isinstance(block, Text) for block in user)


def _is_bare(turn: Turn) -> bool:
    """Whether the command stands alone: `save report` without an answer may be a request cut short."""
    match = _COMMAND.fullmatch(_normal(prompt_text(turn.user)).strip())
    return turn.outline.start is Start.COMMAND or match is None or match["name"] is None


_LITTLE = 200
"""Characters; a longer message may hold a design or code worth keeping beside the save it asks for."""


def _asks_little(turn: Turn) -> bool:
    """Whether the message is one short line, so that nothing worth keeping goes with it."""
    text = prompt_text(turn.user).strip()
    return _only_words(turn.user) and len(text) <= _LITTLE and "\n" not in text and "`" not in text


def _has_table(text: str) -> bool:
    return "\n|" in text or bool(_RESUME_SECTION.search(text))


def _is_silent(block: Block) -> bool:
    """Thinking about a save, and what the harness adds around it, are no work."""
    return isinstance(block, Thinking) or (
        isinstance(block, Note) and block.kind in {NoteKind.CONTEXT, NoteKind.NOTICE, NoteKind.COMMAND}
    )


_OWN_PROGRAM = re.compile(r"\s*(?:\S*/)?awf-archive\s+(?:checkpoint|resume|recap)\b[^;&|`$<>\n]*")
_OWN_SKILL = re.compile(r"(?:awf[-:].*|spec-context-.*)")
_OWN_TOOL = re.compile(r"mcp__?(?:.*_)?awf-archive__?(?:checkpoint|recap)")
"""Our MCP tools as Claude Code and Gemini CLI name them; those of the plugin bear its name too."""
_PATH_PARAMETERS = ("file_path", "path", "pattern")


def _is_own_call(call: ToolCall) -> bool:
    """Whether a call is the save or resume itself: our program, skill or MCP tool, or files of `.context`."""
    given: Mapping[str, Json] = call.input if isinstance(call.input, dict) else {}
    if call.name == "Bash":
        return bool(_OWN_PROGRAM.fullmatch(str(given.get("command") or "")))
    if call.name == "Skill":
        return bool(_OWN_SKILL.fullmatch(str(given.get("skill") or given.get("command") or "")))
    if _OWN_TOOL.fullmatch(call.name):
        return True
    paths = [str(given[name]) for name in _PATH_PARAMETERS if name in given]
    return bool(paths) and all("/.context/" in path.replace("\\", "/") + "/" for path in paths)


def _announces(text: str) -> bool:
    return bool(_ANNOUNCEMENT.fullmatch(_MARKS.sub(" ", text).strip()))


def _is_report(text: str) -> bool:
    """Whether a text is the report of a save or a resume, and nothing else."""
    lines = [line for line in text.strip().split("\n") if line.strip()]
    headline = _MARKS.sub(" ", lines[0]).strip()
    if _SAVE_HEADLINE.fullmatch(headline):
        return all(map(_belongs_to_save_report, lines[1:]))
    if _RESUME_HEADLINE.match(headline):
        return bool(_RESUME_SECTION.search(text))
    return headline.startswith(_RECAP_HEADLINES)


def _belongs_to_save_report(line: str) -> bool:
    plain = _MARKS.sub(" ", line).strip()
    return line.lstrip().startswith("|") or bool(_ADVICE.match(plain)) or set(plain) <= set("-— ")


def _normal(text: str) -> str:
    return unicodedata.normalize("NFC", text)
