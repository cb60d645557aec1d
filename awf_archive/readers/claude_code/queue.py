"""Prompts typed while the assistant was working: each is one turn, however many records tell of it."""

from dataclasses import dataclass, field, replace
from hashlib import sha256

from awf_archive.domain.escape import escape
from awf_archive.domain.ids import Digest
from awf_archive.domain.transcript import Start, Text, prompt_digest, prompt_text
from awf_archive.readers.claude_code.plan import Opening
from awf_archive.readers.claude_code.records import Item, ItemKind, items_of, typed_items
from awf_archive.readers.shared.jsonl import Line
from awf_archive.readers.shared.values import JsonObject, text_at, time_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Queued:
    """A prompt in the queue; its words are few, so its record is held."""

    opening: Opening
    line: Line
    typed: bool
    """False for what the harness queued."""
    absorbed: str = ""
    """When the model took it in."""


@dataclass(slots=True)
class PromptQueue:
    """What became of each queued prompt.

    Enqueued and dequeued: a user record follows. Enqueued and removed: the model took it in between two
    tool calls, and newer versions add an attachment. The turn's id is made from the queue's own record, so
    that it is the same before and after the attachment is written.
    """

    _queue: list[Queued] = field(default_factory=list)
    _waiting: list[Queued] = field(default_factory=list)
    _begun: list[Digest] = field(default_factory=list)
    """Begun without their attachment, which may still come."""
    _early: int = 0
    """Prompts whose attachment came before their removal from the queue."""
    _ids: set[str] = field(default_factory=set)
    repeated: int = 0
    """Enqueue records that were there before, as a replayed history writes them."""

    def take(self, record: JsonObject, line: Line, session: int) -> None:
        """Follow one queue-operation record."""
        match text_at(record, "operation"):
            case "enqueue":
                self._enqueue(record, line, session)
            case "dequeue":
                self._pop(_digest_of(record))
            case "remove":
                self._remove(record)
            case "popAll":
                self._queue.clear()
            case _:
                pass

    def _enqueue(self, record: JsonObject, line: Line, session: int) -> None:
        items = items_of(record)
        opening = Opening(
            start=Start.QUEUED,
            id=made_id(record, items),
            time=time_of(record),
            digest=words_digest(items),
            size=words_size(items),
            session=session,
            line=line.number,
        )
        if opening.id in self._ids:
            self.repeated += 1
            return
        self._ids.add(opening.id)
        self._queue.append(Queued(opening=opening, line=line, typed=bool(typed_items(items))))

    def _remove(self, record: JsonObject) -> None:
        if self._early and not record.get("content"):
            self._early -= 1
            return
        queued = self._pop(_digest_of(record))
        reason = text_at(record, "reason")
        if queued is not None and queued.typed and (not reason or "absorb" in reason):
            self._waiting.append(replace(queued, absorbed=time_of(record)))

    def _pop(self, digest: Digest | None) -> Queued | None:
        """Take the entry with these words out; without words, the oldest."""
        for place, queued in enumerate(self._queue):
            if digest is None or queued.opening.digest == digest:
                return self._queue.pop(place)
        return None

    @property
    def is_waiting(self) -> bool:
        """True while a prompt was taken in and its turn has not begun."""
        return bool(self._waiting)

    def due(self, time: str | None = None) -> list[Queued]:
        """Return the prompts that were taken in by then, oldest first, and forget them."""
        ready = [queued for queued in self._waiting if time is None or not time or queued.absorbed <= time]
        self._waiting = [queued for queued in self._waiting if queued not in ready]
        self._begun.extend(queued.opening.digest for queued in ready)
        return ready

    def claim(self, digest: Digest, *, from_queue: bool) -> Queued | None:
        """Return the waiting prompt with these words, which a second record now repeats.

        An attachment may also come before the removal, so it may claim what is still queued.
        """
        for place, queued in enumerate(self._waiting):
            if queued.opening.digest == digest:
                return self._waiting.pop(place)
        queued_now = [queued for queued in self._queue if queued.opening.digest == digest]
        if from_queue and queued_now:
            self._early += 1
            self._queue.remove(queued_now[0])
            return queued_now[0]
        return None

    def confirm(self, digest: Digest) -> bool:
        """Tell whether an attachment only repeats a prompt whose turn has begun."""
        if digest not in self._begun:
            return False
        self._begun.remove(digest)
        return True


def words_digest(items: list[Item]) -> Digest:
    """Return the digest of the words a person typed, as the turn's user side will have them."""
    return prompt_digest(_texts(items))


def words_size(items: list[Item]) -> int:
    """Return how many characters a person typed."""
    return sum(len(item.text) for item in items if item.kind is ItemKind.TYPED)


def _texts(items: list[Item]) -> list[Text]:
    return [Text(text=item.text) for item in items if item.kind is ItemKind.TYPED]


def _digest_of(record: JsonObject) -> Digest | None:
    """Return the digest of what a record names; None when it names nothing."""
    return words_digest(items_of(record)) if record.get("content") else None


def made_id(record: JsonObject, items: list[Item]) -> str:
    """Return an id for a record that has none of its own: its time and words make one."""
    words = escape(f"{text_at(record, 'timestamp')}\n{prompt_text(_texts(items))}")
    return f"queued-{sha256(words.encode()).hexdigest()[:32]}"
