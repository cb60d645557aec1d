import re

import pytest

CALLS = (
    ("list",),
    ("show", "payment-retry"),
    ("show", "payment-retry#4"),
    ("search", "celery"),
    ("site", "build"),
    ("doctor",),
    ("resume", "payment-retry"),
    ("resume", "--list"),
)


def keys(value):
    """Every key of an object, but for what stands in a tool's own input."""
    if isinstance(value, list):
        return {key for each in value for key in keys(each)}
    if isinstance(value, dict):
        return set(value) | {key for name, each in value.items() if name != "input" for key in keys(each)}
    return set()


@pytest.fixture(scope="module")
def documented(root):
    page = (root / "docs/json.md").read_text(encoding="utf-8")
    return {word for span in re.findall(r"`([^`\n]+)`", page) for word in re.findall(r"\w+", span)}


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_every_key_that_is_printed_is_documented(archived, documented, call):
    _, _, run = archived

    assert keys(run(*call, "--json")) - documented == set()


def test_every_key_of_a_checkpoint_is_documented(archived, documented):
    _, result, _ = archived

    assert keys(result) - documented == set()
