"""Proving the archive against the vault: every segment, and every turn as its bytes give it (SPEC 1.11)."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from awf_archive.domain.filters import skip_reason
from awf_archive.domain.formats import LOSSY, vault_name
from awf_archive.domain.redaction_turns import same_but_for_masks
from awf_archive.domain.session import Session, TurnEntry
from awf_archive.domain.transcript import Outline, Transcript
from awf_archive.errors import ArchiveError, DamagedArchiveError, DiskError, InputError
from awf_archive.services.findings import REPAIR, Finding
from awf_archive.services.grow_turns import says_less
from awf_archive.services.keep import read_origin
from awf_archive.services.known import find_known
from awf_archive.services.vault_turns import rendered, transcripts_of
from awf_archive.store.archive import Archive, read_bytes
from awf_archive.store.lock import holding
from awf_archive.store.vault import Vault, WindowVault

_FULLER = "a backup of the vault, if there is one; nothing else is to be done"
_Key = tuple[str, int, str]
"""A saved turn: feature, number, digest of its file."""


@dataclass(slots=True, kw_only=True)
class Proof:
    """What the vault proves of the archive."""

    archive: Archive
    sessions: dict[str, list[tuple[str, Session]]]
    """Every session whose metadata reads, with its feature, by every window whose records it holds."""
    turns: set[_Key] = field(default_factory=set)
    """Those that the vault gives exactly as they are saved."""
    differing: dict[_Key, Finding] = field(default_factory=dict)
    shorter: dict[_Key, Finding] = field(default_factory=dict)
    """Those of which the vault has seen no more than a part: a checkpoint kept what was saved, and so do we."""
    texts: dict[_Key, tuple[str, Session, TurnEntry, bytes]] = field(default_factory=dict)
    """What the vault gives for those that differ; filled for `repair` alone."""
    with_texts: bool = False
    sharing: Mapping[str, set[str]] = field(default_factory=dict)
    """The conversations that were saved from a file that holds several, by the folder of that file's vault."""
    sizes: dict[WindowVault, tuple[int, int]] = field(default_factory=dict)
    """Bytes and lines of each window."""
    findings: dict[WindowVault, list[Finding]] = field(default_factory=dict)
    seen: dict[WindowVault, set[str]] = field(default_factory=dict)
    """The conversations that each vault gives."""

    def all_findings(self) -> list[Finding]:
        """Return everything that is not as it should be."""
        found = [one for findings in self.findings.values() for one in findings]
        return found + [self.differing[key] for key, _ in self._doubtful() if key in self.differing]

    def notes(self) -> Iterator[Finding]:
        """Yield what is worth knowing of turns that the vault holds less of, or nothing: a clone has no old vault."""
        for key, place in self._doubtful():
            if key not in self.differing:
                yield self.shorter.get(key) or self._unproven(*place)

    def _doubtful(self) -> Iterator[tuple[_Key, tuple[str, Session, TurnEntry]]]:
        for window in sorted(set().union(*self.seen.values())):
            yield from self.pending(window)

    def pending(self, window: str) -> Iterator[tuple[_Key, tuple[str, Session, TurnEntry]]]:
        """Yield the saved turns of a conversation that are not yet proven; the bytes of merged ones are elsewhere."""
        for key, place in self._open(window):
            if place[1].source.window == window:
                yield key, place

    def _open(self, window: str) -> Iterator[tuple[_Key, tuple[str, Session, TurnEntry]]]:
        """Yield the same, and the turns of other conversations that may come from this one."""
        for feature, session in self.sessions.get(window, []):
            for entry in session.turns:
                key = (feature, int(entry.turn), str(entry.sha256))
                if entry.source_id and not entry.formerly and key not in self.turns:
                    yield key, (feature, session, entry)

    def suspects(self) -> list[WindowVault]:
        """Return the windows to look at again while nothing else writes."""
        return [
            window
            for window, seen in self.seen.items()
            if self.findings.get(window) or any(True for one in seen for _ in self.pending(one))
        ]

    def check(self, window: WindowVault) -> None:
        """Check a window's bytes, and that its turns in the archive are those that its bytes give."""
        self.findings[window], self.seen[window] = [], set()
        try:
            segments = window.segments()
            self.findings[window].extend(_leftovers(window))
            size = lines = 0
            for segment, data in zip(segments, window.read(segments), strict=True):
                size, lines = size + segment.length, lines + data.count(b"\n")
            self.sizes[window] = size, lines
            self._compare(window)
        except DamagedArchiveError as problem:
            found = Finding(
                code="vault", path=str(window.folder), message=problem.message, remedy=problem.hint
            )
            self.findings[window].append(found)

    def _compare(self, window: WindowVault) -> None:
        is_own = not read_origin(window).get("window", "").startswith("file-")
        for number, transcripts in enumerate(transcripts_of(window)):
            for transcript in _until_damage(transcripts):
                name = str(transcript.windows[0]) if transcript.windows else ""
                if is_own or name in self.sessions or name in self.sharing.get(window.folder.name, ()):
                    self.seen[window].add(name)
                    self._compare_turns(name, transcript)
                    if number == 0:
                        self.findings[window].extend(self._unsaved(window, transcript))
            if not any(True for one in self.seen[window] for _ in self.pending(one)):
                return

    def _compare_turns(self, window: str, transcript: Transcript) -> None:
        outlines = {outline.id: outline for outline in transcript.outlines}
        for key, (feature, session, entry) in list(self._open(window)):
            outline = outlines.get(entry.source_id)
            if outline is None:
                continue
            data = rendered(session, entry, transcript, outline)
            if sha256(data).hexdigest() == entry.sha256 or self._is_redacted(feature, session, entry, data):
                self.turns.add(key)
            elif outline.fingerprint != entry.fingerprint and self._is_part(feature, session, entry, data):
                message = "The vault holds less of this turn than was saved; what was saved stays."
                self.shorter[key] = self._found("shorter", (feature, session, entry), message, _FULLER)
            elif key not in self.differing:
                message = "The vault's bytes give another text than the archive holds."
                self.differing[key] = self._found("differs", (feature, session, entry), message, REPAIR)
                if self.with_texts:
                    as_given = replace(entry, fingerprint=outline.fingerprint)
                    self.texts[key] = feature, session, as_given, data

    def _is_redacted(self, feature: str, session: Session, entry: TurnEntry, data: bytes) -> bool:
        """Whether what is saved is this text with its secrets masked."""
        saved = self._as_saved(feature, session, entry)
        return saved is not None and same_but_for_masks(saved, data)

    def _is_part(self, feature: str, session: Session, entry: TurnEntry, data: bytes) -> bool:
        """Whether this says less than what is saved, which is whole: a checkpoint would not take it either."""
        saved = self._as_saved(feature, session, entry)
        return saved is not None and says_less(saved, data)

    def _as_saved(self, feature: str, session: Session, entry: TurnEntry) -> bytes | None:
        saved = read_bytes(self.archive.turn_path(feature, session.session_id, entry))
        return saved if saved is not None and sha256(saved).hexdigest() == entry.sha256 else None

    def _unproven(self, feature: str, session: Session, entry: TurnEntry) -> Finding:
        message = "The vault does not give this turn; its text is what was saved, by its digest."
        return self._found("unproven", (feature, session, entry), message, _FULLER)

    def _found(self, code: str, place: tuple[str, Session, TurnEntry], message: str, remedy: str) -> Finding:
        feature, session, entry = place
        path = self.archive.layout.relative(self.archive.turn_path(feature, session.session_id, entry))
        return Finding(code=code, path=path, message=message, remedy=remedy)

    def _unsaved(self, window: WindowVault, transcript: Transcript) -> Iterator[Finding]:
        """Yield a finding when the vault gives turns that the archive lacks: a run that ended too early."""
        name = str(transcript.windows[0]) if transcript.windows else ""
        features = {feature for feature, _ in self.sessions.get(name, [])} or self.archive.features()
        left: list[Outline] = list(transcript.outlines)
        for feature in sorted(features):
            try:
                known = find_known(self.archive, feature, self.archive.require(feature), transcript)
            except ArchiveError:
                return  # reported where the feature is checked
            left = [one for one in left if one.id not in known.turns and one.id not in known.skipped]
        count = sum(not skip_reason(transcript.load(one)) for one in left)
        if count:
            message = f"{count} turns of {name} are in the vault and not in the archive."
            yield Finding(
                code="unsaved", path=str(window.folder), message=message, remedy=_saving(window, name)
            )


