"""One turn that both sides have: the same, grown on one side, or grown apart; then both texts are kept."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from awf_archive.domain import turn_file
from awf_archive.domain.ids import Digest, SessionId
from awf_archive.domain.redaction_turns import same_but_for_masks
from awf_archive.domain.session import Revision, TurnEntry
from awf_archive.store import atomic
from awf_archive.store.archive import read_bytes
from awf_archive.store.layout import ATTACHMENTS, revision_name


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPair:
    """A turn as ours has it and as the other side has it."""

    folder: Path
    other_folder: Path
    session_id: SessionId
    """Of ours."""
    entry: TurnEntry
    other: TurnEntry

    def placed(self, name: str) -> bytes | None:
        """Return a file of the other side's as it would read at our place; None when it is not there."""
        data = read_bytes(self.other_folder / name)
        place = turn_file.Place(
            turn=self.entry.turn, session=self.session_id, local=self.entry.local, format=""
        )
        return turn_file.renumbered(data, place) if data is not None else None


def settled(pair: TurnPair) -> TurnEntry:
    """Return our entry with what the other side knows; files are written, the metadata is not."""
    entry, text = pair.entry, pair.placed(pair.other.file)
    ours = read_bytes(pair.folder / entry.file)
    if text is None or ours is None or _digest(text) in _digests(entry):
        return entry
    if same_but_for_masks(ours, text):
        return entry
    if same_but_for_masks(text, ours):
        atomic.write(pair.folder / entry.file, text)
        return replace(entry, sha256=_digest(text))
    earlier = [data for one in pair.other.revisions if (data := pair.placed(one.file)) is not None]
    if entry.sha256 in map(_digest, earlier):
        return _grown(pair, ours, text, earlier)
    return _with_revisions(pair, entry, [*earlier, text])


def _grown(pair: TurnPair, ours: bytes, text: bytes, earlier: list[bytes]) -> TurnEntry:
    """Take over the other side's text, which went on from ours."""
    entry = _with_revisions(pair, pair.entry, [*(one for one in earlier if one != ours), ours], also=ours)
    for name in pair.other.attachments:
        data = read_bytes(pair.other_folder / ATTACHMENTS / name)
        if data is not None and not (pair.folder / ATTACHMENTS / name).exists():
            atomic.write(pair.folder / ATTACHMENTS / name, data)
    atomic.write(pair.folder / entry.file, text)
    return replace(
        entry,
        sha256=_digest(text),
        fingerprint=pair.other.fingerprint,
        prompt_sha256=pair.other.prompt_sha256,
        title=pair.other.title,
        branch=pair.other.branch,
        attachments=tuple(dict.fromkeys((*entry.attachments, *pair.other.attachments))),
    )


def _with_revisions(
    pair: TurnPair, entry: TurnEntry, texts: list[bytes], also: bytes | None = None
) -> TurnEntry:
    """Keep texts as earlier ones, each once; `also` may be the text that stands there now."""
    revisions = list(entry.revisions)
    for text in texts:
        known = {one.sha256 for one in revisions} | ({entry.sha256} if text != also else set())
        if _digest(text) in known:
            continue
        name = revision_name(entry.local, len(revisions) + 1)
        atomic.write(pair.folder / name, text)
        revisions.append(Revision(file=name, sha256=_digest(text)))
    return replace(entry, revisions=tuple(revisions))


def _digests(entry: TurnEntry) -> Iterator[Digest]:
    yield entry.sha256
    yield from (one.sha256 for one in entry.revisions)


def _digest(data: bytes) -> Digest:
    return Digest(sha256(data).hexdigest())
