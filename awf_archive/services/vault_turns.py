"""The turns that the vault's bytes give: what `verify` compares with and `repair` mends from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256

from awf_archive.domain import turn_file
from awf_archive.domain.formats import vault_name
from awf_archive.domain.ids import TurnId, WindowId
from awf_archive.domain.redaction_turns import masked_file
from awf_archive.domain.session import Session, TurnEntry
from awf_archive.domain.transcript import Outline, Transcript
from awf_archive.domain.wording import choose
from awf_archive.errors import InputError
from awf_archive.readers import identify
from awf_archive.services.keep import read_origin
from awf_archive.services.vault_source import unpacked
from awf_archive.store.vault import Vault, WindowVault, moments


def transcripts_of(window: WindowVault) -> Iterator[Iterator[Transcript]]:
    """Yield, for each moment from now backwards, the conversations that a window's bytes give.

    Use each before the next is asked for. Raises DamagedArchiveError when a segment is not whole. A moment that
    no reader of this version reads gives none.
    """
    known = read_origin(window).get("format") or None
    for moment in moments(window.segments()):
        with unpacked(window, moment) as source:
            try:
                reader = identify(source, known)
            except InputError:
                continue
            yield reader.read(source)


def rendered(session: Session, entry: TurnEntry, transcript: Transcript, outline: Outline) -> bytes:
    """Return a turn's file as the source's bytes give it."""
    place = turn_file.Place(
        turn=entry.turn,
        session=session.session_id,
        local=entry.local,
        format=transcript.format,
        cwd=transcript.cwd,
    )
    return turn_file.write(transcript.load(outline), place, choose(session.language))


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A turn exactly as it was saved, from the vault."""

    entry: TurnEntry
    data: bytes
    payloads: Mapping[str, bytes]


def give(vault: Vault, session: Session, wanted: list[TurnEntry]) -> Iterator[Given]:
    """Yield those of a session's turns that the vault still gives byte for byte."""
    left = {entry.source_id: entry for entry in wanted if entry.source_id}
    windows = dict.fromkeys((session.source.window, *session.source.windows))
    formats = dict.fromkeys(session.format_of(one) for one in wanted)
    for name in (vault_name(window, one) for window in windows for one in formats):
        window = vault.window(WindowId(name))
        if within := read_origin(window).get("in"):
            window = WindowVault(folder=vault.root / within)
        yield from _give(window, session, left)


def _give(window: WindowVault, session: Session, left: dict[TurnId, TurnEntry]) -> Iterator[Given]:
    for transcripts in transcripts_of(window):
        for transcript, outline in _outlines(transcripts):
            entry = left.get(outline.id)
            if entry is None:
                continue
            data = rendered(session, entry, transcript, outline)
            if sha256(data).hexdigest() != entry.sha256:
                data = masked_file(data)  # what was redacted
            if sha256(data).hexdigest() == entry.sha256:
                del left[outline.id]
                yield Given(entry=entry, data=data, payloads=transcript.load(outline).payloads)
        if not left:
            return


def _outlines(transcripts: Iterator[Transcript]) -> Iterator[tuple[Transcript, Outline]]:
    try:
        for transcript in transcripts:
            for outline in transcript.outlines:
                yield transcript, outline
    except InputError:
        return  # damage in the source itself: what stands before it was read
