"""The settings, their defaults, and how the value of each is read (SPEC 8)."""

import re
import shlex
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from awf_archive.domain.team import Team
from awf_archive.errors import UsageError

LANGUAGES = ("en", "vi", "zh")

_NOTHING: Mapping[str, str] = MappingProxyType({})


class SummaryCommand(NamedTuple):
    """The program that writes summaries, and its limits (docs/summaries.md)."""

    command: tuple[str, ...] = ()
    """Program and arguments; empty for none: then summaries are made of the turns' own words."""
    seconds: int = 120
    """How long one call may take."""
    max_bytes: int = 60_000
    """How much of the turns one call gets."""
    decisions: bool = False
    """Whether it also reads the summarised turns for decisions (docs/decisions.md)."""


class Settings(NamedTuple):
    """Every setting with its value; `origins` says where it comes from.

    No dataclass: loading `dataclasses` takes 20 ms, and `recap` and every hook read settings.
    """

    language: str = ""
    """`en`, `vi` or `zh`; empty asks the locale."""
    chunk_threshold: int = 20
    """How many turns not yet summarised make a chunk due (SPEC 1.3)."""
    archive_dir: str = ".claude/spec-workflow/specs"
    """Where features lie, for teams that do not keep `.claude` in git."""
    import_features: Mapping[str, str] = _NOTHING
    """Which feature the conversations of a folder go to at an import: glob over the folder → feature."""
    every_n_turns: int = 10
    """After how many turns an auto-checkpoint is due (SPEC 5); 0 for never."""
    on_tools: tuple[str, ...] = ()
    """After which tools."""
    on_events: tuple[str, ...] = ("approval_required", "session_end")
    """On which events; `agent_abort` is another."""
    max_checkpoints: int = 50
    """How many snapshots are kept of one session."""
    ttl_seconds: int = 2_592_000
    """How old a snapshot may grow."""
    checkpoint_backend: str = "file"
    """Where snapshots go: `memory`, `file`, `sqlite` or `postgres`."""
    postgres_dsn: str = ""
    """Where PostgreSQL is; never taken from a workspace's file."""
    leaving_phrases: tuple[str, ...] = ()
    """What else a person says on leaving (SPEC 3.1)."""
    decision_phrases: tuple[str, ...] = ()
    """What else a person says on deciding."""
    vault_dir: str = ""
    """Where the vault lies; empty for the user's data folder. Never taken from a workspace's file."""
    redact: str = "view"
    """What masks secrets: `view` whatever leaves the workspace, `archive` also what is saved (docs/secrets.md)."""
    summary: SummaryCommand = SummaryCommand()
    """What writes the summaries of old turns; never taken from a workspace's file that nobody trusted."""
    team: Team = Team()
    """The team's search; never taken from a workspace's file that nobody trusted."""
    origins: Mapping[str, str] = _NOTHING
    notes: tuple[str, ...] = ()
    """What was ignored, and why."""
    wrong: Mapping[str, str] = _NOTHING
    """What is said wrong, and how: what was said before it, or the default, holds."""

    def need(self, *names: str) -> None:
        """Say that a command uses these settings. Raises UsageError when one is said wrong."""
        for name in names:
            if name in self.wrong:
                raise UsageError(self.wrong[name], "Mend it; awf-archive config shows every setting.")


def _language(value: object) -> str:
    if value not in LANGUAGES:
        raise ValueError(f"must be one of {', '.join(LANGUAGES)}")
    return str(value)


def _threshold(value: object) -> int:
    if isinstance(value, bool) or not str(value).isdecimal() or int(str(value)) < 1:
        raise ValueError("must be a whole number from 1")
    return int(str(value))


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("must be a text that is not empty")
    return value


def _texts(value: object) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
        raise ValueError('must be a table of texts, such as "*/shop" = "shop"')
    return value


