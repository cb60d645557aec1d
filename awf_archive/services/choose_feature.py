"""One rule for checkpoint, hooks and import: under which feature a window is saved (SPEC 1.1)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from awf_archive.domain.features import (
    DEFAULT_FEATURE,
    FeatureRule,
    check_feature,
    feature_in_command,
    feature_of_branch,
)
from awf_archive.domain.ids import WindowId
from awf_archive.domain.manifest import Manifest
from awf_archive.domain.transcript import Transcript, prompt_text
from awf_archive.errors import FeatureNameError
from awf_archive.store.archive import Archive

Ask: TypeAlias = Callable[[list[str]], str]
"""Asks the user, offering the existing features; only where there is a terminal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What the caller says about the feature."""

    given: str | None = None
    ask: Ask | None = None
    default: str = DEFAULT_FEATURE


def choose_feature(archive: Archive, transcript: Transcript, wish: Wish) -> tuple[str, FeatureRule]:
    """Return the feature and the rule that chose it.

    Raises FeatureNameError for an unsafe name, also for one that differs from an existing one only in case.
    """
    if wish.given is not None:
        return _alone(check_feature(wish.given), archive.layout.specs()), FeatureRule.OPTION
    if saved := saved_under(archive, transcript.windows[:1]):
        return saved, FeatureRule.SAVED
    specs = archive.layout.specs()
    if named := _named_in_chat(transcript, specs):
        return _twin(named, specs) or named, FeatureRule.CHAT
    if of_branch := feature_of_branch(transcript.git_branch, specs):
        return of_branch, FeatureRule.BRANCH
    if wish.ask is not None:
        return _alone(check_feature(wish.ask(specs) or wish.default), specs), FeatureRule.ASKED
    return _twin(wish.default, specs) or check_feature(wish.default), FeatureRule.DEFAULT


def _twin(name: str, specs: list[str]) -> str | None:
    """Return the existing feature that differs from `name` only in case: some systems give both one folder."""
    same = [one for one in specs if one.casefold() == name.casefold()]
    return None if name in same or not same else same[0]


def _alone(name: str, specs: list[str]) -> str:
    if twin := _twin(name, specs):
        raise FeatureNameError(
            f"{name}: there is a feature {twin} already, and on some systems both would be one folder.",
            f"Use --feature {twin!r}, or a name that differs in more than its case.",
        )
    return name


def saved_under(archive: Archive, windows: tuple[WindowId, ...]) -> str | None:
    """Return the feature whose archive holds the window, by its own id first, then as another's guest."""
    manifests = [(name, manifest) for name in archive.features() if (manifest := archive.manifest(name))]
    for matches in (_owns, _mentions):
        for name, manifest in manifests:
            if any(matches(manifest, window) for window in windows):
                return name
    return None


def _owns(manifest: Manifest, window: WindowId) -> bool:
    return any(entry.windows[:1] == (window,) for entry in manifest.sessions)


def _mentions(manifest: Manifest, window: WindowId) -> bool:
    return any(window in entry.windows for entry in manifest.sessions)


_LONGEST_COMMAND = 120


def _named_in_chat(transcript: Transcript, specs: list[str]) -> str | None:
    """Return the name given with the latest save or resume command in the chat."""
    for outline in reversed(transcript.outlines):
        if outline.prompt_size > _LONGEST_COMMAND:
            continue
        if named := feature_in_command(prompt_text(transcript.load(outline).user), specs):
            return named
    return None
