"""Where a Gemini CLI file's records lie: one JSON object until April 2026, JSON Lines since."""

from collections.abc import Sequence
from dataclasses import dataclass

from awf_archive.domain.transcript import Json
from awf_archive.readers.base import Source
from awf_archive.readers.gemini.scan import Place, Scan
from awf_archive.readers.shared.head import objects_in
from awf_archive.readers.shared.jsonl import Line, chunks, clean, lines
from awf_archive.readers.shared.members import members
from awf_archive.readers.shared.values import JsonObject, decode, object_at, value_at

HEAD = 1 << 18
_BOM = b"\xef\xbb\xbf"


def is_one_object(head: bytes) -> bool:
    """Tell the old generation: its first line alone is no record.

    >>> is_one_object(b'{\\n  "sessionId": "x"'), is_one_object(b'{"sessionId": "x"}\\n{"id"')
    (True, False)
    """
    first, _, rest = head.removeprefix(_BOM).lstrip(b" \t\r\n").partition(b"\n")
    if first.strip(b" \t\r") == b"{":
        return True
    return first.startswith(b"{") and b'"messages"' in first and not rest and _decoded(first) is None


def scanned(source: Source, log_file: str = "") -> Scan:
    """Read all records of a file once."""
    scan = Scan()
    scan.log.file = log_file
    if is_one_object(source.read(0, HEAD)):
        for member in members(source.read(0, source.size)):
            scan.take_member(member)
    else:
        for line in lines(chunks(source)):
            scan.take_line(line)
    return scan


def head_records(source: Source) -> Sequence[JsonObject]:
    """Return the records of the first 256 KB; one object gives its members and messages as records."""
    head = source.read(0, HEAD)
    if is_one_object(head):
        found = list(members(head))
        facts: JsonObject = {
            key: _decoded(line.data) for key, line in found if key != "messages" and line.complete
        }
        values = [_decoded(line.data) for key, line in found if key == "messages"]
        return [facts, *(value for value in values if isinstance(value, dict))]
    return objects_in(head)


def _decoded(data: bytes) -> Json:
    try:
        value, _ = decode(data)
    except (ValueError, RecursionError):
        return None
    return value


@dataclass(slots=True)
class Messages:
    """Reads messages again by their places; the last line is kept, because it may hold many."""

    source: Source
    _line: Line | None = None
    _record: Json = None

    def at(self, place: Place) -> JsonObject:
        """Return one message."""
        if self._line is None or (self._line.offset, self._line.length) != place[:2]:
            data = clean(self.source.read(place.offset, place.length))
            self._line = Line(place.line, place.offset, place.length, b"")
            self._record = _decoded(data)
        record = self._record
        if place.number < 0:
            return record if isinstance(record, dict) else {}
        held = object_at(record, "$set").get("messages") or value_at(record, "messages")
        message = held[place.number] if isinstance(held, list) else None
        return message if isinstance(message, dict) else {}
