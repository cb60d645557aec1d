"""What `.brain` holds as documents: the work state, the brain, and the files that AWF's users keep beside them."""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from awf_archive.brain.folder import Brain, read
from awf_archive.domain import work_state
from awf_archive.errors import ArchiveError
from awf_archive.search.documents import Document, Key, Kind

_BESIDE = ("handover.md", "session_log.txt", "decisions.json", "learnings.json")
"""Files searched when present, never written (awf-schemas.md)."""

_LARGEST = 4_000_000
"""Bytes; a log beyond this is searched in its end."""


def wanted(root: Path) -> dict[Key, str]:
    """Return the keys of what is there: `state` for the work state, `brain` for all the rest, with digests."""
    brain = Brain(root)
    found: dict[Key, str] = {}
    for kind, paths in ((Kind.STATE, [brain.session]), (Kind.BRAIN, _knowledge(brain))):
        content = [(path.name.encode(), data) for path in paths if (data := _bytes(path))]
        if content:
            digest = sha256(b"\0".join(part for pair in content for part in pair)).hexdigest()
            found[Key(feature="", unit=kind.value)] = digest
    return found


def documents(root: Path, unit: str) -> Iterator[Document]:
    """Yield the documents of a key, one for each entry of a list; what does not read is passed over."""
    brain = Brain(root)
    for path in [brain.session] if unit == Kind.STATE else _knowledge(brain):
        if path.suffix == ".json":
            yield from _entries(root, path, Kind(unit))
        else:
            yield from _paragraphs(root, path)


def _knowledge(brain: Brain) -> list[Path]:
    return [brain.knowledge, *(brain.folder / name for name in _BESIDE)]


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
                    id=f"{path.name}:{name}[{place}]" if isinstance(field, list) else f"{path.name}:{name}",
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
    text = _bytes(path)[-_LARGEST:].decode(errors="replace")
    for place, part in enumerate(text.replace("\r\n", "\n").split("\n\n"), 1):
        if part.strip():
            name = path.relative_to(root).as_posix()
            yield Document(kind=Kind.BRAIN, id=f"{path.name}:{place}", path=name, text=part)


def _bytes(path: Path) -> bytes:
    """Return a file's content; nothing when it is not there or may not be read."""
    try:
        return path.read_bytes()
    except OSError:
        return b""
