"""Looking for decisions again in everything that is saved: `awf-archive decisions harvest`.

Doing it twice changes nothing: the joiner knows what is there, and what a person changed stays.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from awf_archive.brain.folder import Brain, read
from awf_archive.domain.decisions import Decision
from awf_archive.domain.decisions.joining import ADR, Shown, joined, superseded
from awf_archive.domain.features import DEFAULT_FEATURE
from awf_archive.domain.ids import WindowId
from awf_archive.domain.work_state import fields, line
from awf_archive.errors import ArchiveError
from awf_archive.services.decisions_changes import Change, change
from awf_archive.services.decisions_commit import shown_in
from awf_archive.services.decisions_context import Heard
from awf_archive.services.decisions_documents import adrs, design, of_work_state
from awf_archive.services.decisions_file import readable_decisions
from awf_archive.store.archive import Archive


@dataclass(slots=True, kw_only=True)
class Harvest:
    """What was looked at in one feature, and what came of it."""

    feature: str
    turns: int = 0
    documents: int = 0
    """Decisions that documents show."""
    added: tuple[Decision, ...] = ()
    changed: tuple[Decision, ...] = ()
    """Those known before that were renewed, said again or superseded."""
    problems: list[str] = field(default_factory=list)
    """Files that do not read; the others were looked at."""


def features_to_harvest(archive: Archive, feature: str | None) -> list[str]:
    """Return the features to look through: the one named, else all, with the one that ADR files stand in."""
    if feature:
        archive.require(feature)
        return [feature]
    names = [name for name, _ in archive.sound()]
    home = adr_home(archive)
    return names if home in names or not any(adrs(archive.layout, "")) else [*names, home]


def adr_home(archive: Archive) -> str:
    """Return the feature in which the workspace's ADR files stand.

    Where they stand already; else the only feature there is, else the one that everything without a name falls to.
    """
    names = [name for name, _ in archive.sound()]
    held = (name for name in names if any(one.found_by == ADR for one in readable_decisions(archive, name)))
    return next(held, names[0] if len(names) == 1 else DEFAULT_FEATURE)


def harvest_feature(archive: Archive, feature: str, now: str, *, dry_run: bool = False) -> Harvest:
    """Look through a feature's turns, its design and what else belongs to it; add what is not there yet.

    With `dry_run` nothing is written.
    """
    done = Harvest(feature=feature)
    before = archive.all_decisions(feature)
    harvested = _harvester(archive, feature, now, done)
    after = harvested(before) if dry_run else change(archive, feature, harvested)
    old = {one.id: one for one in before}
    done.added = tuple(one for one in after if one.id not in old)
    done.changed = tuple(one for one in after if one.id in old and one != old[one.id])
    return done


def harvest_anew(archive: Archive, feature: str, now: str, known: Sequence[Decision]) -> tuple[Decision, ...]:
    """Return what a feature's turns and documents show, beside what is `known`. Nothing is written."""
    return tuple(_harvester(archive, feature, now, Harvest(feature=feature))(known))


def _harvester(archive: Archive, feature: str, now: str, done: Harvest) -> Change:
    """Look through turns and documents; return what adds to a list of decisions those that it does not hold."""
    shown = list(_of_turns(archive, feature, done))
    documents = list(_of_documents(archive, feature, now))
    done.documents = len(documents)

    def harvested(known: Sequence[Decision]) -> Sequence[Decision]:
        after = joined(known, [*shown, *(one for one, _ in documents)], feature)
        return _replaced_files(after, documents)

    return harvested


def _of_turns(archive: Archive, feature: str, done: Harvest) -> Iterator[Shown]:
    windows: dict[WindowId, Heard] = {}
    for _, session in archive.sessions(feature) if archive.manifest(feature) else ():
        heard = windows.setdefault(session.source.window, Heard())
        for entry in session.turns:
            try:
                turn = archive.turn(feature, session.session_id, entry)
            except ArchiveError as problem:
                done.problems.append(problem.message)
                heard.forget()
                continue
            done.turns += 1
            yield from (shown_in(session.session_id, entry, one) for one in heard.harvest(entry, turn))


def _of_documents(archive: Archive, feature: str, now: str) -> Iterator[tuple[Shown, str]]:
    """Yield what documents of this feature show, and for an ADR the path of the one that replaced it.

    ADR files belong to the whole workspace and stand in one feature; the work state belongs to the one it names.
    """
    layout = archive.layout
    yield from ((one, "") for one in design(layout, feature, now))
    state = fields(read(Brain(root=layout.root).session).value)
    if line(fields(state.get("summary")).get("current_feature")) == feature:
        yield from ((one, "") for one in of_work_state(layout, state, now))
    if feature == adr_home(archive):
        yield from adrs(layout, now)


def _replaced_files(
    decisions: Sequence[Decision], documents: Sequence[tuple[Shown, str]]
) -> tuple[Decision, ...]:
    """Say which ADR took the place of which, where a file links to the one that replaced it."""
    by_path = {one.place.path: one for one in decisions if one.place and one.found_by == ADR}
    for shown, later in documents:
        old, new = by_path.get(shown.found.place.path), by_path.get(later)
        if old and new and old.id != new.id and not {"status", "supersedes"}.intersection(old.edited):
            decisions = superseded(decisions, new.id, [old.id])
    return tuple(decisions)
