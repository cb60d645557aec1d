"""What was said before a turn, for harvesters that must see the proposal that an "ok" agrees to."""

from collections import deque
from collections.abc import Iterator
from itertools import islice

from awf_archive.domain.decisions import TURNS_BEFORE, Context, Exchange, Found
from awf_archive.domain.decisions.harvest import harvest
from awf_archive.domain.filters import skip_reason
from awf_archive.domain.ids import TurnId
from awf_archive.domain.session import TurnEntry
from awf_archive.domain.tool_lines import files_touched, relative_path
from awf_archive.domain.transcript import Branch, Outline, Transcript, Turn, prompt_text
from awf_archive.domain.turn_file import TurnFile

_FURTHEST = 8
"""Turns looked at for `TURNS_BEFORE` that count: our own commands and abandoned branches are passed over."""


class Conversation:
    """A transcript whose earlier turns are read again only when a harvester asks for them."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._places = {one.id: place for place, one in enumerate(transcript.outlines)}
        self._heard: dict[TurnId, Exchange | None] = {}

    def context(self, outline: Outline) -> Context:
        """Return the context of one of its turns."""
        return Context(lambda: tuple(reversed([*islice(self._before(outline), TURNS_BEFORE)])))

    def heard(self, turn: Turn) -> None:
        """Remember the words of a turn that was loaded anyway; those of a few at most."""
        self._heard[turn.outline.id] = None if skip_reason(turn) else exchange(turn)
        for old in list(self._heard)[:-_FURTHEST]:
            del self._heard[old]

    def _before(self, outline: Outline) -> Iterator[Exchange]:
        """Yield what was said before, the latest first: what the user rewound from only where that went on."""
        place = self._places[outline.id]
        for earlier in reversed(self._transcript.outlines[max(0, place - _FURTHEST) : place]):
            if earlier.branch is Branch.ABANDONED and outline.branch is Branch.MAIN:
                continue
            if earlier.id not in self._heard:
                self.heard(self._transcript.load(earlier))
            if said := self._heard[earlier.id]:
                yield said

    def harvest(self, turn: Turn) -> tuple[Found, ...]:
        """Return the decisions of one of the transcript's turns."""
        cwd = self._transcript.cwd
        files = [relative_path(path, cwd) for path in files_touched(turn.assistant)]
        return harvest(prompt_text(turn.user), turn.assistant, self.context(turn.outline), files)


class Heard:
    """What was said in a window's saved turns so far, where they are gone through in order."""

    def __init__(self) -> None:
        self._said: deque[tuple[Branch, Exchange]] = deque(maxlen=_FURTHEST)

    def forget(self) -> None:
        """Know nothing of what was said so far: a turn is missing, and no "ok" may point past it."""
        self._said.clear()

    def harvest(self, entry: TurnEntry, turn: TurnFile) -> tuple[Found, ...]:
        """Return the decisions of the next turn, and remember what it says."""
        is_left = entry.branch is Branch.ABANDONED
        before = [said for branch, said in self._said if is_left or branch is Branch.MAIN]
        said = Exchange(user=prompt_text(turn.user_blocks), assistant=prompt_text(turn.assistant_blocks))
        self._said.append((entry.branch, said))
        return harvest(said.user, turn.assistant_blocks, Context.of(*before[-TURNS_BEFORE:]), turn.files)


def exchange(turn: Turn) -> Exchange:
    """Return the words of a turn."""
    return Exchange(user=prompt_text(turn.user), assistant=prompt_text(turn.assistant))
