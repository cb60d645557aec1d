"""Ghosts: conversations of which only the prompts are left, and which of them are nowhere in full (issue 3)."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from awf_archive.domain.formats import is_nameless, is_partial
from awf_archive.domain.transcript import Outline, Transcript
from awf_archive.errors import ArchiveError
from awf_archive.services.copies import ABOUT_THEN, is_about
from awf_archive.services.save_turns import title_of
from awf_archive.store.archive import Archive


@dataclass(slots=True, kw_only=True)
class Ghosts:
    """Tells which conversations of a history are known whole."""

    _windows: dict[Path, set[str]] = field(default_factory=dict)
    """By workspace, the windows of which the archive has more than prompts."""
    _typed: dict[Path, dict[str, list[str]]] = field(default_factory=dict)
    """By workspace, the moments at which each prompt was typed in them."""

    def is_on_disk(self, history: Path, transcript: Transcript) -> bool:
        """Whether the transcript still lies beside the history, saved or not."""
        window = transcript.windows[0]
        name = "".join(mark for mark in window if mark.isalnum() or mark in "-_")
        return name == window and any(history.parent.glob(f"projects/*/{window}.jsonl"))

    def without_known(self, archive: Archive, transcript: Transcript) -> Transcript:
        """Return what of a ghost is nowhere in the archive: all of it, nothing, or some prompts of a nameless one."""
        root = archive.layout.root
        if root not in self._windows:
            self._learn(archive)
        if transcript.windows[0] in self._windows[root]:
            return replace(transcript, outlines=())
        if not is_nameless(transcript.windows[0]):
            return transcript
        left = tuple(one for one in transcript.outlines if not self._was_typed(root, transcript, one))
        return replace(transcript, outlines=left)

    def _learn(self, archive: Archive) -> None:
        windows: set[str] = set()
        typed: dict[str, list[str]] = {}
        for feature in archive.features():
            try:
                sessions = [session for _, session in archive.sessions(feature)]
            except ArchiveError:
                continue  # reported when something is saved there
            for session in sessions:
                whole = [one for one in session.turns if not is_partial(session.format_of(one))]
                if whole:
                    windows.add(session.source.window)
                for one in whole:
                    typed.setdefault(one.title, []).append(one.time)
        self._windows[archive.layout.root], self._typed[archive.layout.root] = windows, typed

    def _was_typed(self, root: Path, transcript: Transcript, outline: Outline) -> bool:
        moments = self._typed[root].get(title_of(transcript.load(outline)), [])
        return any(is_about(one, outline.time, ABOUT_THEN) for one in moments)
