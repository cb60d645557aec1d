"""From the archive to what the pages show; sessions that are not in the render cache are rendered on the way."""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from awf_archive.domain.decisions import Decision
from awf_archive.domain.manifest import ChunkEntry, Manifest, SessionEntry
from awf_archive.domain.wording import Wording
from awf_archive.errors import ArchiveError
from awf_archive.render.clean import one_line
from awf_archive.services.redacted_archive import RedactedArchive, redacted
from awf_archive.site_builder.places import feature_folder
from awf_archive.site_builder.prepare import Preparation, Prepared, Task
from awf_archive.site_builder.views import (
    ChunkView,
    DocumentView,
    FeatureView,
    FileView,
    SessionView,
    SiteView,
)
from awf_archive.store.archive import read_bytes
from awf_archive.store.layout import Layout

_DOCUMENTS = ("requirements.md", "design.md", "tasks.md")
_LONGEST_DOCUMENT = 2_000_000
_FILES_SHOWN = 60


@dataclass(slots=True, kw_only=True)
class _Collector:
    archive: RedactedArchive
    words: Wording
    sessions: Mapping[str, Prepared] = field(default_factory=dict)
    """By folder on the site."""
    warnings: list[str] = field(default_factory=list)

    def warn(self, problem: ArchiveError) -> str:
        self.warnings.append(problem.message)
        return problem.message


def collect(preparation: Preparation) -> SiteView:
    """Return everything the site shows. What does not read is a warning, and a note on its page."""
    layout, words = preparation.layout, preparation.words
    collector = _Collector(archive=redacted(layout), words=words)
    manifests = dict(_manifests(collector))
    tasks = [
        Task(feature=name, entry=entry) for name, manifest in manifests.items() for entry in manifest.sessions
    ]
    collector.sessions = preparation.run(tasks)
    for task in tasks:
        collector.warnings += collector.sessions[task.folder].warnings
    features = [_feature(collector, name, manifest) for name, manifest in manifests.items()]
    features.sort(key=lambda one: (one.last_date, one.name), reverse=True)
    return SiteView(
        workspace=layout.root.resolve().name,
        words=words,
        features=tuple(features),
        warnings=tuple(collector.warnings),
    )


def _manifests(collector: _Collector) -> Iterator[tuple[str, Manifest]]:
    for name in collector.archive.features():
        try:
            yield name, collector.archive.require(name)
        except ArchiveError as problem:
            collector.warn(problem)


def _feature(collector: _Collector, name: str, manifest: Manifest) -> FeatureView:
    sessions = tuple(
        _session(name, entry, collector.sessions[Task(feature=name, entry=entry).folder])
        for entry in manifest.sessions
    )
    decisions = _decisions(collector, name)
    documents = tuple(_documents(collector, name))
    return FeatureView(
        name=name,
        folder=feature_folder(name),
        goal=collector.archive.masked(_goal(collector.archive.layout, name)),
        sessions=sessions,
        moved=tuple(
            (*one.turn_range, *collector.archive.resolve(name, one.turn_range[0])) for one in manifest.moved
        ),
        chunks=tuple(_chunk(collector, name, entry) for entry in manifest.chunks),
        decisions=tuple(one for one in decisions if not one.moved_to),
        moved_decisions=tuple(one for one in decisions if one.moved_to),
        documents=documents,
        files=files_of(sessions)[:_FILES_SHOWN],
    )


def _decisions(collector: _Collector, name: str) -> tuple[Decision, ...]:
    try:
        return collector.archive.all_decisions(name)
    except ArchiveError as problem:
        collector.warn(problem)
        return ()


def _session(name: str, entry: SessionEntry, prepared: Prepared) -> SessionView:
    first, last = entry.global_range
    return SessionView(
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
        text = collector.words.site.unreadable.format(what=collector.warn(problem))
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
            text = collector.archive.masked(data[:_LONGEST_DOCUMENT].decode(errors="replace"))
            yield DocumentView(name=name, text=text)


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
