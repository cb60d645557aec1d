"""Text without what does not tell words apart: case, width, marks, spaces."""

import unicodedata
from functools import lru_cache


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """Return text without case, width and marks.

    >>> fold("Tạm  Biệt"), fold("ＯＫ"), fold("đồng ý")
    ('tam biet', 'ok', 'dong y')
    """
    parts = unicodedata.normalize("NFKD", text.casefold()).replace("đ", "d").replace("’", "'")
    plain = "".join(mark for mark in parts if not unicodedata.combining(mark))
    return " ".join(unicodedata.normalize("NFC", plain).split())
