"""`awf-archive recap` without options: the same answer as the command's, without loading click (SPEC 4).

Level 1 is what every new window waits for. Measured: 42 ms of CPU here, 120 ms through the command.
"""

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from awf_archive import config
from awf_archive.domain import recap
from awf_archive.errors import ArchiveError, NegativeAnswerError
from awf_archive.services.recap_state import Note, Work, read_work
from awf_archive.services.recap_words import facts_of, note_cost, with_note
from awf_archive.services.workspace import find_workspace


def quick(arguments: list[str], write: Callable[[str], object] | None = None) -> int | None:
    """Answer `recap` or `recap --inject`; None when the whole command must: a note, a problem, a poor terminal."""
    if arguments not in (["recap"], ["recap", "--inject"]):
        return None
    try:
        root = find_workspace(Path.cwd())
        settings = config.load(root)
        now = datetime.now(UTC)
        work = read_work(root, now, settings.archive_dir)
    except (ArchiveError, OSError):
        return None
    language = settings.language or config.language_of_locale()
    is_inject = len(arguments) > 1
    try:
        is_told = work.note is Note.MISSING and not is_inject
        standing = _standing(root, settings, now, language) if is_told else ""
    except (ArchiveError, OSError):
        return None
    text = standing or said(work, now, language, is_inject=is_inject)
    if settings.notes or settings.wrong or work.problems or not _is_plain(text):
        return None
    if text:
        (write or sys.stdout.write)(text + "\n")
    is_no = work.note is Note.MISSING and not standing and not is_inject
    return NegativeAnswerError.exit_code if is_no else 0


def _standing(root: Path, settings: config.Settings, now: datetime, language: str) -> str:
    """Return what the archive alone tells where there is no work state; nothing where there is no archive.

    Raises ArchiveError as reading an archive does. What this takes is loaded only here.
    """
    from awf_archive.store.layout import Layout

    layout = Layout(root=root, archive_dir=settings.archive_dir)
    if not layout.features():
        return ""
    from awf_archive.domain.recap_standing import standing_text
    from awf_archive.services.recap_standing import standing_of
    from awf_archive.store.archive import Archive

    found = standing_of(Archive(layout=layout))
    return standing_text(found, language, "1", recap.LEVEL_BUDGETS["1"], now) if found else ""


def said(work: Work, now: datetime, language: str, *, is_inject: bool) -> str:
    """Return level 1 within its budget."""
    words = recap.WORDS[language]
    budget = recap.LEVEL_BUDGETS["1"]
    if work.note is Note.MISSING:
        return "" if is_inject else with_note("", work.note, words, budget)
    facts = facts_of(work, now, words)
    if is_inject:
        return recap.inject(facts, budget)
    room = budget - note_cost(work.note, words)
    text = recap.level_one(facts, words, room, recap.RECAP_COMMANDS["shell"])
    return with_note(text, work.note, words, budget)


def _is_plain(text: str) -> bool:
    """Whether nothing in it needs making safe for a terminal, and the output can show all of it."""
    if not all(line.isprintable() for line in text.split("\n")):
        return False
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True
