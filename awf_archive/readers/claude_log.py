"""What pass 1 could not understand, gathered so that one kind of trouble is one problem."""

import re
from dataclasses import dataclass, field, replace

from awf_archive.domain.transcript import Json, Origin, Problem
from awf_archive.readers.claude_records import (
    KNOWN_ATTACHMENTS,
    KNOWN_TYPES,
    MESSAGE_TYPES,
    NOTICE_SUBTYPES,
    SILENT_SUBTYPES,
    JsonObject,
    content_of,
    decode,
    is_known_block,
    text_at,
)
from awf_archive.readers.jsonl import Line

_KNOWN_SUBTYPES = SILENT_SUBTYPES | NOTICE_SUBTYPES | {"compact_boundary", "api_error", "local_command"}
_PLAIN_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,40}")
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

    def is_understood(self, record: JsonObject, kind: str, line: Line) -> bool:
        """Tell whether a record is of a known type; report it and its blocks where they are not."""
        if kind not in KNOWN_TYPES:
            self.malformed_messages += _looks_like_message(record)
            self._unknown_type(kind, line)
            return False
        if kind in MESSAGE_TYPES:
            return self._check_message(record, line)
        if kind == "system":
            self._check_subtype(kind, text_at(record, "subtype"), _KNOWN_SUBTYPES, line)
        elif kind == "attachment":
            subtype = text_at(record, "attachment", "type")
            self._check_subtype(kind, subtype, KNOWN_ATTACHMENTS, line)
        return True

    def _check_subtype(self, kind: str, subtype: str, known: frozenset[str], line: Line) -> None:
        if subtype not in known:
            self._unknown_type(f"{kind}-{subtype}", line)

    def _check_message(self, record: JsonObject, line: Line) -> bool:
        content = content_of(record)
        if content is None:
            self.malformed_messages += 1
            self.unreadable += 1
            self.add("unreadable", "The record holds no message.", line.number)
            return False
        for block in content:
            if not is_known_block(block):
                self._unknown_block(block, line)
        return True

    def _unknown_type(self, name: str, line: Line) -> None:
        self.count("unknown-type", f"Records of unknown type{_called(name)}.", line.number)

    def _unknown_block(self, block: Json, line: Line) -> None:
        name = text_at(block, "type")
        self.count("unknown-block", f"Blocks of unknown type{_called(name)}.", line.number)


def _called(name: str) -> str:
    """Return a type's name if it is one, not somebody's text."""
    return f" {name}" if _PLAIN_NAME.fullmatch(name) else ""


def _looks_like_message(record: JsonObject) -> bool:
    return "content" in record and text_at(record, "role") in {"user", "assistant"}


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
