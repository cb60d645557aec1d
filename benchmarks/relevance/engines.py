"""Four engines over the same documents: ours, Whoosh as it comes, and SQLite FTS5 with two of its tokenizers.

Each gives names of turns, best first, a turn once however many of its parts are found.
"""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from collection import Turn
from whoosh import index as whoosh_index
from whoosh.fields import STORED, TEXT, Schema
from whoosh.qparser import QueryParser

from awf_archive.search.documents import Document, Key, Request
from awf_archive.search.whoosh_index import WhooshIndex

DEPTH = 20
_ENOUGH = DEPTH * 4
"""Documents asked for, since a turn has up to four."""

Engine = Callable[[str], list[str]]


def ours(turns: Sequence[Turn], folder: Path) -> Engine:
    """Return the search of this project."""
    by_key: dict[Key, list[Document]] = {}
    for turn in turns:
        for document in turn.documents:
            by_key.setdefault(Key(turn.feature, document.session), []).append(document)
    names = {(turn.feature, turn.number): turn.name for turn in turns}
    index = WhooshIndex(folder / "ours")
    index.rebuild(dict.fromkeys(by_key, "x"), by_key.__getitem__)

    def ask(query: str) -> list[str]:
        hits = index.search(Request(topic=query, limit=DEPTH)).hits
        return [names[hit.feature, hit.turn] for hit in hits]

    return ask


def whoosh_defaults(turns: Sequence[Turn], folder: Path) -> Engine:
    """Return Whoosh with its own analyser, parser and ranking."""
    place = folder / "whoosh"
    place.mkdir()
    made = whoosh_index.create_in(str(place), Schema(name=STORED, text=TEXT))
    writer = made.writer(limitmb=256)
    for turn in turns:
        for document in turn.documents:
            writer.add_document(name=turn.name, text=_text(document))
    writer.commit()
    searcher, parser = made.searcher(), QueryParser("text", made.schema)

    def ask(query: str) -> list[str]:
        return _once(hit["name"] for hit in searcher.search(parser.parse(query), limit=_ENOUGH))

    return ask


def fts5(tokenizer: str) -> Callable[[Sequence[Turn], Path], Engine]:
    """Return how SQLite's full text search is made, with one of its tokenizers."""

    def make(turns: Sequence[Turn], _folder: Path) -> Engine:
        table = sqlite3.connect(":memory:")
        table.execute(f"create virtual table f using fts5(name unindexed, text, tokenize={tokenizer})")
        rows = ((turn.name, _text(document)) for turn in turns for document in turn.documents)
        table.executemany("insert into f values (?, ?)", rows)

        def ask(query: str) -> list[str]:
            words = " ".join('"' + word.replace('"', '""') + '"' for word in query.split() if word != '"')
            found = table.execute(
                "select name from f where f match ? order by rank limit ?", (words, _ENOUGH)
            )
            return _once(name for (name,) in found)

        return ask

    return make


def _text(document: Document) -> str:
    return f"{document.title}\n{document.user}\n{document.text}".encode(errors="replace").decode()


def _once(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))[:DEPTH]


ENGINES: dict[str, Callable[[Sequence[Turn], Path], Engine]] = {
    "awf-archive": ours,
    "Whoosh": whoosh_defaults,
    "FTS5 unicode61": fts5("unicode61"),
    "FTS5 trigram": fts5("trigram"),
}
"""Every engine and how it is made. FTS5 gets each word in quotes: bare ones raise on `vis-timeline`."""
