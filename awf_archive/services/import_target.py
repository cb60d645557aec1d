"""Where an imported conversation goes: the workspace where it took place, and a feature (SPEC 1.1, case B16)."""

import fnmatch
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from awf_archive import config
from awf_archive.domain.features import DEFAULT_FEATURE
from awf_archive.domain.ids import WindowId
from awf_archive.domain.transcript import Transcript
from awf_archive.services.choose_feature import saved_under
from awf_archive.services.gemini_folders import gemini_folder
from awf_archive.services.import_state import ImportState
from awf_archive.services.workspace import find_workspace, is_workspace
from awf_archive.store.archive import Archive
from awf_archive.store.layout import Layout

_SERVICES = frozenset({"chatgpt", "claude-ai"})
"""They know no folder: their conversations go to the export's project, else to a feature of the format's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A workspace and what names the feature there."""

    layout: Layout
    feature: str | None
    """Named by the person or by a rule of the settings; None where SPEC 1.1's other rules decide."""
    default: str
    """The feature when none of them does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """Knows the workspaces of this machine as far as the import met them."""

    here: Layout
    """Where the command runs; conversations without a workspace of their own go here."""
    into: Layout | None
    """Everything goes here."""
    feature: str | None
    """Everything goes under this feature."""
    rules: Mapping[str, str]
    """Glob over the recorded folder → feature (setting `import_features`)."""
    state: ImportState
    _layouts: dict[str, Layout | None] = field(default_factory=dict)

    def of(self, path: Path, transcript: Transcript) -> Target:
        """Return where a conversation goes. One that was saved before stays where it is."""
        folder = transcript.cwd
        if transcript.format == "gemini-cli" and not folder:
            folder = gemini_folder(path, [str(self.here.root), *self._layouts])
        layout, default = self._place(folder, transcript)
        named = self.feature or self._ruled(folder)
        if named and saved_under(Archive(layout=layout), transcript.windows[:1]):
            named = None
        return Target(layout=layout, feature=named, default=default)

    def manifests(self, targets: Mapping[Path, set[str]]) -> list[str]:
        """Return the manifests of features by workspace."""
        known = {one.root: one for one in (*self._layouts.values(), self.into, self.here) if one}
        return [str(known[root].manifest(name)) for root in targets for name in sorted(targets[root])]

    def _ruled(self, folder: str) -> str | None:
        return next((name for glob, name in self.rules.items() if fnmatch.fnmatchcase(folder, glob)), None)

    def _place(self, folder: str, transcript: Transcript) -> tuple[Layout, str]:
        """Return the workspace of the recorded folder, and the feature when no other rule gives one."""
        elsewhere = self.into or self.here
        if transcript.format in _SERVICES or not folder:
            return elsewhere, _service_feature(transcript)
        if self.into is None and (own := self._layout_of(folder)):
            return own, DEFAULT_FEATURE
        if Path(folder) == elsewhere.root or elsewhere.root in Path(folder).parents:
            return elsewhere, DEFAULT_FEATURE
        if self.into is None and (moved := self._moved_to(transcript.windows)):
            return moved, DEFAULT_FEATURE
        return elsewhere, self.state.feature_of(folder, elsewhere.specs())

    def _layout_of(self, folder: str) -> Layout | None:
        """Return the workspace of a recorded folder; None when the folder is gone or nobody works there."""
        if folder not in self._layouts:
            is_here = Path(folder).is_absolute() and Path(folder).is_dir()
            root = find_workspace(Path(folder)) if is_here else None
            self._layouts[folder] = layout_of(root) if root and is_workspace(root) else None
        return self._layouts[folder]

    def _moved_to(self, windows: tuple[WindowId, ...]) -> Layout | None:
        """Return the workspace that holds the window already: the project was moved after it was saved."""
        others = {one.root: one for one in self._layouts.values() if one and one.root != self.here.root}
        return next((one for one in others.values() if saved_under(Archive(layout=one), windows[:1])), None)


def _service_feature(transcript: Transcript) -> str:
    if transcript.format in ("claude-code", "claude-history"):
        return DEFAULT_FEATURE
    return transcript.format


def layout_of(root: Path) -> Layout:
    """Return where the files of a workspace lie, by its own settings."""
    return Layout(root=root, archive_dir=config.load(root).archive_dir)
