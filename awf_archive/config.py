"""Where each setting comes from (SPEC 8). The only module that reads the environment.

Options win over the environment, the environment over the workspace's `awf-archive.toml`, that over the user's,
that over the defaults. A setting that would leave the workspace does not count from a workspace's file.
"""

import os
import re
import shlex
import sys
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from types import MappingProxyType
from typing import NamedTuple

from awf_archive.domain.team import Team, TeamSecrets
from awf_archive.errors import UsageError

FILE_NAME = "awf-archive.toml"
_PREFIX = "AWF_ARCHIVE_"
_LANGUAGES = ("en", "vi", "zh")


_NOTHING: Mapping[str, str] = MappingProxyType({})


class SummaryCommand(NamedTuple):
    """The program that writes summaries, and its limits (docs/summaries.md)."""

    command: tuple[str, ...] = ()
    """Program and arguments; empty for none: then summaries are made of the turns' own words."""
    seconds: int = 120
    """How long one call may take."""
    max_bytes: int = 60_000
    """How much of the turns one call gets."""


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


def _language(value: object) -> str:
    if value not in _LANGUAGES:
        raise ValueError(f"must be one of {', '.join(_LANGUAGES)}")
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
    return SummaryCommand(command=tuple(command), **limits)


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


def load(root: Path, environment: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings that hold in the workspace `root`.

    Raises UsageError for an unknown key or a wrong value, naming file, line and the nearest right key.
    """
    settings = Settings()
    for path, is_trusted in ((user_file(environment), True), (root / FILE_NAME, False)):
        settings = _with_file(settings, path, is_trusted=is_trusted)
    return _with_environment(settings, environment)


def user_file(environment: Mapping[str, str] = os.environ) -> Path:
    """Return where the user's settings lie."""
    if home := environment.get("AWF_ARCHIVE_CONFIG_HOME"):
        return Path(home) / FILE_NAME
    if sys.platform == "linux":  # what platformdirs answers here, without the 25 ms that it takes to load
        base = environment.get("XDG_CONFIG_HOME", "").strip()
        return Path(base or Path.home() / ".config") / "awf-archive" / FILE_NAME
    import platformdirs

    return Path(platformdirs.user_config_dir("awf-archive", appauthor=False)) / FILE_NAME


def _with_file(settings: Settings, path: Path, *, is_trusted: bool) -> Settings:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        return settings
    except UnicodeDecodeError as problem:
        raise UsageError(
            f"{path}: not UTF-8 ({problem.reason}).", "Mend the file or move it away."
        ) from problem
    import tomllib

    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise UsageError(f"{path}: {problem}.", "Mend the file or move it away.") from problem
    for name, value in given.items():
        if not is_trusted and (reason := _refusal(name, value)) and not is_file_trusted(path.parent):
            note = f"{path}: {name} {reason} and is ignored; awf-archive trust lets it count."
            settings = settings._replace(notes=(*settings.notes, note))
            continue
        place = f"{path}, line {_line_of(text, name)}"
        settings = _with_value(settings, name, value, place)
    return settings


def _with_environment(settings: Settings, environment: Mapping[str, str]) -> Settings:
    for name in SETTINGS:
        variable = _PREFIX + name.upper()
        if variable in environment:
            settings = _with_value(settings, name, environment[variable], variable)
    return settings


def _with_value(settings: Settings, name: str, value: object, place: str) -> Settings:
    if name not in SETTINGS:
        from difflib import get_close_matches

        near = get_close_matches(name, SETTINGS, n=1)
        raise UsageError(
            f"{place}: there is no setting {name!r}.",
            f"Did you mean {near[0]!r}?" if near else f"Settings: {', '.join(SETTINGS)}.",
        )
    try:
        read = SETTINGS[name](value)
    except ValueError as problem:
        raise UsageError(f"{place}: {name} {problem}, not {value!r}.") from problem
    return settings._replace(**{name: read}, origins={**settings.origins, name: place})  # type: ignore[arg-type]


def _refusal(name: str, value: object) -> str:
    """Say why a setting does not count from a workspace's file, or nothing: a cloned repository does not decide."""
    if name == "archive_dir" and _leaves(str(value)):
        return "leads outside the workspace"
    reasons = {
        "postgres_dsn": "names a data source",
        "vault_dir": "leads outside the workspace",
        "summary": "runs a program",
        "team": "names a host",
    }
    return reasons.get(name, "")


def is_file_trusted(root: Path) -> bool:
    """Whether the settings file of a workspace is the very one that its user trusted (`integrations.trust`)."""
    import json
    from hashlib import sha256

    try:
        entry = json.loads((data_folder() / "trust.json").read_bytes())[str(root)]
        token = (root / ".awf-archive" / "origin").read_text(encoding="ascii").strip()
        digest = sha256((root / FILE_NAME).read_bytes()).hexdigest()
        return bool(token) and (entry["token"], entry["settings"]) == (token, digest)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _leaves(path: str) -> bool:
    """Whether a path leads out of the folder it is relative to, on any system."""
    return (
        PurePosixPath(path).is_absolute()
        or bool(PureWindowsPath(path).drive)
        or ".." in re.split(r"[/\\]", path)
    )


def _line_of(text: str, name: str) -> int:
    match = re.search(rf"^[ \t]*\[*[ \t]*[\"']?{re.escape(name)}[\"']?[ \t]*[=.\]]", text, re.MULTILINE)
    return text.count("\n", 0, match.start()) + 1 if match else 1


def language_of_locale(environment: Mapping[str, str] = os.environ) -> str:
    """Return the language that the locale asks for: the first of its variables that says anything decides."""
    tags = (environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    language = next((tag[:2].lower() for tag in tags if tag), "en")
    return language if language in _LANGUAGES else "en"


_MAC, _WINDOWS = "darwin", "win32"

_TOOL_FOLDERS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "claude-code": ("CLAUDE_CONFIG_DIR", {"": "~/.claude"}),
    "codex": ("CODEX_HOME", {"": "~/.codex"}),
    "gemini-cli": ("GEMINI_CLI_HOME", {"": "~/.gemini"}),
    "opencode": ("OPENCODE_DATA_DIR", {"": "~/.local/share/opencode"}),
    "copilot-cli": ("COPILOT_HOME", {"": "~/.copilot"}),
    "cursor-cli": ("", {"": "~/.cursor"}),
    "cursor": (
        "",
        {
            "": "~/.config/Cursor/User",
            _MAC: "~/Library/Application Support/Cursor/User",
            _WINDOWS: "~/AppData/Roaming/Cursor/User",
        },
    ),
    "vscode": (
        "",
        {
            "": "~/.config/Code/User",
            _MAC: "~/Library/Application Support/Code/User",
            _WINDOWS: "~/AppData/Roaming/Code/User",
        },
    ),
}
"""Each tool's folder: the variable that moves it, and where it lies by default on each system."""


def tool_folder(name: str, environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder in which a chat tool keeps its conversations on this machine."""
    variable, defaults = _TOOL_FOLDERS[name]
    given = environment.get(variable) if variable else None
    return Path(given or defaults.get(sys.platform) or defaults[""]).expanduser()


def data_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the user's data folder, where vaults lie, away from every workspace."""
    if home := environment.get("AWF_ARCHIVE_DATA_HOME"):
        return Path(home)
    if sys.platform == "linux":  # as above: what platformdirs answers, without loading it
        base = environment.get("XDG_DATA_HOME", "").strip()
        return Path(base or Path.home() / ".local" / "share") / "awf-archive"
    import platformdirs

    return Path(platformdirs.user_data_dir("awf-archive", appauthor=False))


def editor(environment: Mapping[str, str] = os.environ) -> str:
    """Return the user's editor, or an empty string."""
    return environment.get("VISUAL") or environment.get("EDITOR") or ""


def summary_environment(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return what the program that writes summaries finds in its environment: ours, and that no hook is to answer it.

    An assistant that summarises would else be saved as a conversation of its own (`integrations.queue.GUARD`).
    """
    return {**environment, "AWF_ARCHIVE_HOOK_ACTIVE": "1"}


def team_secrets(environment: Mapping[str, str] = os.environ) -> TeamSecrets:
    """Return the credentials for the team's cluster."""
    names = ("API_KEY", "USER", "PASSWORD")
    return TeamSecrets(*(environment.get(f"{_PREFIX}TEAM_{name}", "") for name in names))


def is_debugging(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether errors of ours should show where they come from."""
    return environment.get("AWF_ARCHIVE_DEBUG", "") not in ("", "0")