def _saving(window: WindowVault, name: str) -> str:
    """Return how a conversation of the vault gets into the archive: from its source, while that is there."""
    path = Path(read_origin(window).get("path", ""))
    if path.is_file():
        return shlex.join(["awf-archive", "checkpoint", "--transcript", str(path)])
    restored = shlex.join(["awf-archive", "restore", name, "--to", "FOLDER"])
    return f"{restored}, then awf-archive checkpoint --transcript with the file that it writes"


def _until_damage(transcripts: Iterator[Transcript]) -> Iterator[Transcript]:
    try:
        yield from transcripts
    except InputError:
        return  # damage in the source itself: its bytes are kept as they were


def _leftovers(window: WindowVault) -> Iterator[Finding]:
    for path in window.unnamed(window.segments()):
        yield Finding(
            code="leftover", path=str(path), message="The ledger does not name this file.", remedy=REPAIR
        )
    if window.is_torn():
        message = "Its last line is cut off, and names nothing."
        yield Finding(code="leftover", path=str(window.ledger), message=message, remedy=REPAIR)


def prove(archive: Archive, vault: Vault) -> Proof:
    """Check every window of the vault; what looks wrong is looked at once more while nothing else writes."""
    proof = look(archive, vault)
    suspects = proof.suspects()
    if suspects:
        try:
            with holding(archive.layout.lock):
                proof.sessions = _sessions(archive)
                for window in suspects:
                    proof.check(window)
        except DiskError:
            pass  # a medium that cannot be written: nobody else writes there either
    return proof


