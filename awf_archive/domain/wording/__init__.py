"""Every text a user sees, in English, Vietnamese and Chinese (spec/wording.md).

One frozen dataclass, filled once per language: a missing text is a type error.
"""

from collections.abc import Mapping

from awf_archive.domain.wording.en import EN
from awf_archive.domain.wording.model import Wording
from awf_archive.domain.wording.vi import VI
from awf_archive.domain.wording.zh import ZH

WORDINGS: Mapping[str, Wording] = {wording.language: wording for wording in (EN, VI, ZH)}

__all__ = ["WORDINGS", "Wording", "choose"]


def choose(language: str) -> Wording:
    """Return the wording for a language tag; English when it is none of ours.

    >>> choose("zh_CN.UTF-8").language, choose("vi").language, choose("C").language
    ('zh', 'vi', 'en')
    """
    return WORDINGS.get(language[:2].lower(), EN)
