"""What `verify` checks in one feature: numbers, names, every digest, and that nothing else lies about (SPEC 1.11)."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from awf_archive.domain.ids import Digest
from awf_archive.domain.manifest import Manifest, SessionEntry
from awf_archive.domain.session import Session, TurnEntry
from awf_archive.errors import ArchiveError, DamagedArchiveError, DiskError
from awf_archive.services.findings import BRING_BACK, REPAIR, Finding
from awf_archive.store.archive import Archive, read_bytes
from awf_archive.store.layout import ATTACHMENTS, METADATA
from awf_archive.store.recovery import leftovers

_MERGE = "awf-archive merge, if two people numbered at the same time; else bring the manifest back from git"
_MEND = "awf-archive repair mends it if the vault holds it; else bring it back from git or a backup"
_NEXT = "the next checkpoint makes it"


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureCheck:
    """Checks one feature; may be run again."""

    archive: Archive
    feature: str
    threshold: int
    quick: bool

    def run(self) -> tuple[list[Finding], int]:
        """Return the findings, and how many turns are proven to be what was saved."""
        try:
            manifest = self.archive.require(self.feature)
        except ArchiveError as problem:
            path = self.archive.layout.manifest(self.feature)
            return [self.finding("manifest", path, problem.message)], 0
        run = _Run(self, manifest)
        return list(run.findings()), run.turns

    def finding(self, code: str, path: Path, message: str, remedy: str = REPAIR) -> Finding:
        """Return a finding about a file."""
        return Finding(code=code, path=self.archive.layout.relative(path), message=message, remedy=remedy)


@dataclass(slots=True)
class _Run:
    """One look at a feature."""

    check: FeatureCheck
    manifest: Manifest
    turns: int = 0

    @property
    def archive(self) -> Archive:
        """The archive."""
        return self.check.archive

    def findings(self) -> Iterator[Finding]:
        """Yield every finding."""
        layout, feature = self.archive.layout, self.check.feature
        for message, remedy in number_faults(self.manifest, self.check.threshold):
            yield self._found("numbers", layout.manifest(feature), message, remedy)
        windows = {window for entry in self.manifest.sessions for window in entry.windows}
        left = leftovers(layout, feature, self.manifest, windows)
        for entry in self.manifest.sessions:
            yield from self._session(entry, left)
        for chunk in self.manifest.chunks:
            file = layout.conversations(feature) / chunk.file
            if not file.exists():
                yield self._found("chunk", file, "The summary is missing.")
            plain = layout.plain_chunk(feature, chunk.chunk_id)
            if chunk.made_by and not plain.exists():
                yield self._found("chunk", plain, "The summary made without a model is missing.", _REBUILD)
        yield from self._decisions()
        yield from self._moved()
        for path in left:
            yield self._found("leftover", path, "Left by an interrupted run; it belongs to nothing.")

    def _found(self, code: str, path: Path, message: str, remedy: str = REPAIR) -> Finding:
        return self.check.finding(code, path, message, remedy)

    def _session(self, entry: SessionEntry, left: list[Path]) -> Iterator[Finding]:
        folder = self.archive.layout.session(self.check.feature, entry.session_id)
        path = folder / METADATA
        data = read_bytes(path)
        if data is None:
            if entry.metadata_sha256:  # the original skill removed sessions that it had summarised
                yield self._found("missing", path, "The session's metadata is missing.", _MEND)
            return
        if entry.metadata_sha256 not in (None, sha256(data).hexdigest()):
            yield self._found("metadata", path, why_changed(data, entry.metadata_sha256))
        try:
            session = self.archive.session(self.check.feature, entry)
        except DamagedArchiveError as problem:
            yield self._found("metadata", path, problem.message, _MEND)
            return
        first, last = entry.global_range
        if [int(turn.turn) for turn in session.turns] != list(range(first, last + 1)):
            message = f"Holds {len(session.turns)} turns, not the turns {first} to {last}."
            yield self._found("turns", folder, message, BRING_BACK)
        for turn in session.turns:
            yield from self._turn(folder, turn)
        if entry.metadata_sha256:
            yield from self._extra(folder, session, left)

    def _turn(self, folder: Path, turn: TurnEntry) -> Iterator[Finding]:
        found = [*self._file(folder / turn.file, turn.sha256, "turn", "A turn's file is missing.")]
        for one in turn.revisions:
            found += self._file(
                folder / one.file, one.sha256, "revision", "A turn's earlier text is missing."
            )
        for name in turn.attachments:
            found += self._attachment(folder / ATTACHMENTS / name)
        self.turns += not found and not self.check.quick
        yield from found

    def _file(self, path: Path, digest: Digest, code: str, missing: str) -> Iterator[Finding]:
        if self.check.quick:
            if not path.exists():
                yield self._found("missing", path, missing, _MEND)
            return
        data = read_bytes(path)
        if data is None:
            yield self._found("missing", path, missing, _MEND)
        elif sha256(data).hexdigest() != digest:
            is_git = _is_converted(data, digest)
            yield self._found(code, path, why_changed(data, digest), REPAIR if is_git else _MEND)

    def _attachment(self, path: Path) -> Iterator[Finding]:
        data = (b"" if path.exists() else None) if self.check.quick else read_bytes(path)
        if data is None:
            yield self._found("missing", path, "An attachment is missing.", _MEND)
        elif not self.check.quick and not is_attachment(path.name, data):
            message = "An attachment is not the one that was saved."
            yield self._found("attachment", path, message, _MEND)

    def _extra(self, folder: Path, session: Session, left: list[Path]) -> Iterator[Finding]:
        """Yield what lies in a session's folder and was not put there by us; hidden files are others' business."""
        named = {METADATA}
        for turn in session.turns:
            named |= {turn.file, *(f"{ATTACHMENTS}/{name}" for name in turn.attachments)}
            named |= {one.file for one in turn.revisions}
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            if path.is_dir() or name in named or path.name.startswith(".") or path in left:
                continue
            yield self._found("extra", path, "Nothing in the archive names this file.", "move it elsewhere")

    def _decisions(self) -> Iterator[Finding]:
        path = self.archive.layout.decisions(self.check.feature)
        try:
            decisions = self.archive.all_decisions(self.check.feature)
        except (DamagedArchiveError, DiskError) as problem:
            is_damage = isinstance(problem, DamagedArchiveError)
            yield self._found("decisions", path, problem.message, REPAIR if is_damage else problem.hint)
            return
        for number in _repeated([one.id for one in decisions]):
            yield self._found("decisions", path, f"{number} stands there twice.", BRING_BACK)

    def _moved(self) -> Iterator[Finding]:
        """Check that the numbers of moved turns still lead to a turn."""
        path = self.archive.layout.manifest(self.check.feature)
        for one in self.manifest.moved:
            for number in sorted(set(one.turn_range)):
                try:
                    self.archive.find(*self.archive.resolve(self.check.feature, number))
                except ArchiveError:
                    message = f"Turn {number} was moved to {one.feature}, where it is not."
                    yield self._found("moved", path, message, BRING_BACK)


def _repeated(names: list[str]) -> list[str]:
    return sorted({one for one in names if names.count(one) > 1})


def number_faults(manifest: Manifest, threshold: int) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a feature's numbers, each with its remedy: gaps, overlaps, watermarks, a due chunk."""
    ranges = sorted(
        [(one.global_range, one.session_id) for one in manifest.sessions]
        + [(one.turn_range, f"moved to {one.feature}") for one in manifest.moved]
    )
    end = ranges[0][0][0] - 1 if ranges else 0
    if end > manifest.last_chunked:
        yield f"Turns {manifest.last_chunked + 1} to {end} are in no session and no summary.", BRING_BACK
    for (first, last), name in ranges:
        if first > end + 1:
            yield f"Turns {end + 1} to {first - 1} are in no session.", REPAIR
        if first <= end:
            yield f"{name} repeats turn {first}.", _MERGE
        end = max(end, last)
    if ranges and end != manifest.last_end:
        yield f"The last turn is {end}, not {manifest.last_end}.", REPAIR
    yield from _chunk_faults(manifest, threshold)


