"""Where a call works: the workspace's archive, its settings, and whether its `.brain` is the user's own."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from awf_archive import config
from awf_archive.domain.wording import Wording, choose
from awf_archive.integrations.hook_words import UNTRUSTED
from awf_archive.integrations.mcp.masking import masked
from awf_archive.integrations.trust import is_brain_trusted
from awf_archive.services.redacted_archive import RedactedArchive, allowed_in
from awf_archive.store.layout import Layout


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What every tool needs. Made anew for each call: settings and trust may change between two."""

    archive: RedactedArchive
    settings: config.Settings
    words: Wording
    client: str = ""
    """What the client calls itself, `claude-code` for example; empty when it does not say."""

    @property
    def layout(self) -> Layout:
        """Where files lie."""
        return self.archive.layout

    @property
    def is_brain_trusted(self) -> bool:
        """Whether what `.brain` says may go into a model's context."""
        return is_brain_trusted(self.layout.root)

    @property
    def untrusted(self) -> str:
        """What to say where it may not."""
        return UNTRUSTED["en"]

    @property
    def vaults(self) -> Path:
        """The folder of all vaults."""
        given = self.settings.vault_dir
        return Path(given).expanduser() if given else config.data_folder() / "vault"

    def safe(self, text: str) -> str:
        """Return a text as a model may see it."""
        return masked(text, self.archive.allowed)


def desk_of(root: Path, language: str | None, client: str = "") -> Desk:
    """Return the desk of a workspace. Raises UsageError for a wrong setting."""
    settings = config.load(root)
    layout = Layout(root=root, archive_dir=settings.archive_dir)
    return Desk(
        archive=RedactedArchive(layout=layout, allowed=allowed_in(root)),
        settings=settings,
        words=choose(language or settings.language or config.language_of_locale()),
        client=client,
    )


def now() -> str:
    """Return the time in UTC as the archive writes it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
