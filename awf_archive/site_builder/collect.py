"""From the archive to what the pages show; sessions that are not in the render cache are rendered on the way."""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path

from awf_archive.domain.decisions import Decision
from awf_archive.domain.manifest import ChunkEntry, Manifest, SessionEntry
from awf_archive.domain.session import Session, TurnEntry
from awf_archive.domain.wording import WORDINGS
from awf_archive.errors import ArchiveError, DamagedArchiveError
from awf_archive.render.cache import RenderCache, SessionSource
from awf_archive.render.clean import one_line
from awf_archive.render.markdown import Kind, render_markdown
from awf_archive.render.sheet import Sheet
from awf_archive.site_builder.places import feature_folder, plan_pages, session_folder
from awf_archive.site_builder.views import (
    ChunkView,
    DocumentView,
    FeatureView,
    FileView,
    SessionView,
    SiteView,
)
from awf_archive.store.archive import Archive, read_bytes
from awf_archive.store.layout import ATTACHMENTS, METADATA, Layout

Progress = Callable[[int, int], None]
"""Called with sessions done and sessions in all."""

FEATURE_ROOT = "../../"
"""From a feature's page to the site's root."""

_DOCUMENTS = ("requirements.md", "design.md", "tasks.md")
_LONGEST_DOCUMENT = 2_000_000
_FILES_SHOWN = 60


@dataclass(slots=True, kw_only=True)
class _Collector:
    archive: Archive
    cache: RenderCache
    full: bool
    progress: Progress
    warnings: list[str] = field(default_factory=list)
    done: int = 0
    total: int = 0

    def warn(self, problem: ArchiveError) -> str:
        self.warnings.append(problem.message)
        return problem.message


def collect(layout: Layout, cache: RenderCache, *, full: bool, progress: Progress) -> SiteView:
    """Return everything the site shows. What does not read is a warning, and a note on its page."""
    archive = Archive(layout=layout)
    collector = _Collector(archive=archive, cache=cache, full=full, progress=progress)
    manifests = dict(_manifests(collector))
    collector.total = sum(len(manifest.sessions) for manifest in manifests.values())
    features = [_feature(collector, name, manifest) for name, manifest in manifests.items()]
    features.sort(key=lambda one: (one.last_date, one.name), reverse=True)
    return SiteView(
        workspace=layout.root.resolve().name,
        words=cache.words,
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
    words = collector.cache.words
    sheet = Sheet(words=words, name="text")
    sessions = tuple(_session(collector, name, entry) for entry in manifest.sessions)
    documents = tuple(_documents(collector, name, sheet))
    return FeatureView(
        name=name,
        folder=feature_folder(name),
        goal=_goal(collector.archive.layout, name),
        sessions=sessions,
        moved=tuple(
            (*one.turn_range, *collector.archive.resolve(name, one.turn_range[0])) for one in manifest.moved
        ),
        chunks=tuple(_linked(_chunk(collector, name, entry, sheet), sessions) for entry in manifest.chunks),
        decisions=_decisions(collector, name),
        documents=documents,
        files=_files(sessions),
        full=dict(sheet.files),
    )


def _decisions(collector: _Collector, name: str) -> tuple[Decision, ...]:
    try:
        return collector.archive.decisions(name)
    except ArchiveError as problem:
        collector.warn(problem)
        return ()


def _session(collector: _Collector, feature: str, entry: SessionEntry) -> SessionView:
    first, last = entry.global_range
    bare = SessionView(feature=feature, session_id=entry.session_id, first=first, last=last)
    try:
        return _rendered(collector, bare, entry)
    except ArchiveError as problem:
        folder = collector.archive.layout.session(feature, entry.session_id)
        if isinstance(problem, DamagedArchiveError) and not folder.exists() and not entry.metadata_sha256:
            return _with_problem(bare, collector.cache.words.site.not_on_disk)
        message = collector.warn(problem)
        return _with_problem(bare, collector.cache.words.site.unreadable.format(what=message))
    finally:
        collector.done += 1
        collector.progress(collector.done, collector.total)


def _with_problem(bare: SessionView, problem: str) -> SessionView:
    return replace(bare, problem=problem)


def _rendered(collector: _Collector, bare: SessionView, entry: SessionEntry) -> SessionView:
    session = collector.archive.session(bare.feature, entry)
    source = session_source(collector.archive, bare.feature, session)
    name = session_folder(bare.feature, entry.session_id)
    fragment = collector.cache.ensure(name, source, recheck=collector.full)
    collector.warnings += fragment.warnings
    starts = plan_pages((turn.local, turn.size) for turn in fragment.turns)
    return replace(bare, session=session, key=fragment.key, turns=fragment.turns, starts=starts)


def session_source(archive: Archive, feature: str, session: Session) -> SessionSource:
    """Return a session as the render cache takes it."""
    folder = archive.layout.session(feature, session.session_id)

    def read(turn: TurnEntry) -> bytes:
        data = read_bytes(folder / turn.file)
        if data is None:
            raise DamagedArchiveError(
                f"{archive.layout.relative(folder / turn.file)}: missing, though the metadata names it.",
                "Bring the file back from git or a backup.",
            )
        return data

    names = frozenset(_names(folder / ATTACHMENTS))
    return SessionSource(session=session, stamp=_stamp(folder, session), read=read, attachments=names)


def _names(folder: Path) -> Iterator[str]:
    try:
        with os.scandir(folder) as entries:
            yield from (entry.name for entry in entries if entry.is_file(follow_symlinks=False))
    except (FileNotFoundError, NotADirectoryError):
        return


def _stamp(folder: Path, session: Session) -> str:
    """Return what changes when a file of the session does: from names, sizes and dates, without reading turns."""
    digest = blake2b((read_bytes(folder / METADATA) or b""), digest_size=20)
    digest.update(json.dumps([session.global_range, sorted(_names(folder / ATTACHMENTS))]).encode())
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda one: one.name):
            if entry.name.endswith(".md"):
                status = entry.stat()
                digest.update(f"{entry.name} {status.st_mtime_ns} {status.st_size}\n".encode())
    return digest.hexdigest()


