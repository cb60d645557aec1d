"""Asking the configured command for a summary: masked, in parts, the answer checked (SPEC 1.8, 8)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from awf_archive.config import SummaryCommand
from awf_archive.domain.redaction import mask
from awf_archive.domain.session import TurnEntry
from awf_archive.domain.summary.gist import said_by_user
from awf_archive.domain.summary.model_words import (
    Told,
    UnusableError,
    as_text,
    checked,
    parts_of,
    question,
    turn_text,
)
from awf_archive.domain.turn_file import TurnFile
from awf_archive.domain.wording import Wording
from awf_archive.services.summary_command import CommandFailedError, ask

_MOST_PARTS = 8
"""Calls for one summary, the one that merges aside: turns are shortened until they fit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """What writes summaries, and in which environment it runs."""

    command: SummaryCommand
    environment: Mapping[str, str]
    allowed: frozenset[str] = frozenset()
    """Names of what looks like a secret and is none."""

    def tell(self, turns: Sequence[tuple[int, str]], words: Wording) -> Told:
        """Return what the command writes of the turns, given as `masked_turn` gives them.

        One call a part of at most `max_bytes`, and where there are several, one more that merges them.
        Raises CommandFailedError or UnusableError.
        """
        size = self.command.max_bytes
        parts = parts_of(turns, size)
        told = [
            self._asked("\n\n".join(text for _, text in part), [turn for turn, _ in part], words)
            for part in parts
        ]
        if len(told) == 1:
            return told[0]
        return self._asked(
            "\n\n".join(as_text(one, words) for one in told), [turn for turn, _ in turns], words
        )

    def _asked(self, content: str, turns: Sequence[int], words: Wording) -> Told:
        text = question(content, (min(turns), max(turns)), words)
        answer = ask(self.command.command, text, self.command.seconds, self.environment)
        return checked(mask(answer, self.allowed)[0], turns, words)

    def masked_turn(self, entry: TurnEntry, turn: TurnFile, count: int) -> tuple[int, str]:
        """Return a turn as the command gets it, without its secrets; the longer the more of the `count` turns fit."""
        size = min(self.command.max_bytes // 2, self.command.max_bytes * _MOST_PARTS // (2 * count))
        blocks = turn.user_blocks
        user = said_by_user(blocks) if blocks else turn.user
        return entry.turn, mask(turn_text(entry.turn, user, turn.assistant_blocks, size), self.allowed)[0]


__all__ = ["CommandFailedError", "Model", "UnusableError"]
