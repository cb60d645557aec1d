import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from awf_archive.domain.trigger_patterns import PATTERNS
from awf_archive.domain.triggers import (
    Config,
    Counts,
    Level,
    Message,
    Trigger,
    code_blocks_in,
    detect,
    estimate,
    has_risen,
    is_deciding,
    is_leaving,
    is_stack_trace,
    level_of,
)

SEED_LEAVING = (
    "bye",
    "tam biet",
    "tam nghi",
    "toi di",
    "di an com",
    "nghi thoi",
    "het gio",
    "mai lam tiep",
    "save",
    "dong app",
    "tat may",
)
SEED_DECIDING = (
    "chon phuong an A",
    "dung cai nay",
    "ok",
    "dong y",
    "lam vay",
    "quyet dinh la dùng JWT",
    "se dung Zod",
)
FULL = Counts(messages=15, code_blocks=400)


@pytest.mark.parametrize("text", SEED_LEAVING)
def test_seed_000_every_leaving_pattern_fires_alone(text):
    assert is_leaving(text)
    assert is_leaving(text.upper())


@pytest.mark.parametrize("text", SEED_DECIDING)
def test_seed_000_every_decision_pattern_fires_alone(text):
    assert is_deciding(text)


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        ("ok", True),
        ("OK, làm vậy đi", True),
        ("okay", True),
        ("book", False),
        ("token", False),
        ("is this ok?", False),
        ("ok, now add a test", False),
    ],
)
def test_spec_3_1_ok(text, fires):
    assert is_deciding(text) is fires
    assert is_deciding(unicodedata.normalize("NFD", text)) is fires


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        ("save", True),
        ("xong rồi, save", True),
        ("save the file to disk", False),
        ("```\nsave\n```", False),
        ("`bye`", False),
        ("all good. bye", True),
    ],
)
def test_spec_3_1_save_and_bye(text, fires):
    assert is_leaving(text) is fires


@pytest.mark.parametrize(
    ("message", "trigger"),
    [
        (Message("ok, tạm biệt", FULL), Trigger.USER_LEAVING),
        (Message("ok", FULL, 14), Trigger.DECISION_MADE),
        (Message("thêm test", FULL, 14), Trigger.PERIODIC),
        (Message("thêm test", FULL, 15), Trigger.EMERGENCY),
        (Message("thêm test", Counts(messages=16), 15), None),
        (Message("thêm test", Counts(messages=31), 29), Trigger.PERIODIC),
        (Message("thêm test", Counts(messages=29), 27), None),
    ],
)
def test_spec_3_1_the_first_of_the_seeds_order_wins(message, trigger):
    assert detect(message, Config()) is trigger


def test_spec_3_1_every_15th_of_a_users_messages_is_periodic():
    fired = [n for n in range(1, 61) if detect(Message("thêm test", Counts(messages=n), n - 1), Config())]

    assert fired == [15, 30, 45, 60]


def test_spec_3_1_patterns_can_be_extended():
    config = Config(leaving_phrases=("Chuồn đây",), decision_phrases=("quất luôn",))

    assert detect(Message("chuồn đây!", Counts(1)), config) is Trigger.USER_LEAVING
    assert detect(Message("QUẤT LUÔN", Counts(1)), config) is Trigger.DECISION_MADE
    assert detect(Message("quất luôn cái test", Counts(1)), config) is None


def test_spec_3_2_the_estimate():
    assert estimate(Counts(messages=100, code_blocks=10, error_dumps=5)) == 100 * 150 + 10 * 300 + 5 * 200


@pytest.mark.parametrize(
    ("tokens", "percent", "level"),
    [
        (80_000, 80, Level.SAFE),
        (80_001, 80, Level.INFO),
        (100_000, 80, Level.INFO),
        (100_001, 80, Level.WARNING),
        (115_000, 80, Level.WARNING),
        (115_001, 80, Level.CRITICAL),
        (90_000, 70, Level.WARNING),
        (70_001, 56, Level.WARNING),
        (114_000, 95, Level.INFO),
        (116_000, 95, Level.CRITICAL),
    ],
)
def test_spec_3_2_levels(tokens, percent, level):
    assert level_of(tokens, Config(warn_threshold=percent)) is level


def test_spec_3_2_a_level_rises_once():
    assert has_risen(Level.WARNING, Level.SAFE)
    assert not has_risen(Level.WARNING, Level.WARNING)
    assert not has_risen(Level.INFO, Level.CRITICAL)


def test_spec_3_2_what_counts_as_code_and_as_an_error():
    assert code_blocks_in("a\n```\nb\n```\n  ~~~sh\nc\n~~~\n") == 2
    assert is_stack_trace('Traceback (most recent call last):\n  File "x.py", line 1')
    assert is_stack_trace("TypeError: x\n    at run (/srv/app.js:3:7)")
    assert not is_stack_trace("at 10:30 we met")


@given(st.text(max_size=400))
@settings(max_examples=300, deadline=2_000)
def test_no_text_makes_a_trigger_fail(text):
    detect(Message(text, Counts(1)), Config())


@pytest.mark.parametrize(
    "text", ["ok " * 5_000, "好" * 20_000, "thoi " * 5_000 + "x", "a, " * 5_000, "(" * 9_000]
)
def test_no_text_makes_a_trigger_slow(text):
    detect(Message(text, Counts(1)), Config())


def test_every_language_has_every_kind_of_pattern():
    assert [one.language for one in PATTERNS] == ["vi", "en", "zh"]
    assert all(one.leaving and one.deciding and one.agreeing and one.openers for one in PATTERNS)
