"""What an auto-save tells: notices for a person, an object for a program (SPEC 3.4, 9)."""

from collections.abc import Iterator

from awf_archive.domain.recap import RECAP_COMMANDS, SAVE_COMMANDS
from awf_archive.domain.wording.notices import NOTICE_WORDS
from awf_archive.services.autosave import Saved


def notices(done: Saved, language: str, place: str) -> Iterator[str]:
    """Yield what to tell the user, each on a line, commands named as the place knows them."""
    words = NOTICE_WORDS[language]
    for name in done.notices:
        template: str = getattr(words, name)
        yield template.format(recap=RECAP_COMMANDS[place], save=SAVE_COMMANDS[place])


def as_json(done: Saved) -> dict[str, object]:
    """Return the object of `--json`."""
    return {
        "trigger": done.trigger.value if done.trigger else None,
        "saved": done.is_saved,
        "notices": list(done.notices),
        "level": done.level.value,
        "tokens": done.tokens,
        "messageCount": done.message_count,
        "snapshot": str(done.snapshot) if done.snapshot else None,
        "problems": list(done.problems),
    }
