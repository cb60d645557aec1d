"""Two people's archives of one feature become one: nothing is lost, nothing is doubled (docs/git.md).

Turns are known by the source's ids. What the other side has beyond ours follows ours under new numbers; each step
is committed like a checkpoint, so that a merge that was stopped is finished by running it again.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from awf_archive.domain import turn_file
from awf_archive.domain.escape import json_pages
from awf_archive.domain.ids import Digest, GlobalTurn, SessionId
from awf_archive.domain.manifest import ChunkEntry, Manifest, SessionEntry, next_number
from awf_archive.domain.merged_numbers import MERGED, with_old_numbers
from awf_archive.domain.numbering import plan_numbers
from awf_archive.domain.session import Revision, Session, TurnEntry
from awf_archive.domain.transcript import Json
from awf_archive.domain.wording import Wording
from awf_archive.errors import DamagedArchiveError
from awf_archive.services.commit import Committer, next_chunk, with_digest
from awf_archive.services.decisions_file import write_decisions
from awf_archive.services.merge_conflicts import DecisionConflict, bring, keep
from awf_archive.services.merge_decisions import merged_decisions
from awf_archive.services.merge_turns import TurnPair, settled
from awf_archive.services.recover import recover
from awf_archive.services.repair_manifest import with_watermarks
from awf_archive.store import atomic
from awf_archive.store.archive import Archive, read_bytes
from awf_archive.store.layout import ATTACHMENTS, METADATA, revision_name, session_name, turn_name
from awf_archive.store.lock import Lock


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """Both archives, and how to commit into ours."""

    ours: Archive
    theirs: Archive
    before: Archive
    """The decisions of the commit from which both went on."""
    lock: Lock
    now: str
    words: Wording
    threshold: int
    commit: str
    """Short name of the other side's commit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A session of the other side's, or what was new in it."""

    session: SessionId
    """Its name here."""
    formerly: tuple[int, int]
    numbers: tuple[int, int]


@dataclass(slots=True, kw_only=True)
class FeatureMerge:
    """What a merge did in one feature."""

    feature: str
    taken: list[Taken] = field(default_factory=list)
    grown: int = 0
    """Turns of which the other side knew more, or else."""
    decisions: int = 0
    chunks: int = 0
    conflicts: list[DecisionConflict] = field(default_factory=list)
    """Decisions that both sides changed, and that were not told of before."""

    @property
    def changed(self) -> bool:
        """Whether anything came in."""
        return bool(self.taken or self.grown or self.decisions or self.chunks or self.conflicts)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    feature: str
    session: Session
    entry: TurnEntry


def merge_feature(sides: Sides, feature: str) -> FeatureMerge:
    """Take in what the other side has of a feature and ours lacks. Raises DamagedArchiveError, DiskError."""
    return _Merging(sides=sides, feature=feature, done=FeatureMerge(feature=feature)).run()


@dataclass(slots=True, kw_only=True)
class _Merging:
    sides: Sides
    feature: str
    done: FeatureMerge
    known: dict[str, _Place] = field(default_factory=dict)
    """Every turn of ours, also in other features, by what it is known by."""
    numbers: dict[int, tuple[int, SessionId]] = field(default_factory=dict)
    """From the other side's numbers to ours."""
    names: dict[SessionId, SessionId] = field(default_factory=dict)
    """From the other side's sessions to ours."""

    @property
    def committer(self) -> Committer:
        """Commits into ours."""
        sides = self.sides
        return Committer(
            archive=sides.ours, feature=self.feature, lock=sides.lock, now=sides.now, words=sides.words
        )

    def run(self) -> FeatureMerge:
        """Merge; return what came in."""
        ours, theirs = self.sides.ours, self.sides.theirs
        manifest = ours.manifest(self.feature) or Manifest(spec_id=self.feature)
        other = theirs.require(self.feature)
        manifest = recover(self.committer, manifest, (), self.sides.threshold).manifest
        self.known = dict(_known(ours))
        new = [(entry, session, self._sort(session)) for entry, session in theirs.sessions(self.feature)]
        manifest = self._grow(manifest, [session for _, session, _ in new])
        manifest = self._adopt_chunks(_with_unknown_keys(manifest, other), other)
        for entry, session, turns in new:
            if turns:
                manifest = self._append(manifest, entry, session, turns)
        conflicts = self._decide(manifest.last_end)
        bring(theirs.layout, ours.layout, self.feature)
        self.done.conflicts = keep(ours.layout, self.feature, conflicts, self.sides.commit)
        if manifest != ours.manifest(self.feature):
            self.committer.prepare_folders()
            self.committer.write_manifest(replace(with_watermarks(manifest), last_updated=self.sides.now))
        return self.done

    def _sort(self, session: Session) -> list[TurnEntry]:
        """Return the turns of a session that ours lacks; note where the others are."""
        new = []
        for turn in session.turns:
            place = self.known.get(_key(session, turn))
            if place is None:
                new.append(turn)
            elif place.feature == self.feature:
                self.numbers[turn.turn] = place.entry.turn, place.session.session_id
                self.names[session.session_id] = place.session.session_id
        return new

    def _grow(self, manifest: Manifest, sessions: Iterable[Session]) -> Manifest:
        """Bring turns that both sides have to what either knows of them."""
        changed: dict[SessionId, dict[int, TurnEntry]] = {}
        for session in sessions:
            for turn in session.turns:
                place = self.known.get(_key(session, turn))
                if place is None or place.feature != self.feature:
                    continue
                pair = TurnPair(
                    folder=self.sides.ours.layout.session(self.feature, place.session.session_id),
                    other_folder=self.sides.theirs.layout.session(self.feature, session.session_id),
                    session_id=place.session.session_id,
                    entry=place.entry,
                    other=turn,
                )
                entry = settled(pair)
                if entry != place.entry:
                    changed.setdefault(place.session.session_id, {})[entry.local] = entry
        for session_id, entries in changed.items():
            manifest = self._renew(manifest, session_id, entries)
        return manifest

    def _renew(self, manifest: Manifest, session_id: SessionId, entries: Mapping[int, TurnEntry]) -> Manifest:
        listed = manifest.session(session_id)
        if listed is None:
            return manifest
        session = self.sides.ours.session(self.feature, listed)
        turns = tuple(entries.get(one.local, one) for one in session.turns)
        digest = self.committer.write_metadata(replace(session, turns=turns))
        manifest = with_digest(manifest, session_id, digest, self.sides.now)
        self.committer.write_manifest(manifest)
        self.done.grown += len(entries)
        return manifest

    def _adopt_chunks(self, manifest: Manifest, other: Manifest) -> Manifest:
        """Take summaries of turns that bear the same numbers here; others are kept beside, and made anew."""
        for chunk in other.chunks:
            first, last = chunk.turn_range
            text = read_bytes(self.sides.theirs.layout.conversations(self.feature) / chunk.file)
            if text is None or self._has_chunk(manifest, chunk, text):
                continue
            is_common = all(
                self.numbers.get(number, (0, ""))[0] == number for number in range(first, last + 1)
            )
            if first == manifest.last_chunked + 1 and is_common:
                manifest = self._with_chunk(manifest, chunk, text)
            elif not (kept := self._beside(chunk, text)).exists():
                atomic.write(kept, text)
                self.done.chunks += 1
        return manifest

    def _beside(self, chunk: ChunkEntry, text: bytes) -> Path:
        name = f"{chunk.chunk_id}-{sha256(text).hexdigest()[:8]}.md"
        return self.sides.ours.layout.conversations(self.feature) / "merged" / name.replace("/", "-")

    def _has_chunk(self, manifest: Manifest, chunk: ChunkEntry, text: bytes) -> bool:
        folder = self.sides.ours.layout.conversations(self.feature)
        return any(
            one.turn_range == chunk.turn_range and read_bytes(folder / one.file) == text
            for one in manifest.chunks
        )

    def _with_chunk(self, manifest: Manifest, chunk: ChunkEntry, text: bytes) -> Manifest:
        layout = self.sides.ours.layout
        chunk_id = next_chunk(manifest)
        path = layout.chunk(self.feature, chunk_id)
        atomic.write(path, text)
        plain = read_bytes(self.sides.theirs.layout.plain_chunk(self.feature, chunk.chunk_id))
        if chunk.made_by and plain is not None:
            atomic.write(layout.plain_chunk(self.feature, chunk_id), plain)
        file = path.relative_to(layout.conversations(self.feature)).as_posix()
        self.done.chunks += 1
        return replace(
            manifest,
            chunks=(*manifest.chunks, replace(chunk, chunk_id=chunk_id, file=file)),
            last_chunked=chunk.turn_range[1],
        )

    def _append(
        self, manifest: Manifest, entry: SessionEntry, session: Session, turns: list[TurnEntry]
    ) -> Manifest:
        """Add what is new of a session behind ours, and commit it."""
        layout, start = self.sides.ours.layout, manifest.last_end + 1
        on_disk = [path.name for path in layout.sessions(self.feature).glob("session-*")]
        session_id = session_name(next_number([*(one.session_id for one in manifest.sessions), *on_disk]))
        with atomic.staging(layout.session(self.feature, session_id)) as staged:
            copied = _Copy(self, session, session_id, staged.folder)
            entries = tuple(copied.turn(turn, start + at, at + 1) for at, turn in enumerate(turns))
            merged = self._described(session, session_id, turns, entries)
            data = json_pages(merged.to_json())
            atomic.write_new(staged.folder / METADATA, data)
        for turn, one in zip(turns, entries, strict=True):
            self.numbers[turn.turn] = one.turn, session_id
            self.known[_key(session, turn)] = _Place(feature=self.feature, session=merged, entry=one)
        self.names[session.session_id] = session_id
        numbers = plan_numbers(
            last_end=manifest.last_end,
            last_chunked=manifest.last_chunked,
            new=len(entries),
            threshold=self.sides.threshold,
        )
        self._decide(numbers.end)
        self.committer.prepare_folders()
        manifest = with_old_numbers(manifest, entries, self.sides.commit)
        digest = Digest(sha256(data).hexdigest())
        manifest, _ = self.committer.with_session(manifest, merged, digest, numbers)
        manifest = _with_extra(manifest, session_id, entry.extra)
        self.committer.write_manifest(manifest)
        self.done.taken.append(
            Taken(
                session=session_id,
                formerly=(turns[0].turn, turns[-1].turn),
                numbers=(numbers.start, numbers.end),
            )
        )
        return manifest

    def _described(
        self, session: Session, session_id: SessionId, turns: list[TurnEntry], entries: tuple[TurnEntry, ...]
    ) -> Session:
        """Return a session's metadata for its place here; tokens of a part are not known apart."""
        is_whole = len(entries) == len(session.turns)
        numbers = {old.turn: new.turn for old, new in zip(turns, entries, strict=True)}
        problems = (
            replace(one, turn=numbers.get(GlobalTurn(one.turn), 0))
            for one in session.problems
            if not one.turn or one.turn in numbers
        )
        before = session.continues if is_whole else session.session_id
        return replace(
            session,
            session_id=session_id,
            global_range=(entries[0].turn, entries[0].turn),
            continues=self.names.get(before) if before else None,
            tokens=session.tokens if is_whole else {},
            problems=tuple(problems),
            turns=(),
        ).with_turns(entries)

    def _decide(self, last_end: int) -> tuple[DecisionConflict, ...]:
        """Take in the decisions whose turns are here; return where the sides do not agree."""
        sides = self.sides
        ours, theirs, before = (
            one.all_decisions(self.feature) for one in (sides.ours, sides.theirs, sides.before)
        )
        merged = merged_decisions(ours, theirs, self.numbers, last_end, before)
        if merged.decisions != ours:
            write_decisions(sides.ours.layout, self.feature, merged.decisions)
            self.done.decisions += len(merged.decisions) - len(ours)
        return merged.conflicts


