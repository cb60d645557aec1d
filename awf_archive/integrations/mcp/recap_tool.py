"""The tool `recap`: where the work stands (SPEC 2, 4)."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import Field

from awf_archive.domain.resume import render
from awf_archive.domain.wording.resume_words import RESUME_WORDS
from awf_archive.integrations.mcp.desk import Desk
from awf_archive.integrations.mcp.masking import quoted
from awf_archive.integrations.mcp.recap_archive import short
from awf_archive.integrations.mcp.sessions_tool import EMPTY
from awf_archive.integrations.mcp.values import NOTICE, Answer, Given
from awf_archive.services.recap import Request, make_recap
from awf_archive.services.recap_archive import feature_in_work
from awf_archive.services.resume import resume

ABOUT = """\
Tell where the work in this project stands. Use it at the start of a session, after a compaction, or when the user \
asks "where were we?" or "continue"; for a question about something particular use search.
Without feature it tells the current task, decisions and next steps from the project's work state. With feature (a \
strand of work, see list_sessions) it tells that feature's state and its latest conversation, which is what you need \
to go on with it. level short is a few lines; full adds decisions, tasks, files (of a feature: its latest turns); \
deep adds errors and the latest conversation. Longer: get_turns."""

Level = Literal["short", "full", "deep"]
_LEVELS: Mapping[str, str] = {"short": "1", "full": "full", "deep": "deep"}
_RESUME_BYTES: Mapping[str, int] = {"full": 8_000, "deep": 15_000}


class RecapGiven(Given):
    """The arguments of `recap`."""

    level: Annotated[
        Level, Field(description="short: about 200 tokens of work state; full: 800; deep: 2 000.")
    ] = "short"
    feature: Annotated[str, Field(max_length=200, description="Tell this feature's state instead.")] = ""


class RecapAnswer(Answer):
    """The answer of `recap`."""

    notice: str
    level: Level
    feature: Annotated[
        str, Field(description="Whose latest conversation this tells; absent for a work state.")
    ] = ""
    source: Annotated[str, Field(description="work state, archive, or nothing.")]
    recap: str


def run(desk: Desk, given: RecapGiven) -> RecapAnswer:
    """Tell where the work stands: from the work state, else from the archive.

    Raises NoArchiveError for a feature under which nothing was saved.
    """
    if given.feature:
        return _of_archive(desk, given.feature, given.level)
    has_state = (desk.layout.root / ".brain").is_dir()
    if has_state and desk.is_brain_trusted:
        made = make_recap(desk.archive, _request(desk, given.level))
        if not (made.is_empty or made.has_standing):
            found = RecapAnswer(
                notice=NOTICE, level=given.level, source="work state", recap=desk.safe(made.text)
            )
            return found.noting(made.work.problems)
    notes = (desk.untrusted,) if has_state and not desk.is_brain_trusted else ()
    if feature := feature_in_work(desk.archive, ""):
        return _of_archive(desk, feature, given.level).noting(notes)
    return RecapAnswer(notice=NOTICE, level=given.level, source="nothing", recap="").noting((*notes, EMPTY))


def _request(desk: Desk, level: str) -> Request:
    zone = datetime.now().astimezone().tzinfo or UTC
    language = desk.words.language
    return Request(level=_LEVELS[level], language=language, now=datetime.now(UTC), zone=zone)


def _of_archive(desk: Desk, feature: str, level: Level) -> RecapAnswer:
    told = short(desk, feature) if level == "short" else _resumed(desk, feature, _RESUME_BYTES[level])
    return RecapAnswer(
        notice=NOTICE, level=level, feature=feature, source="archive", recap=desk.safe(told.strip())
    )


def _resumed(desk: Desk, feature: str, most_bytes: int) -> str:
    return render(resume(desk.archive, feature), RESUME_WORDS[desk.words.language], most_bytes)


def text(answer: RecapAnswer) -> str:
    """Return the recap for reading."""
    where = f"{answer.source}: {answer.feature}" if answer.feature else answer.source
    return f"From the {where}. {NOTICE}\n\n{quoted(answer.recap)}" if answer.recap else "No recap."
