"""`recap TOPIC`: the search of the archive, and before it what the work state and the brain say (SPEC 4)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from awf_archive.brain.folder import Brain, read
from awf_archive.domain import work_state
from awf_archive.errors import ArchiveError, NoArchiveError
from awf_archive.search.analysis import tokens
from awf_archive.search.documents import (
    Document,
    Hit,
    Kind,
    Part,
    Progress,
    Request,
    Result,
    Role,
    no_progress,
)
from awf_archive.search.snippets import best
from awf_archive.services.search import Answer, Shown, search
from awf_archive.store.archive import Archive

_BESIDE = ("handover.md", "session_log.txt", "decisions.json", "learnings.json")
"""Files that AWF's users keep beside the two; searched when present, never written (awf-schemas.md)."""

_MOST = 5
"""Hits of work state and brain before those of the archive."""

_LARGEST = 4_000_000
"""Bytes; a log beyond this is searched in its end."""


def recap_topic(archive: Archive, request: Request, progress: Progress = no_progress) -> Answer:
    """Return what all tiers say of a topic, best first.

    Raises NoArchiveError when there is neither an archive nor a `.brain`.
    """
    beside = _beside_hits(archive, request)
    try:
        answer = search(archive, request, progress)
    except NoArchiveError:
        if not Brain(archive.layout.root).folder.is_dir():
            raise
        answer = Answer(result=Result(query=request.topic, total=0, took_ms=0.0), shown=())
    if any(one.hit.kind in {Kind.STATE, Kind.BRAIN} for one in answer.shown):
        return answer  # the index holds them itself
    result = replace(answer.result, total=answer.result.total + len(beside))
    shown = (*beside, *answer.shown)[: request.limit] if not request.offset else answer.shown
    return Answer(result=result, shown=shown)


def _beside_hits(archive: Archive, request: Request) -> tuple[Shown, ...]:
    """Return the hits in `.brain`; none where a filter asks for what only turns have."""
    if request.session or request.role or request.file or request.tool or request.feature:
        return ()
    terms = [token.text for token in tokens(request.topic, mode="query")]
    if not terms:
        return ()
    found = [
        (sum(words.count(term) for term in terms) / (1 + len(words)) ** 0.5, document)
        for document in brain_documents(archive.layout.root)
        if request.kind in ("", document.kind.value) and _is_within(document, request)
        for words in [[token.text for token in tokens(document.text)]]
        if set(terms) <= set(words)
    ]
    ranked = sorted(found, key=lambda one: -one[0])[:_MOST]
    return tuple(_shown(document, score, tuple(terms)) for score, document in ranked)


def _is_within(document: Document, request: Request) -> bool:
    """Whether a document's day is in the range asked for; one without a day only when no range is."""
    if not request.since and not request.until:
        return True
    bounds = [bound for bound in (request.since, request.until) if bound]
    day = document.time[:10]
    if not day or not all(_DAY.fullmatch(bound) for bound in bounds):
        return False
    return request.since <= day <= (request.until or "9") + "~"


_DAY = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")
"""A year, month or day; what is relative (`7d`) is the index's business."""


def _shown(document: Document, score: float, terms: tuple[str, ...]) -> Shown:
    role, passage = best([(Role.NONE, document.text)], terms)
    hit = Hit(
        kind=document.kind,
        part=Part.SAID,
        feature=document.feature,
        session="",
        turn=0,
        id=document.id,
        time=document.time,
        title=document.title,
        role=Role.NONE,
        path=document.path,
        score=score,
    )
    return Shown(hit=hit, snippet=passage, role=role)


def brain_documents(root: Path) -> Iterator[Document]:
    """Yield what `.brain` holds as documents, one for each entry of its lists; what does not read is passed over."""
    brain = Brain(root)
    yield from _entries(root, brain.session, Kind.STATE)
    yield from _entries(root, brain.knowledge, Kind.BRAIN)
    for name in _BESIDE:
        path = brain.folder / name
        if path.suffix == ".json":
            yield from _entries(root, path, Kind.BRAIN)
        else:
            yield from _paragraphs(root, path)


def _entries(root: Path, path: Path, kind: Kind) -> Iterator[Document]:
    try:
        value = read(path).value
    except ArchiveError:
        return
    if value is None:
        return
    when = work_state.saved_at(value)
    for name, field in value.items():
        parts = field if isinstance(field, list) else [field]
        for place, part in enumerate(parts, 1):
            if text := "\n".join(_leaves(part)):
                own = work_state.line(work_state.fields(part).get("timestamp"))
                yield Document(
                    kind=kind,
                    id=f"{name}[{place}]" if isinstance(field, list) else name,
                    time=own or when,
                    path=path.relative_to(root).as_posix(),
                    text=text,
                )


def _leaves(value: object) -> Iterator[str]:
    """Yield the texts in a JSON value, in order."""
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    elif text := work_state.line(value):
        yield text


def _paragraphs(root: Path, path: Path) -> Iterator[Document]:
    try:
        text = path.read_bytes()[-_LARGEST:].decode(errors="replace")
    except OSError:
        return
    for place, part in enumerate(text.replace("\r\n", "\n").split("\n\n"), 1):
        if part.strip():
            yield Document(
                kind=Kind.BRAIN, id=f"{path.name}:{place}", path=path.relative_to(root).as_posix(), text=part
            )
