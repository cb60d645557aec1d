"""What of an archive a team may search: masked, and only the parts that the settings name (issue 11)."""

from collections.abc import Iterator
from dataclasses import replace

from awf_archive.domain.ids import SessionId
from awf_archive.domain.session import Session
from awf_archive.domain.team import Team
from awf_archive.domain.transcript import Branch
from awf_archive.errors import DamagedArchiveError
from awf_archive.search.documents import About, Document, Key, Kind, Part
from awf_archive.services import documents as everything
from awf_archive.services.redacted_archive import RedactedArchive, redacted
from awf_archive.services.team_place import Authors
from awf_archive.store.layout import Layout


class TeamDocuments:
    """The documents of one archive as they may leave this machine. Work state and brain stay: they are a person's."""

    def __init__(self, layout: Layout, team: Team) -> None:
        self._archive: RedactedArchive = redacted(layout)
        self._authors = Authors(layout, team)
        self._parts = {Part.SAID, *map(Part, team.send)}
        self._last: tuple[tuple[str, str], Session | None] | None = None
        self.unread: list[str] = []
        """Files that did not read; what they hold is sent when they do."""

    @property
    def stamp(self) -> str:
        """What changes when the same bytes would be sent differently: parts, and rules for secrets."""
        return f"{','.join(sorted(self._parts))} {self._archive.policy}"

    def wanted(self) -> dict[Key, str]:
        """Return everything that is to be there, each with a digest of its content."""
        return {key: digest for key, digest in everything.wanted(self._archive).items() if key.feature}

    def load(self, key: Key) -> Iterator[Document]:
        """Yield the documents of a key, masked."""
        for document in everything.documents(self._archive, key, self.unread):
            if document.part in self._parts:
                yield replace(document, about=self._about(document))

    def _about(self, document: Document) -> About:
        if not document.session:
            return About()
        session = self._session(document.feature, document.session)
        author = self._authors.of(document.feature, document.session)
        entry = next((one for one in session.turns if one.turn == document.turn), None) if session else None
        about = About(author=author, session_title=session.title if session else "")
        if entry is None:
            return about
        return replace(
            about,
            local=entry.local,
            revision=len(entry.revisions) if document.kind is Kind.TURN else 0,
            is_abandoned=entry.branch is Branch.ABANDONED,
        )

    def _session(self, feature: str, session: str) -> Session | None:
        """Return a session; None for one that does not read (`unread` says so). The last one is remembered."""
        if self._last is None or self._last[0] != (feature, session):
            self._last = (feature, session), self._read(feature, SessionId(session))
        return self._last[1]

    def _read(self, feature: str, session: SessionId) -> Session | None:
        try:
            manifest = self._archive.manifest(feature)
            entry = manifest.session(session) if manifest else None
            return self._archive.session(feature, entry) if entry else None
        except DamagedArchiveError:
            return None
