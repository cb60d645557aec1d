"""The visible, reversible escape for what a UTF-8 Markdown file cannot or should not hold (SPEC 1.5).

NUL and the other controls, carriage returns, byte order marks and lone surrogates are written `⟦U+001B⟧`.
A text that already holds `⟦U+` has its first bracket escaped, so every text comes back as it was.

>>> escape("a\\x1b[31mb")
'a⟦U+001B⟧[31mb'
>>> unescape(escape("literal ⟦U+001B⟧ and \\ud800")) == "literal ⟦U+001B⟧ and \\ud800"
True
"""

import json
import re

_MUST_ESCAPE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff\ud800-\udfff]|⟦(?=U\\+)")
"""Tab and line feed stay, and so does U+0085, a line end that text may rightly hold (case A07)."""

_ESCAPED = re.compile(r"⟦U\+([0-9A-F]{4})⟧")


def escape(text: str) -> str:
    """Return `text` as a turn file writes it: always valid UTF-8, never a control but tab and line feed."""
    return _MUST_ESCAPE.sub(lambda match: f"⟦U+{ord(match[0]):04X}⟧", text)


def unescape(text: str) -> str:
    """Return the text that `escape` was given."""
    if "⟦U+" not in text:
        return text
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)


_JSON_MUST_ESCAPE = re.compile(
    "[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)
"""What UTF-8 cannot hold, what ends a line somewhere, and what turns the order of letters on a screen round."""


def json_line(value: object) -> str:
    """Return `value` as JSON on one line: readable in every script, and always valid UTF-8.

    >>> json_line({"tên": "\\ud800"})
    '{"tên": "\\\\ud800"}'
    """
    text = json.dumps(value, ensure_ascii=False)
    return _JSON_MUST_ESCAPE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def json_pages(value: object) -> bytes:
    """Return `value` as the indented JSON that the archive's files hold, with a final line feed."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return (_JSON_MUST_ESCAPE.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n").encode()


_TERMINAL_SEQUENCE = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]?"  # CSI: colours, cursor
    "|(?:\x1b\\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\\\|\x9c)?"  # OSC: titles, links
    "|\x1b[@-Z\\\\-_]?"
)
_UNSAFE_TO_SHOW = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)


def visible(text: str) -> str:
    """Return `text` as a view shows it: no terminal sequences, a replacement character for what must not be shown.

    >>> visible("\\x1b[31mFAILED\\x1b[0m \\x07!")
    'FAILED �!'
    """
    text = _TERMINAL_SEQUENCE.sub("", text.replace("\r\n", "\n"))
    return _UNSAFE_TO_SHOW.sub("�", text)
