"""Pass 1 over a Gemini CLI file: which messages stand in the end, which were taken back, and their turns."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from awf_archive.domain.ids import Digest
from awf_archive.domain.transcript import Json, Start, Text, prompt_digest
from awf_archive.readers.gemini.records import (
    SAID,
    ItemKind,
    Kind,
    canonical,
    is_known,
    is_known_part,
    items_of,
    kind_of,
    parts_of,
)
from awf_archive.readers.shared.harness_words import is_bare_command
from awf_archive.readers.shared.jsonl import Line
from awf_archive.readers.shared.members import Member
from awf_archive.readers.shared.problem_log import ProblemLog
from awf_archive.readers.shared.titles import one_line
from awf_archive.readers.shared.values import JsonObject, decode, text_at, time_of, value_at

NOTHING_TYPED = prompt_digest(())


class Place(NamedTuple):
    """Where a message stands: a line, or one of the messages that a line holds."""

    offset: int
    length: int
    line: int
    number: int = -1


@dataclass(slots=True, kw_only=True)
class Entry:
    """The newest version of one message, without its text."""

    id: str
    place: Place
    type: str
    time: str
    start: Start | None
    """How it starts a turn; None when it starts none."""
    is_quiet: bool
    """Holds the tool's own words only, or nothing."""
    prompt_digest: Digest
    prompt_size: int
    title: str
    digest: bytes
    agents: tuple[tuple[str, str], ...]
    """Sub-agents that its calls name: agent and call."""
    is_left: bool = False
    """Taken back by a rewind or by a later version of all messages."""


@dataclass(slots=True)
class TurnPlan:
    """One turn: its messages in order."""

    opening: Entry
    entries: list[Entry] = field(default_factory=list)
    agents: dict[str, str] = field(default_factory=dict)
    """Sub-agents' files by name, with the call that each belongs to."""
    hasher: "hashlib._Hash" = field(default_factory=hashlib.sha256)

    def fingerprint(self) -> Digest:
        """Return the digest over the newest versions of its messages."""
        whole = self.hasher.copy()
        for entry in self.entries:
            whole.update(entry.digest)
        return Digest(whole.hexdigest())


