"""Lines and array elements, however the bytes arrive in pieces."""

import json
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from awf_archive.readers.claude_code.array import elements
from awf_archive.readers.shared.jsonl import lines

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def cut(data, places):
    marks = sorted({0, len(data), *(place % (len(data) + 1) for place in places)})
    return iter([data[start:end] for start, end in pairwise(marks)])


@given(st.binary(), st.lists(st.integers(0, 10_000)))
def test_lines_do_not_depend_on_the_pieces(data, places):
    found = list(lines(cut(data, places)))

    assert found == list(lines(iter([data] if data else [])))
    assert [line.number for line in found] == list(range(1, len(found) + 1))
    assert all(b"\n" not in data[line.offset :][: line.length] for line in found)
    assert sum(line.length for line in found) == len(data.removeprefix(b"\xef\xbb\xbf").replace(b"\n", b""))


@given(
    st.lists(st.dictionaries(st.text(), JSON, max_size=4)), st.lists(st.integers(0, 10_000)), st.booleans()
)
def test_an_arrays_elements_are_its_values(values, places, indented):
    data = json.dumps(values, ensure_ascii=False, indent=1 if indented else None).encode(
        errors="surrogatepass"
    )

    found = list(elements(cut(data, places)))

    assert [json.loads(line.data) for line in found] == values
    assert all(line.complete and data[line.offset :][: line.length] == line.data for line in found)
    assert [line.number for line in found] == [data.count(b"\n", 0, line.offset) + 1 for line in found]


@given(st.lists(st.dictionaries(st.text(), JSON, max_size=4), min_size=1), st.integers(0, 10_000))
def test_an_array_cut_anywhere_keeps_its_whole_elements(values, place):
    data = json.dumps(values).encode()
    place %= len(data)

    found = list(elements(iter([data[:place]])))

    whole = [line for line in found if line.complete]
    assert [json.loads(line.data) for line in whole] == values[: len(whole)]
    assert len(found) - len(whole) <= 1


@given(st.binary(), st.lists(st.integers(0, 10_000)))
def test_no_bytes_break_the_array_splitter(data, places):
    assert all(line.length >= 0 for line in elements(cut(b"[" + data, places)))
