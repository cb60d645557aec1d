"""What commands say beside their answer of files that do not read."""

from awf_archive.cli import output
from awf_archive.cli.setup import Setup
from awf_archive.domain.wording.damage_words import DAMAGE_WORDS
from awf_archive.errors import DamagedArchiveError
from awf_archive.services.decisions_file import unread_decisions


def tell_unread(ready: Setup, feature: str | None = None) -> int:
    """Say of which features the decisions do not read; return the exit code for who shows decisions, or 0."""
    words = DAMAGE_WORDS[ready.words.language]
    unread = [name for name in unread_decisions(ready.archive) if feature in (None, "", name)]
    for name in unread:
        path = ready.layout.relative(ready.layout.decisions(name))
        output.note(f"⚠️ {words.unread.format(path=path)}")
    return DamagedArchiveError.exit_code if unread else 0
