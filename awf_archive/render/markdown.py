"""A stranger's Markdown → HTML that can do nothing but be read (spec/site.md 3.3).

Raw HTML is text, links lead to the web or nowhere, images are never loaded, headings stay below ours, ids are
never theirs. What Markdown would hide (link definitions, surplus table cells, deep nesting) is shown.
"""

import re
from collections.abc import MutableMapping, Sequence
from enum import Enum
from functools import cache
from html import escape
from typing import Any
from urllib.parse import quote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.table import escapedSplit, getLine, table
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from awf_archive.render.clean import clean
from awf_archive.render.code import code_block, cut_lines, full_link, is_language
from awf_archive.render.sheet import Sheet, attributes

EXCERPT_OVER = 400_000
"""A longer message is not parsed: its beginning stands as plain text with a link to the whole."""

EXCERPT_SHOWN = 20_000
_DEEPEST = 40
"""Block levels that are rendered as such; markdown-it would drop what lies below `maxNesting`."""

_HEADING_SHIFT = 3
_TASK = re.compile(r"\[([ xX])\](?=\s)")
_REL = "noopener noreferrer nofollow ugc"


class Kind(Enum):
    """What a text is, which decides what its line ends and backslashes mean."""

    PROMPT = "prompt"
    """Typed by a person: line breaks count, and every backslash is one."""
    MESSAGE = "message"
    """Written by a model for a chat window: line breaks count."""
    DOCUMENT = "document"
    """A Markdown file: lines flow."""


def render_markdown(text: str, sheet: Sheet, kind: Kind = Kind.MESSAGE) -> str:
    """Return a text's HTML."""
    text = clean(text)
    words = sheet.words.site
    if len(text) > EXCERPT_OVER:
        shown = cut_lines(text[:EXCERPT_SHOWN], words.truncated_line)
        return code_block(shown, class_="awf-excerpt") + full_link(text, sheet)
    shown = cut_lines(text, words.truncated_line)
    html = str(_engine(kind).render(shown, {"sheet": sheet}))
    return html if shown == text else html + full_link(text, sheet)


@cache
def _engine(kind: Kind) -> MarkdownIt:
    engine = MarkdownIt(
        "js-default",
        {
            "html": False,
            "linkify": False,
            "typographer": False,
            "maxNesting": 60,
            "breaks": kind is not Kind.DOCUMENT,
        },
    )
    engine.disable(["reference", "entity", *(["escape"] if kind is Kind.PROMPT else [])])
    engine.block.ruler.before("table", "awf_depth", _too_deep)
    engine.block.ruler.at("table", _whole_table, {"alt": ["paragraph", "reference"]})
    engine.core.ruler.push("awf_tame", _tame)
    engine.validateLink = _accept  # type: ignore[assignment, method-assign]
    engine.normalizeLink = _as_written  # type: ignore[method-assign]
    engine.add_render_rule("fence", _fence)
    engine.add_render_rule("code_block", _fence)
    engine.add_render_rule("image", _image)
    engine.add_render_rule("table_open", _table_open)
    engine.add_render_rule("table_close", _table_close)
    return engine


def _accept(_url: str) -> bool:
    """Let every link parse; `_tame` decides. Else a refused one would stay as raw Markdown."""
    return True


def _as_written(url: str) -> str:
    return url


