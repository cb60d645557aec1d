"""What the environment says: folders, the locale, credentials. Nothing else reads it."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from awf_archive.config.settings import LANGUAGES
from awf_archive.domain.team import TeamSecrets

FILE_NAME = "awf-archive.toml"
PREFIX = "AWF_ARCHIVE_"


def user_file(environment: Mapping[str, str] = os.environ) -> Path:
    """Return where the user's settings lie."""
    if home := environment.get("AWF_ARCHIVE_CONFIG_HOME"):
        return Path(home) / FILE_NAME
    if sys.platform == "linux":  # what platformdirs answers here, without the 25 ms that it takes to load
        base = environment.get("XDG_CONFIG_HOME", "").strip()
        return Path(base or Path.home() / ".config") / "awf-archive" / FILE_NAME
    import platformdirs

    return Path(platformdirs.user_config_dir("awf-archive", appauthor=False)) / FILE_NAME


def language_of_locale(environment: Mapping[str, str] = os.environ) -> str:
    """Return the language that the locale asks for: the first of its variables that says anything decides."""
    tags = (environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    language = next((tag[:2].lower() for tag in tags if tag), "en")
    return language if language in LANGUAGES else "en"


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
    return TeamSecrets(*(environment.get(f"{PREFIX}TEAM_{name}", "") for name in names))


def is_debugging(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether errors of ours should show where they come from."""
    return environment.get("AWF_ARCHIVE_DEBUG", "") not in ("", "0")
