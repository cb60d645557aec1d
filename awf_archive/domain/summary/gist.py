"""What of one turn may go into a summary: bounded however large the turn is (docs/summaries.md)."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from awf_archive.domain.summary import files, work
from awf_archive.domain.summary.boilerplate import plain
from awf_archive.domain.summary.cues import RESULT
from awf_archive.domain.summary.sentences import prose
from awf_archive.domain.summary.terms import terms
from awf_archive.domain.transcript import Block, Note, NoteKind, Text

_HEAD, _TAIL = 5_000, 2_000
"""Characters of a side's words that are looked at."""

_MOST_SENTENCES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Gist:
    """One turn, as far as a summary may need it."""

    turn: int
    """Global number."""
    title: str = ""
    """The prompt's first words, whatever they tell: said where no turn of a range tells more."""
    request: tuple[str, ...] = ()
    """What the user said, sentence by sentence, without greetings, logs and code."""
    outcome: tuple[str, ...] = ()
    """What the assistant said at last, likewise."""
    changed: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    failures: tuple[work.Failure, ...] = ()
    passed: frozenset[str] = frozenset()
    """Keys of runs that went well."""
    tasks: tuple[work.TaskStep, ...] = ()
    left: tuple[str, ...] = ()
    """What the assistant's last words name as still to do."""
    question: str = ""
    """What the assistant asked at the very end."""
    is_abandoned: bool = False


def gist_of(
    turn: int,
    user: Iterable[Block],
    assistant: Iterable[Block],
    *,
    known_files: Iterable[str] = (),
    is_abandoned: bool = False,
) -> Gist:
    """Return what a summary may need of a turn; `known_files` are its paths as the archive shows them."""
    user, assistant = tuple(user), tuple(assistant)
    asked = said_by_user(user)
    asked_for = list(prose(asked))
    report, said = _report(assistant)
    failures, passed = work.runs(assistant)
    if error := work.telling_error(asked):
        failures = (work.Failure(error=error), *failures)
    known = tuple(known_files)
    return Gist(
        turn=turn,
        title=next(iter(asked_for), ""),
        request=_telling(asked_for),
        outcome=_telling(said),
        changed=files.without_root(files.changed(assistant), known),
        read=files.without_root(files.read(assistant), known),
        failures=failures,
        passed=passed,
        tasks=work.tasks(assistant),
        left=tuple(_left(report)),
        question=_question(said),
        is_abandoned=is_abandoned,
    )


_COMMAND = re.compile(r"^/[\w:.-]+\s*")


def said_by_user(blocks: Iterable[Block]) -> str:
    """Return the user's own words, also those behind a slash command; the beginning and the end of long ones."""
    parts = [
        block.text[: _HEAD * 2]
        for block in blocks
        if isinstance(block, Text) or (isinstance(block, Note) and block.kind is NoteKind.COMMAND)
    ]
    return _COMMAND.sub("", bounded("\n\n".join(parts)))


def bounded(text: str) -> str:
    """Return the beginning and the end of a long text, cut at line ends."""
    if len(text) <= _HEAD + _TAIL:
        return text
    head = text[:_HEAD]
    tail = text[-_TAIL:]
    return f"{head[: head.rfind(chr(10)) + 1] or head}\n\n{tail[tail.find(chr(10)) + 1 :]}"


def _report(blocks: Iterable[Block]) -> tuple[str, list[str]]:
    """Return the assistant's last words that tell anything, and their sentences: before it says what it will do."""
    texts = [block.text for block in blocks if isinstance(block, Text) and block.text.strip()]
    for text in texts[:-4:-1]:
        looked = bounded(text)
        said = list(prose(looked))
        if _telling(said):
            return looked, said
    return "", []


_LEAST_TERMS = 2
_LABEL = (":", "：")


def is_telling(sentence: str) -> bool:
    """Whether a sentence says something by itself.

    >>> is_telling("yes please do it"), is_telling("Delete the old export code")
    (False, True)
    """
    if sentence.endswith(_LABEL):
        return False
    return len(terms(sentence)) >= _LEAST_TERMS


def _telling(sentences: Iterable[str]) -> tuple[str, ...]:
    """Return the sentences of a side that say something, each once."""
    found = (plain(_as_report(sentence)) for sentence in sentences)
    return tuple(islice(dict.fromkeys(one for one in found if one and is_telling(one)), _MOST_SENTENCES))


def _as_report(sentence: str) -> str:
    """Return a line that leads to a list as a sentence where it reports by itself: "All checks passed:"."""
    return f"{sentence[:-1]}." if sentence.endswith(":") and RESULT.search(sentence) else sentence


_STILL = re.compile(
    r"(?im)^\W*(?:(?:optional |suggested |recommended |possible )?next steps?|remaining(?: (?:work|tasks|steps))?"
    r"|still (?:to do|open|missing|needed)|to ?do|not (?:yet )?done|open (?:questions|issues|points)|follow-?ups?"
    r"|việc còn lại|còn lại|(?:các )?bước tiếp theo|chưa làm|việc cần làm"
    r"|下一步(?:计划|建议)?|后续(?:步骤|工作)?|待办(?:事项)?|剩余(?:工作|任务)?|尚未完成|未完成)[^\n]{0,30}$"
)
_ITEM = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)、])\s+(?!\[[xX]\])(?:\[ \]\s*)?(?P<text>\S.*)$")
_BOX = re.compile(r"(?m)^\s*[-*]\s+\[ \]\s+(?P<text>\S.*)$")


def _left(report: str) -> Iterator[str]:
    """Yield what a report lists as still to do: open boxes, and the items under a heading that says so."""
    found = [match["text"] for match in _BOX.finditer(report)]
    if heading := _STILL.search(report):
        for line in report[heading.end() :].lstrip("\n").split("\n"):
            item = _ITEM.match(line)
            if item is None:
                break
            found.append(item["text"])
    for text in dict.fromkeys(found):
        first = next(prose(text), "")
        if first and (told := plain(first)):
            yield told


def _question(said: list[str]) -> str:
    """Return the question with which a report ends, unless it is a mere offer."""
    told = plain(said[-1]) if said and said[-1].endswith(("?", "？")) else ""
    return told if told and is_telling(told) else ""
