"""Sees to it that every session is rendered, and tells the facts of each; by several processes when many are new."""

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from awf_archive.domain.manifest import SessionEntry
from awf_archive.domain.site_names import session_folder
from awf_archive.domain.wording import Wording, choose
from awf_archive.errors import ArchiveError
from awf_archive.render.cache import RenderCache, engine_stamp, swap_in
from awf_archive.services.redacted_archive import RedactedArchive, redacted
from awf_archive.site_builder.facts import SessionFacts, facts_of
from awf_archive.site_builder.sources import session_source, session_stamp
from awf_archive.site_builder.words import keep_words
from awf_archive.store.layout import Layout

_FACTS_FILE = "facts.json"
_FACTS_VERSION = 2
_WORTH_PROCESSES = 20
"""Fewer new sessions are rendered sooner than a process starts."""


class Task(NamedTuple):
    """One session to be seen to."""

    feature: str
    entry: SessionEntry

    @property
    def folder(self) -> str:
        """Its folder on the site and in the cache."""
        return session_folder(self.feature, self.entry.session_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A session's facts, or why there are none."""

    facts: SessionFacts | None = None
    problem: str = ""
    warnings: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class Preparation:
    """The means: where the archive and the cache are, how thorough and with how many processes."""

    layout: Layout
    words: Wording
    label: str = ""
    """The workspace's name before those of its features, where the site shows several."""
    full: bool = False
    jobs: int = 1
    with_words: bool = True
    """Whether the terms for the full-text page are kept too."""
    progress: Callable[[int, int], None] = lambda _done, _total: None
    known: dict[str, dict[str, Any]] = field(default_factory=dict)
    words_known: bool = False
    """Whether the terms of all known sessions are kept: a build without words keeps none."""
    folders: dict[str, Path] = field(default_factory=dict)
    """Of each feature's sessions: asking the layout 5 000 times takes half a second."""
    masks: str = ""
    """What changes when secrets are masked otherwise."""

    @property
    def cache(self) -> RenderCache:
        """The workspace's rendered sessions."""
        return RenderCache(folder=self.layout.render_cache, words=self.words)

    def name(self, feature: str) -> str:
        """Return a feature's name on the site: no feature's own name holds a slash."""
        return f"{self.label}/{feature}" if self.label else feature

    @property
    def facts_path(self) -> Path:
        """Where the facts of all sessions are kept."""
        return self.layout.render_cache / self.words.language / _FACTS_FILE

    def run(self, tasks: Sequence[Task]) -> dict[str, Prepared]:
        """Return every session's facts by its folder on the site."""
        self.masks = redacted(self.layout).policy
        self._load()
        found: dict[str, Prepared] = {}
        missing: list[Task] = []
        for task in tasks:
            facts = None if self.full else self._known(task)
            if facts:
                found[task.folder] = Prepared(facts=facts)
            else:
                missing.append(task)
        for done, (task, prepared) in enumerate(self._render(missing), len(found) + 1):
            found[task.folder] = prepared
            self.progress(done, len(tasks))
        if not missing:
            self.progress(len(tasks), len(tasks))
        self.words_known = self.with_words or (self.words_known and not missing)
        if missing or found.keys() != self.known.keys():
            self._save(found, {task.folder for task in missing})
        return found

    def _known(self, task: Task) -> SessionFacts | None:
        value = self.known.get(task.folder)
        if value is None:
            return None
        if task.feature not in self.folders:
            self.folders[task.feature] = self.layout.sessions(task.feature)
        folder = self.folders[task.feature] / task.entry.session_id
        if value.get("stamp") != session_stamp(folder, task.entry.global_range, self.masks):
            return None
        with suppress(TypeError, ValueError):
            return SessionFacts.from_json(value)
        return None

    def _render(self, missing: Sequence[Task]) -> Iterator[tuple[Task, Prepared]]:
        worker = SessionRenderer(
            layout=self.layout, language=self.words.language, full=self.full, with_words=self.with_words
        )
        if self.jobs < 2 or len(missing) <= _WORTH_PROCESSES:  # noqa: PLR2004 - one job is this process
            yield from ((task, worker(task)) for task in missing)
            return
        done = 0
        try:
            with ProcessPoolExecutor(self.jobs, mp_context=get_context("spawn")) as pool:
                for task, prepared in zip(missing, pool.map(worker, missing, chunksize=8), strict=True):
                    yield task, prepared
                    done += 1
        except BrokenExecutor:  # a process was killed, or cannot start: the rest is rendered here
            yield from ((task, worker(task)) for task in missing[done:])

    def _load(self) -> None:
        """Take what is kept; nothing of another version, or without the terms that are wanted now."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            value = json.loads(self.facts_path.read_bytes())
            if value["version"] != _FACTS_VERSION or value["engine"] != engine_stamp(self.words):
                return
            if value["words"] or not self.with_words:
                self.known, self.words_known = dict(value["sessions"]), value["words"] is True

    def _save(self, found: dict[str, Prepared], anew: set[str]) -> None:
        sessions = {
            name: one.facts.to_json() if name in anew else self.known[name]
            for name, one in found.items()
            if one.facts and one.facts.stamp
        }
        value = {
            "version": _FACTS_VERSION,
            "engine": engine_stamp(self.words),
            "words": self.words_known,
            "sessions": sessions,
        }
        swap_in(self.facts_path, json.dumps(value, separators=(",", ":")).encode())


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRenderer:
    """Sees to one session in the render cache; goes to other processes as it is."""

    layout: Layout
    language: str
    full: bool = False
    with_words: bool = True

    def __call__(self, task: Task) -> Prepared:
        """Return its facts, rendered now where the cache does not hold it."""
        words = choose(self.language)
        cache = RenderCache(folder=self.layout.render_cache, words=words)
        try:
            prepared = _prepare(redacted(self.layout), cache, task, full=self.full)
            if self.with_words and prepared.facts:
                keep_words(cache, task.folder, prepared.facts.key)
        except ArchiveError as problem:
            folder = self.layout.session(task.feature, task.entry.session_id)
            if not folder.exists() and not task.entry.metadata_sha256:
                return Prepared(problem=words.site.not_on_disk)
            message = problem.message
            return Prepared(problem=words.site.unreadable.format(what=message), warnings=(message,))
        return prepared


def _prepare(archive: RedactedArchive, cache: RenderCache, task: Task, *, full: bool) -> Prepared:
    session = archive.session(task.feature, task.entry)
    folder = archive.layout.session(task.feature, session.session_id)
    stamp = session_stamp(folder, task.entry.global_range, archive.policy)
    source = session_source(archive, task.feature, session, stamp)
    fragment = cache.ensure(task.folder, source, recheck=full)
    return Prepared(
        facts=facts_of(session, fragment, stamp),
        warnings=fragment.warnings,
    )