_REBUILD = "awf-archive chunk rebuild makes both anew."


def _chunk_faults(manifest: Manifest, threshold: int) -> Iterator[tuple[str, str]]:
    chunked = 0
    for chunk in manifest.chunks:
        if chunk.turn_range[0] != chunked + 1:
            yield f"{chunk.chunk_id} begins at turn {chunk.turn_range[0]}, not {chunked + 1}.", BRING_BACK
        chunked = chunk.turn_range[1]
    if chunked != manifest.last_chunked:
        yield f"Turns are summarised up to {chunked}, not {manifest.last_chunked}.", REPAIR
    older = manifest.sessions[-1].global_range[0] - 1 if manifest.sessions else 0
    are_here = any(
        one.global_range[0] <= older and one.global_range[1] > chunked for one in manifest.sessions
    )
    if manifest.last_end - chunked >= threshold and older > chunked and are_here:
        yield f"A summary of the turns {chunked + 1} to {older} is due.", _NEXT


def why_changed(data: bytes, digest: Digest | None) -> str:
    """Say how a file differs from what was saved; git's doing is named as such."""
    if _is_converted(data, digest):
        return "Its line ends were changed to CR LF, as some settings of git do; the text is whole."
    return "It is not what was saved: changed by hand or damaged."


def _is_converted(data: bytes, digest: Digest | None) -> bool:
    return sha256(data.replace(b"\r\n", b"\n")).hexdigest() == digest


def is_attachment(name: str, data: bytes) -> bool:
    """Whether these bytes are those that an attachment's name stands for."""
    return name.startswith(sha256(data).hexdigest()[:16])
