"""Nothing that stands before damage is lost, in every format whose files are read from top to bottom."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from json_cases import CORPUS, cases, source_file
from sources import BytesSource

from awf_archive.errors import ArchiveError
from awf_archive.readers.aider import reader as aider
from awf_archive.readers.copilot import reader as copilot
from awf_archive.readers.cursor import reader as cursor
from awf_archive.readers.plain_markdown import reader as plain_markdown
from awf_archive.readers.specstory import reader as specstory

FILES = [
    (reader, source_file(case).read_bytes())
    for reader, folder in (
        (aider, "aider"),
        (specstory, "specstory"),
        (plain_markdown, "plain_markdown"),
        (cursor, "cursor"),
        (copilot, "copilot"),
    )
    for case in cases(folder)
    if not source_file(case).read_bytes().startswith((b'{"kind"', b"{\n"))
]
REAL = [
    (aider, "aider/02-afi-core.md"),
    (specstory, "specstory/12-root-v2.md"),
    (specstory, "specstory/07-2026-03-18-10-13-59z-yes.md"),
]


def turns(reader, data):
    found = [turn for one in reader.READER.read(BytesSource(data)) for turn in one.turns()]
    return [(turn.origin.line, turn.user, turn.assistant) for turn in found]


def check_cut(reader, data, place):
    """Turns that ended before the cut stand first in what is read of the rest, unchanged."""
    whole = turns(reader, data)
    lines = data[:place].count(b"\n") + 1
    ended = [turn for turn, following in pairwise(whole) if following[0] < lines]
    try:
        kept = turns(reader, data[:place])
    except ArchiveError:
        kept = []

    assert kept[: len(ended)] == ended


@given(st.sampled_from(FILES), st.integers(0, 1 << 16))
@settings(max_examples=300, deadline=None)
def test_a_cut_loses_no_turn_that_ended_before_it(file, place):
    reader, data = file
    check_cut(reader, data, place % (len(data) + 1))


@given(st.sampled_from(FILES), st.integers(0, 1 << 16), st.binary(max_size=40))
@settings(max_examples=200, deadline=None)
def test_what_is_written_over_the_end_changes_nothing_before_it(file, place, garbage):
    reader, data = file
    place %= len(data) + 1
    lines = data[:place].count(b"\n") + 1
    whole = turns(reader, data)
    ended = [turn for turn, following in pairwise(whole) if following[0] < lines]
    try:
        kept = turns(reader, data[:place] + garbage.replace(b"`", b"").replace(b"~", b""))
    except ArchiveError:
        kept = []

    assert [turn[1] for turn in kept[: len(ended)]] == [turn[1] for turn in ended]


@pytest.mark.shared
@pytest.mark.parametrize(("reader", "file"), REAL, ids=lambda one: one if isinstance(one, str) else "")
def test_real_files_cut_at_any_place_lose_no_turn_that_ended_before(reader, file):
    data = (CORPUS / file).read_bytes()

    for place in range(0, len(data), len(data) // 25):
        check_cut(reader, data, place)
