"""The one door to Whoosh: everything that we use of it, imported lean."""

from awf_archive.search.lean_import import without_unused

with without_unused():
    from whoosh import __version__ as VERSION  # noqa: N812 - a constant of ours
    from whoosh.codec.base import Segment
    from whoosh.codec.whoosh3 import W3Codec, W3FieldWriter, W3Segment, W3TermInfo
    from whoosh.columns import NumericColumn
    from whoosh.fields import COLUMN, STORED, FieldType, Schema
    from whoosh.filedb.compound import CompoundStorage
    from whoosh.filedb.filestore import FileStorage
    from whoosh.filedb.structfile import BufferFile
    from whoosh.formats import Existence, Format
    from whoosh.index import TOC, FileIndex
    from whoosh.matching.mcore import LeafMatcher
    from whoosh.reading import TermNotFound
    from whoosh.util.filelock import FileLock, try_for
    from whoosh.util.numeric import byte_to_length

__all__ = [
    "COLUMN",
    "STORED",
    "TOC",
    "VERSION",
    "BufferFile",
    "CompoundStorage",
    "Existence",
    "FieldType",
    "FileIndex",
    "FileLock",
    "FileStorage",
    "Format",
    "LeafMatcher",
    "NumericColumn",
    "Schema",
    "Segment",
    "TermNotFound",
    "W3Codec",
    "W3FieldWriter",
    "W3Segment",
    "W3TermInfo",
    "byte_to_length",
    "try_for",
]

NEEDED = (2, 7, 5)

if VERSION < NEEDED:
    raise ImportError(f"whoosh-reloaded 2.7.5 or later is needed, found whoosh {VERSION}")
