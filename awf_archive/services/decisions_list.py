"""Which decisions are asked for: by feature, status, date, who decided, words; and one by its name."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from awf_archive.domain.decisions import Decision, Status
from awf_archive.domain.decisions.joining import normalised
from awf_archive.domain.decisions.records import named_id
from awf_archive.errors import ArchiveError, NoArchiveError, UsageError
from awf_archive.services.decisions_changes import require
from awf_archive.services.decisions_file import readable_decisions
from awf_archive.store.archive import Archive

_NAMED = re.compile(r"(?s)(?P<feature>.+?)[\s/#]+(?P<id>D-?\d+)", re.IGNORECASE)

_ORDER = (Status.ACCEPTED, Status.PROPOSED, Status.SUPERSEDED, Status.REJECTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a list is narrowed to; empty parts narrow nothing."""

    feature: str = ""
    statuses: tuple[Status, ...] = ()
    since: str = ""
    """`2026-01-31`: on this day or later."""
    until: str = ""
    by: str = ""
    text: str = ""
    """Words that all stand in its text, reason or options, with or without marks."""

    def holds(self, one: Decision) -> bool:
        """Whether a decision is asked for."""
        words = normalised("\n".join((one.id, one.text, one.reason, *one.options)))
        return (
            (not self.statuses or one.status in self.statuses)
            and (not self.since or one.date[: len(self.since)] >= self.since)
            and (not self.until or (bool(one.date) and one.date[: len(self.until)] <= self.until))
            and (not self.by or one.by == self.by)
            and all(word in words for word in normalised(self.text).split())
        )


def asked_for(archive: Archive, asked: Asked) -> list[Decision]:
    """Return the decisions asked for, feature by feature, those that stand first, in order of their ids.

    Raises UsageError for a day that is none.
    """
    _check_day("since", asked.since)
    _check_day("until", asked.until)
    if asked.feature:
        archive.require(asked.feature)
    features = [asked.feature] if asked.feature else [name for name, _ in archive.sound()]
    return [
        one
        for feature in features
        for one in by_standing(readable_decisions(archive, feature))
        if asked.holds(one)
    ]


_DAY = re.compile(r"\d{4}(-\d\d(-\d\d)?)?", re.ASCII)


def _check_day(option: str, value: str) -> None:
    """Refuse what is no day, month or year. Raises UsageError."""
    if value and not _is_day(value):
        raise UsageError(
            f"--{option} {value}: not a day, month or year.", "Write it like 2026-01-31, 2026-01 or 2026."
        )


def _is_day(value: str) -> bool:
    try:
        first = date.fromisoformat(value + "0000-01-01"[len(value) :])
    except ValueError:
        return False
    return bool(_DAY.fullmatch(value)) and first.isoformat().startswith(value)


def by_standing(decisions: tuple[Decision, ...]) -> list[Decision]:
    """Return decisions with the accepted first, then the proposed; each kind as it was."""
    return sorted(decisions, key=lambda one: _ORDER.index(one.status))


def to_review(archive: Archive, feature: str = "") -> Iterator[Decision]:
    """Yield what waits for a person's word: proposed ones, and those that seem to replace another."""
    for one in asked_for(archive, Asked(feature=feature)):
        stands = one.status in {Status.PROPOSED, Status.ACCEPTED}
        if one.status is Status.PROPOSED or (stands and one.may_supersede):
            yield one


def place_of(archive: Archive, name: str, feature: str = "") -> tuple[str, str]:
    """Return the feature and id that a person means by `D-003`, `3`… or `payment-retry/D-003`.

    Raises UsageError when several features hold that id, NoArchiveError when none does.
    """
    if (match := _NAMED.fullmatch(name.strip())) and not feature:
        feature, name = match["feature"].strip(), match["id"]
    number = named_id(name)
    if not number:
        raise UsageError(
            f"{name}: is no decision's name.", "They are called D-001, D-002 …: awf-archive decisions."
        )
    if feature:
        archive.require(feature)
        return feature, require(archive.all_decisions(feature), number, feature).id
    holding = [one for one, _ in archive.sound() if _holds(archive, one, number)]
    if not holding:
        raise NoArchiveError(f"{number}: there is no such decision.", "awf-archive decisions lists them.")
    if len(holding) > 1:
        raise UsageError(
            f"{number}: {', '.join(holding)} each hold one.",
            f"Say which: awf-archive decisions show {holding[0]}/{number}",
        )
    return holding[0], number


def _holds(archive: Archive, feature: str, number: str) -> bool:
    try:
        return any(one.id == number for one in archive.decisions(feature))
    except ArchiveError:
        return False  # `verify` tells; the other features can be asked all the same
