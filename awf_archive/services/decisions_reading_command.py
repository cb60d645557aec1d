"""The configured command reads turns for decisions: `awf-archive decisions read --run` (docs/decisions.md)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from awf_archive.config import SummaryCommand
from awf_archive.services.decisions_reading import Taken, requested, take
from awf_archive.services.redacted_archive import RedactedArchive
from awf_archive.services.summary_command import CommandFailedError, ask


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """What reads the turns, and in which environment it runs."""

    command: SummaryCommand
    environment: Mapping[str, str]

    def answer(self, text: str) -> str:
        """Return what it answers. Raises CommandFailedError."""
        return ask(self.command.command, text, self.command.seconds, self.environment)


@dataclass(slots=True, kw_only=True)
class Read:
    """What came of it."""

    taken: Taken = field(default_factory=Taken)
    failed: list[str] = field(default_factory=list)
    """Requests that were not answered, by their turns."""


def read_by_command(
    archive: RedactedArchive,
    feature: str,
    turns: tuple[int, int],
    reader: Reader,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Read:
    """Let the command read a range of a feature's turns, request by request; take each answer as it comes.

    A request that fails is told, and the next one is asked. Raises NoArchiveError, DamagedArchiveError, LockedError
    and DiskError.
    """
    done = Read()
    rest: tuple[int, int] | None = turns
    while rest:
        asked = requested(archive, feature, rest, reader.command.max_bytes)
        if asked is None:
            break
        first, last = asked.turns
        progress(last - turns[0] + 1, turns[1] - turns[0] + 1)
        try:
            answer = reader.answer(asked.text)
        except CommandFailedError as problem:
            done.failed.append(f"{feature}#{first}–{last}: {problem}")
        else:
            _add(done.taken, take(archive, answer))
        rest = asked.rest
    return done


def _add(all_: Taken, new: Taken) -> None:
    for name in ("added", "confirmed", "dismissed", "known", "refused"):
        getattr(all_, name).extend(getattr(new, name))
