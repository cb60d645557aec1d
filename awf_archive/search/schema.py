"""What a document becomes in the index: two fields of terms, three columns of numbers, and what a hit shows."""

import hashlib
from typing import Any, NamedTuple

from awf_archive.search.analysis import ANALYSIS_VERSION, term_positions
from awf_archive.search.codec import PositionsFormat
from awf_archive.search.documents import Document, Hit, Key, Kind, Part, Role
from awf_archive.search.engine import COLUMN, STORED, Existence, FieldType, NumericColumn, Schema
from awf_archive.search.facets import facets
from awf_archive.search.filters import seconds
from awf_archive.search.parts import ASSISTANT_FROM, PARTS

SCHEMA_VERSION = 2
"""Change it with anything written here, in `codec` or in `zero_copy`."""

INDEX_NAME = f"v{SCHEMA_VERSION}-{ANALYSIS_VERSION}"
"""The folder's name: an index of another version is another folder."""

TITLE_WEIGHT = 3.0

_GAP = 8
"""Positions left free between title, prompt and answer, so that no phrase reaches across."""

Stored = tuple[str, str, int, str, str, str, str]
"""Feature, session, turn, id, time, title, path: what a hit shows."""


class Row(NamedTuple):
    """A document as the writer wants it."""

    positions: dict[str, list[int]]
    in_title: dict[str, int]
    """How often each term stands in the title."""
    facets: tuple[str, ...]
    columns: dict[str, int]
    stored: Stored


def schema() -> Any:  # noqa: ANN401
    """Return the schema; it is handed to Whoosh on every open, the pickled one is never loaded."""
    return Schema(
        text=FieldType(PositionsFormat(), None, scorable=True),
        facet=FieldType(Existence(), None),
        group=COLUMN(NumericColumn("q")),
        time=COLUMN(NumericColumn("q")),
        part=COLUMN(NumericColumn("B")),
        hit=STORED(),
    )


def row(key: Key, document: Document) -> Row:
    """Return what is written of a document."""
    positions, in_title = _positions(document)
    return Row(
        positions=positions,
        in_title=in_title,
        facets=tuple(dict.fromkeys((key_facet(key), *facets(document)))),
        columns={
            "group": _group(key, document),
            "time": seconds(document.time) or 0,
            "part": PARTS.index((document.kind, document.part)) + 1,
        },
        stored=(
            document.feature,
            document.session,
            document.turn,
            document.id,
            document.time,
            document.title,
            document.path,
        ),
    )


def _positions(document: Document) -> tuple[dict[str, list[int]], dict[str, int]]:
    found: dict[str, list[int]] = {}
    after = term_positions(document.title, found)
    in_title = {term: len(positions) for term, positions in found.items()}
    after = term_positions(document.user, found, after + _GAP if after else 0)
    start = after + _GAP if after else 0
    if document.kind is Kind.TURN and document.part is Part.SAID:
        start = max(start, ASSISTANT_FROM)
    term_positions(document.text, found, start)
    return found, in_title


def hit(stored: Stored, part_number: int, score: float) -> Hit:
    """Make a hit of what `fields` stored."""
    feature, session, turn, ident, time, title, path = stored
    kind, part = PARTS[part_number - 1]
    return Hit(
        kind=kind,
        part=part,
        feature=feature,
        session=session,
        turn=turn,
        id=ident,
        time=time,
        title=title,
        role=Role.ASSISTANT if part is Part.THINKING else Role.NONE,
        path=path,
        score=round(score, 4),
    )


def key_facet(key: Key) -> str:
    """Return the facet by which all documents of a key are found."""
    return f"k:{key.feature}\0{key.unit}"


def _group(key: Key, document: Document) -> int:
    """Return a number that is equal for the parts of one turn and for nothing else."""
    if document.kind is Kind.TURN:
        name = f"{document.feature}\0{document.turn}"
    else:
        name = f"{key.feature}\0{key.unit}\0{document.kind}\0{document.id}\0{document.turn}"
    digest = hashlib.blake2b(name.encode(errors="surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, signed=True)
