"""Which names a feature may bear, and which of several rules names the feature of a window (SPEC 1.1)."""

import re
import unicodedata
from collections.abc import Collection
from enum import StrEnum

from awf_archive.errors import FeatureNameError

DEFAULT_FEATURE = "general"

_ALLOWED_MARKS = frozenset("-_. ")
_LONGEST = 100
"""Bytes in UTF-8: file systems allow 255 for one name, and sessions and temporary names are added to paths."""

_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", *(f"com{n}" for n in range(10)), *(f"lpt{n}" for n in range(10))]
)


class FeatureRule(StrEnum):
    """Why a window was saved under its feature."""

    OPTION = "option"
    SAVED = "saved"
    CHAT = "chat"
    BRANCH = "branch"
    ASKED = "asked"
    DEFAULT = "default"


def check_feature(name: str) -> str:
    """Return `name` in NFC if it is a safe folder name; raise FeatureNameError that says which rule it broke.

    >>> check_feature("đăng nhập"), check_feature("用户-屏蔽")
    ('đăng nhập', '用户-屏蔽')
    """
    name = unicodedata.normalize("NFC", name)
    for is_broken, rule in (
        (not name.strip(), "it is empty"),
        (name in {".", ".."}, "it means a folder's own place"),
        ("/" in name or "\\" in name, "it holds a path separator"),
        (any(unicodedata.category(mark)[0] == "C" for mark in name), "it holds a control character"),
        (name[-1:] in {".", " "}, "it ends in a dot or a space"),
        (name[:1] in {".", " "}, "it begins with a dot or a space"),
        (name.split(".")[0].strip().casefold() in _DEVICES, "it is the name of a device on Windows"),
        (len(name.encode(errors="replace")) > _LONGEST, f"it is longer than {_LONGEST} bytes"),
        (not all(map(_is_allowed, name)), "it holds more than letters, digits, '-', '_', '.' and spaces"),
    ):
        if is_broken:
            raise FeatureNameError(
                f"{name!a} cannot be a feature's name: {rule}.",
                "Use letters of any script, digits, '-', '_', '.' and spaces.",
            )
    return name


def _is_allowed(mark: str) -> bool:
    return mark in _ALLOWED_MARKS or unicodedata.category(mark)[0] in "LNM"


def feature_of_branch(branch: str, features: Collection[str]) -> str | None:
    """Return the feature that bears the last part of a git branch's name, if there is one.

    >>> feature_of_branch("linh/Block-User", ["block-user"])
    'block-user'
    """
    last = unicodedata.normalize("NFC", branch.rsplit("/", 1)[-1]).casefold()
    return next((name for name in sorted(features) if name.casefold() == last), None) if last else None


_SAVE_COMMAND = re.compile(
    r"^/?(?:保存|checkpoint|resume|恢复|save|lưu|luu|awf-checkpoint|awf-resume|awf:checkpoint|awf:resume)"
    r"[ \t]+(?P<name>[^\n.。!！?？,，:：;；]{1,80})[.。!！]?\s*$",
    re.IGNORECASE,
)


def feature_in_command(text: str, known: Collection[str] = ()) -> str | None:
    """Return the feature that a save or resume command in the chat names.

    After a bare word such as `save`, only a known feature or a name with a hyphen or underscore counts:
    `save it` names none.

    >>> feature_in_command("保存 block-user"), feature_in_command("save it"), feature_in_command("/resume it")
    ('block-user', None, 'it')
    """
    match = _SAVE_COMMAND.match(unicodedata.normalize("NFC", text.strip()))
    if not match:
        return None
    try:
        name = check_feature(match["name"].strip())
    except FeatureNameError:
        return None
    is_slug = " " not in name and ("-" in name or "_" in name or text.lstrip().startswith("/"))
    return name if is_slug or name in known else None