@dataclass(slots=True)
class Scan:
    """Everything pass 1 finds out."""

    log: ProblemLog = field(default_factory=ProblemLog)
    entries: list[Entry] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    records: int = 0
    duplicates: int = 0
    unknown: int = 0
    """Records of unknown type that could be part of the conversation."""
    _live: dict[str, Entry] = field(default_factory=dict)

    @property
    def is_agents(self) -> bool:
        """Whether the file is a sub-agent's, whose prompts another agent wrote."""
        return self.facts.get("kind") == "subagent"

    def take_line(self, line: Line) -> None:
        """Take one line of a JSON Lines file."""
        record = self.log.read(line)
        if record is None:
            return
        kind = kind_of(record)
        self.records += kind is not Kind.UNKNOWN
        _TAKERS[kind](self, record, line)

    def take_member(self, member: Member) -> None:
        """Take one member of a file that is one object."""
        if member.key == "messages":
            record = self.log.read(member.line)
            if record is not None:
                self.records += 1
                self._message(record, _place(member.line))
            return
        try:
            value, _ = decode(member.line.data)
        except (ValueError, RecursionError):
            self.log.unreadable += 1
            self.log.add("unreadable", "A value of the file's is no JSON.", member.line.number)
            return
        self._facts({member.key: value})

    # Kinds of records

    def header(self, record: JsonObject, line: Line) -> None:
        """Take in the record that names the conversation; the first wins."""
        for key in ("sessionId", "kind", "startTime"):
            if value := text_at(record, key):
                self.facts.setdefault(key, value)
        self._facts(record)
        self._held(record.get("messages"), line)

    def message(self, record: JsonObject, line: Line) -> None:
        """Take in one version of a message."""
        self._message(record, _place(line))

    def set(self, record: JsonObject, line: Line) -> None:
        """Take in new metadata; messages in it replace all there were."""
        new = record.get("$set")
        if not isinstance(new, dict):
            return
        self._facts(new)
        if isinstance(new.get("messages"), list):
            before, self._live = self._live, {}
            self._held(new["messages"], line)
            for entry in before.values():
                entry.is_left = entry.id not in self._live
            replaced = {id(entry) for entry in before.values() if not entry.is_left}
            self.duplicates += len(replaced)
            self.entries = [entry for entry in self.entries if id(entry) not in replaced]

    def rewind(self, record: JsonObject, _: Line) -> None:
        """Take back a message and all after it; all there are when it is unknown."""
        names = list(self._live)
        target = text_at(record, "$rewindTo")
        for name in names[names.index(target) if target in self._live else 0 :]:
            self._live.pop(name).is_left = True

    def strange(self, record: JsonObject, line: Line) -> None:
        """Report a record of unknown kind."""
        self.log.count("unknown-type", "Records of unknown type.", line.number)
        self.unknown += any(record.get(key) for key in ("content", "text", "message", "parts"))

    # Messages

    def _held(self, messages: Json, line: Line) -> None:
        for number, message in enumerate(messages if isinstance(messages, list) else []):
            if isinstance(message, dict):
                self._message(message, _place(line)._replace(number=number))
            else:
                self._malformed(line.number)

    def _message(self, message: JsonObject, place: Place) -> None:
        if not text_at(message, "id") and "type" not in message:
            self._malformed(place.line)
            return
        if not is_known(message):
            self.log.count("unknown-type", "Messages of unknown type.", place.line)
            self.unknown += 1
            return
        self._check_parts(message, place.line)
        entry = _entry(message, place)
        known = self._live.get(entry.id)
        is_new = known is None or not entry.id
        if known is None or is_new or not self._is_version(entry, known):
            self.entries.append(entry)
            self._live[entry.id if entry.id and is_new else f"\0{place.line} {place.number}"] = entry
            return
        self.duplicates += 1
        self.entries[self._position(known)] = self._live[entry.id] = entry

    def _is_version(self, entry: Entry, known: Entry) -> bool:
        """Tell a newer version of a message from one whose id is damaged: of those both are kept.

        An answer never takes the place of a prompt, and nothing changes once the user went on.
        """
        later = self.entries[self._position(known) + 1 :]
        return (known.start is None) == (entry.start is None) and all(one.start is None for one in later)

    def _position(self, known: Entry) -> int:
        """Return a message's place; it is most often among the last."""
        return next(at for at in range(len(self.entries) - 1, -1, -1) if self.entries[at] is known)

    def _malformed(self, line: int) -> None:
        self.log.malformed_messages += 1
        self.log.unreadable += 1
        self.log.add("unreadable", "A message cannot be read.", line)

    def _check_parts(self, message: JsonObject, line: int) -> None:
        parts = [*parts_of(message.get("content")), *parts_of(message.get("displayContent"))]
        if not all(map(is_known_part, parts)):
            self.log.count("unknown-block", "Parts of unknown kind stand in a message.", line)

    def _facts(self, record: JsonObject) -> None:
        for key in ("summary", "sessionId", "projectHash", "kind", "startTime"):
            value = text_at(record, key)
            if value and (key == "summary" or key not in self.facts):
                self.facts[key] = value

    # Turns

    def turns(self) -> list[TurnPlan]:
        """Group the messages: those that stand and those that were left never share a turn."""
        made: list[TurnPlan] = []
        standing: TurnPlan | None = None
        waiting: list[Entry] = []
        for entry in self.entries:
            turn = standing if not entry.is_left else _left_last(made)
            waits = entry.is_quiet and (turn is None or entry.type == "user")
            waiting.append(entry)
            if waits:
                continue
            if turn is None or entry.start is not None:
                turn = TurnPlan(opening=entry)
                made.append(turn)
                standing = standing if entry.is_left else turn
            turn.entries += waiting
            waiting = []
        return made

    def title(self) -> str:
        """Return the tool's summary, or the first words typed."""
        named = one_line(self.facts.get("summary", ""))
        return named or next((entry.title for entry in self.entries if entry.title), "")


def _left_last(made: list[TurnPlan]) -> TurnPlan | None:
    """Return the last turn if it was left: what was left with it follows it."""
    return made[-1] if made and made[-1].opening.is_left else None


def _place(line: Line) -> Place:
    return Place(line.offset, line.length, line.number)


def _entry(message: JsonObject, place: Place) -> Entry:
    items = items_of(message)
    said = [item for item in items if item.kind in SAID]
    typed = [item.text for item in said if item.kind is ItemKind.TYPED]
    start = None
    if said and text_at(message, "type") == "user":
        start = Start.COMMAND if is_bare_command("".join(typed)) else Start.PROMPT
    return Entry(
        id=text_at(message, "id"),
        place=place,
        type=text_at(message, "type"),
        time=time_of(message),
        start=start,
        is_quiet=all(item.kind is ItemKind.NOTE for item in items),
        prompt_digest=prompt_digest(Text(text=text) for text in typed) if start else NOTHING_TYPED,
        prompt_size=sum(map(len, typed)) if start else 0,
        title=one_line("\n".join(typed)) if start else "",
        digest=hashlib.sha256(canonical(message)).digest(),
        agents=tuple(_agents(message)),
    )


def _agents(message: JsonObject) -> Iterator[tuple[str, str]]:
    for call in parts_of(value_at(message, "toolCalls")):
        if agent := text_at(call, "agentId"):
            yield agent, text_at(call, "id")


_TAKERS: dict[Kind, Callable[[Scan, JsonObject, Line], None]] = {
    Kind.HEADER: Scan.header,
    Kind.MESSAGE: Scan.message,
    Kind.SET: Scan.set,
    Kind.REWIND: Scan.rewind,
    Kind.UNKNOWN: Scan.strange,
}
