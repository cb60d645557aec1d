"""Code and plain output: highlighted where it is cheap, cut where it is long."""

import re
from functools import lru_cache
from html import escape
from typing import Final, NamedTuple

import pygments
from pygments.formatters.html import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from awf_archive.render.clean import clean
from awf_archive.render.sheet import Sheet, count, element

_LANGUAGE = re.compile(r"[A-Za-z0-9+#_.-]{1,20}", re.ASCII)
_HIGHLIGHT_CHARACTERS = 40_000
_HIGHLIGHT_LINE = 4_000
LINE_LIMIT = 20_000
"""Characters of one line; a longer one is cut with a note."""


class Room(NamedTuple):
    """How much of a text stands on the page; the whole lies beside it."""

    lines: int
    characters: int
    last: int = 0
    """So many of the lines are from its end, where a command says how it went."""


ASKED: Final = Room(lines=40, characters=3_000)
"""What an assistant wrote into a file or asked of a tool, and errors: people read it."""

PRINTED: Final = Room(lines=16, characters=1_200, last=6)
"""What a command printed."""

SEEN: Final = Room(lines=10, characters=800)
"""Files that an assistant looked at, and notes of the harness: a third of a page of many calls, and few read them."""

_WORTH_CUTTING = 300
"""Characters: the link to the whole takes as many."""

_ALIASES = {"mjs": "js", "cjs": "js", "h": "c", "hpp": "cpp", "yml": "yaml", "txt": "", "markdown": "md"}
_SAME = re.compile(r'<span class="(\w+)">[^<]*</span>(?:\n<span class="\1">[^<]*</span>)+')
_FORMATTER: "HtmlFormatter[str]" = HtmlFormatter(nowrap=True)


@lru_cache(maxsize=1000)
def _lexer(language: str) -> Lexer | None:
    """Misses are kept too: an unknown name makes Pygments scan entry points."""
    try:
        return get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        return None


def is_language(name: str) -> bool:
    """Tell whether a name is that of a language we can colour."""
    return bool(_LANGUAGE.fullmatch(name)) and _lexer(name) is not None


def language_of_path(path: str) -> str:
    """Return a language name for a path's ending; empty when it has none.

    >>> language_of_path("src/a.test.TS"), language_of_path("Makefile")
    ('ts', '')
    """
    name = path.rsplit("/", 1)[-1].rsplit("\\", 1)[-1]
    ending = name.rpartition(".")[2].lower() if "." in name[1:] else ""
    return _ALIASES.get(ending, ending)


_PLAIN_SPAN = re.compile('<span class="(?:w|n|nx|p|o|err)">([^<]*)</span>')
"""White space, plain names, punctuation: they have the text's own colour or one that is near it, and most spans."""


def highlighted(text: str, language: str) -> str:
    """Return cleaned code as escaped HTML, with Pygments' classes where that is cheap."""
    lexer = _lexer(language) if is_language(language) else None
    is_cheap = len(text) <= _HIGHLIGHT_CHARACTERS and _longest_line(text) <= _HIGHLIGHT_LINE
    if lexer is None or not is_cheap:
        return escape(text, quote=False)
    html = _PLAIN_SPAN.sub(r"\1", pygments.highlight(text, lexer, _FORMATTER))
    html = _SAME.sub(_joined, html)
    return html if text.endswith("\n") else html.removesuffix("\n")


def _joined(match: re.Match[str]) -> str:
    """Return one span for lines of one kind: Pygments ends them with the line."""
    return match[0].replace(f'</span>\n<span class="{match[1]}">', "\n")


def _longest_line(text: str) -> int:
    return max(map(len, text.split("\n")), default=0)


def code_block(text: str, language: str = "", class_: str = "") -> str:
    """Return cleaned code as the block that Material styles and gives a copy button."""
    known = language.lower() if _LANGUAGE.fullmatch(language) else ""
    named = f"language-{known.replace('+', 'p').replace('#', 's').replace('.', '-')} " if known else ""
    inner = highlighted(text, language)
    return element("div", f"<pre><code>{inner}</code></pre>", class_=f"{named}highlight {class_}".rstrip())


def cut_lines(text: str, note: str) -> str:
    """Return `text` with overlong lines cut; `note` with {n} says how many characters are missing."""
    if _longest_line(text) <= LINE_LIMIT:
        return text
    return "\n".join(_cut(line, LINE_LIMIT, note) for line in text.split("\n"))


def _cut(line: str, limit: int, note: str) -> str:
    return line if len(line) <= limit else f"{line[:limit]} {note.format(n=f'{len(line) - limit:,}')}"


def output_block(
    text: str, sheet: Sheet, language: str = "", class_: str = "awf-out", room: Room = ASKED
) -> str:
    """Return a tool's output: whole if there is room, else a part and a link to the whole.

    What is dropped is never silent: the link says how long the whole is.
    """
    text = clean(text)
    if not text:
        return ""
    shown = _part(text, room)
    block = code_block(cut_lines(shown, sheet.words.site.truncated_line), language, class_)
    return block if shown == text else block + full_link(text, sheet)


def _part(text: str, room: Room) -> str:
    """Return the first lines that there is room for and, where the end matters, the last ones."""
    shown = _excerpt(text.rstrip("\n"), room)
    return shown if len(shown) + _WORTH_CUTTING < len(text) else text


def _excerpt(whole: str, room: Room) -> str:
    if whole.count("\n") < room.lines and len(whole) <= room.characters:
        return whole
    characters = room.characters // 2 if room.last else room.characters
    first = _beginning(whole, room.lines - room.last, characters)
    if not room.last:
        return first
    rest = whole[len(first) :].strip("\n")
    last = _beginning(rest[::-1], room.last, characters)[::-1]
    return whole if last == rest else f"{first}\n⋯\n{last}"


def _beginning(text: str, most: int, characters: int) -> str:
    """Return the first lines that fit; of a single overlong line, its first characters."""
    shown = "\n".join(text.split("\n", most)[:most])
    if len(shown) <= characters:
        return shown
    cut = shown.rfind("\n", characters // 2, characters)
    return shown[: cut if cut > 0 else characters]


def full_link(text: str, sheet: Sheet) -> str:
    """Return the line that leads to the whole of a text shown in part."""
    words = sheet.words.site
    size = count(words.lines, text.count("\n") + 1)
    label = f"{words.full_text} ({size}, {len(text):,})"
    note = escape(words.excerpt.format(n=f"{len(text):,}"))
    return f'<p class="awf-more">{note} {element("a", escape(label), href=sheet.full(text))}</p>'