@dataclass(frozen=True, slots=True)
class _Copy:
    """Copies turns into a session's folder that is still temporary."""

    merging: _Merging
    session: Session
    session_id: SessionId
    folder: Path

    def turn(self, turn: TurnEntry, number: int, local: int) -> TurnEntry:
        """Copy a turn with its attachments and earlier texts; return its entry here."""
        theirs = self.merging.sides.theirs
        source = theirs.layout.session(self.merging.feature, self.session.session_id)
        place = turn_file.Place(
            turn=number, session=self.session_id, local=local, format=self.session.source.format
        )
        digest = self._write(source / turn.file, turn_name(local), place)
        for name in turn.attachments:
            data = read_bytes(source / ATTACHMENTS / name)
            if data is not None and not (self.folder / ATTACHMENTS / name).exists():
                atomic.write_new(self.folder / ATTACHMENTS / name, data)
        revisions = tuple(
            Revision(
                file=revision_name(local, at),
                sha256=self._write(source / one.file, revision_name(local, at), place),
            )
            for at, one in enumerate(turn.revisions, 1)
        )
        return replace(
            turn,
            local=local,
            turn=GlobalTurn(number),
            file=turn_name(local),
            sha256=digest,
            revisions=revisions,
            formerly=tuple(dict.fromkeys((*turn.formerly, int(turn.turn)))),
        )

    def _write(self, source: Path, name: str, place: turn_file.Place) -> Digest:
        data = read_bytes(source)
        if data is None:
            raise DamagedArchiveError(
                f"{source.name}: missing in {self.session.session_id} of the other side.",
                "awf-archive repair there, then commit and merge again.",
            )
        placed = turn_file.renumbered(data, place)
        atomic.write_new(self.folder / name, placed)
        return Digest(sha256(placed).hexdigest())


