"""What the pages show: plain values, collected once per build."""

from collections.abc import Mapping
from dataclasses import dataclass

from awf_archive.domain.decisions import Decision
from awf_archive.domain.session import Session
from awf_archive.domain.wording import Wording
from awf_archive.render.clean import one_line
from awf_archive.render.turn import RenderedTurn
from awf_archive.site_builder.places import session_folder, turn_link


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionView:
    """One session as lists show it."""

    feature: str
    session_id: str
    first: int
    last: int
    session: Session | None = None
    """None when it is not on disk or does not read; `problem` says which."""
    problem: str = ""
    key: str = ""
    """Of its fragment."""
    turns: tuple[RenderedTurn, ...] = ()
    """Without HTML."""
    starts: tuple[int, ...] = ()
    """First turn of each of its pages."""

    @property
    def folder(self) -> str:
        """Where its pages lie."""
        return session_folder(self.feature, self.session_id)

    def link_to(self, local: int) -> str:
        """Return the link to one of its turns, relative to the site's root."""
        return turn_link(self.folder, self.starts, local)

    @property
    def link(self) -> str:
        """Its first page, relative to the site's root; empty when it has none."""
        return f"{self.folder}/index.html" if self.session else ""

    @property
    def title(self) -> str:
        """What it was about, in its own words; cleaned, not escaped."""
        named = self.session.title if self.session else ""
        return one_line(named, 160) or next((one.title for one in self.turns if one.title), self.session_id)

    @property
    def date(self) -> str:
        """When it began; "" when nothing says so."""
        first = next((turn.time for turn in self.turns if turn.time), "")
        return first or (self.session.created_at if self.session else "")

    @property
    def last_date(self) -> str:
        """When its last turn began."""
        return max((turn.time for turn in self.turns if turn.time), default=self.date)

    @property
    def models(self) -> tuple[str, ...]:
        """Every model that answered, once."""
        return tuple(dict.fromkeys(name for turn in self.turns for name in turn.models))

    @property
    def topics(self) -> tuple[str, ...]:
        """What its metadata says it was about."""
        return tuple(one_line(topic, 300) for topic in self.session.summary.topics) if self.session else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkView:
    """One chunk summary."""

    chunk_id: str
    first: int
    last: int
    html: str
    text: str
    """For search."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentView:
    """A document of the spec, such as `requirements.md`."""

    name: str
    html: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileView:
    """A file that turns touched."""

    path: str
    links: tuple[tuple[int, str], ...]
    """Global number and link of each turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureView:
    """One feature with everything its page shows."""

    name: str
    folder: str
    goal: str = ""
    sessions: tuple[SessionView, ...] = ()
    """Oldest first."""
    moved: tuple[tuple[int, int, str, int], ...] = ()
    """Old numbers that lead on: first, last, and feature and number of the first where it is now."""
    chunks: tuple[ChunkView, ...] = ()
    decisions: tuple[Decision, ...] = ()
    documents: tuple[DocumentView, ...] = ()
    files: tuple[FileView, ...] = ()
    full: Mapping[str, str] | None = None
    """Whole texts to lie beside its page."""

    @property
    def link(self) -> str:
        """Its page, relative to the site's root."""
        return f"{self.folder}/index.html"

    @property
    def turn_count(self) -> int:
        """Turns on disk."""
        return sum(len(one.turns) for one in self.sessions)

    @property
    def last_date(self) -> str:
        """When its newest turn began."""
        return max((one.last_date for one in self.sessions), default="")

    def link_to(self, turn: int) -> str:
        """Return the link to a global number; empty when it is not on the site."""
        for session in self.sessions:
            if session.first <= turn <= session.last:
                for one in session.turns:
                    if one.turn == turn:
                        return session.link_to(one.local)
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteView:
    """Everything the site shows."""

    workspace: str
    words: Wording
    features: tuple[FeatureView, ...] = ()
    """Latest activity first."""
    warnings: tuple[str, ...] = ()

    @property
    def sessions(self) -> tuple[SessionView, ...]:
        """Every session, newest first."""
        everyone = (one for feature in self.features for one in feature.sessions)
        return tuple(sorted(everyone, key=lambda one: (one.last_date, one.feature, one.last), reverse=True))

    @property
    def decisions(self) -> tuple[tuple[FeatureView, Decision], ...]:
        """Every decision with its feature, newest first."""
        pairs = ((feature, one) for feature in self.features for one in feature.decisions)
        return tuple(sorted(pairs, key=lambda pair: (pair[1].date, pair[0].name, pair[1].id), reverse=True))
