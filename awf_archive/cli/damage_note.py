"""What commands say beside their answer: files that do not read, saves that the worker gave up."""

from collections.abc import Iterator

from awf_archive.cli import output
from awf_archive.cli.setup import Setup
from awf_archive.domain.tool_lines import one_line
from awf_archive.domain.wording.damage_words import DAMAGE_WORDS
from awf_archive.errors import DamagedArchiveError
from awf_archive.integrations.unsaved import Unsaved
from awf_archive.services.decisions_file import unread_decisions


def tell_unread(ready: Setup, feature: str | None = None) -> int:
    """Say of which features the decisions do not read; return the exit code for who shows decisions, or 0."""
    words = DAMAGE_WORDS[ready.words.language]
    unread = [name for name in unread_decisions(ready.archive) if feature in (None, "", name)]
    for name in unread:
        path = ready.layout.relative(ready.layout.decisions(name))
        output.note(f"⚠️ {words.unread.format(path=path)}")
    return DamagedArchiveError.exit_code if unread else 0


def unsaved_lines(one: Unsaved, language: str) -> Iterator[str]:
    """Yield what is told of a job that failed: what and why, then the command that saves it by hand."""
    words = DAMAGE_WORDS[language]
    reason = one_line(one.reason, _LONGEST) or words.no_reason
    if one.is_given_up:
        yield words.gave_up.format(window=one_line(one.window, _LONGEST), tries=one.tries, reason=reason)
    else:
        name = one_line(f"{one.window} {one.trigger}", _LONGEST)
        yield words.waits.format(job=name, tries=one.tries, reason=reason)
    yield words.save_by_hand.format(command=one.command)


_LONGEST = 500


def unsaved_json(one: Unsaved) -> dict[str, object]:
    """Return the same for a program."""
    return {
        "window": one.window,
        "trigger": one.trigger or None,
        "time": one.time or None,
        "tries": one.tries,
        "reason": one.reason or None,
        "command": one.command,
        "givenUp": one.is_given_up,
    }
