"""Reads a topic as people type or paste it; anything odd is plain text, and nothing is an error.

Plain words must all be there; `"phrase"`, `-not`, `OR`, `prefix*` and `name:value` filters are understood where they
make sense. What the index is asked for is a small tree of `Node`s, evaluated by `evaluate`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from awf_archive.search.analysis import Form, Token, fold, is_hash, tokens
from awf_archive.search.filters import FILTERS, Filters
from awf_archive.search.stop_words import STOP_WORDS


class Term(NamedTuple):
    """One term."""

    text: str


class Phrase(NamedTuple):
    """Terms at consecutive positions."""

    texts: tuple[str, ...]


class Prefix(NamedTuple):
    """Every term that begins so."""

    text: str


class AnyOf(NamedTuple):
    """At least one of these; more is better."""

    nodes: tuple["Node", ...]


class AllOf(NamedTuple):
    """Each of these, anywhere."""

    nodes: tuple["Node", ...]


Node: TypeAlias = Term | Phrase | Prefix | AnyOf | AllOf


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """What was typed between two blanks, or in quotes."""

    strict: Node
    """As typed: what was written as one stands as one."""
    loose: tuple[Node, ...]
    """The same in parts that may stand apart; a quoted phrase and an identifier stay whole."""
    marks: frozenset[str]
    """Terms to mark in a snippet."""
    sequence: tuple[str, ...]
    """Plain terms in order, for ranking by nearness; empty where order says nothing."""
    is_stop_word: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A topic as understood."""

    clauses: tuple[Clause, ...]
    """Each must be there."""
    excluded: tuple[Node, ...] = ()
    filters: Filters = field(default_factory=Filters)

    @property
    def marks(self) -> tuple[str, ...]:
        """Terms to mark in snippets; one with a final `*` is a prefix."""
        return tuple(sorted(frozenset[str]().union(*(clause.marks for clause in self.clauses))))

    @property
    def sequence(self) -> tuple[str, ...]:
        """The typed words in order, each once in a row."""
        return tuple(text for clause in self.clauses for text in clause.sequence)


MAX_CLAUSES = 200
"""A pasted page is searched by its first words: enough to find it again, bounded in time."""

_CHUNK = re.compile(
    r"(?P<not>-?)(?:(?P<name>[A-Za-z]+):)?(?:\"(?P<quoted>[^\"]*)\"|“(?P<curly>[^“”]*)”)(?=\s|$|[),.;:!?\]])"
    r"|(?P<plain>\S+)"
)
_TYPED_FILTER = re.compile(r"([A-Za-z]+):(\S+)", re.DOTALL)
_NEGATED = re.compile(r"-(?!-)(\w[^\s]{2,})", re.DOTALL)
"""`-m`, `-rf` and `--flag` are options in a pasted command, not exclusions."""
_PREFIX = re.compile(r"([^\s*]*\w)\*", re.DOTALL)


_IDENTIFIER = re.compile(r"\w+", re.ASCII)
"""`BUILD_FAILED_7731` is one thing: turns with a build, a failure and a number are no answer."""

_SHORT = 2
"""A shorter beginning is searched for but not marked: `us*` would mark every `use`."""


class _Chunk(NamedTuple):
    text: str
    is_quoted: bool = False
    is_negated: bool = False
    filter_name: str = ""


def parse(topic: str, *, now: str = "", with_filters: bool = True) -> Query:
    """Read a topic; never fails.

    >>> query = parse('cache -redis role:user "time to live" vis-timeline')
    >>> [clause.strict for clause in query.clauses]
    [Term(text='cach'), Phrase(texts=('time', 'to', 'live')), Phrase(texts=('vis', 'timelin'))]
    >>> query.excluded, query.filters.role
    ((Term(text='redis'),), 'user')
    """
    chunks = list(_chunks(topic))
    filters = Filters()
    if with_filters:
        filters, chunks = _take_filters(chunks, now)
    negated = [chunk for chunk in chunks if chunk.is_negated]
    positive = [chunk for chunk in chunks if not chunk.is_negated]
    if not any(_clause(chunk) for chunk in positive) and filters.is_empty:
        positive, negated = chunks, []
    clauses = _without_stop_words(_with_or(positive))
    excluded = tuple(clause.strict for chunk in negated if (clause := _clause(chunk)))
    return Query(clauses=clauses, excluded=excluded, filters=filters)


def _chunks(topic: str) -> Iterator[_Chunk]:
    for match in _CHUNK.finditer(topic):
        quoted = match["quoted"] if match["quoted"] is not None else match["curly"]
        if quoted is not None:
            name = (match["name"] or "").lower()
            if name and name not in FILTERS:
                yield _Chunk(name)
                name = ""
            yield _Chunk(quoted, is_quoted=True, is_negated=bool(match["not"]), filter_name=name)
        elif negated := _NEGATED.fullmatch(match["plain"]):
            yield _Chunk(negated[1], is_negated=True)
        else:
            yield _Chunk(match["plain"])


def _take_filters(chunks: Iterable[_Chunk], now: str) -> tuple[Filters, list[_Chunk]]:
    filters, rest = Filters(), []
    for chunk in chunks:
        name, value = chunk.filter_name, chunk.text
        if not chunk.is_quoted and (typed := _TYPED_FILTER.fullmatch(chunk.text)):
            name, value = typed[1].lower(), typed[2]
        changed = filters.with_value(name, value, now) if name and not chunk.is_negated else None
        if changed is None:
            rest.append(chunk)
        else:
            filters = changed
    return filters, rest