def _count(value: object) -> int:
    if isinstance(value, bool) or not str(value).isdecimal():
        raise ValueError("must be a whole number from 0")
    return int(str(value))


def _list(value: object) -> tuple[str, ...]:
    """A list of texts; in the environment, one text with commas."""
    given = value.split(",") if isinstance(value, str) else value
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        raise ValueError("must be a list of texts")
    return tuple(filter(None, (one.strip() for one in given)))


_BACKENDS = ("memory", "file", "sqlite", "postgres")


def _backend(value: object) -> str:
    if value not in _BACKENDS:
        raise ValueError(f"must be one of {', '.join(_BACKENDS)}")
    return str(value)


_REDACT = ("view", "archive")


def _redact(value: object) -> str:
    if value not in _REDACT:
        raise ValueError(f"must be one of {', '.join(_REDACT)}")
    return str(value)


_LEAST_BYTES = 4_000


def _summary(value: object) -> SummaryCommand:
    """A table `[summary]`; in the environment, the command line."""
    given = {"command": shlex.split(value)} if isinstance(value, str) else value
    if not isinstance(given, dict) or set(given) - set(SummaryCommand._fields):
        raise ValueError(f"must be a table with {', '.join(SummaryCommand._fields)}")
    command = given.get("command", [])
    if not isinstance(command, list) or not all(isinstance(one, str) and one for one in command):
        raise ValueError('must have a command such as ["claude", "-p"]: a list of texts')
    limits = {name: _threshold(given[name]) for name in ("seconds", "max_bytes") if name in given}
    if limits.get("max_bytes", _LEAST_BYTES) < _LEAST_BYTES:
        raise ValueError(f"must have max_bytes of at least {_LEAST_BYTES}")
    decisions = given.get("decisions", False)
    if decisions not in {True, False}:
        raise ValueError("must have decisions = true or false")
    return SummaryCommand(command=tuple(command), decisions=bool(decisions), **limits)


def _index(value: object) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,79}", value):
        raise ValueError("must have an index_name of small letters, digits, dots and hyphens")
    return value


_TEAM: Mapping[str, Callable[[object], object]] = {
    "url": _list,
    "index_name": _index,
    "archive": _text,
    "author": _text,
    "site": _text,
    "send": _list,
    "auth": _text,
    "region": _text,
    "ca": _text,
    "seconds": _threshold,
    "shards": _threshold,
    "keep_days": _count,
}
_SENT = {"tools", "thinking", "summary"}
_AUTHS = ("", "api-key", "basic", "aws")


def _team(value: object) -> Team:
    """A table `[team]`; in the environment, the addresses alone."""
    given = {"url": value} if isinstance(value, str) else value
    if not isinstance(given, dict) or set(given) - set(_TEAM):
        raise ValueError(f"must be a table with {', '.join(_TEAM)}")
    team = Team(**{name: _TEAM[name](item) for name, item in given.items()})  # type: ignore[arg-type]
    if set(team.send) - _SENT:
        raise ValueError(f"must send of {', '.join(sorted(_SENT))}")
    if team.auth not in _AUTHS:
        raise ValueError("must have an auth of api-key, basic or aws")
    return team


STRICT = frozenset({"archive_dir", "vault_dir", "redact"})
"""Said wrong, these stop every command: what is saved would go to another place, or with its secrets in it."""

SETTINGS: Mapping[str, Callable[[object], object]] = {
    "language": _language,
    "chunk_threshold": _threshold,
    "archive_dir": _text,
    "import_features": _texts,
    "every_n_turns": _count,
    "on_tools": _list,
    "on_events": _list,
    "max_checkpoints": _threshold,
    "ttl_seconds": _threshold,
    "checkpoint_backend": _backend,
    "postgres_dsn": _text,
    "vault_dir": _text,
    "leaving_phrases": _list,
    "decision_phrases": _list,
    "redact": _redact,
    "summary": _summary,
    "team": _team,
}
"""Every setting and how its value is read."""
