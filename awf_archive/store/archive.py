"""Reading the archive: everything goes through the manifest, so a reader never sees half a checkpoint."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import cast

from awf_archive.domain import turn_file
from awf_archive.domain.decisions import Decision
from awf_archive.domain.ids import Digest, GlobalTurn, SessionId, TurnId
from awf_archive.domain.manifest import ChunkEntry, Manifest, SessionEntry
from awf_archive.domain.session import Session, TurnEntry
from awf_archive.domain.transcript import Json
from awf_archive.errors import DamagedArchiveError, DiskError, NoArchiveError
from awf_archive.store.layout import METADATA, Layout, turn_name

_REMEDY = "awf-archive repair mends what it can; git or a backup has the file too."


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """The saved conversations of one workspace, for reading."""

    layout: Layout

    def features(self) -> list[str]:
        """Return the features that hold an archive, sorted."""
        return self.layout.features()

    def damaged(self) -> dict[str, DamagedArchiveError]:
        """Return the features whose manifest does not read, with what is wrong: the others go on without them."""
        found: dict[str, DamagedArchiveError] = {}
        for feature in self.features():
            try:
                self.manifest(feature)
            except DamagedArchiveError as problem:
                found[feature] = problem
        return found

    def sound(self) -> Iterator[tuple[str, Manifest]]:
        """Yield the features whose manifest reads, sorted."""
        for feature in self.features():
            try:
                manifest = self.manifest(feature)
            except DamagedArchiveError:
                continue  # `damaged` tells; one feature's bad day is not the others'
            if manifest is not None:
                yield feature, manifest

    def manifest(self, feature: str) -> Manifest | None:
        """Return a feature's manifest, or None when nothing was ever saved.

        Raises DamagedArchiveError when the file is there and does not read, or a link leads out of the archive.
        """
        path = self.layout.manifest(feature)
        layout = self.layout
        self._refuse_links(
            layout.spec(feature), path.parent, layout.conversations(feature), layout.sessions(feature)
        )
        data = read_bytes(path)
        if data is None:
            return None
        try:
            return _manifest_of(data)
        except (ValueError, KeyError, TypeError) as problem:
            raise self._damaged(path, problem) from problem

    def require(self, feature: str) -> Manifest:
        """Return a feature's manifest. Raises NoArchiveError when there is none."""
        manifest = self.manifest(feature)
        if manifest is None:
            known = ", ".join(self.features()) or "none yet"
            raise NoArchiveError(
                f"{feature}: nothing was saved under this feature.",
                f"Features with an archive: {known}.",
            )
        return manifest

    def session(self, feature: str, entry: SessionEntry) -> Session:
        """Return a session's metadata, no further than the manifest says it reaches.

        A session of the original skill has no list of turns in its metadata: they are taken from the folder.
        Raises DamagedArchiveError when the file is missing or does not read.
        """
        path = self.layout.session(feature, entry.session_id) / METADATA
        self._refuse_links(path.parent)
        data = read_bytes(path)
        if data is None:
            raise DamagedArchiveError(
                f"{self.layout.relative(path)}: missing, though the manifest names its session.",
                _REMEDY,
            )
        try:
            session = Session.from_json(parse_object(data))
        except (ValueError, KeyError, TypeError) as problem:
            raise self._damaged(path, problem) from problem
        if not session.turns:
            return replace(session, turns=self._turns_of_folder(path.parent, entry))
        return session.with_turns(tuple(one for one in session.turns if one.turn <= entry.global_range[1]))

    def sessions(
        self, feature: str, turns: tuple[int, int] | None = None
    ) -> Iterator[tuple[SessionEntry, Session]]:
        """Yield every session that is on disk, in order; the original skill may have removed older ones.

        With a range of turns, only sessions that hold one of them are opened.
        """
        for entry in self.require(feature).sessions:
            first, last = entry.global_range
            if turns and (last < turns[0] or first > turns[1]):
                continue
            if (self.layout.session(feature, entry.session_id) / METADATA).exists():
                yield entry, self.session(feature, entry)

    def turn_path(self, feature: str, session_id: SessionId, turn: TurnEntry) -> Path:
        """Return where a turn's file lies."""
        return self.layout.session(feature, session_id) / turn.file

    def turn(self, feature: str, session_id: SessionId, turn: TurnEntry) -> turn_file.TurnFile:
        """Return a turn. Raises DamagedArchiveError when its file is missing or does not read."""
        return self._turn_file(self.turn_path(feature, session_id, turn))

    def versions(self, feature: str, session_id: SessionId, turn: TurnEntry) -> Iterator[turn_file.TurnFile]:
        """Yield a turn as it is, then as it was before it grew. Raises DamagedArchiveError like `turn`."""
        folder = self.layout.session(feature, session_id)
        for name in (turn.file, *(one.file for one in reversed(turn.revisions))):
            yield self._turn_file(folder / name)

    def _turn_file(self, path: Path) -> turn_file.TurnFile:
        data = read_bytes(path)
        if data is None:
            raise DamagedArchiveError(
                f"{self.layout.relative(path)}: missing, though the metadata names it.",
                _REMEDY,
            )
        try:
            return turn_file.read(data)
        except ValueError as problem:
            raise self._damaged(path, problem) from problem

    def resolve(self, feature: str, number: int) -> tuple[str, int]:
        """Return where a global number is now: turns may have moved to another feature, and on from there."""
        seen: set[tuple[str, int]] = set()
        while (feature, number) not in seen:
            seen.add((feature, number))
            manifest = self.manifest(feature)
            there = manifest.moved_to(number) if manifest else None
            if there is None:
                break
            feature, number = there
        return feature, number

    def find(self, feature: str, number: int) -> tuple[Session, TurnEntry]:
        """Return the session and turn of a global number. Raises NoArchiveError when there is none."""
        manifest = self.require(feature)
        entry = manifest.holding(number)
        session = self.session(feature, entry) if entry else None
        for turn in session.turns if session else ():
            if session and turn.turn == number:
                return session, turn
        raise NoArchiveError(
            f"{feature}#{number}: there is no such turn.",
            f"{feature} holds the turns 1 to {manifest.last_end}.",
        )

    def decisions(self, feature: str) -> tuple[Decision, ...]:
        """Return a feature's decisions whose turns exist here, in order of their ids."""
        return tuple(one for one in self.all_decisions(feature) if not one.moved_to)

    def all_decisions(self, feature: str) -> tuple[Decision, ...]:
        """Return a feature's decisions, also those whose turns went to another feature."""
        path = self.layout.decisions(feature)
        data = read_bytes(path)
        manifest = self.manifest(feature)
        if data is None or manifest is None:
            return ()
        try:
            entries = cast("list[dict[str, Json]]", parse_object(data)["decisions"])
            found = tuple(Decision.from_json(entry) for entry in entries)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
            raise self._damaged(path, problem) from problem
        return tuple(decision for decision in found if decision.turn <= manifest.last_end)

    def chunk(self, feature: str, chunk: ChunkEntry) -> str:
        """Return a chunk's Markdown. Raises DamagedArchiveError when its file is missing."""
        path = self.layout.conversations(feature) / chunk.file
        data = read_bytes(path)
        if data is None:
            raise DamagedArchiveError(
                f"{self.layout.relative(path)}: missing, though the manifest names it.",
                _REMEDY,
            )
        return data.decode(errors="replace")

    def _turns_of_folder(self, folder: Path, entry: SessionEntry) -> tuple[TurnEntry, ...]:
        """Make entries for the turn files of the original skill, which lists none.

        It named them by their number in the session, or by their number in the feature.
        """
        first, last = entry.global_range
        is_local = first == 1 or (folder / turn_name(1)).exists()
        found = []
        for local, number in enumerate(range(first, last + 1), 1):
            name = turn_name(local if is_local else number)
            data = read_bytes(folder / name)
            if data is not None:
                digest = Digest(sha256(data).hexdigest())
                found.append(
                    TurnEntry(
                        local=local,
                        turn=GlobalTurn(number),
                        file=name,
                        sha256=digest,
                        source_id=TurnId(""),
                        fingerprint=digest,
                        prompt_sha256=Digest(""),
                    )
                )
        return tuple(found)

    def _refuse_links(self, *folders: Path) -> None:
        """Raise DamagedArchiveError when a link leads out of the workspace: nothing is read or written there."""
        for folder in filter(Path.is_symlink, folders):
            roots = {self.layout.root.resolve(), self.layout.archive.resolve()}
            if not roots.intersection(folder.resolve().parents):
                raise DamagedArchiveError(
                    f"{self.layout.relative(folder)}: is a link that leads out of the workspace.",
                    "Put the folder itself there.",
                )

    def _damaged(self, path: Path, problem: Exception) -> DamagedArchiveError:
        return DamagedArchiveError(
            f"{self.layout.relative(path)}: does not read ({type(problem).__name__}: {problem}).",
            _REMEDY,
        )


@lru_cache(maxsize=16)
def _manifest_of(data: bytes) -> Manifest:
    """Read a manifest; one checkpoint asks six times, and an import of 661 windows spent half its time on it."""
    return Manifest.from_json(parse_object(data))


def read_bytes(path: Path) -> bytes | None:
    """Return a file's bytes, or None when there is no such file.

    Raises DiskError when it cannot be read, DamagedArchiveError for a link: in a cloned archive it could lead
    to any file of ours, which would then stand on a site.
    """
    try:
        if path.is_symlink():
            raise DamagedArchiveError(
                f"{path}: is a link; the archive has none.", "Put the file itself there."
            )
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as problem:
        raise DiskError(
            f"{path}: cannot be read ({problem.strerror}).", "Check its permissions."
        ) from problem


def parse_object(data: bytes) -> dict[str, Json]:
    """Return the JSON object in `data`. Raises ValueError when it is anything else."""
    value = json.loads(data)
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")  # noqa: TRY004 - callers treat all bad bytes alike
    return value
