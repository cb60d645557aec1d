"""Writes the session pages into the site, and only those that changed."""

import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from awf_archive.domain.ids import SessionId
from awf_archive.errors import ArchiveError
from awf_archive.render.cache import Fragment, swap_in
from awf_archive.render.sheet import FILES_DIR, FULL_DIR
from awf_archive.site_builder.decision_pages import decision_pages
from awf_archive.site_builder.feed import feed
from awf_archive.site_builder.full_text import TEXTS_FILE, Index, texts_script
from awf_archive.site_builder.page import Frame, Page, page_key
from awf_archive.site_builder.shell import (
    DECISION_FRAME,
    SESSION_FRAME,
    SessionMaker,
    Shell,
    fill_page,
    neighbours,
)
from awf_archive.site_builder.views import SessionView, SiteView
from awf_archive.store.archive import read_bytes
from awf_archive.store.layout import ATTACHMENTS

STATE_FILE = ".awf-site.json"
"""In the site's folder: what we put there. A file that it does not name is never deleted."""

STATE_VERSION = 2
_READABLE = (1, STATE_VERSION)


@dataclass(slots=True, kw_only=True)
class State:
    """What the live site holds."""

    files: set[str] = field(default_factory=set)
    """Everything but the sessions' files, relative to the site."""
    sessions: dict[str, tuple[str, list[str]]] = field(default_factory=dict)
    """Key and files of what is written only when it changed: sessions, decisions and pages that are no tabs."""
    index: dict[str, str] = field(default_factory=dict)
    """Key of each row of the full-text index's base, by its id."""
    index_files: set[str] = field(default_factory=set)
    """Files of that base."""

    @classmethod
    def load(cls, site_dir: Path) -> "State | None":
        """Return the state of a site; None when there is none that reads."""
        data = read_bytes(site_dir / STATE_FILE)
        try:
            value: dict[str, Any] = json.loads(data or b"")
            if value["version"] not in _READABLE:
                return None
            sessions = {name: (one["key"], list(one["files"])) for name, one in value["sessions"].items()}
            return cls(
                files=set(value["files"]),
                sessions=sessions,
                index=dict(value.get("index", {})),
                index_files=set(value.get("indexFiles", ())),
            )
        except (ValueError, KeyError, TypeError, AttributeError):
            return None

    def save(self, site_dir: Path) -> None:
        """Write the state, last of all."""
        value = {
            "version": STATE_VERSION,
            "files": sorted(self.files),
            "sessions": {
                name: {"key": key, "files": files} for name, (key, files) in sorted(self.sessions.items())
            },
            "index": self.index,
            "indexFiles": sorted(self.index_files),
        }
        swap_in(site_dir / STATE_FILE, json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())

    def all_files(self) -> set[str]:
        """Return every file that the site holds."""
        return self.files.union(self.index_files, *(files for _, files in self.sessions.values()))


