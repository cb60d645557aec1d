"""`auto_save_config` as AWF has it: the workspace's preferences over the user's, over the defaults (SPEC 3.6)."""

from collections.abc import Mapping
from pathlib import Path

from awf_archive.brain.folder import Brain, read
from awf_archive.domain.triggers import Config
from awf_archive.domain.work_state import fields
from awf_archive.errors import DiskError

KEY = "auto_save_config"
USER_FILE = Path(".antigravity") / "preferences.json"
"""Relative to the user's home."""

_LEAST: Mapping[str, int] = {"checkpoint_interval": 1, "warn_threshold": 1, "snapshot_retention_days": 0}
"""Whole numbers, and the least that each may be."""
_MOST = 100_000


def auto_save_config(brain: Brain, home: Path) -> Config:
    """Return the settings that hold; a value of another type or out of its range counts as missing."""
    config = Config()
    for path in (home / USER_FILE, brain.preferences):
        config = config._replace(**_valid(_section(path)))  # type: ignore[arg-type]
    return config


def origins(brain: Brain, home: Path) -> dict[str, str]:
    """Return which file each setting comes from; those that are missing are at their default."""
    found: dict[str, str] = {}
    for path in (home / USER_FILE, brain.preferences):
        found.update(dict.fromkeys(_valid(_section(path)), str(path)))
    return found


def _section(path: Path) -> Mapping[str, object]:
    try:
        return fields((read(path).value or {}).get(KEY))
    except DiskError:
        return {}


def _valid(section: Mapping[str, object]) -> dict[str, bool | int]:
    valid: dict[str, bool | int] = {}
    for name in ("enabled", "notify_on_save"):
        if isinstance(value := section.get(name), bool):
            valid[name] = value
    for name, least in _LEAST.items():
        value = section.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= _MOST:
            valid[name] = value
    return valid
