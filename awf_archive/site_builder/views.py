"""What the pages show: plain values, collected once per build."""

import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from awf_archive.domain.decisions import Decision
from awf_archive.domain.manifest import SessionEntry
from awf_archive.domain.site_names import session_folder
from awf_archive.domain.wording import Wording
from awf_archive.render.cache import RenderCache
from awf_archive.render.clean import one_line
from awf_archive.site_builder.facts import SessionFacts
from awf_archive.site_builder.places import turn_link
from awf_archive.store.layout import Layout

_FILES_SHOWN = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """Where a feature's files lie: in one of the workspaces that the site shows."""

    layout: Layout
    cache: RenderCache
    feature: str
    """Its name there; on a site of several workspaces it bears the workspace's name too."""


@dataclass(frozen=True, kw_only=True)
class SessionView:
    """One session as lists show it."""

    home: Home
    feature: str
    session_id: str
    first: int
    last: int
    entry: SessionEntry
    facts: SessionFacts | None = None
    """None when it is not on disk or does not read; `problem` says which."""
    problem: str = ""

    @cached_property
    def folder(self) -> str:
        """Where its pages lie."""
        return session_folder(self.feature, self.session_id)

    @property
    def kept(self) -> str:
        """Its folder in its workspace's render cache."""
        return session_folder(self.home.feature, self.session_id)

    @cached_property
    def mark(self) -> str:
        """What changes when anything that lists show of it does."""
        facts = self.facts
        told = (facts.stamp or repr(facts)) if facts else self.problem
        return f"{self.folder} {self.first} {self.last} {told}"

    def link_to(self, local: int) -> str:
        """Return the link to one of its turns, relative to the site's root."""
        return turn_link(self.folder, self.facts.starts if self.facts else (), local)

    def number(self, local: int) -> int:
        """Return the global number of one of its turns."""
        return self.first + local - 1

    @property
    def link(self) -> str:
        """Its first page, relative to the site's root; empty when it has none."""
        return f"{self.folder}/index.html" if self.facts else ""

    @property
    def title(self) -> str:
        """What it was about, in its own words; cleaned, not escaped."""
        return self.facts.title if self.facts else self.session_id

    @property
    def date(self) -> str:
        """When it began; "" when nothing says so."""
        return self.facts.date if self.facts else ""

    @property
    def last_date(self) -> str:
        """When its last turn began."""
        return self.facts.last_date if self.facts else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkView:
    """One chunk summary."""

    chunk_id: str
    first: int
    last: int
    text: str
    """Markdown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentView:
    """A document of the spec, such as `requirements.md`."""

    name: str
    text: str
    """Markdown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileView:
    """A file that turns touched."""

    path: str
    """As the turns name it: what tells it from others."""
    shown: str
    """Without the folder that all of them share."""
    turns: tuple[tuple[SessionView, tuple[int, ...]], ...]
    """Each session that touched it, with the local numbers of its turns."""

    @property
    def count(self) -> int:
        """Turns that touched it."""
        return sum(len(locals_) for _, locals_ in self.turns)

    @property
    def last_date(self) -> str:
        """When the newest session that touched it ended."""
        return max((session.last_date for session, _ in self.turns), default="")

    def links(self, most: int) -> tuple[tuple[int, str, str], ...]:
        """Return global number, link and feature of the first turns."""
        every = (
            (session.number(local), session.link_to(local), session.feature)
            for session, locals_ in self.turns
            for local in locals_
        )
        return tuple(islice(every, most))


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived:
    """Turns that came from another feature, where they bore other numbers."""

    start: int
    """The number of the first of them here."""
    first: int
    last: int
    """Their numbers there."""
    feature: str
    """Where they came from."""

    @property
    def end(self) -> int:
        """The number of the last of them here."""
        return self.start + self.last - self.first


