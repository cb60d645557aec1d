"""What was found joins the list of a feature: ids for ever, restatements told from news, what contradicts what.

Joining the same again changes nothing: a decision is known by the call that shows it, by its document, by its turn,
or because its words were decided before and still stand.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from awf_archive.domain.decisions.found import Found, Status
from awf_archive.domain.decisions.records import Decision, next_id
from awf_archive.domain.fold import fold

RECORDED = "recorded"
"""`Found.found_by` of a call that recorded a decision: it tells the turn of a record, and never makes one."""

ADR = "adr"
"""A document that is one decision: it may change its words and stays the same."""

QUESTION = "question"

SPOKEN = frozenset({"agreement", "choice", "answer", "statement", "report", "reading"})
"""What the harvesters of text and a reader give: their words are compared by what they mean."""

_FAR = 300
"""Spoken decisions that are compared: what is further back is another matter, or can be joined by hand."""

LIVE = frozenset({Status.PROPOSED, Status.ACCEPTED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Something found, and where."""

    found: Found
    session: str = ""
    turn: int = 0
    """Global number; 0 for a document or what was recorded by hand."""
    date: str = ""
    is_abandoned: bool = False
    """The user rewound from the turn: nothing there is accepted."""


def joined(known: Sequence[Decision], shown: Iterable[Shown], feature: str) -> tuple[Decision, ...]:
    """Return a feature's decisions with what was found; those known stay in their places under their ids."""
    book = _Book(known, feature)
    for one in shown:
        book.take(one)
    return tuple(book.decisions)


def normalised(text: str) -> str:
    """Return the words of a text alone: two decisions that say the same are equal.

    >>> normalised("**Store**: dùng SQLite!") == normalised("store – Dung  sqlite")
    True
    """
    return " ".join(_NO_WORD.sub(" ", fold(text)).split())


def saying(decisions: Sequence[Decision], text: str) -> Decision | None:
    """Return the latest decision of these words that nothing replaced."""
    words = normalised(text)
    return next(
        (
            one
            for one in reversed(decisions)
            if words in {normalised(one.text), normalised(one.original)}
            and not one.moved_to
            and one.status is not Status.SUPERSEDED
        ),
        None,
    )


_NO_WORD = re.compile(r"[^\w+#]|_")


_Key: TypeAlias = tuple[str, ...]


class _Book:
    """The list while it grows, with what finds an entry in it."""

    def __init__(self, known: Sequence[Decision], feature: str) -> None:
        self.decisions = list(known)
        self._feature = feature
        self._places: dict[_Key, int] = {}
        self._texts: dict[str, list[int]] = {}
        self._matters: dict[str, list[int]] = {}
        for place in range(len(self.decisions)):
            self._learn(place)

    def take(self, shown: Shown) -> None:
        """Add what was found, or note where a decision that is known is said again."""
        found, words = shown.found, normalised(shown.found.text)
        keys = _keys(words, found.call_id, (shown.turn,), found.place.path, found.found_by)
        place = next((self._places[key] for key in keys if key in self._places), None)
        if place is not None:
            self.decisions[place] = _renewed(self.decisions[place], found)
        elif (again := self._restated(found, words)) is not None:
            self.decisions[again] = _said_again(self.decisions[again], shown)
            self._learn(again)
        elif found.found_by != RECORDED:
            self._add(shown)

    def _learn(self, place: int) -> None:
        one = self.decisions[place]
        path = one.place.path if one.place else ""
        for words in dict.fromkeys((normalised(one.original), normalised(one.text))):
            for key in _keys(words, one.call_id, (one.turn, *one.also), path, one.found_by):
                self._places.setdefault(key, place)
            _put(self._texts, words, place)
        if one.matter:
            _put(self._matters, normalised(one.matter), place)

    def _restated(self, found: Found, words: str) -> int | None:
        """Return the decision that says the same and still stands: decided anew after another answer is news.

        In a document nothing is news: it only says what was decided, be it before or after the other answer, and
        joins the first that says it, which stays the first.
        """
        is_document = bool(found.place.path)
        places = self._texts.get(words, [])
        for place in places if is_document else reversed(places):
            one = self.decisions[place]
            if one.moved_to or not _is_same_question(one, found):
                continue
            is_open = any(one.id in later.may_supersede for later in self.decisions[place + 1 :])
            if is_document or not (is_open or one.status is Status.SUPERSEDED):
                return place
        return self._in_other_words(found) if found.found_by in SPOKEN else None

    def _in_other_words(self, found: Found) -> int | None:
        """Return the latest spoken decision that says the same in other words."""
        from awf_archive.domain.decisions.text_alike import says_the_same

        for place in self._spoken():
            if says_the_same(found.text, self.decisions[place].original):
                return place
        return None

    def _spoken(self) -> Iterator[int]:
        """Yield the places of the last spoken decisions that stand, the latest first."""
        places = range(len(self.decisions) - 1, max(-1, len(self.decisions) - 1 - _FAR), -1)
        for place in places:
            one = self.decisions[place]
            if one.found_by in SPOKEN and one.status in LIVE and not one.moved_to:
                yield place

    def _add(self, shown: Shown) -> None:
        found = shown.found
        status = Status.PROPOSED if shown.is_abandoned else found.status
        ids = {one.id for one in self.decisions if not one.moved_to}
        supersedes = tuple(one for one in found.supersedes if one in ids)
        new = Decision(
            id=next_id(self.decisions),
            text=found.text,
            status=status,
            feature=self._feature,
            session=shown.session,
            turn=shown.turn,
            reason=found.reason,
            options=found.options,
            date=shown.date,
            by=found.by,
            found_by=found.found_by,
            evidence=found.evidence,
            place=found.place if shown.turn or found.place.path else None,
            call_id=found.call_id,
            files=found.files,
            confidence=found.confidence,
            matter=found.matter,
            found_status=found.status,
            supersedes=supersedes,
            may_supersede=() if supersedes or shown.is_abandoned else self._contradicted(shown),
        )
        self.decisions.append(new)
        self._learn(len(self.decisions) - 1)
        if status is Status.ACCEPTED:
            self.decisions = list(superseded(self.decisions, new.id, supersedes))

    def _contradicted(self, shown: Shown) -> tuple[str, ...]:
        """Return the latest decision on the same matter that stands and says something else."""
        found, words = shown.found, normalised(shown.found.text)
        for place in reversed(self._matters.get(normalised(found.matter), []) if found.matter else []):
            one = self.decisions[place]
            is_earlier = not one.turn or not shown.turn or one.turn < shown.turn
            if one.status in LIVE and not one.moved_to and is_earlier and _is_alike(one, found):
                return (one.id,) if normalised(one.text) != words else ()
        return self._taken_back(shown) if found.found_by in SPOKEN else ()

    def _taken_back(self, shown: Shown) -> tuple[str, ...]:
        """Return the latest spoken decision that this one plainly takes back."""
        from awf_archive.domain.decisions.text_alike import takes_back

        for one in (self.decisions[place] for place in self._spoken()):
            if one.turn < shown.turn and takes_back(shown.found.text, one.text):
                return (one.id,)
        return ()


