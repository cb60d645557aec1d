"""Writes the index: documents in, keys out, one exact state per commit."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

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

_MERGE_FROM = 24
"""Segments before Whoosh may merge: a merge costs as much as indexing again, a segment 0.7 ms per search."""

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


class Batches:
    """Writes keys, a commit at a time; the state of each commit is exact, so a stopped rebuild can go on."""

    def __init__(self, folder: Path, held: dict[Key, Held], gone: Sequence[Key]) -> None:
        self.documents = 0
        self._folder = folder
        self._held = held
        self._gone = list(gone)
        self._writer: IndexWriter | None = None

    def add(self, key: Key, digest: str, load: Load) -> None:
        """Index one key."""
        documents = load(key)
        with only_our_errors():
            writer = self._open()
        count = 0
        for document in documents:
            with only_our_errors():
                writer.add_row(row(key, document))
            count += 1
        self._held[key] = Held(digest, count)
        self.documents += count
        if writer.pool.size >= _BATCH:
            self.commit()

    def commit(self) -> None:
        """Make what was added and deleted the index's next generation."""
        with only_our_errors():
            if self._writer is None and self._gone:
                self._open()
            if self._writer is not None:
                merge = "small" if len(self._writer.segments) >= _MERGE_FROM else ""
                commit(self._writer, self._folder, self._held, merge=merge)
            self._writer = None

    def _open(self) -> "IndexWriter":
        if self._writer is None:
            self._writer = IndexWriter(self._folder)
            self._writer.delete_keys(self._gone)
            for key in self._gone:
                self._held.pop(key, None)
            self._gone = []
        return self._writer


def commit(writer: "IndexWriter", folder: Path, held: Mapping[Key, Held], *, merge: str) -> None:
    """Commit what a writer holds; `held` is what the index holds then. `merge`: "", "small" or "all"."""
    generation = writer.generation
    states.write(folder, State(generation=generation, held=held))
    try:
        writer.commit(optimize=merge == "all", merge=merge == "small")
    except BaseException:
        with suppress(Exception):  # 2.7.5 keeps its lock unless told; the first error is the one to tell
            writer.cancel()
        raise
    names = [path for path in folder.iterdir() if path.suffix in (".seg", ".toc")]
    files = {path.name: states.seal(path) for path in names}
    states.write(folder, State(generation=generation, held=held, files=files))
    states.forget_others(folder, generation)
