"""`awf-archive decisions read | take`: let an assistant look for decisions, and take what it found."""

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from awf_archive.cli import output, setup
from awf_archive.cli.decisions_view import line
from awf_archive.domain.wording.counted import counted
from awf_archive.domain.wording.decision_words import DECISION_WORDS, DecisionWords
from awf_archive.errors import InputError, NegativeAnswerError, UsageError

if TYPE_CHECKING:
    from awf_archive.services.decisions_reading import Taken
    from awf_archive.services.decisions_reading_command import Read

_MOST = 400_000
"""Bytes of an answer."""

_TOLD = 10
"""Refused lines that are told one by one."""

_RANGE = re.compile(r"#?(\d{1,9})(?:\s*[-–]\s*#?(\d{1,9}))?")


@click.command()
@click.option("--feature", default="", help="Of this feature. [default: the feature in work]")
@click.option(
    "--turns", default="", metavar="A-B", help="These turns, such as 1-40. [default: the newest session]"
)
@click.option(
    "--run", "runs", is_flag=True, help="Let the command of [summary] in your settings read them now."
)
@setup.common
def read(  # noqa: PLR0913 - one option a line
    *, feature: str, turns: str, runs: bool, as_json: bool, lang: str | None, workspace: Path | None
) -> int:
    """Print turns for an assistant to look for decisions in, with the rules and the form of its answer.

    \b
    awf-archive decisions read --turns 1-40 > turns.txt        give it to any assistant,
    awf-archive decisions take < answer.jsonl                  and its answer back
    awf-archive decisions read --turns 1-400 --run             or let your own command do both

    Secrets are masked. What the assistant claims is checked word for word against the turns.
    """
    from awf_archive.services import decisions_reading as reading
    from awf_archive.services.redacted_archive import redacted

    ready = setup.prepare(workspace, lang, needs=("summary",) if runs else ())
    archive = redacted(ready.layout)
    where = feature or _feature(ready)
    asked = _range(turns) if turns else reading.newest_turns(archive, where)
    if runs:
        _require_command(ready)
        return _run(ready, where, asked, as_json=as_json)
    found = reading.requested(archive, where, asked)
    words = DECISION_WORDS[ready.words.language]
    if found is None:
        output.text(words.no_turns.format(a=asked[0], b=asked[1], feature=where))
        return NegativeAnswerError.exit_code
    if as_json:
        rest = list(found.rest) if found.rest else None
        output.json_object(
            {"feature": where, "turns": list(found.turns), "rest": rest, "request": found.text}
        )
        return 0
    output.text(found.text)
    if found.rest:
        output.text(words.more_turns.format(a=found.rest[0], b=found.rest[1], feature=where))
    return 0


def _require_command(ready: setup.Setup) -> None:
    if not ready.settings.summary.command:
        raise UsageError(
            "no command is set that could read the turns.",
            'Set [summary] command = ["…"] in your own settings (docs/summaries.md).',
        )


def _run(ready: setup.Setup, feature: str, turns: tuple[int, int], *, as_json: bool) -> int:
    done = _read_by_command(ready, feature, turns)
    code = tell_taken(done.taken, DECISION_WORDS[ready.words.language], as_json=as_json)
    return NegativeAnswerError.exit_code if done.failed else code


def _read_by_command(ready: setup.Setup, feature: str, turns: tuple[int, int]) -> "Read":
    from awf_archive import config
    from awf_archive.services.decisions_reading_command import Reader, read_by_command
    from awf_archive.services.redacted_archive import redacted

    reader = Reader(command=ready.settings.summary, environment=config.summary_environment())
    done = read_by_command(redacted(ready.layout), feature, turns, reader, output.progress(""))
    for problem in done.failed:
        output.note(f"⚠️ {problem}")
    return done


def read_beside(ready: setup.Setup, feature: str, turns: tuple[int, int]) -> None:
    """Let the configured command read turns after a checkpoint; what came of it is told beside the result."""
    done = _read_by_command(ready, feature, turns)
    words = DECISION_WORDS[ready.words.language]
    if done.taken.is_change:
        counts = words.taken.format(**_counts(done.taken))
        output.note(f"{feature}#{turns[0]}–{turns[1]}: {counts}")
    for one in done.taken.refused[:_TOLD]:
        output.note(f"⚠️ {words.line_refused.format(line=one.line, why=one.why)}")


@click.command()
@setup.common
def take(*, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Take an assistant's answer to `decisions read` from stdin: one JSON object a line.

    A line is recorded only when its evidence stands in the turn it names, word for word. What is new waits for your
    word: `decisions review`. Exit code 1 when a line was refused.
    """
    ready = setup.prepare(workspace, lang)
    return taken(ready, given(), as_json=as_json)


def given() -> bytes:
    """Return what stands on stdin; nothing where a terminal is."""
    said = b"" if sys.stdin.isatty() else sys.stdin.buffer.read(_MOST + 1)
    if len(said) > _MOST:
        raise InputError(
            f"the answer is longer than {_MOST:,} bytes.", "Give it in parts: each line stands by itself."
        )
    return said


def taken(ready: setup.Setup, answer: bytes, *, as_json: bool = False) -> int:
    """Take an answer and tell what came of it."""
    from awf_archive.services.decisions_reading import take as take_answer
    from awf_archive.services.redacted_archive import redacted

    text = answer.decode("utf-8", "replace").strip()
    if not text:
        raise InputError("the answer is empty.", "An answer without decisions is [].")
    done = take_answer(redacted(ready.layout), text)
    return tell_taken(done, DECISION_WORDS[ready.words.language], as_json=as_json)


def tell_taken(done: "Taken", words: DecisionWords, *, as_json: bool) -> int:
    """Print what was taken of an answer; return the exit code."""
    code = NegativeAnswerError.exit_code if done.refused else 0
    if as_json:
        output.json_object(
            {
                "added": [one.to_json() for one in done.added],
                "confirmed": [one.to_json() for one in done.confirmed],
                "dismissed": [one.to_json() for one in done.dismissed],
                "known": [one.to_json() for one in done.known],
                "refused": [{"line": one.line, "why": one.why} for one in done.refused],
            }
        )
        return code
    for one in (*done.added, *done.confirmed):
        output.text(f"✅ {one.feature} {line(one)} ({words.statuses[one.status.value]})")
    for mark, those in (("✗", done.dismissed), ("=", done.known)):
        for one in those:
            output.text(f"{mark} {one.feature} {line(one)} ({words.statuses[one.status.value]})")
    output.text(words.taken.format(**_counts(done)))
    if done.added:
        output.text(counted(words.to_review, n=len(done.added)))
    if more := len(done.refused[_TOLD:]):
        output.note(f"⚠️ {counted(words.more_refused, n=more)}")
    for refused in done.refused[:_TOLD]:
        output.note(f"⚠️ {words.line_refused.format(line=refused.line, why=refused.why)}")
    return code


def _counts(done: "Taken") -> dict[str, int]:
    return {
        name: len(getattr(done, name)) for name in ("added", "confirmed", "dismissed", "known", "refused")
    }


def _feature(ready: setup.Setup) -> str:
    """Return the feature in work."""
    from awf_archive.services.decisions_feature import feature_of_work

    return feature_of_work(ready.archive)


def _range(text: str) -> tuple[int, int]:
    match = _RANGE.fullmatch(text.strip())
    first = int(match[1]) if match else 0
    last = int(match[2] or match[1]) if match else 0
    if not first or last < first:
        raise UsageError(f"{text}: is no range of turns.", "Write it like 1-40, or 12 for one turn.")
    return first, last
