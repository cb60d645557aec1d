"""What pass 1 did not understand of Claude Code's records."""

from awf_archive.domain.transcript import Json
from awf_archive.readers.claude_code.records import (
    KNOWN_ATTACHMENTS,
    KNOWN_TYPES,
    MESSAGE_TYPES,
    NOTICE_SUBTYPES,
    SILENT_SUBTYPES,
    content_of,
    is_known_block,
)
from awf_archive.readers.shared.jsonl import Line
from awf_archive.readers.shared.problem_log import ProblemLog
from awf_archive.readers.shared.values import JsonObject, called, text_at

_KNOWN_SUBTYPES = SILENT_SUBTYPES | NOTICE_SUBTYPES | {"compact_boundary", "api_error", "local_command"}


class RecordLog(ProblemLog):
    """The problems of one file of Claude Code, its record types known."""

    __slots__ = ()

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
        self.count("unknown-type", f"Records of unknown type{called(name)}.", line.number)

    def _unknown_block(self, block: Json, line: Line) -> None:
        name = text_at(block, "type")
        self.count("unknown-block", f"Blocks of unknown type{called(name)}.", line.number)


def _looks_like_message(record: JsonObject) -> bool:
    return "content" in record and text_at(record, "role") in {"user", "assistant"}