def _known(archive: Archive) -> Iterator[tuple[str, _Place]]:
    for feature in archive.features():
        for _, session in archive.sessions(feature):
            for entry in session.turns:
                yield _key(session, entry), _Place(feature=feature, session=session, entry=entry)


_UNIQUE = 32
"""Characters from which on an id is taken to be unique in the world; shorter ones count within their window."""


def _key(session: Session, entry: TurnEntry) -> str:
    """Return what a turn is known by on both sides."""
    if len(entry.source_id) >= _UNIQUE:
        return entry.source_id
    if entry.source_id:
        return f"{session.source.window} {entry.source_id}"
    return f"#{(entry.formerly or (entry.turn,))[0]} {entry.sha256}"  # the original skill's


def _with_unknown_keys(manifest: Manifest, other: Manifest) -> Manifest:
    """Keep keys that others wrote, on either side; where both have one, ours stands."""
    theirs = {name: value for name, value in other.extra.items() if name != MERGED}
    return replace(
        manifest,
        extra={**theirs, **manifest.extra},
        watermark_extra={**other.watermark_extra, **manifest.watermark_extra},
    )


def _with_extra(manifest: Manifest, session_id: SessionId, extra: Mapping[str, Json]) -> Manifest:
    """Keep keys that others wrote into the list of sessions."""

    def renewed(entries: tuple[SessionEntry, ...]) -> tuple[SessionEntry, ...]:
        return tuple(replace(one, extra=extra) if one.session_id == session_id else one for one in entries)

    return replace(manifest, recent=renewed(manifest.recent), archived=renewed(manifest.archived))
