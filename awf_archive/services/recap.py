"""`recap` and its levels: the work state told within a budget of tokens (SPEC 4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo

from awf_archive.domain import recap, work_state
from awf_archive.services.recap_state import Note, Work, read_work
from awf_archive.services.recap_words import facts_of, note_cost, with_note
from awf_archive.store.archive import Archive


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is asked."""

    level: str = "1"
    """`1`, `full` or `deep`."""
    budget: int | None = None
    """Tokens; the level's own when None."""
    is_inject: bool = False
    """The block for a system prompt instead of a greeting."""
    language: str = "en"
    place: str = "shell"
    """Where it is shown, for the names of commands: a key of `recap.RECAP_COMMANDS`."""
    now: datetime
    zone: tzinfo


@dataclass(frozen=True, slots=True, kw_only=True)
class Recap:
    """The text and what it was made of."""

    text: str
    work: Work
    level: str
    tokens: int
    """As estimated."""
    has_standing: bool = False
    """Whether it was told from the archive alone, for want of a work state."""

    @property
    def is_empty(self) -> bool:
        """Whether there was neither a work state nor an archive."""
        return self.work.note is Note.MISSING and not self.has_standing


def make_recap(archive: Archive, request: Request) -> Recap:
    """Return the recap of a workspace. Raises DiskError when its work state may not be read."""
    layout = archive.layout
    work = read_work(layout.root, request.now, layout.archive_dir)
    words = recap.WORDS[request.language]
    budget = request.budget or recap.LEVEL_BUDGETS[request.level]
    if work.note is Note.MISSING and not request.is_inject and (text := standing(archive, request, budget)):
        tokens = recap.estimate_tokens(text)
        return Recap(text=text, work=work, level=request.level, tokens=tokens, has_standing=True)
    text = _text(archive, work, request, budget)
    if not request.is_inject:
        text = with_note(text, work.note, words, budget)
    return Recap(text=text, work=work, level=request.level, tokens=recap.estimate_tokens(text))


def standing(archive: Archive, request: Request, budget: int) -> str:
    """Return where the archive stands, in the words of one language; nothing where nothing was ever saved."""
    from awf_archive.domain.recap_standing import standing_text
    from awf_archive.services.recap_standing import standing_of

    found = standing_of(archive)
    if found is None:
        return ""
    text = standing_text(found, request.language, request.level, budget, request.now)
    if request.level != "deep":
        return text
    from awf_archive.domain.recap_levels import Context, with_conversation
    from awf_archive.domain.wording.recap_words import RECAP_WORDS
    from awf_archive.services.recap_archive import latest_turns

    context = Context(
        state={},
        now=request.now,
        zone=request.zone,
        words=RECAP_WORDS[request.language],
        conversation=latest_turns(archive, found.strands[0].feature, budget),
    )
    return with_conversation(text, context, budget)


def _text(archive: Archive, work: Work, request: Request, budget: int) -> str:
    if work.note is Note.MISSING:
        return ""
    words = recap.WORDS[request.language]
    facts = facts_of(work, request.now, words)
    room = budget - note_cost(work.note, words)
    if request.is_inject:
        return recap.inject(facts, budget)
    if request.level == "1":
        return recap.level_one(facts, words, room, recap.RECAP_COMMANDS[request.place])
    first = recap.level_one(facts, words, room * _FIRST_SHARE[request.level] // 100)
    return _with_levels(archive, work, request, first, room)


_FIRST_SHARE: Mapping[str, int] = {"full": 25, "deep": 20}
"""Percent that level 1 may take of a deeper level's budget: 200 of 800, and room for its blockers in 2 000."""


def _with_levels(archive: Archive, work: Work, request: Request, first: str, budget: int) -> str:
    from awf_archive.domain.recap_levels import Context, with_levels
    from awf_archive.domain.wording.decision_words import DECISION_WORDS
    from awf_archive.domain.wording.recap_words import RECAP_WORDS
    from awf_archive.services.recap_archive import archived_decisions, feature_in_work, latest_turns

    feature = feature_in_work(archive, work.summary.feature)
    proposed = DECISION_WORDS[request.language].statuses["proposed"]
    has_own = bool(work_state.decisions(work.state))
    is_deep = request.level == "deep"
    context = Context(
        state=work.state,
        now=request.now,
        zone=request.zone,
        words=RECAP_WORDS[request.language],
        archived_decisions=() if has_own or not feature else archived_decisions(archive, feature, proposed),
        conversation=latest_turns(archive, feature, budget) if is_deep and feature else (),
    )
    return with_levels(first, ("full", "deep") if is_deep else ("full",), context, budget)
