"""What rendering one turn needs from outside, and the files it wants beside the page."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from typing import Final

from awf_archive.domain.wording import Wording

FULL_DIR: Final = "full"
"""Folder beside a session's pages with texts that are too long for them."""

FILES_DIR: Final = "files"
"""Folder beside a session's pages with the images and documents of its turns."""


@dataclass(slots=True, kw_only=True)
class Sheet:
    """One turn being rendered."""

    words: Wording
    name: str
    """`turn-016`: begins the names of its files."""
    attachments: frozenset[str] = frozenset()
    """Names of the attachments that the archive holds."""
    files: dict[str, str] = field(default_factory=dict)
    """Texts to lie beside the page, by name in `FULL_DIR`."""

    def full(self, text: str) -> str:
        """Keep a whole text beside the page; return the link to it."""
        for name, known in self.files.items():
            if known == text:
                return f"{FULL_DIR}/{name}"
        name = f"{self.name}-{len(self.files) + 1}.txt"
        self.files[name] = text
        return f"{FULL_DIR}/{name}"


def attributes(pairs: Iterable[tuple[str, str]]) -> str:
    """Return HTML attributes with their values escaped; those without a value are left out."""
    return "".join(f' {name}="{escape(value)}"' for name, value in pairs if value)


def element(tag: str, inner: str, **attrs: str) -> str:
    """Return an element around HTML that is already safe; `class_` and `for_` lose their underscore."""
    pairs = ((name.rstrip("_").replace("_", "-"), value) for name, value in attrs.items())
    return f"<{tag}{attributes(pairs)}>{inner}</{tag}>"


def count(template: str, number: int) -> str:
    """Return a text with a number in it, in the form of one or of many.

    >>> count("{n} turn|{n} turns", 1), count("{n} lượt", 1200)
    ('1 turn', '1,200 lượt')
    """
    one, _, many = template.partition("|")
    return (one if number == 1 or not many else many).format(n=f"{number:,}")