@dataclass(slots=True, kw_only=True)
class SessionWriter:
    """Writes sessions into `target`, leaving out those that `live` already holds."""

    target: Path
    live: Path | None = None
    old: State = field(default_factory=State)
    new: State = field(default_factory=State)
    with_words: bool = True
    """Whether each session's words lie beside it, for the full-text page."""
    pages: int = 0
    _made: set[str] = field(default_factory=set)
    """Folders that are there."""

    def write_all(self, site: SiteView, shells: Mapping[Frame, Shell]) -> None:
        """Write the sessions of every feature, and the page of every decision."""
        for feature in site.features:
            for session, around in neighbours(feature):
                maker = SessionMaker(
                    shell=shells[SESSION_FRAME],
                    words=site.words,
                    feature=feature,
                    session=session,
                    around=around,
                )
                self._session(session, maker)
        for folder, key, make in decision_pages(site, shells[DECISION_FRAME]):
            self.pages += 1
            self._keep_or_write(folder, key, partial(self._write_one, folder, make))

    def write_rest(
        self, site: SiteView, pages: Iterable[Page], shells: Mapping[Frame, Shell], site_url: str
    ) -> None:
        """Write the pages that are no tabs, whole texts, the feed and the full-text index."""
        for page in pages:
            self.pages += 1
            if not page.is_in_nav:
                self._page(page, shells[page.frame])
        self._put(".", feed(site, site_url), "feed.xml")
        if self.with_words:
            self._write_index(site)

    def _page(self, page: Page, shell: Shell) -> None:
        folder, _, name = page.path.rpartition("/")

        def write() -> Iterator[str]:
            full: dict[str, str] = {}
            html = page.make(full) if page.make else page.html
            yield self._put(folder, fill_page(shell, page, html), name)
            for beside, text in full.items():
                yield self._put(f"{folder}/{FULL_DIR}", f"\ufeff{text}", beside)

        made = page_key(shell.key, page.title, page.toc, page.key)
        self._keep_or_write(page.path, made if page.key else "", write)

    def _write_index(self, site: SiteView) -> None:
        is_whole = bool(self.old.index_files) and self._is_live(self.old.index_files)
        index = Index(
            target=self.target,
            old_keys=self.old.index if is_whole else {},
            old_files=frozenset(self.old.index_files),
        )
        index.write(site)
        self.new.index, self.new.index_files = index.keys, index.files

    def _session(self, session: SessionView, maker: SessionMaker) -> None:
        assert session.facts is not None  # noqa: S101 - `neighbours` gives those alone
        self.pages += len(session.facts.starts) or 1
        key = f"{maker.key()}{' words' * self.with_words}" if session.facts.key else ""
        self._keep_or_write(session.folder, key, lambda: self._write_session(session, maker))

    def _keep_or_write(self, folder: str, key: str, write: Callable[[], Iterable[str]]) -> None:
        """Leave alone what is live under the same key; an empty key is never the same."""
        old_key, old_files = self.old.sessions.get(folder, ("", []))
        if key and old_key == key and self._is_live(old_files):
            self.new.sessions[folder] = (key, old_files)
            return
        self.new.sessions[folder] = (key, sorted(write()))

    def _is_live(self, files: Iterable[str]) -> bool:
        live = self.live
        return live is not None and all(os.path.isfile(f"{live}/{name}") for name in files)  # noqa: PTH113

    def _write_session(self, session: SessionView, maker: SessionMaker) -> Iterator[str]:
        cache = session.home.cache
        fragment = cache.load(session.kept)
        if fragment is None:
            raise ArchiveError(
                f"{cache.path(session.kept)}: gone or damaged while the site was built.",
                "Build the site again.",
            )
        for name, html in maker.write(fragment.session, fragment.turns):
            yield self._put(session.folder, html, name)
        if self.with_words:
            yield self._put(session.folder, texts_script(session.folder, fragment.turns), TEXTS_FILE)
        yield from self._copy(session, fragment)

    def _write_one(self, folder: str, make: Callable[[], str]) -> Iterable[str]:
        return [self._put(folder, make())]

    def _put(self, folder: str, text: str, name: str = "index.html") -> str:
        self._make(folder)
        with open(f"{self.target}/{folder}/{name}", "wb", buffering=0) as stream:  # noqa: PTH123 - 13 000 files
            stream.write(text.encode(errors="replace"))
        return f"{folder}/{name}"

    def _make(self, folder: str) -> None:
        if folder not in self._made:
            (self.target / folder).mkdir(parents=True, exist_ok=True)
            self._made.add(folder)

    def _copy(self, session: SessionView, fragment: Fragment) -> Iterator[str]:
        """Put attachments and whole texts beside the pages.

        A cloned archive may hold links that lead out of it: those are not followed.
        """
        home = session.home
        for path in home.cache.full_texts(session.kept, fragment.turns):
            yield self._copy_one(path, f"{session.folder}/{FULL_DIR}/{path.name}")
        folder = home.layout.session(home.feature, SessionId(session.session_id)) / ATTACHMENTS
        inside = home.layout.context(home.feature).resolve()
        for name in filter(_is_plain, fragment.attachments):
            path = folder / name
            if path.is_file() and path.resolve().is_relative_to(inside):
                yield self._copy_one(path, f"{session.folder}/{FILES_DIR}/{name}")

    def _copy_one(self, source: Path, name: str) -> str:
        self._make(name.rpartition("/")[0])
        shutil.copyfile(source, self.target / name)
        return name


def _is_plain(name: str) -> bool:
    """Tell whether a name from a metadata file stays in its folder."""
    return bool(name) and name == Path(name).name and name not in {".", ".."}
