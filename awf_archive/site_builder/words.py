"""The terms of each rendered session, for the full-text page: cut by the command line's own tokenizer.

Kept beside the fragment, because cutting 100 000 turns takes 35 CPU seconds (site.md 2.3).
"""

from collections.abc import Iterator
from functools import lru_cache

from awf_archive.render.cache import RenderCache, swap_in
from awf_archive.search.analysis import ANALYSIS_VERSION, fold, term_positions

_WORDS_FILE = "words.txt"


def search_terms(text: str) -> list[str]:
    """Return the terms under which a text is found, each once. Forms with marks are left out: a query has none.

    >>> search_terms("Sửa getUserName")
    ['get', 'getusernam', 'name', 'sua', 'user']
    """
    found: dict[str, list[int]] = {}
    term_positions(text, found)
    return sorted(term for term in found if term.isascii() or _is_folded(term))


@lru_cache(maxsize=1 << 16)
def _is_folded(term: str) -> bool:
    return fold(term) == term


@lru_cache(maxsize=1 << 17)
def folded(word: str) -> str:
    """Return a word as `fold` does; the same words come in every session."""
    return fold(word)


def words_key(fragment_key: str) -> str:
    """Return what changes when a session's terms would."""
    return f"{ANALYSIS_VERSION} {fragment_key}"


def keep_words(cache: RenderCache, name: str, fragment_key: str) -> None:
    """See to it that the terms of a session's fragment lie beside it."""
    path = cache.path(name) / _WORDS_FILE
    wanted = words_key(fragment_key)
    try:
        with path.open(encoding="utf-8") as stream:
            if fragment_key and stream.readline().rstrip("\n") == wanted:
                return
    except (OSError, ValueError):
        pass
    fragment = cache.load(name)
    turns = fragment.turns if fragment else ()
    lines = [f"{turn.local} {' '.join(search_terms(f'{turn.title} {turn.text}'))}" for turn in turns]
    swap_in(path, "\n".join((wanted, *lines, "")).encode(errors="replace"))


def load_words(cache: RenderCache, name: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each turn's local number and terms; nothing when there are none."""
    try:
        _, *lines = (cache.path(name) / _WORDS_FILE).read_text("utf-8").splitlines()
    except (OSError, ValueError):
        return
    for line in lines:
        local, *terms = line.split()
        if local.isdecimal():
            yield int(local), terms
