"""Pass 1: which record belongs to which turn, holding places and digests but no text."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from awf_archive.domain.transcript import NoteKind, Start
from awf_archive.readers.claude_code.facts import Facts
from awf_archive.readers.claude_code.links import Links
from awf_archive.readers.claude_code.log import RecordLog
from awf_archive.readers.claude_code.plan import Opening, TurnPlan
from awf_archive.readers.claude_code.queue import PromptQueue, Queued, made_id, words_digest, words_size
from awf_archive.readers.claude_code.records import (
    MESSAGE_TYPES,
    Item,
    ItemKind,
    is_answer,
    items_of,
    result_id,
    typed_items,
)
from awf_archive.readers.claude_code.side import PREVIEW_MARK, Preview, side_file
from awf_archive.readers.claude_code.tree import ASIDE, BOUNDARY, NOWHERE, TALK, Tree, key_of
from awf_archive.readers.shared.harness_words import is_bare_command
from awf_archive.readers.shared.jsonl import Line
from awf_archive.readers.shared.spans import NOTHING_TYPED, Role
from awf_archive.readers.shared.values import JsonObject, text_at, time_of

_STARTS = {ItemKind.COMMAND: Start.COMMAND, ItemKind.SHELL: Start.SHELL}


class _Here(NamedTuple):
    """A record with its place in the file and in the tree."""

    record: JsonObject
    line: Line
    node: int
    session: int

    def opening(self, start: Start = Start.MACHINE, typed: list[Item] | None = None) -> Opening:
        """Say how a turn begins here, with what was typed if a person started it."""
        return Opening(
            start=start,
            id=text_at(self.record, "uuid") or made_id(self.record, typed or []),
            time=time_of(self.record),
            digest=words_digest(typed) if typed else NOTHING_TYPED,
            size=words_size(typed or []),
            session=self.session,
            node=self.node,
            line=self.line.number,
        )


@dataclass(slots=True)
class Scan:
    """A transcript's records, taken one by one in file order."""

    sidechains_are_main: bool = False
    """True for a sub-agent's own file, read for itself."""
    log: RecordLog = field(default_factory=RecordLog)
    facts: Facts = field(default_factory=Facts)
    tree: Tree = field(default_factory=Tree)
    links: Links = field(default_factory=Links)
    turns: list[TurnPlan] = field(default_factory=list)
    previews: list[Preview] = field(default_factory=list)
    records: int = 0
    duplicates: int = 0
    sidechains: int = 0
    _queue: PromptQueue = field(default_factory=PromptQueue)
    _pending: TurnPlan | None = None
    """Records after the last turn that wait to learn which turn they belong to."""
    _chains: dict[int, TurnPlan] = field(default_factory=dict)
    """Turns of inline sub-agents, by their records' numbers in the tree."""

    def take(self, line: Line) -> None:
        """Read one record and put it where it belongs."""
        record = self.log.read(line)
        kind = text_at(record, "type")
        if record is None or not self.log.is_understood(record, kind, line):
            return
        session = self.facts.take(record, len(self.tree))
        is_side = record.get("isSidechain") is True and not self.sidechains_are_main
        node = NOWHERE
        if uuid := text_at(record, "uuid"):
            node = self.tree.add(uuid, _parent_of(record), _node_kind(record, kind, is_side), line.number)
            if node == NOWHERE:
                self.duplicates += 1
                return
        self.records += 1
        self.links.take(record)
        here = _Here(record, line, node, session)
        if is_side:
            self._sidechain(here)
        elif handle := _HANDLERS.get(kind):
            handle(self, here)

    def finish(self) -> None:
        """Begin what was known to start but not yet followed by anything."""
        self._begin_queued(self._queue.due())
        self.tree.finish()
        self.duplicates += self._queue.repeated

    # Where records go

    def _open(self, opening: Opening) -> TurnPlan:
        """Begin a turn; what was pending becomes its head."""
        turn = self._pending or TurnPlan(opening)
        turn.opening, turn.candidate = opening, None
        self._pending = None
        self.turns.append(turn)
        return turn

    def _settle(self) -> None:
        """Begin the pending turn: something followed its command."""
        if self._pending is not None:
            turn, self._pending = self._pending, None
            turn.settle()
            self.turns.append(turn)

    def _target(self, here: _Here) -> TurnPlan:
        """Return the turn that machine text belongs to."""
        if self._pending is None and not self.turns:
            self._pending = TurnPlan(here.opening())
        return self._pending or self.turns[-1]

    # Users, systems and attachments

    def talk(self, here: _Here) -> None:
        """Take in a record of the user, or of the harness in the user's place."""
        items = items_of(here.record)
        results = [item for item in items if item.kind is ItemKind.RESULT]
        rest = [item for item in items if item.kind is not ItemKind.RESULT]
        if results:
            self._results(here, results)
        if typed := typed_items(rest):
            self._prompt(here, typed)
        elif rest:
            self._harness(here, rest)

    def _prompt(self, here: _Here, typed: list[Item]) -> None:
        opening = here.opening(Start.PROMPT, typed)
        repeats = self._queue.claim(opening.digest, from_queue=False)
        self._begin_queued([repeats] if repeats else self._queue.due())
        if repeats:
            self._add_extra(here, typed)
            return
        words = typed[0].text
        if len(typed) == 1 and is_bare_command(words):
            opening = replace(opening, start=Start.COMMAND, command=words.strip())
        self._open(opening).add(here.line, Role.START)
        self.facts.note_start(words, is_command=bool(opening.command))

    def _harness(self, here: _Here, items: list[Item]) -> None:
        command = next((item for item in items if item.kind in _STARTS), None)
        followed = any(item.kind is ItemKind.OUTPUT or item.note is NoteKind.ERROR for item in items)
        if command and self._is_wrapped_copy(command):
            return
        if command:
            self._offer(here, command)
        else:
            self._target(here).add(here.line)
        if followed and self._pending is not None and self._pending.candidate is not None:
            self._settle()

    def _is_wrapped_copy(self, command: Item) -> bool:
        """Tell whether the running turn began with this very command, not yet answered."""
        if self._pending is not None or not self.turns:
            return False
        running = self.turns[-1]
        return not running.answered and running.opening.command == command.text.strip()

    def _offer(self, here: _Here, command: Item) -> None:
        self._begin_queued(self._queue.due())
        self.facts.note_start(command.text, is_command=True)
        if self._pending is None:
            self._pending = TurnPlan(here.opening())
        typed = command._replace(kind=ItemKind.TYPED)
        self._pending.offer(here.opening(_STARTS[command.kind], [typed]), here.line)

    def _results(self, here: _Here, results: list[Item]) -> None:
        """Give each result to the turn of its call, which may be long past."""
        orphans = set()
        owners = set()
        for item in results:
            call = result_id(item.block)
            owner = self.links.owner(call)
            if owner is None:
                orphans.add(call)
            else:
                owners.add(owner)
        homes = [self.turns[owner] for owner in sorted(owners)]
        if orphans:
            homes.append(self._target(here))
            homes[-1].orphans.update(orphans)
        for turn in homes:
            turn.add(here.line, Role.RESULTS)
            self._note_previews(here, turn, results)

    def _note_previews(self, here: _Here, turn: TurnPlan, results: list[Item]) -> None:
        if PREVIEW_MARK in here.line.data:
            names = [side_file(item.block) for item in results]
            self.previews.extend(Preview(turn, name, here.line.number) for name in names if name)

    # The assistant

    def answer(self, here: _Here) -> None:
        """Take in a record of the assistant."""
        if not is_answer(here.record):
            self._target(here).add(here.line)
            return
        if self._queue.is_waiting:
            self._begin_queued(self._queue.due(time_of(here.record)))
        if self._pending is not None:
            self._settle()
        turn = self.turns[-1] if self.turns else self._open(here.opening())
        turn.answered = True
        turn.add(here.line)
        self.links.register(here.record, len(self.turns) - 1)

    def _sidechain(self, here: _Here) -> None:
        """Keep an inline sub-agent's record with the call that started the sub-agent."""
        self.sidechains += 1
        turn = self._chains.get(self.tree.parent(here.node)) or self._calling_turn(here)
        turn.add(here.line, Role.SIDECHAIN)
        if here.node != NOWHERE:
            self._chains[here.node] = turn

    def _calling_turn(self, here: _Here) -> TurnPlan:
        words = "".join(item.text for item in typed_items(items_of(here.record)))
        owner = self.links.owner(self.links.call_for(key_of(words)))
        return self._target(here) if owner is None else self.turns[owner]

    # Queued prompts

    def attachment(self, here: _Here) -> None:
        """Take in what was attached: a queued prompt, or what the person pointed at."""
        if text_at(here.record, "attachment", "type") == "queued_command":
            self._queued_command(here)
        elif items_of(here.record):
            self._target(here).add(here.line)

    def _queued_command(self, here: _Here) -> None:
        items = items_of(here.record)
        typed = typed_items(items)
        digest = words_digest(typed)
        if not typed:
            if items:
                self._harness(here, items)
        elif self._queue.confirm(digest):
            self._add_extra(here, typed)
        elif queued := self._queue.claim(digest, from_queue=True):
            self._begin_queued([queued], node=here.node)
            self._add_extra(here, typed)
        else:
            self._begin_queued(self._queue.due())
            self._open(here.opening(Start.QUEUED, typed)).add(here.line, Role.START)

    def queue_operation(self, here: _Here) -> None:
        """Follow the queue of prompts."""
        self._queue.take(here.record, here.line, here.session)

    def _begin_queued(self, prompts: list[Queued], node: int = NOWHERE) -> None:
        for queued in prompts:
            self._open(replace(queued.opening, node=node)).add(queued.line, Role.START)

    def _add_extra(self, here: _Here, typed: list[Item]) -> None:
        """Keep the images of a second record of the same prompt."""
        if any(item.kind is ItemKind.MEDIA for item in typed):
            self.turns[-1].add(here.line, Role.EXTRA)


def _parent_of(record: JsonObject) -> str:
    """Return the record before; a compaction names it apart, because the model starts anew there."""
    return text_at(record, "parentUuid") or text_at(record, "logicalParentUuid")


def _node_kind(record: JsonObject, kind: str, is_side: bool) -> int:  # noqa: FBT001
    if text_at(record, "subtype") == "compact_boundary":
        return BOUNDARY
    return TALK if kind in MESSAGE_TYPES and not is_side else ASIDE


_HANDLERS: dict[str, Callable[[Scan, _Here], None]] = {
    "user": Scan.talk,
    "system": Scan.talk,
    "assistant": Scan.answer,
    "attachment": Scan.attachment,
    "queue-operation": Scan.queue_operation,
}
