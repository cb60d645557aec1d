"""What can still be read of a damaged JSON text: all that stands before the damage."""

import json
import re
from typing import cast

from awf_archive.domain.transcript import Json
from awf_archive.readers.base import Source
from awf_archive.readers.shared.problem_log import ProblemLog
from awf_archive.readers.shared.values import decode

_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"|[{}\[\],]', re.DOTALL)
_CLOSERS = {"{": "}", "[": "]"}


def salvage(text: str) -> Json:
    """Return the longest beginning that makes a value once its brackets are closed; None if there is none.

    A last number or word that may be cut is left out with its key.

    >>> salvage('{"a": [1, {"b": "c"}, {"d": "e')
    {'a': [1, {'b': 'c'}]}
    """
    decoder = json.JSONDecoder(strict=False)
    try:
        return cast("Json", decoder.decode(text))
    except json.JSONDecodeError as error:
        end = len(text) if error.msg.startswith("Unterminated") else error.pos
    except RecursionError:
        return None
    for _ in range(_TRIES):
        cut = _last_whole(text, end)
        if cut is None:
            return None
        try:
            return cast("Json", decoder.decode(cut))
        except json.JSONDecodeError as error:
            end = min(error.pos, end - 1)
        except RecursionError:
            return None
    return None


_TRIES = 3
"""A cut that does not parse is cut again before its own damage; more than this was never needed."""


def _last_whole(text: str, end: int) -> str | None:
    """Cut after the last value that is whole before `end`; close what is open."""
    stack: list[str] = []
    best: tuple[int, str] | None = None
    for token in _TOKEN.finditer(text, 0, end):
        mark = token.group()
        if mark in _CLOSERS:
            stack.append(_CLOSERS[mark])
        elif mark == ",":
            best = token.start(), "".join(reversed(stack))
        elif mark in ("}", "]"):
            if not stack or stack.pop() != mark:
                break
            best = token.end(), "".join(reversed(stack))
            if not stack:
                break
    return None if best is None else text[: best[0]] + best[1]


def read_whole(source: Source, log: ProblemLog) -> Json:
    """Return the one value that a file is; what stands before the damage where it is damaged, which is reported."""
    data = source.read(0, source.size).strip(b"\0 \t\r\n\xef\xbb\xbf")
    try:
        value, _ = decode(data)
    except (ValueError, RecursionError):
        log.unreadable += 1
        log.add("unreadable", "The file is damaged; what stands before the damage is kept.", 1)
        return salvage(data.decode(errors="surrogateescape"))
    return value
