"""In which folder a Gemini CLI conversation took place: its files name only a hash or a short name."""

import json
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path


def gemini_folder(path: Path, known: Iterable[str]) -> str:
    """Return the folder of a transcript at `…/tmp/<hash or name>/chats/…`; "" when nothing tells.

    Told by the tool's `.project_root`, by its `projects.json`, or by the hash of a folder that is known.
    """
    chats = next((one for one in path.absolute().parents if one.name == "chats"), None)
    if chats is None:
        return ""
    named = _text(chats.parent / ".project_root")
    if named:
        return named
    listed = _listed(chats.parent.parent.parent / "projects.json")
    name = chats.parent.name
    by_name = next((folder for folder, short in listed.items() if short == name), "")
    hashed = (one for one in (*listed, *known) if sha256(one.encode(errors="replace")).hexdigest() == name)
    return by_name or next(hashed, "")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return ""


def _listed(path: Path) -> dict[str, str]:
    """Return the short name of each folder."""
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    found = value.get("projects", value) if isinstance(value, dict) else {}
    if not isinstance(found, dict):
        return {}
    return {folder: name for folder, name in found.items() if isinstance(name, str)}
