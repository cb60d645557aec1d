"""Proving that nothing is lost: every digest, every number, and the turns against the vault (SPEC 1.11)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from awf_archive.domain import turn_file
from awf_archive.domain.ids import Digest
from awf_archive.domain.manifest import Manifest, SessionEntry
from awf_archive.domain.session import Session, TurnEntry
from awf_archive.domain.transcript import Outline, Transcript
from awf_archive.domain.wording import choose
from awf_archive.errors import ArchiveError, DamagedArchiveError, InputError
from awf_archive.readers import identify
from awf_archive.services.keep import origin_of
from awf_archive.services.vault_source import unpacked
from awf_archive.store.archive import Archive, read_bytes
from awf_archive.store.layout import ATTACHMENTS, METADATA
from awf_archive.store.recovery import leftovers
from awf_archive.store.vault import Vault, WindowVault, folder_name

_REPAIR = "awf-archive repair"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is not as it should be."""

    code: str
    path: str
    message: str
    remedy: str


@dataclass(slots=True, kw_only=True)
class Proven:
    """What was checked and is as it should be."""

    bytes: int = 0
    """Of the source, in the vault."""
    lines: int = 0
    turns: int = 0


@dataclass(slots=True, kw_only=True)
class Report:
    """What a verification found."""

    findings: list[Finding] = field(default_factory=list)
    proven: Proven = field(default_factory=Proven)


def verify(archive: Archive, vault: Vault | None, *, threshold: int, quick: bool = False) -> Report:
    """Check every feature; `quick` looks at names, numbers and metadata, and leaves turn files and vault unread."""
    report = Report()
    for feature in archive.layout.archived_specs():
        try:
            manifest = archive.require(feature)
        except ArchiveError as problem:
            path = archive.layout.relative(archive.layout.manifest(feature))
            report.findings.append(
                Finding(code="manifest", path=path, message=problem.message, remedy=_REPAIR)
            )
            continue
        _Checker(archive, feature, manifest, report, quick=quick).check(threshold)
    if vault and not quick:
        sessions = _sessions_by_window(archive)
        for window in vault.windows():
            held = sessions.get(window.folder.name, [])
            _check_window(archive, vault, window, held, report)
    return report


@dataclass(slots=True)
class _Checker:
    """Checks one feature."""

    archive: Archive
    feature: str
    manifest: Manifest
    report: Report
    quick: bool = field(kw_only=True)

    def find(self, code: str, path: Path, message: str, remedy: str = _REPAIR) -> None:
        """Note a finding."""
        shown = self.archive.layout.relative(path)
        self.report.findings.append(Finding(code=code, path=shown, message=message, remedy=remedy))

    def check(self, threshold: int) -> None:
        """Check numbers, sessions, chunks, decisions and what lies about."""
        path = self.archive.layout.manifest(self.feature)
        for message in number_faults(self.manifest, threshold):
            self.find("numbers", path, message)
        for entry in self.manifest.sessions:
            self._session(entry)
        for chunk in self.manifest.chunks:
            file = self.archive.layout.conversations(self.feature) / chunk.file
            if not file.exists():
                self.find("chunk", file, "The summary is missing.")
        self._decisions()
        windows = {window for entry in self.manifest.sessions for window in entry.windows}
        for left in leftovers(self.archive.layout, self.feature, self.manifest, windows):
            self.find("leftover", left, "Left by an interrupted run; it belongs to nothing.")

    def _session(self, entry: SessionEntry) -> None:
        folder = self.archive.layout.session(self.feature, entry.session_id)
        data = read_bytes(folder / METADATA)
        if data is None:
            if entry.metadata_sha256:
                self.find(
                    "missing", folder / METADATA, "The session's metadata is missing.", "restore from git"
                )
            return  # the original skill removed sessions that it had summarised
        if entry.metadata_sha256 not in (None, sha256(data).hexdigest()):
            self.find("metadata", folder / METADATA, _why_changed(data, entry.metadata_sha256))
        try:
            session = self.archive.session(self.feature, entry)
        except DamagedArchiveError as problem:
            self.find("metadata", folder / METADATA, problem.message, "restore from git")
            return
        if len(session.turns) != entry.global_range[1] - entry.global_range[0] + 1:
            self.find("turns", folder, f"Holds {len(session.turns)} of the turns {entry.global_range}.")
        for turn in session.turns:
            self._turn(folder, turn)

    def _turn(self, folder: Path, turn: TurnEntry) -> None:
        path = folder / turn.file
        for file in (path, *(folder / one.file for one in turn.revisions)):
            if not file.exists():
                self.find("missing", file, "A turn's file is missing.")
                return
        for name in turn.attachments:
            self._attachment(folder / ATTACHMENTS / name)
        if self.quick:
            return
        data = read_bytes(path) or b""
        if sha256(data).hexdigest() != turn.sha256:
            self.find("turn", path, _why_changed(data, turn.sha256))
            return
        self.report.proven.turns += 1

    def _attachment(self, path: Path) -> None:
        data = read_bytes(path)
        if data is None:
            self.find("missing", path, "An attachment is missing.")
        elif not self.quick and not path.name.startswith(sha256(data).hexdigest()[:16]):
            self.find("attachment", path, "An attachment is not the one that was saved.")

    def _decisions(self) -> None:
        try:
            self.archive.all_decisions(self.feature)
        except DamagedArchiveError as problem:
            self.find(
                "decisions", self.archive.layout.decisions(self.feature), problem.message, "restore from git"
            )


