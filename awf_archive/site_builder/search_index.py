"""Material's search box: our entries, with a folded field so that "quyet dinh" finds "quyết định" (site.md 4)."""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from awf_archive.render.cache import swap_in
from awf_archive.site_builder.pages import Entry

_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")
_WORD = re.compile(r"\w+")


def fold(text: str) -> str:
    """Return text without case and marks, and without the bar of đ.

    >>> fold("Quyết ĐỊNH của café")
    'quyet dinh cua cafe'
    """
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(mark for mark in plain if not unicodedata.combining(mark)).replace("đ", "d")


def folded_words(text: str) -> str:
    """Return what the `fold` field holds: words that folding changes, and pairs of Han characters.

    >>> folded_words("Quyết định 数据库 plain")
    'dinh quyet 数据 据库'
    """
    words = {fold(word) for word in _WORD.findall(text) if fold(word) != word.lower()}
    return " ".join(sorted((words - set(_pairs(words))) | set(_pairs(_HAN.findall(text)))))


def _pairs(runs: Iterable[str]) -> Iterator[str]:
    for run in runs:
        if _HAN.fullmatch(run):
            yield from (run[index : index + 2] for index in range(max(1, len(run) - 1)))


def write(path: Path, entries: Iterable[Entry]) -> None:
    """Put our entries into the index that Material's plugin wrote, keeping its configuration."""
    index: dict[str, Any] = json.loads(path.read_bytes())
    index["docs"] = [
        {
            "location": entry.location,
            "title": entry.title,
            "text": entry.text,
            "fold": folded_words(f"{entry.title} {entry.text}"),
        }
        for entry in entries
    ]
    swap_in(path, json.dumps(index, ensure_ascii=False, separators=(",", ":")).encode())
