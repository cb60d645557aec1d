"""Text as a page may show it: no control character, nothing that reorders or hides what is read."""

import re
import unicodedata

_TERMINAL = re.compile(
    r"(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)"  # OSC: titles, links
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    r"|\x1b[()][0-9A-Z]|\x1b[=>78]"  # character sets, keypad, cursor
)
_LINE_ENDS = re.compile(r"\r\n?")
_UNFIT = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff\ud800-\udfff"
    "\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]"
)
_BIDI = {
    "\u202a": "LRE",
    "\u202b": "RLE",
    "\u202c": "PDF",
    "\u202d": "LRO",
    "\u202e": "RLO",
    "\u2066": "LRI",
    "\u2067": "RLI",
    "\u2068": "FSI",
    "\u2069": "PDI",
}
_OTHERS = {"\x7f": "␡", "\ufeff": ""}


def clean(text: str) -> str:
    r"""Return `text` without terminal codes, its other controls made visible.

    >>> clean("\x1b[31mred\x1b[0m\r\nbell\x07 a\u202eb")
    'red\nbell␇ a⟦U+202E RLO⟧b'
    """
    if text.isprintable():  # most one-line texts: nothing below is printable
        return text
    text = _LINE_ENDS.sub("\n", _TERMINAL.sub("", text))
    return _UNFIT.sub(_visible, text)


def _visible(match: re.Match[str]) -> str:
    mark = match[0]
    if mark < " ":
        return chr(0x2400 + ord(mark))
    if mark in _BIDI:
        return f"⟦U+{ord(mark):04X} {_BIDI[mark]}⟧"
    return _OTHERS.get(mark, "⟦tag⟧" if mark >= "\U000e0000" else "\ufffd")


def one_line(text: str, limit: int = 200) -> str:
    """Return cleaned `text` on one line, cut with `…`; still to be escaped."""
    line = " ".join(clean(text[: limit * 8]).split())
    return line if len(line) <= limit and len(text) <= limit * 8 else line[: limit - 1].rstrip() + "…"


_LOOK_ALIKES = str.maketrans(
    {"<": "‹", ">": "›", "&": "＆", '"': "”", "'": "’", "`": "’", "{": "❴", "}": "❵"}
)


def title(text: str, limit: int = 120) -> str:
    """Return one line that is harmless even where a template prints it unescaped, as Material does.

    >>> title("<script>alert('x')</script> {{ y }}")
    '‹script›alert(’x’)‹/script› ❴❴ y ❵❵'
    """
    line = one_line(text, limit).translate(_LOOK_ALIKES)
    return "".join(mark for mark in line if unicodedata.category(mark) not in {"Cc", "Cf", "Zl", "Zp"})
