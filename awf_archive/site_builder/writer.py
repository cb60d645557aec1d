"""Writes the session pages into the site, and only those that changed."""

import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from awf_archive.domain.ids import SessionId
from awf_archive.render.cache import RenderCache, swap_in
from awf_archive.render.sheet import FILES_DIR, FULL_DIR
from awf_archive.site_builder.places import session_folder
from awf_archive.site_builder.shell import SessionMaker, Shell, neighbours
from awf_archive.site_builder.views import FeatureView, SessionView, SiteView
from awf_archive.store.archive import read_bytes
from awf_archive.store.layout import ATTACHMENTS, Layout

STATE_FILE = ".awf-site.json"
"""In the site's folder: what we put there. A file that it does not name is never deleted."""

STATE_VERSION = 1


@dataclass(slots=True, kw_only=True)
class State:
    """What the live site holds."""

    files: set[str] = field(default_factory=set)
    """Everything but the sessions' files, relative to the site."""
    sessions: dict[str, tuple[str, list[str]]] = field(default_factory=dict)
    """Key and files of each session, by its folder."""

    @classmethod
    def load(cls, site_dir: Path) -> "State | None":
        """Return the state of a site; None when there is none that reads."""
        data = read_bytes(site_dir / STATE_FILE)
        try:
            value: dict[str, Any] = json.loads(data or b"")
            if value["version"] != STATE_VERSION:
                return None
            sessions = {name: (one["key"], list(one["files"])) for name, one in value["sessions"].items()}
            return cls(files=set(value["files"]), sessions=sessions)
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
        }
        swap_in(site_dir / STATE_FILE, json.dumps(value, ensure_ascii=False, indent=0).encode())

    def all_files(self) -> set[str]:
        """Return every file that the site holds."""
        return self.files.union(*(files for _, files in self.sessions.values()))


@dataclass(slots=True, kw_only=True)
class SessionWriter:
    """Writes sessions into `target`, leaving out those that `live` already holds."""

    layout: Layout
    cache: RenderCache
    target: Path
    live: Path | None = None
    old: State = field(default_factory=State)
    new: State = field(default_factory=State)
    kept: set[str] = field(default_factory=set)
    """Files of sessions that stay as they are."""
    pages: int = 0

    def write_all(self, site: SiteView, shell: Shell) -> None:
        """Write the sessions of every feature."""
        for feature in site.features:
            for session, around in neighbours(feature):
                maker = SessionMaker(
                    shell=shell, words=site.words, feature=feature, session=session, around=around
                )
                self._write(session, maker)

    def _write(self, session: SessionView, maker: SessionMaker) -> None:
        self.pages += len(session.starts) or 1
        key = maker.key()
        old_key, old_files = self.old.sessions.get(session.folder, ("", []))
        if session.key and old_key == key and self._is_live(old_files):
            self.new.sessions[session.folder] = (key, old_files)
            self.kept.update(old_files)
            return
        bodies = self._bodies(session)
        files = [
            *self._write_pages(session, maker, bodies),
            *self._copy(session),
        ]
        self.new.sessions[session.folder] = (key if session.key else "", sorted(files))

    def _is_live(self, files: list[str]) -> bool:
        return self.live is not None and all((self.live / name).is_file() for name in files)

    def _bodies(self, session: SessionView) -> Mapping[int, str]:
        fragment = self.cache.load(session_folder(session.feature, session.session_id))
        return {turn.local: turn.html for turn in fragment.turns} if fragment else {}

    def _write_pages(
        self, session: SessionView, maker: SessionMaker, bodies: Mapping[int, str]
    ) -> Iterator[str]:
        for name, html in maker.write(bodies):
            path = self.target / session.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(html.encode(errors="replace"))
            yield f"{session.folder}/{name}"

    def _copy(self, session: SessionView) -> Iterator[str]:
        """Put attachments and whole texts beside the pages.

        A cloned archive may hold links that lead out of it: those are not followed.
        """
        for path in self.cache.full_texts(session.folder, session.turns):
            yield self._copy_one(path, f"{session.folder}/{FULL_DIR}/{path.name}")
        folder = self.layout.session(session.feature, SessionId(session.session_id)) / ATTACHMENTS
        inside = self.layout.context(session.feature).resolve()
        for name in sorted(_attachments(session)):
            path = folder / name
            if path.is_file() and path.resolve().is_relative_to(inside):
                yield self._copy_one(path, f"{session.folder}/{FILES_DIR}/{name}")

    def _copy_one(self, source: Path, name: str) -> str:
        path = self.target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, path)
        return name


def _attachments(session: SessionView) -> set[str]:
    turns = session.session.turns if session.session else ()
    return {name for turn in turns for name in turn.attachments if _is_plain(name)}


def _is_plain(name: str) -> bool:
    """Tell whether a name from a metadata file stays in its folder."""
    return bool(name) and name == Path(name).name and name not in {".", ".."}


def feature_texts(feature: FeatureView) -> Iterator[tuple[str, str]]:
    """Yield the whole texts that lie beside a feature's page."""
    for name, text in (feature.full or {}).items():
        yield f"{feature.folder}/{FULL_DIR}/{name}", text
