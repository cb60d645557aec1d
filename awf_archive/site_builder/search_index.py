"""Material's search box: our entries, with a folded field so that "quyet dinh" finds "quyết định" (site.md 4).

Folding is the command line's own, so both find the same.
"""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from awf_archive.render.cache import swap_in
from awf_archive.site_builder.pages import Entry
from awf_archive.site_builder.words import folded

_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")
_WORD = re.compile(r"\w+")


def folded_words(text: str) -> str:
    """Return what the `fold` field holds: words that folding changes, and pairs of Han characters.

    >>> folded_words("Quyết định 数据库 plain")
    'dinh quyet 据库 数据'
    """
    if text.isascii():
        return ""
    marked = {word for word in _WORD.findall(text) if not word.isascii()}
    words = {folded(word) for word in marked if folded(word) != word.lower()}
    return " ".join(sorted((words - set(_pairs(words))) | set(_pairs(_HAN.findall(text)))))


def _pairs(runs: Iterable[str]) -> Iterator[str]:
    for run in runs:
        if _HAN.fullmatch(run):
            yield from (run[index : index + 2] for index in range(max(1, len(run) - 1)))


def write(path: Path, entries: Iterable[Entry]) -> None:
    """Put our entries into the index that Material's plugin wrote, keeping its configuration.

    Beside it lies the same as a script: from `file://` a page cannot read JSON, and Material asks for that.
    """
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
    text = json.dumps(index, ensure_ascii=False, separators=(",", ":"))
    swap_in(path, text.encode())
    swap_in(path.with_suffix(".js"), f"var __index = {text};\n".encode())