def number_faults(manifest: Manifest, threshold: int) -> Iterator[str]:
    """Yield what is wrong with a feature's numbers: gaps, overlaps, watermarks, a chunk that is due."""
    ranges = sorted(
        [(one.global_range, one.session_id) for one in manifest.sessions]
        + [(one.turn_range, f"moved to {one.feature}") for one in manifest.moved]
    )
    end = ranges[0][0][0] - 1 if ranges else 0
    for (first, last), name in ranges:
        if first > end + 1:
            yield f"Turns {end + 1} to {first - 1} are in no session."
        if first <= end:
            yield f"{name} repeats turn {first}."
        end = max(end, last)
    if ranges and end != manifest.last_end:
        yield f"The last turn is {end}, not {manifest.last_end}."
    chunked = 0
    for chunk in manifest.chunks:
        if chunk.turn_range[0] != chunked + 1:
            yield f"{chunk.chunk_id} begins at turn {chunk.turn_range[0]}, not {chunked + 1}."
        chunked = chunk.turn_range[1]
    if chunked != manifest.last_chunked:
        yield f"Turns are summarised up to {chunked}, not {manifest.last_chunked}."
    older = manifest.sessions[-1].global_range[0] - 1 if manifest.sessions else 0
    if manifest.last_end - chunked >= threshold and older > chunked:
        yield f"A summary of the turns {chunked + 1} to {older} is due."


def _why_changed(data: bytes, digest: Digest | None) -> str:
    """Say how a file differs from what was saved; git's doing is named as such."""
    if sha256(data.replace(b"\r\n", b"\n")).hexdigest() == digest:
        return "Its line ends were changed to CR LF, as some settings of git do; the text is whole."
    return "It is not what was saved: changed by hand or damaged."


_Held = list[tuple[str, SessionEntry]]
"""A window's sessions, each with its feature."""


def _sessions_by_window(archive: Archive) -> dict[str, _Held]:
    """Return every session by the name of its window's folder in the vault."""
    found: dict[str, _Held] = {}
    for feature in archive.features():
        try:
            manifest = archive.require(feature)
        except ArchiveError:
            continue  # reported where the manifest is checked
        for entry in manifest.sessions:
            if entry.windows:
                found.setdefault(folder_name(entry.windows[0]), []).append((feature, entry))
    return found


def _check_window(archive: Archive, vault: Vault, window: WindowVault, held: _Held, report: Report) -> None:
    """Check a window's bytes, and that its turns in the archive are those that its bytes give."""
    try:
        segments = window.segments()
        for segment, data in zip(segments, window.read(segments), strict=True):
            report.proven.bytes += segment.length
            report.proven.lines += data.count(b"\n")
        _compare(archive, vault, window, held, report)
    except DamagedArchiveError as problem:
        found = Finding(code="vault", path=str(window.folder), message=problem.message, remedy=problem.hint)
        report.findings.append(found)


def _compare(archive: Archive, vault: Vault, window: WindowVault, held: _Held, report: Report) -> None:
    sessions = [(feature, archive.session(feature, entry)) for feature, entry in held]
    if not sessions:
        return
    source_info = sessions[0][1].source
    origin = origin_of(vault, source_info.window)
    with unpacked(window, Path(origin.get("path") or source_info.name)) as source:
        try:
            transcripts = list(identify(source, source_info.format or None).read(source))
        except InputError:
            return  # its bytes are whole, but this version of ours has no reader for them
        for transcript in transcripts:
            outlines = {outline.id: outline for outline in transcript.outlines}
            for feature, session in sessions:
                for turn in session.turns:
                    outline = outlines.get(turn.source_id)
                    if outline and outline.fingerprint == turn.fingerprint:
                        found = _compare_turn(archive, (feature, session), turn, (transcript, outline))
                        report.findings.extend(found)


def _compare_turn(
    archive: Archive, place: tuple[str, Session], entry: TurnEntry, given: tuple[Transcript, Outline]
) -> Iterator[Finding]:
    feature, session = place
    data = rendered(session, entry, *given)
    if sha256(data).hexdigest() != entry.sha256:
        path = archive.layout.relative(archive.turn_path(feature, session.session_id, entry))
        message = "The vault's bytes give another text than the archive holds."
        yield Finding(code="differs", path=path, message=message, remedy=_REPAIR)


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
