"""Writes the index: documents in, keys out, one exact state per commit."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

from whoosh.reading import SegmentReader
from whoosh.writing import LockError, SegmentWriter

from awf_archive.errors import LockedError
from awf_archive.search import state as states
from awf_archive.search.codec import Codec
from awf_archive.search.documents import Key, Load
from awf_archive.search.guard import only_our_errors
from awf_archive.search.inverter import Inverter
from awf_archive.search.schema import TITLE_WEIGHT, Row, key_facet, row
from awf_archive.search.snapshot import Snapshot, open_index
from awf_archive.search.state import Held, State

_TIERS = (256, 2_048, 16_384)
"""Segments of fewer documents than each of these, and not of the one before, are merged with one another."""
_TIER_SIZE = 8
"""Segments of one tier before they become one. Whoosh's own policy merged everything, 100 000 turns, at the 24th."""

_BATCH = 2_500_000
"""Postings per commit in bulk, about 10 000 turns and 100 MB of memory."""


class IndexWriter(SegmentWriter):  # type: ignore[misc]  # Whoosh has no types
    """Whoosh's writer with our rows and our postings in place of its own."""

    def __init__(self, folder: Path) -> None:
        try:
            super().__init__(open_index(str(folder)), timeout=30, delay=0.05, codec=Codec())
        except LockError as error:
            raise LockedError(
                f"{folder}: another process is writing the search index.", "Try again."
            ) from error
        self.pool = Inverter()
        self._folder = folder

    def delete_keys(self, keys: Sequence[Key]) -> None:
        """Delete every document of these keys."""
        if not keys:
            return
        snapshot = Snapshot(str(self._folder))
        try:
            for key in keys:
                for doc in snapshot.facet(key_facet(key)):
                    self.delete_document(doc)
        finally:
            snapshot.close()

    def add_postings_to_pool(self, reader: Any, startdoc: int, docmap: dict[int, int] | None) -> None:  # noqa: ANN401
        """Add a whole segment's postings, block by block; Whoosh calls it in a merge."""
        for field, term in reader.all_terms():
            matcher = reader.postings(field, term)
            for block in getattr(matcher, "child", matcher).blocks():
                new_ids = [startdoc + doc if docmap is None else docmap.get(doc) for doc in block.ids]
                self.pool.add_block(field, term.decode(), block, new_ids)

    def add_row(self, added: Row) -> None:
        """Add one document."""
        doc, perdoc = self.docnum, self.perdocwriter
        perdoc.start_doc(doc)
        self.pool.add_document(doc, added.positions, added.facets)
        for term, count in added.in_title.items():
            self.pool.add_weight(doc, term, (TITLE_WEIGHT - 1) * count)
        perdoc.add_field("text", None, None, sum(map(len, added.positions.values())))
        perdoc.add_field("hit", None, added.stored, 0)
        for name, value in added.columns.items():
            perdoc.add_column_value(name, self.schema[name].column_type, value)
        perdoc.finish_doc()
        self._added = True
        self.docnum += 1


_UNFINISHED = ""
"""The digest of a key that was stopped in the middle: no key's, so the next update makes it anew."""


class Batches:
    """Writes keys, a commit at a time; the state of each commit is exact, so a stopped rebuild can go on."""

    def __init__(self, folder: Path, held: dict[Key, Held], gone: Sequence[Key]) -> None:
        self.documents = 0
        self._folder = folder
        self._held = held
        self._gone = list(gone)
        self._writer: IndexWriter | None = None

    def add(self, key: Key, digest: str, load: Load) -> None:
        """Index one key; a heavy one in several commits, under no digest until it is whole."""
        count = 0
        for document in load(key):
            with only_our_errors():
                writer = self._open()
                writer.add_row(row(key, document))
            count += 1
            if writer.pool.size >= _BATCH:
                self._held[key] = Held(_UNFINISHED, count)
                self.commit()
        with only_our_errors():
            self._open()  # that it is whole now is written with the next commit
        self._held[key] = Held(digest, count)
        self.documents += count

    def commit(self) -> None:
        """Make what was added and deleted the index's next generation."""
        with only_our_errors():
            if self._writer is None and self._gone:
                self._open()
            if self._writer is not None:
                commit(self._writer, self._folder, self._held)
            self._writer = None

    def cancel(self) -> None:
        """Drop what is not committed, and Whoosh's lock with it."""
        if self._writer is not None and not self._writer.is_closed:
            with suppress(Exception):  # the first error is the one to tell
                self._writer.cancel()
        self._writer = None

    def _open(self) -> "IndexWriter":
        if self._writer is None:
            self._writer = IndexWriter(self._folder)
            self._writer.delete_keys(self._gone)
            for key in self._gone:
                self._held.pop(key, None)
            self._gone = []
        return self._writer


def commit(
    writer: "IndexWriter", folder: Path, held: Mapping[Key, Held], *, everything: bool = False
) -> None:
    """Commit what a writer holds; `held` is what the index holds then. Merges small segments, or all of them."""
    generation = writer.generation
    before = states.read(folder, generation - 1)
    known = before.files if before else {}
    states.write(folder, State(generation=generation, held=held))
    try:
        writer.commit(optimize=everything, mergetype=None if everything else _merge_tiers)
    except BaseException:
        with suppress(Exception):  # 2.7.5 keeps its lock unless told; the first error is the one to tell
            writer.cancel()
        raise
    paths = [path for path in folder.iterdir() if path.suffix in (".seg", ".toc")]
    files = {path.name: known.get(path.name) or states.seal(path) for path in paths}
    states.write(folder, State(generation=generation, held=held, files=files))
    states.forget_others(folder, generation)


def _merge_tiers(writer: "IndexWriter", segments: list[Any]) -> list[Any]:
    """Merge the segments of each full tier; Whoosh asks at every commit which segments stay.

    So a turn is merged three times in its life, and the more there is to merge the rarer it happens.
    """
    merged: list[Any] = []
    for low, high in pairwise((0, *_TIERS)):
        tier = [segment for segment in segments if low <= segment.doc_count_all() < high]
        if len(tier) >= _TIER_SIZE:
            merged += tier
    for segment in merged:
        reader = SegmentReader(writer.storage, writer.schema, segment)
        writer.add_reader(reader)
        reader.close()
    return [segment for segment in segments if segment not in merged]