def _chunk(collector: _Collector, feature: str, entry: ChunkEntry, sheet: Sheet) -> ChunkView:
    try:
        text = collector.archive.chunk(feature, entry)
    except ArchiveError as problem:
        text = sheet.words.site.unreadable.format(what=collector.warn(problem))
    first, last = entry.turn_range
    html = render_markdown(text, sheet, Kind.DOCUMENT)
    return ChunkView(chunk_id=entry.chunk_id, first=first, last=last, html=html, text=text)


_POINT = re.compile(
    "<li>("
    + "|".join(
        re.escape(words.chunk.point.removeprefix("- ").partition("{turn}")[0]) for words in WORDINGS.values()
    )
    + r")(\d{1,9})(?!\d)"
)


def _linked(chunk: ChunkView, sessions: Iterable[SessionView]) -> ChunkView:
    """Let each point of a summary lead to its turn."""
    links = {
        turn.turn: session.link_to(turn.local)
        for session in sessions
        if session.first <= chunk.last and session.last >= chunk.first
        for turn in session.turns
    }

    def link(match: re.Match[str]) -> str:
        target = links.get(int(match[2]))
        label = f"{match[1]}{match[2]}"
        return f'<li><a href="{FEATURE_ROOT}{target}">{label}</a>' if target else match[0]

    return replace(chunk, html=_POINT.sub(link, chunk.html))


def _documents(collector: _Collector, feature: str, sheet: Sheet) -> Iterator[DocumentView]:
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
            yield DocumentView(name=name, html=render_markdown(text, sheet, Kind.DOCUMENT))


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


def _files(sessions: Iterable[SessionView]) -> tuple[FileView, ...]:
    touched: dict[str, list[tuple[int, str]]] = {}
    for session in sessions:
        for turn in session.turns:
            link = session.link_to(turn.local)
            for path in turn.files:
                touched.setdefault(path, []).append((turn.turn, link))
    ranked = sorted(touched.items(), key=lambda item: (-len(item[1]), item[0]))[:_FILES_SHOWN]
    shared = _shared_folder([path for path, _ in ranked])
    return tuple(
        FileView(path=one_line(path.removeprefix(shared), 200), links=tuple(links)) for path, links in ranked
    )


def _shared_folder(paths: list[str]) -> str:
    """Return the folder that all absolute paths share, so that it need not be shown on every line."""
    absolute = [path for path in paths if path.startswith("/")]
    if len(absolute) < 2:  # noqa: PLR2004 - one path shares nothing
        return ""
    folder = os.path.commonpath([path.rpartition("/")[0] or "/" for path in absolute])
    return f"{folder}/" if folder.count("/") > 1 else ""
