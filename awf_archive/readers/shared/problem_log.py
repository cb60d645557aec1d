"""What could not be understood, gathered so that one kind of trouble is one problem."""

import re
from dataclasses import dataclass, field, replace

from awf_archive.domain.transcript import Json, Origin, Problem
from awf_archive.readers.shared.jsonl import Line
from awf_archive.readers.shared.values import JsonObject, decode

_SURROGATE_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")


@dataclass(slots=True)
class ProblemLog:
    """Problems of one file, by line; `file` is "" for the transcript itself."""

    file: str = ""
    unreadable: int = 0
    malformed_messages: int = 0
    """Records that call themselves a message and hold none."""
    _single: list[Problem] = field(default_factory=list)
    _counted: dict[tuple[str, str], Problem] = field(default_factory=dict)

    def add(self, code: str, message: str, line: int) -> None:
        """Report something on its own."""
        self._single.append(Problem(code=code, message=message, origin=self._origin(line)))

    def count(self, code: str, message: str, line: int) -> None:
        """Report something once, with how often it happened and where it did first."""
        known = self._counted.get((code, message))
        if known is None:
            self._counted[code, message] = Problem(code=code, message=message, origin=self._origin(line))
        else:
            self._counted[code, message] = replace(known, count=known.count + 1)

    def problems(self) -> tuple[Problem, ...]:
        """Return all problems by line."""
        every = [*self._single, *self._counted.values()]
        return tuple(sorted(every, key=lambda problem: problem.origin.line))

    def _origin(self, line: int) -> Origin:
        return Origin(file=self.file, line=line)

    def read(self, line: Line) -> JsonObject | None:
        """Parse a line; None when it holds no record, which is reported unless the line is empty."""
        if line.padded:
            self.count("padding", "NUL bytes stand around or between records.", line.number)
        if not line.data or line.data.isspace():
            return None
        try:
            record, bad_utf8 = decode(line.data)
        except (ValueError, RecursionError):
            record, bad_utf8 = None, False
        if not isinstance(record, dict):
            self._no_record(line)
            return None
        if bad_utf8:
            self.count("bad-utf8", "Bytes that are no UTF-8 stand in a record.", line.number)
        elif _SURROGATE_ESCAPE.search(line.data) and _has_lone_surrogate(record):
            self.count("lone-surrogate", "Half of a surrogate pair stands in a record.", line.number)
        return record

    def _no_record(self, line: Line) -> None:
        self.unreadable += 1
        if line.complete:
            self.add("unreadable", "The line is no JSON object.", line.number)
        else:
            message = "The last record is incomplete; it will be read when it is complete."
            self.add("partial", message, line.number)


def _has_lone_surrogate(record: Json) -> bool:
    """Tell a real half from a pair and from a backslash that is itself escaped."""
    rest: list[Json] = [record]
    while rest:
        value = rest.pop()
        if isinstance(value, str) and not _is_encodable(value):
            return True
        if isinstance(value, dict):
            rest.extend((*value, *value.values()))
        elif isinstance(value, list):
            rest.extend(value)
    return False


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
