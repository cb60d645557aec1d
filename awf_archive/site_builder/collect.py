"""From the archive to what the pages show; sessions that are not in the render cache are rendered on the way."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import cast

from awf_archive.domain.decisions import Decision
from awf_archive.domain.manifest import ChunkEntry, Manifest, SessionEntry
from awf_archive.domain.session import Session
from awf_archive.domain.site_names import feature_folder
from awf_archive.domain.transcript import Json
from awf_archive.errors import ArchiveError
from awf_archive.render.clean import one_line
from awf_archive.services.redacted_archive import RedactedArchive, redacted
from awf_archive.site_builder.kept import Kept
from awf_archive.site_builder.prepare import Preparation, Prepared, Task
from awf_archive.site_builder.views import (
    Arrived,
    ChunkView,
    DocumentView,
    FeatureView,
    Home,
    MovedSession,
    SessionView,
    SiteView,
)
from awf_archive.store.archive import read_bytes
from awf_archive.store.layout import METADATA, Layout

_DOCUMENTS = ("requirements.md", "design.md", "tasks.md")
_LONGEST_DOCUMENT = 2_000_000


@dataclass(slots=True, kw_only=True)
class _Collector:
    archive: RedactedArchive
    preparation: Preparation
    texts: Kept
    sessions: Mapping[str, Prepared] = field(default_factory=dict)
    """By folder on the site."""
    warnings: list[str] = field(default_factory=list)

    def warn(self, problem: ArchiveError) -> str:
        self.warnings.append(problem.message)
        return problem.message


def collect(preparations: Sequence[Preparation]) -> SiteView:
    """Return everything the site shows, of one workspace or more.

    What does not read is a warning, and a note on its page.
    """
    features: list[FeatureView] = []
    warnings: list[str] = []
    for one in preparations:
        found, problems = _workspace(one)
        features += found
        warnings += [f"{one.label}: {problem}" if one.label else problem for problem in problems]
    features = _with_arrivals(features)
    features.sort(key=lambda one: (one.last_date, one.name), reverse=True)
    return SiteView(
        workspace=" + ".join(one.layout.root.resolve().name for one in preparations),
        words=preparations[0].words,
        features=tuple(features),
        warnings=tuple(warnings),
    )


def _with_arrivals(features: Sequence[FeatureView]) -> list[FeatureView]:
    """Tell each feature which numbers its turns bore where they were moved from."""
    arrived: dict[str, list[Arrived]] = {}
    for feature in features:
        for first, last, there, start in feature.moved:
            one = Arrived(start=start, first=first, last=last, feature=feature.name)
            arrived.setdefault(there, []).append(one)
    return [replace(one, arrived=tuple(arrived.get(one.name, ()))) for one in features]


def _workspace(preparation: Preparation) -> tuple[list[FeatureView], list[str]]:
    layout = preparation.layout
    archive = redacted(layout)
    texts = Kept.load(layout.render_cache / "masked.json", archive.policy)
    collector = _Collector(archive=archive, preparation=preparation, texts=texts)
    manifests = dict(_manifests(collector))
    tasks = [
        Task(feature=name, entry=entry) for name, manifest in manifests.items() for entry in manifest.sessions
    ]
    collector.sessions = preparation.run(tasks)
    for task in tasks:
        collector.warnings += collector.sessions[task.folder].warnings
    features = [_feature(collector, name, manifest) for name, manifest in manifests.items()]
    texts.save()
    return features, collector.warnings


def _manifests(collector: _Collector) -> Iterator[tuple[str, Manifest]]:
    for name in collector.archive.features():
        try:
            yield name, collector.archive.require(name)
        except ArchiveError as problem:
            collector.warn(problem)


def _feature(collector: _Collector, name: str, manifest: Manifest) -> FeatureView:
    preparation = collector.preparation
    shown, home = (
        preparation.name(name),
        Home(layout=preparation.layout, cache=preparation.cache, feature=name),
    )
    sessions = tuple(
        _session(home, shown, entry, collector.sessions[Task(feature=name, entry=entry).folder])
        for entry in manifest.sessions
    )
    decisions = _decisions(collector, name, manifest.last_end)
    documents = tuple(_documents(collector, name))
    return FeatureView(
        name=shown,
        folder=feature_folder(shown),
        goal=collector.archive.masked(_goal(collector.archive.layout, name)),
        sessions=sessions,
        moved=tuple(
            (*one.turn_range, preparation.name(now), first)
            for one in manifest.moved
            for now, first in (collector.archive.resolve(name, one.turn_range[0]),)
        ),
        moved_sessions=tuple(_moved_sessions(collector.archive.layout, name)) if manifest.moved else (),
        chunks=tuple(_chunk(collector, name, entry) for entry in manifest.chunks),
        decisions=tuple(
            one if one.feature == shown else replace(one, feature=shown)
            for one in decisions
            if not one.moved_to
        ),
        moved_decisions=tuple(
            replace(one, feature=shown, moved_to=preparation.name(one.moved_to))
            for one in decisions
            if one.moved_to
        ),
        documents=documents,
    )


def _moved_sessions(layout: Layout, feature: str) -> Iterator[MovedSession]:
    """Yield the sessions that `move` put away, the latest of each name; `verify` tells of those that do not read."""
    found: dict[str, MovedSession] = {}
    root = layout.root.resolve()
    for path in sorted(layout.conversations(feature).glob(f"moved/*/{METADATA}")):
        if not path.resolve().is_relative_to(root):
            continue  # a link out of a cloned workspace
        with suppress(ArchiveError, ValueError, KeyError, TypeError):
            session = Session.from_json(json.loads(read_bytes(path) or b""))
            first, last = session.global_range
            found[session.session_id] = MovedSession(session.session_id, first, last - first + 1)
    yield from found.values()


def _decisions(collector: _Collector, name: str, last_end: int) -> tuple[Decision, ...]:
    archive = collector.archive
    try:
        data = read_bytes(archive.layout.decisions(name))
        if data is None:
            return ()
        known = collector.texts.get(
            f"{name} decisions",
            data + str(last_end).encode(),
            lambda: [cast("Json", one.to_json()) for one in archive.all_decisions(name)],
        )
        return _read_decisions(known) or archive.all_decisions(name)
    except ArchiveError as problem:
        collector.warn(problem)
        return ()


def _read_decisions(known: Json) -> tuple[Decision, ...]:
    try:
        return tuple(Decision.from_json(one) for one in cast("list[dict[str, Json]]", known))
    except (KeyError, TypeError, ValueError):
        return ()  # damaged: they are masked anew


def _session(home: Home, name: str, entry: SessionEntry, prepared: Prepared) -> SessionView:
    first, last = entry.global_range
    return SessionView(
        home=home,
        feature=name,
        session_id=entry.session_id,
        first=first,
        last=last,
        entry=entry,
        facts=prepared.facts,
        problem=prepared.problem,
    )


def _chunk(collector: _Collector, feature: str, entry: ChunkEntry) -> ChunkView:
    try:
        text = collector.archive.chunk(feature, entry)
    except ArchiveError as problem:
        text = collector.preparation.words.site.unreadable.format(what=collector.warn(problem))
    first, last = entry.turn_range
    return ChunkView(chunk_id=entry.chunk_id, first=first, last=last, text=text)


def _documents(collector: _Collector, feature: str) -> Iterator[DocumentView]:
    root = collector.archive.layout.root.resolve()
    for name in _DOCUMENTS:
        if not (collector.archive.layout.spec(feature) / name).resolve().is_relative_to(root):
            continue  # a link out of a cloned workspace
        try:
            data = read_bytes(collector.archive.layout.spec(feature) / name)
        except ArchiveError as problem:
            collector.warn(problem)
            continue
        if data is not None:
            text = data[:_LONGEST_DOCUMENT].decode(errors="replace")
            masked = collector.texts.get(f"{feature} {name}", data, partial(collector.archive.masked, text))
            yield DocumentView(name=name, text=masked)


def _goal(layout: Layout, feature: str) -> str:
    """Return the first paragraph of prose in `requirements.md`, on one line."""
    path = layout.spec(feature) / _DOCUMENTS[0]
    if not path.resolve().is_relative_to(layout.root.resolve()):
        return ""
    try:
        data = read_bytes(path) or b""
    except ArchiveError:
        return ""  # the document itself is reported where it is read
    for paragraph in data[:20_000].decode(errors="replace").replace("\r\n", "\n").split("\n\n"):
        text = paragraph.strip()
        if text and text[0] not in "#|-*>`<!=[" and not text[0].isdigit():
            return one_line(text, 280)
    return ""
