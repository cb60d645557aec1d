"""Names of files that the archive's own JSON gives: a stranger's repository may have written it."""

import re

_DRIVE = re.compile(r"[A-Za-z]:")


def inner_path(name: str) -> str:
    r"""Return a relative path that stays in its folder. Raises ValueError for any other.

    >>> inner_path("revisions/turn-001.1.md")
    'revisions/turn-001.1.md'
    >>> inner_path("../../../etc/passwd")
    Traceback (most recent call last):
    ValueError: '../../../etc/passwd' leads out of its folder
    """
    parts = name.split("/")
    is_odd = "\\" in name or _DRIVE.match(name) or any(ord(mark) < ord(" ") for mark in name)
    if is_odd or any(part in {"", ".", ".."} for part in parts):
        raise ValueError(f"{name!a} leads out of its folder")
    return name


def inner_name(name: str) -> str:
    """Return a name of one part. Raises ValueError for any other.

    >>> inner_name("session-001")
    'session-001'
    """
    if "/" in name:
        raise ValueError(f"{name!a} is no name of one part")
    return inner_path(name)
