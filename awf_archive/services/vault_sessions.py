"""Which turns of the vault a lost session held: told by its turn files, else by the order of what is left."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePath

from awf_archive.domain.filters import skip_reason
from awf_archive.domain.formats import Standing
from awf_archive.domain.ids import SessionId, TurnId
from awf_archive.domain.manifest import Manifest, SessionEntry, first_turn_key
from awf_archive.domain.transcript import Outline, Transcript
from awf_archive.errors import DamagedArchiveError, InputError
from awf_archive.services.keep import read_origin
from awf_archive.services.known import Known, find_known
from awf_archive.services.lost import Lost, lost_sessions, without
from awf_archive.services.session_files import Lying, lying
from awf_archive.services.vault_turns import transcripts_of
from awf_archive.store.archive import Archive
from awf_archive.store.vault import Vault, WindowVault


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovered:
    """The turns of a lost session, as the vault gives them."""

    transcript: Transcript
    """It holds these turns and no others."""
    name: str
    """Of the transcript's file."""
    continues: SessionId | None


def windows_of(vault: Vault, window: str) -> list[WindowVault]:
    """Return where the vault keeps a conversation, the chat tool's own record first, then copies of it."""
    found: dict[WindowVault, str] = {}
    for kept in vault.origins():
        origin = read_origin(kept)
        name = origin.get("window", "")
        if name == window or name.startswith((f"{window} ", f"{window}+")):
            found[WindowVault(folder=vault.root / origin["in"]) if "in" in origin else kept] = name
    return sorted(found, key=lambda one: len(found[one]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """The search for the turns of one lost session."""

    archive: Archive
    lost: Lost
    files: Mapping[int, Lying]
    """Its whole turn files, by their global numbers."""
    kin: Mapping[str, list[Lost]]
    """Its feature and those that turns moved to or came from, with their lost sessions.

    Others may hold the same conversation once more.
    """

    @property
    def entry(self) -> SessionEntry:
        """What the manifest says of it."""
        return self.lost.entry

    def found(self, vault: Vault) -> Iterator[Recovered]:
        """Yield its turns from every moment of the vault that gives all of them, the newest first.

        Use each before the next is asked for.
        """
        for kept in windows_of(vault, self.entry.windows[0]) if self.entry.windows else ():
            name = PurePath(read_origin(kept).get("path", "")).name
            try:
                for transcripts in transcripts_of(kept):
                    for transcript in _until_damage(transcripts):
                        if recovered := self._recovered(transcript, name):
                            yield recovered
            except DamagedArchiveError:
                continue  # `verify` says which segment: another copy may be whole

    def _recovered(self, transcript: Transcript, name: str) -> Recovered | None:
        formats = {one.format for one in self.files.values()}
        if transcript.windows[:1] != self.entry.windows[:1] or formats - {transcript.format}:
            return None
        chosen = self._chosen(transcript)
        if not chosen or not self._begins_right(chosen[0]):
            return None
        cut = replace(transcript, windows=self.entry.windows, outlines=tuple(chosen))
        return Recovered(transcript=cut, name=name, continues=self._continues(transcript))

    def _chosen(self, transcript: Transcript) -> list[Outline]:
        """Return its turns in order of their numbers; none unless every one is there and its place is certain."""
        numbers = range(self.entry.global_range[0], self.entry.global_range[1] + 1)
        ids = {one.source_id: number for number, one in self.files.items()}
        placed = {ids[one.id]: one for one in transcript.outlines if one.id in ids}
        missing = [number for number in numbers if number not in placed]
        if any(number in self.files for number in missing):
            return []  # a file that lies there is of a turn that this moment does not give
        if missing:
            known = self._known(transcript)
            free = [] if known is None else _unsaved(transcript, list(known.values()), set(ids))
            placed |= dict(zip(missing, free, strict=False))
            if known is None or len(free) < len(missing):
                return []
            if not _are_in_order(transcript, placed, known[self.lost.feature]):
                return []
        return [placed[number] for number in numbers]

    def _known(self, transcript: Transcript) -> Mapping[str, Known] | None:
        """Return what the kin hold of the conversation; None where another lost session hides what it held.

        Later ones of the same feature hide nothing: their turns come after these.
        """
        known = {}
        for feature, lost in self.kin.items():
            for one in lost:
                is_later = feature == self.lost.feature and one.entry.global_range >= self.entry.global_range
                if set(one.entry.windows) & set(transcript.windows) and not is_later:
                    return None
            manifest = without(self.archive.require(feature), lost)
            known[feature] = find_known(self.archive, feature, manifest, transcript)
        return known

    def _begins_right(self, first: Outline) -> bool:
        """Whether the first turn is the one that the manifest remembers; a fork's entry remembers another's."""
        key = first_turn_key(first.id, first.time, first.prompt_digest)
        others = (one for one in self._manifest().sessions if one.session_id != self.entry.session_id)
        return self.entry.first_turn in {"", key, *(one.first_turn for one in others)}

    def _continues(self, transcript: Transcript) -> SessionId | None:
        """Return the window's session before this one; of a fork's first, the one that it goes on from."""
        manifest = self._manifest()
        before = [one for one in manifest.sessions if one.global_range < self.entry.global_range]
        own = [one.session_id for one in before if one.windows[:1] == self.entry.windows[:1]]
        if own:
            return own[-1]
        lost = self.kin[self.lost.feature]
        later = [one for one in manifest.sessions if one not in before]
        hidden = [*lost, *(Lost(feature="", entry=one, problem=self.lost.problem) for one in later)]
        return find_known(self.archive, self.lost.feature, without(manifest, hidden), transcript).continues

    def _manifest(self) -> Manifest:
        return self.archive.require(self.lost.feature)


def search(archive: Archive, lost: Lost) -> Search:
    """Return the search for a lost session."""
    ours = {one.feature for one in archive.require(lost.feature).moved}
    kin = {
        feature: list(lost_sessions(archive, feature))
        for feature, manifest in archive.sound()
        if feature in {lost.feature, *ours} or lost.feature in {one.feature for one in manifest.moved}
    }
    folder = archive.layout.session(lost.feature, lost.entry.session_id)
    return Search(archive=archive, lost=lost, files=lying(folder, lost.entry), kin=kin)


def _until_damage(transcripts: Iterator[Transcript]) -> Iterator[Transcript]:
    try:
        yield from transcripts
    except InputError:
        return  # damage in the source itself: what stands before it was read


def _unsaved(transcript: Transcript, known: list[Known], named: set[TurnId]) -> list[Outline]:
    """Return the turns that no session holds and no file names, but for those that a checkpoint skips."""
    return [
        outline
        for outline in transcript.outlines
        if outline.id not in named
        and all(one.is_new(outline, keep_all=False) for one in known)
        and not skip_reason(transcript.load(outline))
    ]


def _are_in_order(transcript: Transcript, placed: Mapping[int, Outline], known: Known) -> bool:
    """Whether the numbers rise along the conversation with those of the turns around them."""
    numbers = {outline.id: number for number, outline in placed.items()}
    own = {turn: saved for turn, saved in known.turns.items() if saved.standing is Standing.OWN}
    numbers |= {turn: int(saved.entry.turn) for turn, saved in own.items()}
    order = [numbers[one.id] for one in transcript.outlines if one.id in numbers]
    return order == sorted(order)