class MovedSession(NamedTuple):
    """A session that went to another feature, as it was before: its old addresses lead on."""

    session_id: str
    first: int
    """The number that its first turn bore."""
    turns: int
    """How many it had."""


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
    moved_sessions: tuple[MovedSession, ...] = ()
    arrived: tuple[Arrived, ...] = ()
    chunks: tuple[ChunkView, ...] = ()
    decisions: tuple[Decision, ...] = ()
    moved_decisions: tuple[Decision, ...] = ()
    """Their turns went to another feature; their old pages lead on."""
    documents: tuple[DocumentView, ...] = ()

    @property
    def link(self) -> str:
        """Its page, relative to the site's root."""
        return f"{self.folder}/index.html"

    @property
    def has_files(self) -> bool:
        """Tell whether any turn touched a file."""
        return any(one.facts and one.facts.files for one in self.sessions)

    @property
    def files(self) -> "tuple[FileView, ...]":
        """The files that its turns touched, the most touched first."""
        return files_of(self.sessions)[:_FILES_SHOWN]

    @property
    def turn_count(self) -> int:
        """Turns on disk."""
        return sum(one.facts.turns for one in self.sessions if one.facts)

    @property
    def last_date(self) -> str:
        """When its newest turn began."""
        return max((one.last_date for one in self.sessions), default="")

    def former_places(self, turn: int) -> tuple[str, ...]:
        """Return the places, such as `block-user#13`, from where a global number's turn was moved here."""
        return tuple(
            f"{one.feature}#{one.first + turn - one.start}"
            for one in self.arrived
            if one.start <= turn <= one.end
        )

    def link_to(self, turn: int) -> str:
        """Return the link to a global number; empty when it is not on the site."""
        for session in self.sessions:
            if session.facts and session.first <= turn <= session.last:
                return session.link_to(turn - session.first + 1)
        return ""


@dataclass(frozen=True, kw_only=True)
class SiteView:
    """Everything the site shows."""

    workspace: str
    words: Wording
    features: tuple[FeatureView, ...] = ()
    """Latest activity first."""
    warnings: tuple[str, ...] = ()

    @cached_property
    def sessions(self) -> tuple[SessionView, ...]:
        """Every session, newest first."""
        everyone = (one for feature in self.features for one in feature.sessions)
        return tuple(sorted(everyone, key=lambda one: (one.last_date, one.feature, one.last), reverse=True))

    @cached_property
    def mark(self) -> str:
        """What changes when any session does."""
        return "\n".join(one.mark for one in self.sessions)

    @cached_property
    def masked(self) -> Counter[str]:
        """Masked secrets in all turns, by kind."""
        return sum((Counter(one.facts.masked) for one in self.sessions if one.facts), Counter())

    @property
    def decided(self) -> tuple[Decision, ...]:
        """Every decision, newest first."""
        return tuple(one for _, one in self.decisions)

    @cached_property
    def readable(self) -> tuple[SessionView, ...]:
        """Every session that has pages, newest first."""
        return tuple(one for one in self.sessions if one.facts)

    @cached_property
    def decisions(self) -> tuple[tuple[FeatureView, Decision], ...]:
        """Every decision with its feature, newest first."""
        pairs = ((feature, one) for feature in self.features for one in feature.decisions)
        return tuple(sorted(pairs, key=lambda pair: (pair[1].date, pair[0].name, pair[1].id), reverse=True))


def files_of(sessions: Iterable[SessionView]) -> tuple[FileView, ...]:
    """Return every file that turns of these sessions touched, the most touched first."""
    touched: dict[str, list[tuple[SessionView, tuple[int, ...]]]] = {}
    for session in sessions:
        for path, numbers in session.facts.files.items() if session.facts else ():
            touched.setdefault(path, []).append((session, tuple(numbers)))
    ranked = sorted(touched.items(), key=lambda item: (-sum(len(one) for _, one in item[1]), item[0]))
    shared = _shared_folder([path for path, _ in ranked])
    return tuple(
        FileView(path=path, shown=one_line(path.removeprefix(shared), 200), turns=tuple(turns))
        for path, turns in ranked
    )


def _shared_folder(paths: list[str]) -> str:
    """Return the folder that all absolute paths share, so that it need not be shown on every line."""
    absolute = [path for path in paths if path.startswith("/")]
    if len(absolute) < 2:  # noqa: PLR2004 - one path shares nothing
        return ""
    folder = os.path.commonpath([path.rpartition("/")[0] or "/" for path in absolute])
    return f"{folder}/" if folder.count("/") > 1 else ""
