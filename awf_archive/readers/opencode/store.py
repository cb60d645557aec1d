"""Where opencode keeps a session in files: a tree of small ones, or one that was exported."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from awf_archive.readers.base import Source
from awf_archive.readers.opencode.records import PLAIN_ID, Message
from awf_archive.readers.shared.jsonl import Line, clean
from awf_archive.readers.shared.members import members
from awf_archive.readers.shared.problem_log import ProblemLog
from awf_archive.readers.shared.values import JsonObject, decode, object_at, text_at, value_at


class Ref(NamedTuple):
    """Leads back to one message."""

    key: str
    """Its id, or the name of its file."""
    line: int = 0
    """Row in the database, or line in an exported file."""
    offset: int = 0
    length: int = 0


class Store(Protocol):
    """One way of keeping sessions."""

    def messages(self, session: str, log: ProblemLog) -> Iterator[tuple[Ref, Message]]:
        """Read a session's messages in order, one at a time."""

    def message(self, session: str, ref: Ref) -> Message:
        """Read one message again."""

    def session(self, name: str) -> JsonObject:
        """Return what is known of a session; empty for an unknown one."""


def parsed(data: bytes, log: ProblemLog, number: int) -> JsonObject | None:
    """Read one JSON object; report what is none."""
    return log.read(Line(number, 0, len(data), clean(data)))


def object_of(data: bytes) -> JsonObject:
    """Read one JSON object; an empty one for anything else."""
    try:
        value, _ = decode(data)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def in_order(found: list[tuple[Ref, Message]]) -> list[tuple[Ref, Message]]:
    """Sort messages by time, then by id, which grows too."""
    return sorted(found, key=lambda one: (_created(one[1].info), one[0].key))


def _created(info: JsonObject) -> float:
    created = value_at(info, "time", "created")
    return created if isinstance(created, int | float) else 0.0


# One exported file


@dataclass(frozen=True, slots=True)
class ExportStore:
    """What `opencode export` writes: `{"info": …, "messages": [{"info": …, "parts": […]}]}`."""

    source: Source
    info: JsonObject

    def messages(self, session: str, log: ProblemLog) -> Iterator[tuple[Ref, Message]]:
        """Read the messages in file order."""
        del session
        for key, line in members(self.source.read(0, self.source.size)):
            if key == "messages" and (record := log.read(line)) is not None:
                ref = Ref(text_at(record, "info", "id"), line.number, line.offset, line.length)
                yield ref, exported(record)

    def message(self, session: str, ref: Ref) -> Message:
        """Read one message again."""
        del session
        return exported(object_of(clean(self.source.read(ref.offset, ref.length))))

    def session(self, name: str) -> JsonObject:
        """Return the one session there is."""
        return self.info if text_at(self.info, "id") == name else {}


def exported(record: JsonObject) -> Message:
    """Take a message with its parts inside; the first opencode wrote them so too."""
    parts = value_at(record, "parts")
    info = object_at(record, "info") or {key: value for key, value in record.items() if key != "parts"}
    return Message(
        info, [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    )


# A tree of small files


_TREES = (
    ("../../message/{session}/*.json", "../../part/{message}/*.json"),
    ("../message/{session}/*.json", "../part/{session}/{message}/*.json"),
)
"""Where messages and parts lie, seen from a session's file: in 2025 from August on, and before."""


@dataclass(frozen=True, slots=True)
class TreeStore:
    """`storage/session/<project>/<session>.json` with its messages and parts in folders beside."""

    source: Source
    info: JsonObject

    def messages(self, session: str, log: ProblemLog) -> Iterator[tuple[Ref, Message]]:
        """Read a session's messages in order."""
        found = []
        for tree, (pattern, _) in enumerate(_TREES):
            if not PLAIN_ID.fullmatch(session):
                return
            for name, file in self.source.companions(pattern.format(session=session)).items():
                log.file = name
                info = parsed(file.read(0, file.size), log, 1)
                if info is not None:
                    found.append((Ref(name, tree), Message(info, [])))
        for ref, bare in in_order(found):
            yield ref, self._whole(session, ref.line, bare.info, log)
        log.file = ""

    def message(self, session: str, ref: Ref) -> Message:
        """Read one message again."""
        file = self.source.companions(ref.key)[ref.key]
        return self._whole(session, ref.line, object_of(clean(file.read(0, file.size))), ProblemLog())

    def _whole(self, session: str, tree: int, info: JsonObject, log: ProblemLog) -> Message:
        inside = exported(info)
        name = text_at(info, "id")
        if inside.parts or not PLAIN_ID.fullmatch(name):
            return inside
        pattern = _TREES[tree][1].format(session=session, message=name)
        parts = []
        for path, file in sorted(self.source.companions(pattern).items()):
            log.file = path
            if (part := parsed(file.read(0, file.size), log, 1)) is not None:
                parts.append(part)
        return Message(info, parts)

    def session(self, name: str) -> JsonObject:
        """Return a session of the same project."""
        if text_at(self.info, "id") == name:
            return self.info
        file = self.source.companions(f"{name}.json").get(f"{name}.json")
        return object_of(clean(file.read(0, file.size))) if file is not None else {}
