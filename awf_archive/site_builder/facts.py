"""What lists, charts and other pages say of a session: small, kept between builds, made from its fragment.

A build of 5 000 sessions that changes one must not read the other 4 999 (site.md 2.3).
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import Any

from awf_archive.domain.session import Session
from awf_archive.render.cache import Fragment
from awf_archive.render.clean import one_line
from awf_archive.render.turn import RenderedTurn
from awf_archive.site_builder.places import plan_pages


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFacts:
    """One readable session, without its text."""

    stamp: str
    """Of the files it was made from."""
    key: str
    """Of its fragment; empty when a turn did not read."""
    title: str
    date: str
    """When it began; "" when nothing says so."""
    last_date: str
    turns: int
    starts: tuple[int, ...]
    """First turn of each of its pages."""
    topics: tuple[str, ...] = ()
    phase: str = ""
    format: str = ""
    partial: bool = False
    """Of some turns only the prompts are known."""
    models: tuple[str, ...] = ()
    continues: str = ""
    tokens: Mapping[str, int] = field(default_factory=dict)
    hours: Mapping[str, int] = field(default_factory=dict)
    """Turns begun in each hour, as `2026-01-30T10` in UTC."""
    tools: Mapping[str, int] = field(default_factory=dict)
    failed: int = 0
    """Tool calls that answered with an error."""
    answered: Mapping[str, int] = field(default_factory=dict)
    """Turns by model."""
    masked: Mapping[str, int] = field(default_factory=dict)
    """Masked secrets in its turns, by kind."""
    files: Mapping[str, list[int]] = field(default_factory=dict)
    """Local numbers of the turns that touched each path."""

    def to_json(self) -> dict[str, Any]:
        """Return the object that the cache keeps; what is empty is left out."""
        named = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: value for name, value in named.items() if value}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "SessionFacts":
        """Return the facts that `to_json` gave. Raises TypeError when they are another version's."""
        lists = {name: tuple(item) for name, item in value.items() if isinstance(item, list)}
        texts = dict.fromkeys(("stamp", "key", "title", "date", "last_date"), "")
        return cls(**{"turns": 0, "starts": (), **texts, **value, **lists})


def facts_of(session: Session, fragment: Fragment, stamp: str) -> SessionFacts:
    """Return what is to be known of a session once it is rendered."""
    turns = fragment.turns
    first = next((turn.time for turn in turns if turn.time), "") or session.created_at
    return SessionFacts(
        stamp=stamp if fragment.key else "",
        key=fragment.key,
        title=one_line(session.title, 160)
        or next((turn.title for turn in turns if turn.title), session.session_id),
        date=first,
        last_date=max((turn.time for turn in turns if turn.time), default=first),
        turns=len(turns),
        starts=plan_pages((turn.local, turn.size) for turn in turns),
        topics=tuple(one_line(topic, 300) for topic in session.summary.topics[:12]),
        phase=one_line(session.phase, 40),
        format=one_line(session.source.format, 40),
        partial=session.source.partial,
        models=tuple(dict.fromkeys(name for turn in turns for name in turn.models)),
        continues=session.continues or "",
        tokens={name: count for name, count in session.tokens.items() if count},
        hours=Counter(filter(None, map(_hour, turns))),
        tools=Counter(name for turn in turns for name in turn.tools),
        failed=sum(turn.failed for turn in turns),
        answered=Counter(name for turn in turns for name in dict.fromkeys(turn.models)),
        masked=sum((Counter(turn.masked) for turn in turns), Counter()),
        files=_files(turns),
    )


def _hour(turn: RenderedTurn) -> str:
    try:
        moment = datetime.fromisoformat(turn.time)
    except ValueError:
        return ""
    return (moment.astimezone(UTC) if moment.tzinfo else moment).isoformat()[:13]


def _files(turns: Iterable[RenderedTurn]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for turn in turns:
        for path in dict.fromkeys(turn.files):
            found.setdefault(path, []).append(turn.local)
    return found
