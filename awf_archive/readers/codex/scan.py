"""Pass 1 over a Codex file: where each turn begins and which records it is made of."""

import json
import re
from dataclasses import dataclass, field

from awf_archive.domain.ids import Digest
from awf_archive.domain.transcript import Json, Start, Text, prompt_digest
from awf_archive.readers.codex.copies import Copies
from awf_archive.readers.codex.items import SAID, WORK, Item, Kind, is_context, is_known_part, items_of
from awf_archive.readers.codex.plan import TurnPlan
from awf_archive.readers.codex.records import (
    CONTEXT,
    ENDS,
    EVENT,
    ITEM,
    META,
    STARTS,
    Record,
    content_of,
    holds_words,
    is_sub_agent,
    record_of,
    unknown_name,
)
from awf_archive.readers.shared.jsonl import Line
from awf_archive.readers.shared.problem_log import ProblemLog
from awf_archive.readers.shared.spans import Role
from awf_archive.readers.shared.titles import one_line
from awf_archive.readers.shared.values import JsonObject, object_at, text_at, value_at

_THREAD = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SPAWNS = frozenset({"spawn_agent", "spawn_agents", "collab_spawn"})


@dataclass(slots=True)
class Facts:
    """What the file says of itself; the first description wins, because forks hold their parent's too."""

    meta: JsonObject = field(default_factory=dict)
    meta_line: int = 0
    cwd: str = ""
    name: str = ""
    first_prompt: str = ""

    def take(self, record: Record, line: int) -> None:
        """Read the facts of one record."""
        if record.kind == META and not self.meta:
            self.meta, self.meta_line = record.payload, line
        if record.kind in {META, CONTEXT}:
            self.cwd = self.cwd or text_at(record.payload, "cwd")
        if record.type == "thread_name_updated":
            self.name = one_line(text_at(record.payload, "thread_name")) or self.name

    @property
    def title(self) -> str:
        """The thread's name, or the first words typed."""
        return self.name or self.first_prompt


