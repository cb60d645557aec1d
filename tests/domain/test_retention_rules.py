from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from awf_archive.domain.retention import Aged, expired, surplus

NOW = datetime(2026, 3, 5, tzinfo=UTC)
ages = st.lists(st.integers(0, 10**7), max_size=80)


def aged(seconds):
    return [Aged(str(place), NOW - timedelta(seconds=one)) for place, one in enumerate(seconds)]


@given(ages, st.integers(1, 60), st.integers(1, 10**7))
def test_the_newest_is_never_deleted_and_the_rest_keeps_both_limits(seconds, most, limit):
    snapshots = aged(seconds)

    gone = surplus(snapshots, NOW, most=most, seconds=limit)
    kept = set(snapshots) - set(gone)

    assert len(kept) <= max(most, 1)
    if snapshots:
        newest = max(snapshots, key=lambda one: (one.time, one.id))
        assert newest in kept
        assert all(NOW - one.time <= timedelta(seconds=limit) for one in kept - {newest})


@given(ages, st.integers(1, 60), st.integers(1, 10**7))
def test_the_oldest_go_first(seconds, most, limit):
    snapshots = aged(seconds)

    gone = surplus(snapshots, NOW, most=most, seconds=limit)
    kept = [one.time for one in snapshots if one not in gone]

    assert [one.time for one in gone] == sorted(one.time for one in gone)
    assert not gone or not kept or max(one.time for one in gone) <= min(kept)


def test_seven_days_are_kept():
    snapshots = aged([0, 6 * 86_400, 7 * 86_400, 7 * 86_400 + 1])

    assert [one.id for one in expired(snapshots, NOW, 7)] == ["3"]
