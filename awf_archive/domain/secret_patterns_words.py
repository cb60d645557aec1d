"""What stands behind a word such as "password:", "mật khẩu:" or "密码：", and is a secret itself.

The word alone proves nothing: most of what follows it is prose, a type, a variable or a field's label. So the
value must look drawn or chosen, not written; what is left out and why is a table of tests.
"""

import re
from collections.abc import Iterator
from unicodedata import normalize

from awf_archive.domain.secret_patterns import is_mixed


def _forms(word: str) -> tuple[str, ...]:
    """Return a word composed and decomposed: both reach us, from Linux and from a Mac."""
    return tuple(dict.fromkeys(normalize(form, word) for form in ("NFC", "NFD")))


def _either_form(word: str) -> str:
    return "|".join(map(re.escape, _forms(word)))


_PASSWORDS_VI = ("mật khẩu", "mật mã")
_KEYS_VI = ("khóa bí mật", "khoá bí mật", "khóa api", "khoá api", "mã truy cập")
_PASSWORD = "|".join(
    (
        r"pass(?:word|wd|phrase|code|(?<=[_-]pass))|pwd|mk(?<![^\W_]mk)|matkhau|mat[ _]khau|密码|密碼|口令",
        *map(_either_form, _PASSWORDS_VI),
    )
)
_BEFORE_KEY = ("api", "access", "secret", "account", "private", "auth", "encryption", "signing")
_KEY = "|".join(
    (
        "secret|token|密钥|密鑰|令牌|私钥",
        rf"key(?:{'|'.join(f'(?<={word}key)|(?<={word}[_ -]key)' for word in _BEFORE_KEY)})",
        *map(_either_form, _KEYS_VI),
    )
)
"""What stands before a word is looked at after it: a pattern that begins with letters is looked for much faster."""
_SIGN = rf"(?:[:=：＝]{{1,3}}>?|[ \t](?:is|la|{_either_form('là')})[ \t]|是|为|為)"
_LINK = rf"(?:[ \t][^\W\d_]{{1,12}}){{0,3}}?[\"'`*\\)\]]{{0,4}}[ \t]{{0,3}}{_SIGN}[ \t]{{0,3}}"

_WORD = re.compile(rf"(?:(?P<password>{_PASSWORD})|(?P<secret>{_KEY})){_LINK}")
"""On small letters, at a place where one of `_BEGINNINGS` stands."""
_BEGINNINGS = (
    *("pass", "pwd", "mk", "matkhau", "mat khau", "mat_khau", "密码", "密碼", "口令"),
    *("secret", "token", "key", "密钥", "密鑰", "令牌", "私钥"),
    *(form for word in (*_PASSWORDS_VI, *_KEYS_VI) for form in _forms(word)),
)
"""How each of the words begins: four of five texts hold none, and a look for each costs a sixth of the pattern's
pass over the text."""

_CJK = "\u3000-\u303f\u4e00-\u9fff\uff00-\uffef"
_VALUE = re.compile(
    rf"""[*\\ \t]{{0,4}}(?P<quote>["'`])(?P<quoted>[^\s"'`\\{_CJK}]{{4,200}})\\*(?P=quote)"""
    rf"""|["'`*\\ \t]{{0,4}}(?P<bare>[^\s"'`<>,;|\\{_CJK}]{{4,200}})"""
)

_CODE = re.compile(
    r"""
    [\w.$]*\(                                          # a call
    | [A-Za-z_$][\w$]*(?:[?!]?\.[A-Za-z_$][\w$]*)+\W*\Z # a path through objects: process.env.PASSWORD
    | [A-Za-z_]\w*\[                                   # an element
    | [$%{<*\[(]                                       # a variable, a template, a mask
    | (?:\.{0,2}|~|[A-Za-z]:)/                         # a path
    | [a-z][a-z0-9+.-]*://                             # an address
    | [0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-    # a UUID
    | (?i:sha|md|utf|base|bcrypt|argon|pbkdf|hmac|aes|rsa|u?int|float|varchar|char)[-_]?\d+\w{0,6}\W*\Z
    | [vV]\d+(?:\.\d+)*\Z                              # a version
    | [\w./-]+\.(?:py|js|tsx?|go|rs|md|txt|json|ya?ml|toml|env|sh|java|rb|php|cs|html|css|vue|sql)(?::\d+)*\Z
    """,
    re.VERBOSE,
)
"""What follows such a word in code and in prose about code, and is no secret."""

_SYMBOLS = frozenset("!@#$%^&+=?~")
_SHORTEST = 6
_SHORTEST_KEY = 16
_DULL = re.compile(
    r"(?i)(?:password|passwd|passphrase|pwd|secret|token)\w?"
    r"|(?:your|my|the|new|old|some|example|sample|dummy|placeholder|redacted)[-_]?\w*|x{3,}|\.{3,}"
)


def word_secrets(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield beginning, end and kind of what stands behind such a word."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = text.replace("İ", "I").lower()  # the one letter whose small form is longer
    for word in _words(lowered):
        value = _VALUE.match(text, word.end())
        if value is None:
            continue
        start, end = value.span("quoted" if value["quoted"] else "bare")
        kind = str(word.lastgroup)
        secret = text[start:end] if value["quoted"] else _trimmed(text[start:end])
        if kind == "secret":
            secret = secret[: len(secret) - len(secret.lstrip(_KEY_LETTERS))]
        if _TESTS[kind](secret):
            yield start, start + len(secret), kind


def _words(lowered: str) -> Iterator[re.Match[str]]:
    """Yield what `_WORD` finds from left to right, each behind the end of the one before."""
    beginnings = [one for one in _BEGINNINGS if one in lowered]
    end = 0
    for place in sorted({place for one in beginnings for place in _places(lowered, one)}):
        if place >= end and (word := _WORD.match(lowered, place)):
            end = word.end()
            yield word


def _places(text: str, literal: str) -> Iterator[int]:
    place = text.find(literal)
    while place >= 0:
        yield place
        place = text.find(literal, place + 1)


_KEY_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.~+/=-"


def _trimmed(value: str) -> str:
    """Return a value without the punctuation of the sentence around it."""
    return value.rstrip(".,;:!?)]}*_")


def _is_password(value: str) -> bool:
    if len(value) < _SHORTEST or _CODE.match(value) or _DULL.fullmatch(value):
        return False
    has_digit, has_symbol = any(map(str.isdigit, value)), bool(_SYMBOLS.intersection(value))
    if any(map(str.isalpha, value)):
        return has_digit or has_symbol
    return value.isdecimal() or (has_digit and has_symbol)


def _is_key(value: str) -> bool:
    return len(value) >= _SHORTEST_KEY and value.isascii() and not _CODE.match(value) and is_mixed(value)


_TESTS = {"password": _is_password, "secret": _is_key}
