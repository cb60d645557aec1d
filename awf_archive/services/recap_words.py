"""What a recap is made of: the facts of level 1, and what the seed says about a broken or missing file (SPEC 4)."""

from datetime import datetime

from awf_archive.domain import recap, work_state
from awf_archive.domain.recap import Facts, Words
from awf_archive.services.recap_state import Note, Work


def facts_of(work: Work, now: datetime, words: Words) -> Facts:
    """Return what level 1 says."""
    return Facts(
        summary=work.summary,
        blockers=work_state.blockers(work.state),
        blockers_count=work_state.blockers_count(work.state),
        saved=recap.ago(recap.moment(work_state.saved_at(work.state)), now, words),
    )


def note_text(note: Note, words: Words) -> str:
    """Return what the seed says about the work state's file; nothing when all is well."""
    return {
        Note.NONE: "",
        Note.MISSING: words.no_session,
        Note.RESTORED: words.restored,
        Note.BROKEN: words.broken,
    }[note]


def note_cost(note: Note, words: Words) -> int:
    """Return the tokens that the note takes."""
    said = note_text(note, words)
    return recap.estimate_tokens(said) + 2 if said else 0


def with_note(text: str, note: Note, words: Words, budget: int) -> str:
    """Put the note before the recap."""
    whole = "\n\n".join(filter(None, (note_text(note, words), text)))
    return recap.cut(whole, budget)
