"""Every text a user sees, in English, Vietnamese and Chinese (spec/wording.md).

One value, filled once per language: a missing text is a type error. A language is loaded when it is spoken.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module

from awf_archive.domain.wording.model import Wording

__all__ = ["WORDINGS", "Wording", "choose"]


class _Wordings(Mapping[str, Wording]):
    """The languages by their tags, each module loaded at the first question."""

    _tags = ("en", "vi", "zh")

    def __getitem__(self, language: str) -> Wording:
        if language not in self._tags:
            raise KeyError(language)
        words: Wording = getattr(import_module(f"awf_archive.domain.wording.{language}"), language.upper())
        return words

    def __iter__(self) -> Iterator[str]:
        return iter(self._tags)

    def __len__(self) -> int:
        return len(self._tags)


WORDINGS: Mapping[str, Wording] = _Wordings()


def choose(language: str) -> Wording:
    """Return the wording for a language tag; English when it is none of ours.

    >>> choose("zh_CN.UTF-8").language, choose("vi").language, choose("C").language
    ('zh', 'vi', 'en')
    """
    tag = language[:2].lower()
    return WORDINGS[tag if tag in WORDINGS else "en"]