def look(archive: Archive, vault: Vault, *, with_texts: bool = False) -> Proof:
    """Check every window of the vault once."""
    proof = _proof(archive, vault, with_texts=with_texts)
    for window in vault.windows():
        proof.check(window)
    return proof


def unsaved(archive: Archive, vault: Vault) -> Iterator[Finding]:
    """Yield the conversations that the vault holds and that no session is of; the bytes of others stay unread."""
    proof = _proof(archive, vault, with_texts=False)
    named = {window for _, manifest in archive.sound() for one in manifest.sessions for window in one.windows}
    for window in vault.windows():
        kept = proof.sharing.get(window.folder.name) or {_conversation(read_origin(window))}
        if kept - named:
            proof.check(window)
            yield from (one for one in proof.findings[window] if one.code == "unsaved")


def _proof(archive: Archive, vault: Vault, *, with_texts: bool) -> Proof:
    sharing: dict[str, set[str]] = {}
    for origin in map(read_origin, vault.origins()):
        if "in" in origin:
            sharing.setdefault(origin["in"], set()).add(_conversation(origin))
    return Proof(archive=archive, sessions=_sessions(archive), sharing=sharing, with_texts=with_texts)


def _conversation(origin: Mapping[str, str]) -> str:
    """Return a kept conversation's id: its vault's name bears more where it is a copy, or one of two by that name."""
    name = origin.get("window", "").split(" ")[0]
    copied = [one for one in LOSSY if name == vault_name(name.removesuffix(f"+{one}"), one)]
    return name.removesuffix(f"+{copied[0]}") if copied else name


def _sessions(archive: Archive) -> dict[str, list[tuple[str, Session]]]:
    found: dict[str, list[tuple[str, Session]]] = {}
    for feature in archive.features():
        try:
            entries = archive.require(feature).sessions
        except ArchiveError:
            continue  # reported where the manifest is checked
        for entry in entries:
            if not entry.windows:
                continue
            try:
                session = archive.session(feature, entry)
            except ArchiveError:
                continue  # reported with its session
            for window in dict.fromkeys((session.source.window, *entry.windows)):
                found.setdefault(window, []).append((feature, session))
    return found
