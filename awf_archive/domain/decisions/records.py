"""One entry of `decisions.json`, and what a person may change of it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import cast

from awf_archive.domain.decisions.found import Place, Status
from awf_archive.domain.transcript import Json

EDITABLE = ("text", "reason", "options", "files", "status", "supersedes")
"""What a person may change; what was changed is named in `Decision.edited` and no harvest changes it again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One entry of `decisions.json`; its id is for ever."""

    id: str
    """`D-001`, counted per feature."""
    text: str
    status: Status
    feature: str
    session: str
    """"" when no turn shows it: recorded by hand, or read from a document."""
    turn: int
    """Global number; 0 when no turn shows it."""
    reason: str = ""
    options: tuple[str, ...] = ()
    date: str = ""
    by: str = ""
    found_by: str = ""
    evidence: str = ""
    place: Place | None = None
    """Where the evidence stands; None in files of older versions."""
    call_id: str = ""
    files: tuple[str, ...] = ()
    confidence: float = 1.0
    matter: str = ""
    """What it is about, as it was found; see `Found.matter`."""
    supersedes: tuple[str, ...] = ()
    superseded_by: str = ""
    may_supersede: tuple[str, ...] = ()
    """Earlier decisions on the same matter that it seems to contradict: a person says whether it replaces them."""
    also: tuple[int, ...] = ()
    """Global numbers of later turns that say the same again."""
    found_status: Status = Status.ACCEPTED
    """The status as it was found: it comes back when the user goes back to a branch that was left."""
    found_text: str = ""
    """The text as it was found, where a person changed it: known again by it when it is harvested anew."""
    edited: tuple[str, ...] = ()
    """Fields of `EDITABLE` that a person changed."""
    moved_to: str = ""
    """`feature D-004` when its turn went to another feature: the id stays taken here."""

    @property
    def original(self) -> str:
        """The text as it was found."""
        return self.found_text or self.text

    def to_json(self) -> dict[str, Json]:
        """Return the object that `decisions.json` and `--json` hold (SPEC 9)."""
        return {
            "id": self.id,
            "text": self.text,
            "reason": self.reason,
            "options": list(self.options),
            "status": self.status.value,
            "feature": self.feature,
            "session": self.session,
            "turn": self.turn,
            "date": self.date,
            "by": self.by,
            "foundBy": self.found_by,
            "evidence": self.evidence,
            "callId": self.call_id,
            "files": list(self.files),
            "confidence": self.confidence,
            "place": self.place.to_json(self.turn) if self.place else None,
            "matter": self.matter,
            "supersedes": list(self.supersedes),
            "supersededBy": self.superseded_by,
            "maySupersede": list(self.may_supersede),
            "also": list(self.also),
            "edited": list(self.edited),
            "foundStatus": self.found_status.value,
            **({"foundText": self.found_text} if self.found_text else {}),
            **({"movedTo": self.moved_to} if self.moved_to else {}),
        }

    @classmethod
    def from_json(cls, entry: Mapping[str, Json]) -> "Decision":
        """Return the decision that `to_json` of this or an older version wrote.

        Raises KeyError, TypeError or ValueError otherwise.
        """
        turn = int(cast("int", entry["turn"]))
        place = cast("Mapping[str, Json] | None", entry.get("place"))
        return cls(
            id=str(entry["id"]),
            text=str(entry["text"]),
            reason=str(entry.get("reason") or ""),
            options=_texts(entry, "options"),
            status=Status(str(entry["status"])),
            feature=str(entry["feature"]),
            session=str(entry["session"]),
            turn=turn,
            date=str(entry.get("date") or ""),
            by=str(entry.get("by") or ""),
            found_by=str(entry.get("foundBy") or ""),
            evidence=str(entry.get("evidence") or ""),
            place=Place.from_json(place, turn) if place else None,
            call_id=str(entry.get("callId") or ""),
            files=_texts(entry, "files"),
            confidence=float(cast("float", entry.get("confidence", 1.0))),
            matter=str(entry.get("matter") or ""),
            supersedes=_texts(entry, "supersedes"),
            superseded_by=str(entry.get("supersededBy") or ""),
            may_supersede=_texts(entry, "maySupersede"),
            also=tuple(int(cast("int", one)) for one in cast("list[Json]", entry.get("also") or [])),
            found_status=Status(str(entry.get("foundStatus") or Status.ACCEPTED)),
            found_text=str(entry.get("foundText") or ""),
            edited=_texts(entry, "edited"),
            moved_to=str(entry.get("movedTo") or ""),
        )


def _texts(entry: Mapping[str, Json], key: str) -> tuple[str, ...]:
    return tuple(map(str, cast("list[Json]", entry.get(key) or [])))


_ID = re.compile(r"(?i)D-?0*(\d{1,9})")


def decision_id(number: int) -> str:
    """Return the id of a decision by its number.

    >>> decision_id(7), decision_id(1000)
    ('D-007', 'D-1000')
    """
    return f"D-{number:03d}"


def named_id(text: str) -> str:
    """Return the id that a person typed as we write it; "" when it is none.

    >>> named_id("d3"), named_id("D-0012"), named_id("x")
    ('D-003', 'D-012', '')
    """
    found = _ID.fullmatch(text.strip())
    return decision_id(int(found[1])) if found else ""


def next_id(decisions: Iterable[Decision]) -> str:
    """Return the id after the highest one given so far; ids are never used again.

    >>> next_id([])
    'D-001'
    """
    numbers = (int(one.id[2:]) for one in decisions if one.id.startswith("D-") and one.id[2:].isdecimal())
    return decision_id(max(numbers, default=0) + 1)
