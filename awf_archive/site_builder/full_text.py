"""The full-text page's index: shards of terms, and a small addition for what is new since (site.md 4).

Every file is a script that hands its data over, so that the page works from `file://` under our policy. A document is
a turn, a summary or a decision; a row of the table is a session with its turns, or one of the others.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Final

from awf_archive.domain.wording import Wording
from awf_archive.render.clean import one_line
from awf_archive.render.turn import RenderedTurn
from awf_archive.site_builder.page import decision_folder, summary_name
from awf_archive.site_builder.views import FeatureView, SessionView, SiteView
from awf_archive.site_builder.words import load_words, search_terms, words_key

TEXTS_FILE: Final = "texts.js"
"""Beside a session's pages: its words, for the lines that the search page shows."""

FOLDER: Final = "search/full"
_LARGEST_ADDITION = 100
"""Rows in `delta.js`, which every search loads; more of them and the shards are made again."""
_FEW_DOCUMENTS = 2_000
_SHOWN = 6_000
"""Characters of a turn from which the page cuts what it shows."""

_DIRECT = 0xD800 - 32
"""Gaps below are one character that is no surrogate."""

Terms = Callable[[], Iterable[tuple[int, list[str]]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of the table: a session, a summary or a decision."""

    id: str
    """Its folder on the site, or its link."""
    key: str
    """Changes when what is found would."""
    facts: tuple[int | str | list[int], ...]
    """Kind (0 turn, 1 summary, 2 decision), feature's number, date, title, first turns of its pages."""
    terms: Terms
    """Gives each document's local number and terms."""


@dataclass(slots=True, kw_only=True)
class Index:
    """Where the index goes and what is live of it."""

    target: Path
    old_keys: Mapping[str, str]
    """Of the rows in the live base; empty when there is none."""
    old_files: frozenset[str]
    keys: dict[str, str] = field(default_factory=dict)
    """Of the base that holds now, as are `files`."""
    files: set[str] = field(default_factory=set)

    def write(self, site: SiteView) -> None:
        """Write the addition alone when little changed, else everything."""
        rows = {row.id: row for row in _rows(site)}
        new = [row for row in rows.values() if self.old_keys.get(row.id) != row.key]
        gone = [name for name in self.old_keys if name not in rows]
        (self.target / FOLDER).mkdir(parents=True, exist_ok=True)
        if not self.old_keys or len(new) + len(gone) > _LARGEST_ADDITION:
            self._base(site, tuple(rows.values()))
            new, gone = [], []
        else:
            self.keys, self.files = dict(self.old_keys), set(self.old_files)
        replaced = sorted({*gone, *(row.id for row in new if row.id in self.old_keys)})
        table, postings, _ = _merge(new)
        terms = {term: _packed(found) for term, found in sorted(postings.items())}
        self._put("delta", "awfDelta", [_names(site), replaced, table, terms])

    def _base(self, site: SiteView, rows: Sequence[Row]) -> None:
        table, postings, documents = _merge(rows)
        count = 256 if documents > _FEW_DOCUMENTS else 16
        shards: dict[int, dict[str, str]] = {}
        for term in sorted(postings):
            shards.setdefault(shard_of(term, count), {})[term] = _packed(postings[term])
        self.files = {self._put("table", "awfTable", [count, _names(site), table])}
        for number, terms in shards.items():
            self.files.add(self._put(f"{number:02x}", "awfShard", [number, terms]))
        self.keys = {row.id: row.key for row in rows}

    def _put(self, name: str, call: str, value: object) -> str:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        (self.target / FOLDER / f"{name}.js").write_bytes(f"{call}({text});\n".encode(errors="replace"))
        return f"{FOLDER}/{name}.js"


def shard_of(term: str, count: int) -> int:
    """Return a term's shard, by its first two characters: all that a typed beginning may become lie together.

    >>> shard_of("quyet", 256) == shard_of("qu", 256)
    True
    """
    return (ord(term[0]) * 31 + (ord(term[1]) if len(term) > 1 else 0)) % count


def _packed(documents: Sequence[int]) -> str:
    """Return ascending numbers as their gaps, one character each."""
    gaps = map(int.__sub__, documents, (-1, *documents))
    return "".join(chr(gap + 32 if gap < _DIRECT else gap + 32 + 0x800) for gap in gaps)


def _merge(rows: Iterable[Row]) -> tuple[list[list[object]], dict[str, list[int]], int]:
    """Return the table, the documents of each term, and how many documents there are."""
    table: list[list[object]] = []
    postings: dict[str, list[int]] = {}
    number = 0
    for row in rows:
        locals_: list[int] = []
        for local, terms in row.terms():
            locals_.append(local)
            for term in terms:
                if term in postings:
                    postings[term].append(number)
                else:
                    postings[term] = [number]
            number += 1
        is_plain = locals_ == list(range(1, len(locals_) + 1))
        table.append([row.id, *row.facts, len(locals_) if is_plain else locals_])
    return table, postings, number


def _names(site: SiteView) -> list[str]:
    """Return the features in the order of their numbers: by name, which activity does not change."""
    return sorted(feature.name for feature in site.features)


def _rows(site: SiteView) -> Iterator[Row]:
    for number, feature in enumerate(sorted(site.features, key=lambda one: one.name)):
        for session in feature.sessions:
            if session.facts:
                yield _session_row(number, session)
        yield from _other_rows(number, feature, site.words)


def _session_row(number: int, session: SessionView) -> Row:
    starts = list(session.facts.starts[1:]) if session.facts else []
    facts = (0, number, session.date[:10], session.title, starts)
    key = words_key(session.facts.key if session.facts else "")
    terms = partial(load_words, session.home.cache, session.kept)
    return Row(id=session.folder, key=_digest(key, facts), facts=facts, terms=terms)


def _other_rows(number: int, feature: FeatureView, words: Wording) -> Iterator[Row]:
    for chunk in feature.chunks:
        link = f"{feature.link}#{chunk.chunk_id}"
        heading = one_line(summary_name(feature, chunk, words))
        yield _other(link, (1, number, "", heading, []), chunk.text)
    for decision in feature.decisions:
        link = f"{decision_folder(feature.name, decision.id)}/index.html"
        heading = one_line(f"{decision.id} · {decision.text}")
        text = "\n".join((decision.text, decision.reason, *decision.options))
        yield _other(link, (2, number, decision.date[:10], heading, []), text)


def _other(link: str, facts: tuple[int | str | list[int], ...], text: str) -> Row:
    return Row(id=link, key=_digest(text, facts), facts=facts, terms=lambda: [(1, search_terms(text))])


def _digest(*parts: object) -> str:
    return blake2b(repr(parts).encode(errors="surrogatepass"), digest_size=12).hexdigest()


def texts_script(folder: str, turns: Iterable[RenderedTurn]) -> str:
    """Return the script with a session's words: what the search page cuts its lines from."""
    texts = {turn.local: [turn.title, turn.text[:_SHOWN]] for turn in turns}
    return f"awfTexts({json.dumps([folder, texts], ensure_ascii=False, separators=(',', ':'))});\n"
