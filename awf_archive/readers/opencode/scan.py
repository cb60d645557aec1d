"""Pass 1 over one session of opencode's: its turns, without their text."""

import hashlib
from dataclasses import dataclass, field

from awf_archive.domain.ids import Digest
from awf_archive.domain.transcript import Start, Text, prompt_digest
from awf_archive.readers.opencode.records import (
    SAID,
    Item,
    Kind,
    Message,
    child_sessions,
    is_known_part,
    is_message,
    items_of,
)
from awf_archive.readers.opencode.store import Ref, Store
from awf_archive.readers.shared.problem_log import ProblemLog
from awf_archive.readers.shared.times import iso
from awf_archive.readers.shared.titles import one_line
from awf_archive.readers.shared.values import JsonObject, dump, text_at, value_at

_FLEETING = frozenset({"summary"})
"""What opencode adds to a user's message later: a title and a diff for its own list."""


@dataclass(slots=True, kw_only=True)
class TurnPlan:
    """One turn: its messages' places."""

    id: str
    start: Start
    time: str
    line: int
    digest: Digest
    prompt_size: int
    refs: list[Ref] = field(default_factory=list)
    opening: Ref | None = None
    """The message that starts the turn, if one does."""
    children: dict[str, str] = field(default_factory=dict)
    """Sub-agents' sessions, each with its call."""
    is_left: bool = False
    hasher: "hashlib._Hash" = field(default_factory=hashlib.sha256)

    def add(self, ref: Ref, message: Message) -> None:
        """Take a message in."""
        self.refs.append(ref)
        info = {key: value for key, value in message.info.items() if key not in _FLEETING}
        is_users = text_at(message.info, "role") == "user"
        for value in (info if is_users else message.info, *message.parts):
            self.hasher.update(dump(value).encode(errors="surrogatepass"))
        self.children.update(child_sessions(message))


@dataclass(slots=True)
class Scan:
    """Everything pass 1 finds out of one session."""

    session: JsonObject
    log: ProblemLog = field(default_factory=ProblemLog)
    turns: list[TurnPlan] = field(default_factory=list)
    records: int = 0
    first_prompt: str = ""
    _waiting: list[tuple[Ref, Message]] = field(default_factory=list)
    """Messages of the tool's own before the first turn."""

    def read(self, store: Store) -> "Scan":
        """Read all messages once."""
        for ref, message in store.messages(text_at(self.session, "id"), self.log):
            if not is_message(message.info):
                self._strange(message, ref)
                continue
            self.records += 1 + len(message.parts)
            if not all(map(is_known_part, message.parts)):
                self.log.count("unknown-block", "Parts of unknown type stand in a message.", ref.line)
            self._take(ref, message)
        return self

    def _strange(self, message: Message, ref: Ref) -> None:
        self.log.malformed_messages += 1
        self.log.unreadable += 1
        self.log.count("unknown-type", "Messages of unknown role.", ref.line)
        del message

    def _take(self, ref: Ref, message: Message) -> None:
        items = items_of(message)
        is_users = text_at(message.info, "role") == "user"
        said = [item for item in items if item.kind in SAID] if is_users else []
        is_quiet = all(item.kind is Kind.NOTE for item in items)
        if said or (not self.turns and not is_quiet):
            self._open(ref, message, said)
        elif not self.turns:
            self._waiting.append((ref, message))
            return
        self.turns[-1].add(ref, message)

    def _open(self, ref: Ref, message: Message, said: list[Item]) -> None:
        typed = [item.text for item in said if item.kind in {Kind.TYPED, Kind.COMMAND}]
        name = text_at(message.info, "id") or ref.key
        revert = text_at(self.session.get("revert"), "messageID")
        turn = TurnPlan(
            id=name,
            start=self._start(said),
            time=iso(value_at(message.info, "time", "created")),
            line=ref.line,
            digest=prompt_digest(Text(text=text) for text in typed),
            prompt_size=sum(map(len, typed)),
            opening=ref if said else None,
            is_left=bool(revert) and name >= revert,
        )
        for waiting in self._waiting:
            turn.add(*waiting)
        self._waiting = []
        self.turns.append(turn)
        self.first_prompt = self.first_prompt or one_line("\n".join(typed))

    def _start(self, said: list[Item]) -> Start:
        if not said or text_at(self.session, "parentID"):
            return Start.MACHINE
        kinds = {item.kind for item in said}
        return next((start for kind, start in _STARTS.items() if kind in kinds), Start.PROMPT)


_STARTS = {Kind.SHELL: Start.SHELL, Kind.COMMAND: Start.COMMAND}