def superseded(decisions: Sequence[Decision], by: str, old: Iterable[str]) -> tuple[Decision, ...]:
    """Return the list in which decision `by` has taken the place of the decisions `old`; both sides say so."""
    gone = frozenset(old) - {by}

    def changed(one: Decision) -> Decision:
        if one.id in gone:
            return replace(one, status=Status.SUPERSEDED, superseded_by=by)
        if one.id == by and gone:
            both = tuple(dict.fromkeys((*one.supersedes, *sorted(gone))))
            open_ = tuple(other for other in one.may_supersede if other not in gone)
            return replace(one, supersedes=both, may_supersede=open_)
        return one

    return tuple(map(changed, decisions))


def _keys(words: str, call_id: str, turns: Iterable[int], path: str, found_by: str) -> Iterator[_Key]:
    """Yield what makes a decision the same one: a fork repeats a call under its id, an ADR is one for ever."""
    if call_id:
        yield "call", call_id, words
    for turn in turns:
        if turn:
            yield "turn", str(turn), words
    if path:
        yield ("file", path) if found_by == ADR else ("file", path, words)


def _put(index: dict[str, list[int]], key: str, place: int) -> None:
    if place not in (places := index.setdefault(key, [])):
        places.append(place)


def _is_same_question(one: Decision, found: Found) -> bool:
    """Whether two answers may be one: "Proceed: yes" answers whatever was asked."""
    if QUESTION not in {one.found_by, found.found_by}:
        return True
    return one.found_by != found.found_by or normalised(one.reason) == normalised(found.reason)


def _is_alike(one: Decision, found: Found) -> bool:
    """Whether two decisions on one matter may contradict each other.

    Headers of questions are short ("Approach"): the question or an option must be the same too.
    """
    if one.found_by != QUESTION or found.found_by != QUESTION:
        return True
    if normalised(one.reason) == normalised(found.reason):
        return True
    labels = ({option.partition(":")[0] for option in options} for options in (one.options, found.options))
    return bool(set.intersection(*labels))


def _renewed(one: Decision, found: Found) -> Decision:
    """Return a decision as its document has it now; what a person changed stays. Words of a chat do not change."""
    if found.found_by != ADR:
        return one
    fixed = one.edited
    is_settled = "status" in fixed or one.status is Status.SUPERSEDED
    return replace(
        one,
        text=one.text if "text" in fixed else found.text,
        found_text=found.text if "text" in fixed else "",
        reason=one.reason if "reason" in fixed else found.reason,
        options=one.options if "options" in fixed else found.options,
        status=one.status if is_settled else found.status,
        found_status=found.status,
        evidence=found.evidence,
    )


def _said_again(one: Decision, shown: Shown) -> Decision:
    """Return a decision with one more turn that says it; confirmed there, it is accepted."""
    found, turn = shown.found, shown.turn
    if turn and not one.turn:
        one = replace(one, turn=turn, session=shown.session)
    elif turn and turn != one.turn and turn not in one.also:
        one = replace(one, also=tuple(sorted((*one.also, turn))))
    if found.found_by == RECORDED or shown.is_abandoned or found.status is not Status.ACCEPTED:
        return one
    if "reason" not in one.edited and not one.reason:
        one = replace(one, reason=found.reason)
    if "options" not in one.edited and not one.options:
        one = replace(one, options=found.options)
    if one.status is Status.PROPOSED and "status" not in one.edited:
        sure = max(one.confidence, found.confidence)
        one = replace(one, status=Status.ACCEPTED, by=found.by, confidence=sure)
    return replace(one, found_status=Status.ACCEPTED)
