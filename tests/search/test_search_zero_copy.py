"""Guards what we replace in Whoosh: each of these fails when the library changes underneath."""

import inspect
import io
import itertools
import pickle
import tracemalloc

import pytest
import whoosh
from hypothesis import given
from hypothesis import strategies as st
from small_archives import FIRST, said, search, sync
from whoosh.codec.base import Segment
from whoosh.codec.whoosh3 import W3FieldWriter
from whoosh.filedb.compound import CompoundStorage
from whoosh.filedb.structfile import BufferFile
from whoosh.writing import SegmentWriter

from awf_archive.search.zero_copy import View, ViewFile


def test_whoosh_is_the_version_that_was_measured():
    assert whoosh.__version__ == (2, 7, 5)


@pytest.mark.parametrize(
    ("owner", "name", "needle"),
    [
        (BufferFile, "__init__", "self.file = BytesIO(buf)"),
        (CompoundStorage, "open_file", "BufferFile(buf, name=name)"),
        (CompoundStorage, "__init__", "self._source = mmap.mmap("),
        (Segment, "open_compound_file", "CompoundStorage(dbfile, use_mmap=storage.supports_mmap)"),
        (W3FieldWriter, "__init__", 'self._tindex.extras["fieldmap"]'),
        (SegmentWriter, "__init__", "self.pool = PostingPool("),
        (SegmentWriter, "_flush_segment", "postings = self.pool.iter_postings()"),
        (SegmentWriter, "commit", "self._commit_toc(finalsegments)"),
    ],
)
def test_whoosh_still_does(owner, name, needle):
    assert needle in inspect.getsource(getattr(owner, name))


CALLS = st.lists(
    st.one_of(
        st.tuples(st.just("read"), st.integers(-1, 20)),
        st.tuples(st.just("seek"), st.integers(0, 40)),
        st.tuples(st.just("readline")),
        st.tuples(st.just("tell")),
    ),
    max_size=20,
)


@given(st.binary(max_size=600), CALLS)
def test_a_view_reads_like_a_file(data, calls):
    view, file = View(memoryview(data)), io.BytesIO(data)

    for name, *arguments in calls:
        assert getattr(view, name)(*arguments) == getattr(file, name)(*arguments)


def test_a_view_can_be_unpickled_from():
    value = ["a", 1, (b"x" * 1000, "\n")]

    assert pickle.load(View(memoryview(pickle.dumps(value)))) == value  # noqa: S301 - our own bytes


def test_searching_does_not_read_the_index_into_memory(index):
    words = ["x" + "".join(letters) for letters in itertools.product("bcdfghjklm", repeat=4)]
    sync(index, {FIRST: [said(number, " ".join(words[number::3])) for number in range(60)]})
    index.close()
    size = index.status().size
    search(index, "nothing")
    index.close()

    tracemalloc.start()
    search(index, "xbcdf")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert size > 1_000_000
    assert peak < size / 2


def test_a_segment_opens_as_views(index):
    sync(index, {FIRST: [said(1, "alpha")]})
    search(index, "alpha")

    reader = index._snapshot._leaves[0].reader
    name = next(name for name in reader.storage().list() if name.endswith(".trm"))

    assert isinstance(reader.storage().open_file(name), ViewFile)