def _with_or(chunks: Sequence[_Chunk]) -> list[Clause]:
    """Join the clauses on both sides of an `OR`; at an end or after another it is nothing."""
    found: list[Clause] = []
    is_joining = False
    for chunk in chunks[:MAX_CLAUSES]:
        if chunk.text == "OR" and not chunk.is_quoted:
            is_joining = bool(found)
            continue
        clause = _clause(chunk)
        if clause is None:
            continue
        if is_joining:
            clause = _either(found.pop(), clause)
        found.append(clause)
        is_joining = False
    return found


def _either(one: Clause, other: Clause) -> Clause:
    both = AnyOf((one.strict, other.strict))
    return Clause(strict=both, loose=(both,), marks=one.marks | other.marks, sequence=())


def _without_stop_words(clauses: list[Clause]) -> tuple[Clause, ...]:
    """Drop stop words, unless there is nothing else, and what was typed twice."""
    kept = [clause for clause in clauses if not clause.is_stop_word] or clauses
    return tuple({clause.strict: clause for clause in kept}.values())


def _clause(chunk: _Chunk) -> Clause | None:
    if not chunk.is_quoted and (match := _PREFIX.fullmatch(chunk.text)) and (clause := _prefix(match[1])):
        return clause
    plain = list(tokens(chunk.text, mode="query"))
    if not plain:
        return None
    every = list(tokens(chunk.text))
    sequence = tuple(token.text for token in plain)
    strict = _strict(sequence, every, chunk.text)
    is_single = len(sequence) == 1
    return Clause(
        strict=strict,
        loose=(strict,)
        if chunk.is_quoted or is_single or _IDENTIFIER.fullmatch(chunk.text)
        else tuple(Term(text) for text in dict.fromkeys(sequence)),
        marks=frozenset(_marks(plain, every)),
        sequence=sequence,
        is_stop_word=is_single and not chunk.is_quoted and _is_stop_word(chunk.text),
    )


def _is_stop_word(text: str) -> bool:
    return text.strip(".,;:!?()[]'\"").casefold() in STOP_WORDS


def _prefix(text: str) -> Clause | None:
    """Read `config*`; of `src/conf*` and `getUs*` the words before the last are plain."""
    plain = list(tokens(text, mode="query"))
    if not plain:
        return None
    last = plain[-1]
    beginning = fold(text[last.start : last.end])
    if len(plain) == 1 and len(beginning) == 1 and beginning.isascii():
        return None  # `a*` says no more than `a`
    node: Node = Prefix(beginning)
    marks = frozenset({beginning + "*"})
    head = _clause(_Chunk(text[: last.start]))
    if head is None:
        return Clause(strict=node, loose=(node,), marks=marks, sequence=())
    apart = AllOf((head.strict, node))
    joined = Prefix("".join(fold(text[token.start : token.end]) for token in plain))
    return Clause(
        strict=AnyOf((joined, apart)), loose=(*head.loose, node), marks=head.marks | marks, sequence=()
    )


def _strict(sequence: tuple[str, ...], every: Sequence[Token], text: str) -> Node:
    """Return a node that finds the words as typed, and ranks what is written the same way higher."""
    wholes = _with_wholes(every)
    exact = _with_exact(every)
    variants = [sequence, wholes, exact]
    if len(sequence) == 1 and wholes != sequence:
        variants = [wholes]  # `v2` is no `2`
    nodes: list[Node] = [
        Term(variant[0]) if len(variant) == 1 else Phrase(variant) for variant in dict.fromkeys(variants)
    ]
    if len(sequence) == 1 and is_hash(text):
        nodes.append(Prefix(sequence[0]))
    return nodes[0] if len(nodes) == 1 else AnyOf(tuple(nodes))


def _plain_of(every: Sequence[Token]) -> dict[int, Token]:
    """Return the plain term of each position, the longer (the pair, not the character) if there are two."""
    found: dict[int, Token] = {}
    for token in every:
        if token.form is Form.PLAIN and len(token.text) >= len(found.get(token.position, token).text):
            found[token.position] = token
    return found


def _drop_last_character(positions: dict[int, Token]) -> list[Token]:
    """Leave out the single character that ends a run of pairs at the end of a phrase: the pair before holds it."""
    rising = [positions[position] for position in sorted(positions)]
    if len(rising) > 1 and rising[-1].start < rising[-2].end:
        return rising[:-1]
    return rising


def _with_wholes(every: Sequence[Token]) -> tuple[str, ...]:
    """Return the plain terms with each identifier's parts replaced by its whole."""
    wholes = {token.start: token for token in every if token.form is Form.WHOLE}
    found: list[str] = []
    done = -1
    for token in _drop_last_character(_plain_of(every)):
        whole = wholes.get(token.start) or _covering(wholes, token)
        if whole is None:
            found.append(token.text)
        elif whole.end > done:
            found.append(whole.text)
            done = whole.end
    return tuple(found)


def _covering(wholes: dict[int, Token], token: Token) -> Token | None:
    return next((whole for whole in wholes.values() if whole.start <= token.start < whole.end), None)


def _with_exact(every: Sequence[Token]) -> tuple[str, ...]:
    """Return the plain terms with the marked forms where there are any."""
    exact = {token.position: token.text for token in every if token.form is Form.EXACT}
    return tuple(exact.get(token.position, token.text) for token in _drop_last_character(_plain_of(every)))


def _marks(plain: Sequence[Token], every: Sequence[Token]) -> Iterator[str]:
    yield from (token.text for token in plain)
    yield from (token.text for token in every if token.form is Form.WHOLE)


def near_pairs(query: Query) -> tuple[tuple[str, str], ...]:
    """Return the neighbours among the typed words, for ranking what stands together higher."""
    return tuple(dict.fromkeys(pair for pair in pairwise(query.sequence) if pair[0] != pair[1]))
