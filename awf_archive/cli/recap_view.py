"""What `recap` and `resume` print, and their JSON (SPEC 4, 9)."""

import unicodedata

from awf_archive.services.recap import Recap

_WITHOUT_NFD = str.maketrans("đĐ", "dD")


def spelled(text: str, encoding: str | None) -> str:
    """Return Vietnamese with its marks where the output can show them, else in the seeds' spelling without.

    >>> spelled("Bước tiếp: 数据库", "utf-8"), spelled("Đang làm", "ascii")
    ('Bước tiếp: 数据库', 'Dang lam')
    """
    return "\n".join(line if _can_show(line, encoding) else _without_marks(line) for line in text.split("\n"))


def _can_show(text: str, encoding: str | None) -> bool:
    """Whether the letters can be encoded; pictures are shown as replacements either way."""
    letters = "".join(mark for mark in text if mark.isalpha() and ord(mark) < _BEYOND_LATIN)
    try:
        letters.encode(encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


_BEYOND_LATIN = 0x2000


def _without_marks(text: str) -> str:
    parts = unicodedata.normalize("NFD", text.translate(_WITHOUT_NFD))
    return unicodedata.normalize("NFC", "".join(mark for mark in parts if not unicodedata.combining(mark)))


def as_json(made: Recap) -> dict[str, object]:
    """Return the object of SPEC 9: the text and the parts it was made of."""
    work = made.work
    return {
        "text": made.text,
        "level": made.level,
        "tokens": made.tokens,
        "note": work.note.value,
        "summary": work.summary.to_json(),
        "state": dict(work.state),
    }
