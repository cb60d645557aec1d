"""What is the same decision in other words, and what takes an earlier one back."""

import pytest

from awf_archive.domain.decisions.text_alike import says_the_same, takes_back

SAME = [
    ("dùng SQLite thay vì Redis", "dùng luôn SQLite thay cho Redis nhé"),
    ("dùng SQLite thay vì Redis", "dung SQLite thay vi Redis"),
    ("let's use SQLite instead of Redis", "use SQLite rather than Redis"),
    ("改用SQLite，不用Redis", "不用Redis了，改用SQLite"),
    ("keep the old API", "let's keep the old API"),
]

NOT_THE_SAME = [
    ("dùng SQLite", "không dùng SQLite"),
    ("use SQLite for the queue", "use SQLite for the cache"),
    ("timeout is 30s", "timeout is 60s"),
    ("dùng SQLite thay vì Redis", "dùng SQLite thay vì Postgres"),
    ("用SQLite", "不用SQLite"),
    ("", ""),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_other_words_for_the_same_are_one_decision(one, other):
    assert says_the_same(one, other)
    assert says_the_same(other, one)


@pytest.mark.parametrize(("one", "other"), NOT_THE_SAME)
def test_what_differs_stays_apart(one, other):
    assert not says_the_same(one, other)
    assert not says_the_same(other, one)


TAKEN_BACK = [
    # the earlier, the later
    ("dùng Redis làm hàng đợi", "thôi khỏi Redis, dùng SQLite"),
    ("dùng Redis làm hàng đợi", "dùng SQLite thay vì Redis"),
    ("let's go with Postgres", "use SQLite instead of Postgres"),
    ("用Redis做队列", "不用Redis了，改用SQLite"),
    ("default timeout is 30s", "default timeout is 60s"),
    ("use the queue", "don't use the queue"),
    ("Store: SQLite", "let's switch to Postgres instead of SQLite"),
]

NOT_TAKEN_BACK = [
    ("dùng SQLite làm hàng đợi", "dùng SQLite thay vì Redis"),
    ("use SQLite instead of Redis", "use SQLite instead of Redis"),
    ("use tabs", "use pnpm instead of npm"),
    ("use port 80", "retry 3 times"),
    ("don't use Redis", "use SQLite instead of Redis"),
]


@pytest.mark.parametrize(("earlier", "later"), TAKEN_BACK)
def test_what_refuses_the_earlier_choice_takes_it_back(earlier, later):
    assert takes_back(later, earlier)


@pytest.mark.parametrize(("earlier", "later"), NOT_TAKEN_BACK)
def test_what_fits_the_earlier_choice_leaves_it(earlier, later):
    assert not takes_back(later, earlier)
