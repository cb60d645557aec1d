"""The turn files that lie in a session's folder when nothing names them any more."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from awf_archive.domain import turn_file
from awf_archive.domain.ids import Digest, TurnId
from awf_archive.domain.manifest import SessionEntry
from awf_archive.domain.session import Revision
from awf_archive.domain.wording import WORDINGS
from awf_archive.store.archive import read_bytes
from awf_archive.store.layout import ATTACHMENTS, revision_name, turn_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Lying:
    """One whole turn file: by its own digests it is what was saved."""

    data: bytes
    """With the line ends that we wrote, whatever git made of them."""
    source_id: TurnId
    format: str

    @property
    def sha256(self) -> Digest:
        """Return the file's digest."""
        return Digest(sha256(self.data).hexdigest())


def lying(folder: Path, entry: SessionEntry) -> Mapping[int, Lying]:
    """Return the whole turn files of a session by the turns' global numbers; what was edited is left out."""
    first, last = entry.global_range
    found = {}
    for number in range(first, last + 1):
        data = (read_bytes(folder / turn_name(number - first + 1)) or b"").replace(b"\r\n", b"\n")
        header = _header(data)
        if (header.get("turn"), header.get("session")) == (number, entry.session_id):
            source_id, name = str(header.get("sourceId") or ""), str(header.get("format") or "")
            found[number] = Lying(data=data, source_id=TurnId(source_id), format=name)
    return found


def _header(data: bytes) -> Mapping[str, object]:
    try:
        read = turn_file.read(data)
    except ValueError:
        return {}
    return {} if read.is_edited else read.header


def revisions_of(folder: Path, local: int) -> tuple[Revision, ...]:
    """Return a turn's earlier texts that lie there."""
    found: list[Revision] = []
    while (data := read_bytes(folder / (name := revision_name(local, len(found) + 1)))) is not None:
        found.append(Revision(file=name, sha256=Digest(sha256(data).hexdigest())))
    return tuple(found)


def attachments_of(folder: Path, data: bytes) -> tuple[str, ...]:
    """Return the attachments that lie there and that a turn's file shows."""
    there = sorted(path.name for path in (folder / ATTACHMENTS).glob("*"))
    return tuple(name for name in there if f"{ATTACHMENTS}/{name}".encode() in data)


def language_of(files: Mapping[int, Lying], usual: str) -> str:
    """Return the language that the files' headings are in; else the usual one."""
    for one in files.values():
        places = {
            tag: one.data.find(f"\n## {words.user_heading}\n".encode()) for tag, words in WORDINGS.items()
        }
        found = [(place, tag) for tag, place in places.items() if place >= 0]
        if found:
            return min(found)[1]
    return usual
