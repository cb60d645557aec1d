"""Where each setting comes from (SPEC 8). The only package that reads the environment.

Options win over the environment, the environment over the workspace's `awf-archive.toml`, that over the user's,
that over the defaults. A setting that would leave the workspace does not count from a workspace's file.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath

from awf_archive.config.environment import (
    FILE_NAME,
    PREFIX,
    data_folder,
    editor,
    is_debugging,
    language_of_locale,
    summary_environment,
    team_secrets,
    tool_folder,
    user_file,
)
from awf_archive.config.settings import SETTINGS, STRICT, Settings, SummaryCommand
from awf_archive.errors import UsageError

__all__ = [
    "FILE_NAME",
    "SETTINGS",
    "Settings",
    "SummaryCommand",
    "data_folder",
    "editor",
    "is_debugging",
    "is_file_trusted",
    "language_of_locale",
    "load",
    "summary_environment",
    "team_secrets",
    "tool_folder",
    "user_file",
]


def load(root: Path, environment: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings that hold in the workspace `root`.

    A wrong value does not count and is told in `wrong`, so that it stops only what uses it (`Settings.need`). Raises
    UsageError for an unknown key, naming file, line and the nearest right key, and for a wrong value of what is
    `STRICT`.
    """
    settings = Settings()
    for path, is_trusted in ((user_file(environment), True), (root / FILE_NAME, False)):
        settings = _with_file(settings, path, is_trusted=is_trusted)
    return _with_environment(settings, environment)


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
        variable = PREFIX + name.upper()
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
        message = f"{place}: {name} {problem}, not {value!r}."
        if name in STRICT:
            raise UsageError(message) from problem
        return settings._replace(wrong={**settings.wrong, name: message})
    wrong = {other: message for other, message in settings.wrong.items() if other != name}
    origins = {**settings.origins, name: place}
    return settings._replace(**{name: read}, origins=origins, wrong=wrong)  # type: ignore[arg-type]


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