def _too_deep(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001
    """Show what is nested too deeply as it was written."""
    if silent or state.level < _DEEPEST:
        return False
    token = state.push("code_block", "code", 0)
    token.content = state.getLines(start, end, state.blkIndent, keepLastLF=True)
    token.map = [start, end]
    state.line = end
    return True


def _whole_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001
    """Parse a table; cells beyond the header's, which GitHub's rules drop, join the row's last cell."""
    first = len(state.tokens)
    if not table(state, start, end, silent):
        return False
    if silent:
        return True
    columns = sum(token.type == "th_open" for token in state.tokens[first:])
    line = -1
    cell = 0
    for token in state.tokens[first:]:
        if token.type == "tr_open" and token.map:
            line, cell = token.map[0], 0
        elif token.type == "inline":
            cell += 1
            if cell == columns and (surplus := _cells(state, line)[columns:]):
                token.content = " | ".join([token.content, *surplus])
    return True


def _cells(state: StateBlock, line: int) -> list[str]:
    cells = [cell.strip() for cell in escapedSplit(getLine(state, line).strip())]
    first = 1 if cells and not cells[0] else 0
    return cells[first : -1 if cells and not cells[-1] else None]


def _tame(state: StateCore) -> None:
    """Go over all tokens once: headings, list numbers, check boxes, links."""
    inside_link: list[str] = []
    for position, token in enumerate(state.tokens):
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(int(token.tag[1]) + _HEADING_SHIFT, 6)}"
        elif token.type == "list_item_open" and token.info.isdecimal():
            token.attrs["value"] = int(token.info)
        elif token.type == "inline" and token.children:
            if position > 1 and state.tokens[position - 2].type == "list_item_open":
                _check_box(token.children[0])
            inside_link.clear()
            for child in token.children:
                _tame_inline(child, inside_link)


def _check_box(token: Token) -> None:
    if token.type == "text":
        token.content = _TASK.sub(lambda match: "☐" if match[1] == " " else "☑", token.content, count=1)


def _tame_inline(token: Token, open_tags: list[str]) -> None:
    if token.type == "link_open":
        target = str(token.attrs.get("href") or "")
        note = str(token.attrs.get("title") or "")
        token.tag, token.attrs = _link(target, note)
        open_tags.append(token.tag)
    elif token.type == "link_close":
        token.tag = open_tags.pop()
    elif token.type == "image" and open_tags:
        token.meta["inside"] = True


def _link(target: str, note: str) -> tuple[str, dict[str, str | int | float]]:
    """Return tag and attributes: a link for the web and mail, else text that tells its target."""
    shown = f"{target} · {note}" if note else target
    href = safe_href(target)
    if href:
        return "a", {"href": href, "rel": _REL, "title": shown}
    return "span", {"class": "awf-ref", "title": shown}


def safe_href(target: str) -> str:
    """Return a target that may be followed, else an empty string.

    >>> safe_href("https://e.org/a?b=1"), safe_href("JaVaScript:alert(1)"), safe_href("//e.org")
    ('https://e.org/a?b=1', '', '')
    """
    if any(ord(mark) <= 0x20 or mark in "\\<>\"'`" for mark in target):  # noqa: PLR2004 - the space
        return ""
    try:
        parts = urlsplit(target)
        is_web = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        return ""
    is_mail = parts.scheme == "mailto" and "@" in parts.path and not parts.netloc
    return quote(target, safe="%/:=&?~#+!$,;@()*[].-_") if is_web or is_mail else ""


def _fence(
    _renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    _options: OptionsDict,
    _env: MutableMapping[str, Any],
) -> str:
    """Show code; an info line that is not just a language we colour stands above it."""
    token = tokens[index]
    info = token.info.strip()
    language = info.partition(" ")[0]
    caption = "" if is_language(info) or not info else f'<div class="awf-info">{escape(info)}</div>'
    return caption + code_block(token.content, language) + "\n"


def _image(
    renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    options: OptionsDict,
    env: MutableMapping[str, Any],
) -> str:
    """Never load an image that a text names: a link or a label stands for it."""
    token = tokens[index]
    words = env["sheet"].words.site
    alt = renderer.renderInlineAsText(token.children, options, env) if token.children else ""
    target = str(token.attrs.get("src") or "")
    note = str(token.attrs.get("title") or "")
    tag, attrs = _link(target, note)
    if token.meta.get("inside"):
        tag, attrs = "span", {"class": "awf-ref", "title": str(attrs["title"])}
    pairs = ((name, str(value)) for name, value in attrs.items())
    label = escape(alt or words.remote_image)
    return f"<{tag}{attributes(pairs)}>🖼 {label}</{tag}>"


def _table_open(*_arguments: object) -> str:
    return '<div class="awf-table" tabindex="0"><table>\n'


def _table_close(*_arguments: object) -> str:
    return "</table></div>\n"