@dataclass(slots=True)
class Scan:
    """Everything pass 1 finds out."""

    turns: list[TurnPlan] = field(default_factory=list)
    facts: Facts = field(default_factory=Facts)
    log: ProblemLog = field(default_factory=ProblemLog)
    records: int = 0
    duplicates: int = 0
    unknown: int = 0
    """Records of unknown type that could be part of the conversation."""
    _waiting: TurnPlan = field(default_factory=TurnPlan)
    """Records that prepare a turn that has not begun."""
    _asked: Copies = field(default_factory=Copies)
    _task: str = ""
    """Codex's own id of the turn that is running."""
    _task_turns: dict[str, int] = field(default_factory=dict)
    """How many turns of ours began in each of Codex's."""
    _calls: dict[str, int] = field(default_factory=dict)
    """Turn of each call, by its id."""
    _spawns: set[str] = field(default_factory=set)
    _counted: str = ""

    def take(self, line: Line) -> None:
        """Take one line."""
        raw = self.log.read(line)
        if raw is None:
            return
        record = record_of(raw)
        if not self._is_understood(record, raw, line):
            return
        self.records += 1
        self.facts.take(record, line.number)
        self._follow_task(record)
        self._place(record, items_of(record), line)
        self._after(record)

    def _is_understood(self, record: Record, raw: JsonObject, line: Line) -> bool:
        name = unknown_name(record)
        if name is not None:
            called = f" {name}" if name else ""
            self.log.count("unknown-type", f"Records of unknown type{called}.", line.number)
            self.unknown += holds_words(record.payload) or holds_words(raw)
            return False
        if (record.kind, record.type) != (ITEM, "message"):
            return True
        content = content_of(record.payload)
        if content is None:
            self.log.malformed_messages += 1
            self.log.unreadable += 1
            self.log.add("unreadable", "The record holds no message.", line.number)
            return False
        if not all(map(is_known_part, content)):
            self.log.count("unknown-block", "Parts of unknown type stand in a message.", line.number)
        return True

    def _follow_task(self, record: Record) -> None:
        """Know which of Codex's turns is running: copies of a message stand within one."""
        task = text_at(record.payload, "turn_id")
        begins = record.type in STARTS or record.kind == CONTEXT
        if begins and task != self._task and (task or record.type in STARTS):
            self._task = task
            self._asked = Copies()

    def _after(self, record: Record) -> None:
        if record.type in ENDS and record.kind == EVENT:
            self._task = ""
            self._asked = Copies()
        if record.type == "token_count" and (count := total_count(record.payload)):
            self._counted = count
        if record.type == "thread_rolled_back":
            self._roll_back(record.payload.get("num_turns"))

    def _roll_back(self, number: Json) -> None:
        left = number if isinstance(number, int) else 0
        for turn in reversed(self.turns):
            if left > 0 and not turn.is_abandoned and turn.start is not Start.MACHINE:
                turn.is_abandoned = True
                left -= 1

    # Which turn a record belongs to

    def _place(self, record: Record, items: list[Item], line: Line) -> None:
        said = [item for item in items if item.kind in SAID]
        if said:
            self._user(record, said, line)
        elif (turn := self._earlier_turn(items)) is not None:
            turn.add(line, Role.RESULTS)
        elif self._prepares(record, items):
            self._waiting.add(line)
        elif self.turns or any(item.kind in WORK for item in items):
            self._body(record, items, line)
        else:
            self._waiting.add(line)

    def _prepares(self, record: Record, items: list[Item]) -> bool:
        """Tell whether a record may belong to the turn that comes."""
        if record.kind == EVENT:
            return record.type in STARTS
        return record.kind != ITEM or record.type == "message" if is_context(items) else False

    def _user(self, record: Record, said: list[Item], line: Line) -> None:
        words = "".join(item.text for item in said)
        if self._asked.is_copy("user", words, said[0].stream, said[0].id):
            self.duplicates += 1
            self.turns[-1].add(line, Role.EXTRA)
            return
        turn = self._open(record, line)
        is_agents = is_sub_agent(self.facts.meta)
        turn.start = Start.MACHINE if is_agents else _start_of(said)
        turn.digest, turn.prompt_size = digest_of(said), len(words)
        turn.line = line.number
        turn.add(line, Role.START)
        self.facts.first_prompt = self.facts.first_prompt or one_line(words)

    def _body(self, record: Record, items: list[Item], line: Line) -> None:
        if any(item.kind in WORK for item in items):
            if not self.turns:
                self._open(record, line)
            self._flush()
            if not self._task:
                self._asked = Copies()
        turn = self.turns[-1]
        turn.add(line)
        for item in items:
            if item.kind in {Kind.CALL, Kind.DONE} and item.id:
                self._calls.setdefault(item.id, len(self.turns) - 1)
            self._note_agent(item, turn)

    def _open(self, record: Record, line: Line) -> TurnPlan:
        turn, self._waiting = self._waiting, TurnPlan()
        turn.name, turn.time = self._name(record), record.time
        turn.line, turn.counted = line.number, self._counted
        self.turns.append(turn)
        return turn

    def _name(self, record: Record) -> str:
        """Return Codex's id of the turn; a later prompt within the same one gets a number."""
        if not self._task:
            return text_at(record.payload, "id") if record.kind == ITEM else ""
        number = self._task_turns[self._task] = self._task_turns.get(self._task, 0) + 1
        return self._task if number == 1 else f"{self._task}-{number}"

    def _flush(self) -> None:
        """Give what waited for a prompt to the turn that goes on without one."""
        if len(self._waiting.spans):
            turn = self.turns[-1]
            for span in self._waiting.spans:
                turn.spans.add(Line(span.line, span.offset, span.length, b""), span.role)
            turn.hasher.update(self._waiting.hasher.digest())
            self._waiting = TurnPlan()

    def _earlier_turn(self, items: list[Item]) -> TurnPlan | None:
        """Return the turn before this one whose call a late result answers."""
        late = [item.id for item in items if item.kind in {Kind.RESULT, Kind.DONE}]
        number = self._calls.get(late[0]) if late else None
        return None if number is None or number == len(self.turns) - 1 else self.turns[number]

    def _note_agent(self, item: Item, turn: TurnPlan) -> None:
        """Remember which sub-agents a turn started: the call's result names the thread."""
        if item.kind is Kind.CALL and text_at(item.value, "name") in _SPAWNS:
            self._spawns.add(item.id)
        elif item.kind is Kind.RESULT and item.id in self._spawns:
            output = value_at(item.value, "output")
            for thread in _THREAD.findall(output if isinstance(output, str) else json.dumps(output)):
                turn.agents.setdefault(thread, item.id)


def total_count(payload: JsonObject) -> str:
    """Return the running total of a token count as one string; "" when it tells none."""
    total = object_at(payload, "info", "total_token_usage")
    return json.dumps(total, sort_keys=True) if total else ""


def digest_of(said: list[Item]) -> Digest:
    """Return the digest of a prompt's words."""
    return prompt_digest(Text(text=item.text) for item in said if item.kind is not Kind.MEDIA)


def _start_of(said: list[Item]) -> Start:
    return Start.SHELL if said[0].kind is Kind.SHELL else Start.PROMPT
