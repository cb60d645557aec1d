"""Finds and orders the answers to a query: in stages, grouped by turn, what people said first.

1. Every word in one document. If those are few, also every word in one turn, in whichever of its parts.
2. `loose`: what was typed as one word may stand apart.
3. `most words`: at least half of them; rare words count for more than usual ones.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Protocol, TypeAlias, TypeVar

from awf_archive.search.documents import Kind, Note, Part
from awf_archive.search.evaluate import Postings, Scores, at_most, evaluate, every, nearness
from awf_archive.search.facets import asked
from awf_archive.search.filters import Filters
from awf_archive.search.parts import ASSISTANT_FROM, PARTS, WEIGHTS
from awf_archive.search.query import Node, Query, near_pairs

_PART_WEIGHTS = (0.0, *(WEIGHTS.get(part, 0.5) for part in PARTS))

_FEW = 20
"""With fewer answers than this the words are also looked for across the parts of a turn."""
_MANY = 5000
"""With fewer groups left than this, only their documents are looked at further."""
_ACROSS = 0.7
"""What such an answer is worth beside one that holds all words together."""
_NEAR_TOP = 300
"""Among so many best, those where the words stand together as typed move up."""
_NEAR_WEIGHT = 1.2
_MOST = 0.5
"""Share of the words that an answer of the last stage must hold."""
_MOST_WORDS = 12
"""Of pasted text, so many of the rarest known words are looked for; all 200 took 16 s at 100 000 turns."""
_MOST_OF_PASTED = 0.25
_NEAR_PAIRS = 12
"""And so many neighbours."""


class Corpus(Postings, Protocol):
    """Postings, and what is known of each document."""

    @property
    def groups(self) -> Sequence[int]:
        """The group of each document."""

    @property
    def times(self) -> Sequence[int]:
        """The time of each document."""

    @property
    def parts(self) -> Sequence[int]:
        """The number of each document's part."""

    def facet(self, value: str) -> set[int]:
        """Return the documents with a facet."""

    def all_documents(self) -> Iterable[int]:
        """Give every document."""


Answer: TypeAlias = tuple[int, float]
"""The best document of a group, and how good it is. A plain tuple: there are hundreds of thousands."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """All answers, best first."""

    answers: Sequence[Answer]
    note: Note = Note.NONE


_Groups = dict[int, Answer]
_Word = TypeVar("_Word")


def rank(query: Query, corpus: Corpus) -> Ranked:
    """Return the answers to a query."""
    search = _Search(query, corpus)
    if not query.clauses:
        return Ranked((), Note.NO_WORDS) if query.filters.is_empty else Ranked(search.newest())
    for stage, note in _STAGES:
        groups = search.without_excluded(stage(search))
        if groups:
            return Ranked(search.ordered(groups), note)
    return Ranked(())


class _Search:
    """One query on its way through the stages."""

    def __init__(self, query: Query, corpus: Corpus) -> None:
        self.query = query
        self.corpus = corpus
        role = query.filters.role
        self.postings: Postings = _OneSide(corpus, role) if role else corpus
        self.within = _facets(query.filters, corpus)
        self.keep = _keeper(query.filters, corpus)

    def strict(self) -> _Groups:
        """Every word, together or at least in one turn."""
        nodes = [clause.strict for clause in self.query.clauses]
        groups = self.grouped(every(nodes, self.postings, self.within))
        if len(groups) < _FEW and len(nodes) > 1:
            return self.across(nodes) | groups
        return groups

    def loose(self) -> _Groups:
        """Every word, in parts that may stand apart."""
        return self.across(self._loose_nodes())

    def most(self) -> _Groups:
        """As many words as possible."""
        every_node = self._loose_nodes()
        rarest = sorted(every_node, key=lambda each: at_most(each, self.postings))
        known_nodes = [node for node in rarest if at_most(node, self.postings)]
        nodes, needed = most_of(known_nodes, len(every_node))
        counts: dict[int, int] = {}
        known: dict[int, float] = {}
        total: _Groups = {}
        for node in nodes:
            groups = self.grouped(evaluate(node, self.postings, self.within))
            rarity = self.rarity(node)
            for group in groups:
                counts[group] = counts.get(group, 0) + 1
                known[group] = known.get(group, 0.0) + rarity
            _add(total, groups)
        whole = sum(map(self.rarity, nodes)) or 1.0
        return {
            group: (doc, score * (known[group] / whole) ** 2)
            for group, (doc, score) in total.items()
            if counts[group] >= needed
        }

    def rarity(self, node: Node) -> float:
        """Return how much finding a node says."""
        return math.log(1 + len(self.corpus.parts) / (1 + at_most(node, self.postings)))

    def across(self, nodes: Sequence[Node]) -> _Groups:
        """Every node in one group, in whichever of its documents."""
        if any(at_most(node, self.postings) == 0 for node in nodes):
            return {}
        total: _Groups | None = None
        for node in sorted(nodes, key=lambda each: at_most(each, self.postings)):
            within = self.within if total is None or len(total) > _MANY else self.documents_of(total)
            groups = self.grouped(evaluate(node, self.postings, within))
            if total is None:
                total = groups
            else:
                total = {group: answer for group, answer in total.items() if group in groups}
                _add(total, {group: groups[group] for group in total})
            if not total:
                return {}
        return {group: (doc, score * _ACROSS) for group, (doc, score) in (total or {}).items()}

    def documents_of(self, groups: _Groups) -> set[int]:
        """Return every document of these groups that the filters let through."""
        docs = {doc for doc, group in enumerate(self.corpus.groups) if group in groups}
        return docs if self.within is None else docs & self.within

    def grouped(self, scores: Scores) -> _Groups:
        """Return the best document of each group, by its part's weight."""
        groups, parts, keep = self.corpus.groups, self.corpus.parts, self.keep
        best: _Groups = {}
        for doc, score in scores.items():
            if keep is None or keep(doc):
                weighted = score * _PART_WEIGHTS[parts[doc]]
                group = groups[doc]
                if group not in best or weighted > best[group][1]:
                    best[group] = (doc, weighted)
        return best

    def without_excluded(self, groups: _Groups) -> _Groups:
        """Leave out every turn that holds an excluded word in any part."""
        of = self.corpus.groups
        gone = (
            {of[doc] for node in self.query.excluded for doc in evaluate(node, self.corpus)} if groups else ()
        )
        return {group: answer for group, answer in groups.items() if group not in gone}

    def ordered(self, groups: _Groups) -> Sequence[Answer]:
        """Best first, newest first among equals; of the best, those with the words side by side move up."""
        answers = sorted(groups.values(), key=itemgetter(1), reverse=True)
        top, rest = answers[:_NEAR_TOP], answers[_NEAR_TOP:]
        near = nearness(near_pairs(self.query)[:_NEAR_PAIRS], self.corpus, {doc for doc, _ in top})
        moved = [(doc, score * (1 + _NEAR_WEIGHT * near.get(doc, 0.0))) for doc, score in top]
        return [*sorted(moved, key=self._rank), *rest]

    def newest(self) -> Sequence[Answer]:
        """Everything that the filters let through, newest first."""
        docs = self.corpus.all_documents() if self.within is None else self.within
        groups = self.grouped(dict.fromkeys(docs, 1.0))
        if self.query.filters.role:
            groups = {group: a for group, a in groups.items() if PARTS[self.corpus.parts[a[0]] - 1] == _SAID}
        answers = [(doc, 1.0) for doc, _ in self.without_excluded(groups).values()]
        return sorted(answers, key=self._rank)

    def _loose_nodes(self) -> list[Node]:
        return list(dict.fromkeys(node for clause in self.query.clauses for node in clause.loose))

    def _rank(self, answer: Answer) -> tuple[float, int, int]:
        doc, score = answer
        return -score, -self.corpus.times[doc], doc


