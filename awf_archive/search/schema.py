"""What a document becomes in the index: two fields of terms, three columns of numbers, and what a hit shows."""

import hashlib
from collections.abc import Iterator
from typing import Any

from whoosh.columns import NumericColumn
from whoosh.fields import COLUMN, STORED, FieldType, Schema
from whoosh.formats import Existence

from awf_archive.search.analysis import ANALYSIS_VERSION, fold, term_positions
from awf_archive.search.codec import PositionsFormat, encode_positions
from awf_archive.search.documents import Document, Hit, Key, Kind, Part, Role
from awf_archive.search.filters import seconds
from awf_archive.search.parts import ASSISTANT_FROM, PARTS

SCHEMA_VERSION = 1
"""Change it with anything written here, in `codec` or in `zero_copy`."""

INDEX_NAME = f"v{SCHEMA_VERSION}-{ANALYSIS_VERSION}"
"""The folder's name: an index of another version is another folder."""

TITLE_WEIGHT = 3.0

_GAP = 8
"""Positions left free between title, prompt and answer, so that no phrase reaches across."""

_MAX_TAILS = 8
"""Folders that may be left out at the front of a path in `file:`."""

Posting = tuple[bytes, int, float, bytes]
"""Term, count, weight, encoded positions: what Whoosh's writer takes."""


class TextField(FieldType):  # type: ignore[misc]  # Whoosh has no types
    """A document's title and words, each term with its positions."""

    def __init__(self) -> None:
        super().__init__(PositionsFormat(), None, scorable=True)

    def index(self, value: Document, **_: object) -> Iterator[Posting]:
        """Give the postings of one document."""
        found: dict[str, list[int]] = {}
        after = term_positions(value.title, found)
        title_counts = {term: len(positions) for term, positions in found.items()}
        after = term_positions(value.user, found, after + _GAP if after else 0)
        start = after + _GAP if after else 0
        if value.kind is Kind.TURN and value.part is Part.SAID:
            start = max(start, ASSISTANT_FROM)
        term_positions(value.text, found, start)
        for term, positions in found.items():
            count = len(positions)
            weight = count + (TITLE_WEIGHT - 1) * title_counts.get(term, 0)
            yield term.encode(errors="replace"), count, weight, encode_positions(positions)


class FacetField(FieldType):  # type: ignore[misc]
    """What filters and deletion look up; each value has a letter for its kind in front."""

    def __init__(self) -> None:
        super().__init__(Existence(), None)

    def index(self, value: tuple[str, ...], **_: object) -> Iterator[Posting]:
        """Give a posting per value."""
        for facet in dict.fromkeys(value):
            yield facet.encode(errors="replace"), 1, 1.0, b""


def schema() -> Any:  # noqa: ANN401
    """Return the schema; it is handed to Whoosh on every open, the pickled one is never loaded."""
    return Schema(
        text=TextField(),
        facet=FacetField(),
        group=COLUMN(NumericColumn("q")),
        time=COLUMN(NumericColumn("q")),
        part=COLUMN(NumericColumn("B")),
        hit=STORED(),
    )


def fields(key: Key, document: Document) -> dict[str, object]:
    """Return what Whoosh's writer is given for a document."""
    return {
        "text": document,
        "facet": tuple(_facets(key, document)),
        "group": _group(key, document),
        "time": seconds(document.time) or 0,
        "part": PARTS.index((document.kind, document.part)) + 1,
        "hit": (
            document.feature,
            document.session,
            document.turn,
            document.id,
            document.time,
            document.title,
            document.path,
        ),
    }


def hit(stored: tuple[str, str, int, str, str, str, str], part_number: int, score: float) -> Hit:
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


def _facets(key: Key, document: Document) -> Iterator[str]:
    yield key_facet(key)
    yield "f:" + fold(document.feature)
    yield "s:" + document.session.lower()
    for tool in document.tools:
        yield "t:" + fold(tool)
    for path in document.files:
        folders = fold(path.replace("\\", "/")).strip("/").split("/")
        for skipped in range(min(len(folders), _MAX_TAILS)):
            yield "p:" + "/".join(folders[skipped:])
        yield "p:" + "/".join(folders)


def _group(key: Key, document: Document) -> int:
    """Return a number that is equal for the parts of one turn and for nothing else."""
    if document.kind is Kind.TURN:
        name = f"{document.feature}\0{document.turn}"
    else:
        name = f"{key.feature}\0{key.unit}\0{document.kind}\0{document.id}\0{document.turn}"
    digest = hashlib.blake2b(name.encode(errors="surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, signed=True)
