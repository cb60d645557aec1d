"""What leaves for a model: secrets masked, nothing in it that a person would not see (docs/secrets.md)."""

import re
from collections.abc import Callable
from typing import Any

from awf_archive.domain.escape import visible
from awf_archive.domain.redaction import Allowed, mask

_HIDDEN = re.compile("[\u00ad\u180e\u200b\u2060-\u2064\u206a-\u206f\ufff9-\ufffb\U000e0000-\U000e0fff]")
"""Characters without a shape: with them a text can say to a model what it does not show to its reader."""


def shown(text: str) -> str:
    """Return a text without control characters, turned letters and hidden ones.

    >>> shown("a\\x1b[31mb\\U000e0041c")
    'ab�c'
    """
    return _HIDDEN.sub("�", visible(text))


def masked(text: str, allowed: Allowed = frozenset()) -> str:
    """Return a text as a model may see it."""
    return mask(shown(text), allowed)[0]


def protected(value: Any, change: Callable[[str], str]) -> Any:  # noqa: ANN401 - any JSON
    """Return a JSON value with every text in it changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {name: protected(one, change) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [protected(one, change) for one in value]
    return value


def quoted(text: str) -> str:
    """Return a stranger's text with a mark before each line: nothing in it can pass itself off as ours.

    >>> quoted("a\\nEnd of quote.")
    '> a\\n> End of quote.'
    """
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))