def most_of(known: Sequence[_Word], asked_for: int) -> tuple[Sequence[_Word], int]:
    """Return which of the known words, rarest first, the last stage looks for, and how many an answer must hold.

    >>> most_of(["zebra", "cache"], 3), most_of(list("abc"), 13)
    ((['zebra', 'cache'], 2), (['a', 'b', 'c'], 1))
    """
    is_pasted = asked_for > _MOST_WORDS
    chosen = known[:_MOST_WORDS]
    wanted = len(chosen) if is_pasted else asked_for
    return chosen, max(1, round(wanted * (_MOST_OF_PASTED if is_pasted else _MOST)))


_SAID = (Kind.TURN, Part.SAID)

_STAGES: tuple[tuple[Callable[[_Search], _Groups], Note], ...] = (
    (_Search.strict, Note.NONE),
    (_Search.loose, Note.LOOSE),
    (_Search.most, Note.MOST_WORDS),
)


def _add(total: _Groups, more: _Groups) -> None:
    for group, (doc, score) in more.items():
        known_doc, known = total.get(group, (doc, 0.0))
        total[group] = (doc if score > known else known_doc, known + score)


class _OneSide:
    """Postings of the user's or the assistant's words only; a position tells whose they are."""

    def __init__(self, corpus: Corpus, role: str) -> None:
        self._corpus = corpus
        self._is_user = role == "user"
        said = PARTS.index(_SAID) + 1
        self._docs = {doc for doc in corpus.all_documents() if corpus.parts[doc] == said}

    def frequency(self, term: str) -> int:
        """Return an upper bound."""
        return self._corpus.frequency(term)

    def expand(self, prefix: str) -> Sequence[str]:
        """Return terms that begin with `prefix`."""
        return self._corpus.expand(prefix)

    def holders(self, term: str) -> Iterable[int]:
        """Return the documents where this side used a term."""
        return self.scores(term)

    def scores(self, term: str, within: Collection[int] | None = None) -> Scores:
        """Return the documents where this side used a term."""
        scores = self._corpus.scores(term, self._docs if within is None else within)
        mine = self.positions(term, scores.keys())
        return {doc: scores[doc] for doc in mine}

    def positions(self, term: str, within: Collection[int]) -> Mapping[int, Sequence[int]]:
        """Return where this side used a term."""
        places = self._corpus.positions(term, {doc for doc in within if doc in self._docs})
        mine = {
            doc: [place for place in where if (place < ASSISTANT_FROM) is self._is_user]
            for doc, where in places.items()
        }
        return {doc: where for doc, where in mine.items() if where}


def _facets(filters: Filters, corpus: Corpus) -> set[int] | None:
    """Return the documents that feature, session, tool and file let through; None for all."""
    found: set[int] | None = None
    for facet in asked(filters):
        docs = corpus.facet(facet)
        found = docs if found is None else found & docs
    return found


def _keeper(filters: Filters, corpus: Corpus) -> Callable[[int], bool] | None:
    """Return what checks kind and time, only ever asked about documents that the words found."""
    if not filters.kind and filters.since is None and filters.until is None:
        return None
    parts, times = corpus.parts, corpus.times
    numbers = {number for number, (kind, part) in enumerate(PARTS, 1) if _is_of(filters.kind, kind, part)}
    since = 1 if filters.since is None and filters.until is not None else filters.since or -(1 << 62)
    until = 1 << 62 if filters.until is None else filters.until
    return lambda doc: parts[doc] in numbers and since <= times[doc] < until


def _is_of(wanted: str, kind: Kind, part: Part) -> bool:
    return not wanted or wanted == kind or (kind is Kind.TURN and wanted == part)
