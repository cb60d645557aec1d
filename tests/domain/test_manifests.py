"""`manifest.json` and the numbers of a checkpoint, as values (SPEC 1.3, 1.7)."""

import pytest
from block_strategies import json_values, names
from hypothesis import given
from hypothesis import strategies as st

from awf_archive.domain.ids import SessionId
from awf_archive.domain.manifest import ChunkEntry, Manifest, SessionEntry, next_number, with_session
from awf_archive.domain.numbering import Numbers, plan_numbers

NOW = "2026-03-05T10:00:00Z"


def _entry(number, first, last):
    return SessionEntry(
        session_id=SessionId(f"session-{number:03d}"), global_range=(first, last), status="active"
    )


@pytest.mark.parametrize(
    ("last_end", "last_chunked", "new", "chunk"),
    [
        (0, 0, 10, None),
        (10, 0, 12, (1, 10)),
        (22, 10, 8, (11, 22)),
        (30, 22, 5, None),
        (0, 0, 500, None),
        (15, 0, 10, (1, 15)),
        (10, 0, 9, None),
        (20, 20, 30, None),
    ],
)
def test_numbers_are_those_of_the_golden_table(last_end, last_chunked, new, chunk):
    assert plan_numbers(last_end=last_end, last_chunked=last_chunked, new=new, threshold=20) == Numbers(
        start=last_end + 1, end=last_end + new, chunk=chunk
    )


@given(st.integers(0, 100), st.integers(0, 100), st.integers(1, 50), st.integers(1, 30))
def test_a_chunk_begins_where_the_last_ended_and_ends_before_the_new_turns(
    chunked, open_turns, new, threshold
):
    numbers = plan_numbers(last_end=chunked + open_turns, last_chunked=chunked, new=new, threshold=threshold)

    assert numbers.start == chunked + open_turns + 1
    if numbers.chunk:
        assert numbers.chunk[0] == chunked + 1
        assert numbers.chunk[0] <= numbers.chunk[1] < numbers.start


@given(
    extra=st.dictionaries(names.filter(lambda name: name not in SEED_KEYS), json_values, max_size=3),
)
def test_unknown_keys_come_back_as_they_were(extra):
    value = {
        "specId": "login",
        "lastUpdated": NOW,
        "turnWatermark": {"lastChunkedTurn": 0, "lastSessionEndTurn": 2} | {f"x{name}": 1 for name in extra},
        "semanticChunks": [],
        "recentSessions": [
            {"sessionId": "session-001", "globalRange": [1, 2], "status": "active"}
            | {f"x{name}": item for name, item in extra.items()}
        ],
    } | extra

    assert Manifest.from_json(value).to_json() == value


SEED_KEYS = {
    *("specId", "lastUpdated", "turnWatermark", "semanticChunks", "recentSessions"),
    *("archivedSessions", "movedTurns"),
}


def test_the_newest_is_active_and_fully_chunked_ones_are_archived():
    manifest = Manifest(spec_id="login")
    chunk = ChunkEntry(chunk_id="chunk-001", turn_range=(1, 10), file="semantic-chunks/chunk-001.md")

    manifest = with_session(manifest, _entry(1, 1, 10), None, NOW)
    manifest = with_session(manifest, _entry(2, 11, 22), chunk, NOW)

    assert [(one.session_id, one.status) for one in manifest.recent] == [("session-002", "active")]
    assert [one.session_id for one in manifest.archived] == ["session-001"]
    assert (manifest.last_chunked, manifest.last_end) == (10, 22)


def test_a_session_of_which_only_a_part_is_chunked_stays_in_the_list():
    manifest = with_session(Manifest(spec_id="login"), _entry(1, 1, 10), None, NOW)
    chunk = ChunkEntry(chunk_id="chunk-001", turn_range=(1, 9), file="x")

    manifest = with_session(manifest, _entry(2, 11, 12), chunk, NOW)

    assert [(one.session_id, one.status) for one in manifest.recent] == [
        ("session-001", "saved"),
        ("session-002", "active"),
    ]
    assert manifest.archived == ()


@pytest.mark.parametrize(
    ("names_on_disk", "number"),
    [
        ([], 1),
        (["session-001"], 2),
        (["session-999", "session-1003", "session-0007"], 1004),
        ([".tmp-0011-session-050", "session-abc", "xsession-009", "session-9.md"], 1),
    ],
)
def test_the_next_number_is_one_more_than_the_highest(names_on_disk, number):
    assert next_number(names_on_disk) == number
