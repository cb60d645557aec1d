"""Keeping a transcript's own bytes before anything is made of them (ARCHITECTURE, "On disk")."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from uuid import uuid4

from awf_archive import config
from awf_archive.domain.escape import json_pages
from awf_archive.domain.ids import WindowId
from awf_archive.domain.transcript import Json
from awf_archive.services.belongings import Belongings
from awf_archive.store import atomic
from awf_archive.store.layout import Layout
from awf_archive.store.lock import holding
from awf_archive.store.vault import ORIGIN, Vault, WindowVault, folder_name
from awf_archive.store.vault_append import append, private_folder

WORKSPACE_FILE = "workspace.json"
"""Says which workspaces a vault belongs to on this machine."""
_NAME = re.compile(r"[0-9a-f]{32}")
_PLACES: Mapping[str, tuple[str, ...]] = {
    "claude-code": ("projects",),
    "codex": ("sessions", "archived_sessions"),
    "gemini-cli": ("tmp",),
    "opencode": ("storage",),
    "copilot-cli": ("session-state", "history-session-state"),
    "cursor-cli": ("chats", "projects"),
}
"""Where in a chat tool's folder conversations lie: only there are they given back without being told where."""


def workspace_vault(layout: Layout, vaults: Path) -> Vault:
    """Return the vault of a workspace below the folder of all vaults; its name is made at the first call.

    The name lies in the workspace's private folder. If that was cleaned away, the vault is found again by the
    path that it remembers; a workspace that was moved keeps its vault, and a copied one shares it.
    """
    name_file = layout.private / "id"
    name = _read_name(name_file) or _found_by_path(layout.root, vaults) or uuid4().hex
    if _read_name(name_file) != name:
        atomic.write(name_file, name.encode() + b"\n")
    root = vaults / name
    vault = Vault(root=root)
    private_folder(root)
    known = _paths(root / WORKSPACE_FILE)
    if known[:1] != [str(layout.root)]:
        paths = list(dict.fromkeys([str(layout.root), *known]))
        with holding(vault.lock):
            atomic.write(root / WORKSPACE_FILE, json_pages({"paths": list[Json](paths)}), mode=0o600)
    return vault


def existing_vault(layout: Layout, vaults: Path) -> Vault | None:
    """Return the vault of a workspace if it has one; nothing is written."""
    name = _read_name(layout.private / "id") or _found_by_path(layout.root, vaults)
    return Vault(root=vaults / name) if name else None


def _read_name(path: Path) -> str:
    try:
        name = path.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""
    return name if _NAME.fullmatch(name) else ""


def _paths(about: Path) -> list[str]:
    """Return where a vault's workspace lies and lay, the newest place first; nothing when that does not read."""
    try:
        facts = json.loads(about.read_bytes())
    except (OSError, ValueError):
        return []
    paths = facts.get("paths") if isinstance(facts, dict) else None
    return list(map(str, paths)) if isinstance(paths, list) else []


def _found_by_path(root: Path, vaults: Path) -> str:
    """Return the vault that remembers this path, the one that was there last if several do."""
    found = {about.parent.name: _paths(about) for about in sorted(vaults.glob(f"*/{WORKSPACE_FILE}"))}
    places = [(paths.index(str(root)), name) for name, paths in found.items() if str(root) in paths]
    return min(places, default=(0, ""))[1]


def keep(vault: Vault, belongings: Belongings) -> int:
    """Append what is new in a conversation's own files; return how many bytes that was.

    Raises DiskError, LockedError, InputError when a file beside the transcript vanished, and DamagedArchiveError
    when the vault's chain is broken: then nothing is added to it.
    """
    belongings = _apart(vault, belongings)
    window = vault.window(belongings.kept_as)
    added = 0
    with holding(vault.lock):
        atomic.sweep(vault.root, vault.root / folder_name(belongings.window))
        if not belongings.is_kept_in(window.folder):
            added = append(window, belongings.files)
            belongings.now_kept_in(window.folder)
        for name, inside in ((belongings.kept_as, ""), (belongings.window, window.folder.name)):
            folder = vault.root / folder_name(name)
            if not (folder / ORIGIN).exists() and (name == belongings.kept_as or inside != folder.name):
                private_folder(folder)
                facts = _origin(belongings, name) | ({"in": inside} if inside else {})
                atomic.write(folder / ORIGIN, json_pages(facts), mode=0o600)
    return added


def _apart(vault: Vault, belongings: Belongings) -> Belongings:
    """Keep a conversation in another tool's file, or under another name, apart from the first.

    They would replace each other, and the files beside a transcript are found by its name.
    """
    ours = (belongings.format, belongings.name)
    origin = read_origin(vault.window(belongings.kept_as))
    if not origin or (origin.get("format"), origin.get("name")) == ours:
        return belongings
    name = WindowId(f"{belongings.kept_as} {' '.join(ours)}")
    return replace(belongings, window=name, kept_as=name)


def _origin(belongings: Belongings, window: WindowId) -> dict[str, Json]:
    path = belongings.path.absolute()
    facts: dict[str, Json] = {
        "window": window,
        "path": str(path),
        "name": belongings.name,
        "format": belongings.format,
    }
    for tool in _PLACES:
        home = config.tool_folder(tool)
        if home in path.parents:
            return facts | {"tool": tool, "inside": path.relative_to(home).as_posix()}
    return facts


def place_in_tool(origin: Mapping[str, str]) -> Path | None:
    """Return where a chat tool on this machine looks for a transcript; None for one that lay elsewhere.

    What an origin says may come from a stranger's backup: it names nothing but a tool's folder of conversations.
    """
    tool, inside = origin.get("tool", ""), PurePosixPath(origin.get("inside", ""))
    if tool not in _PLACES or inside.parts[:1] not in [(place,) for place in _PLACES[tool]]:
        return None
    return None if ".." in inside.parts else config.tool_folder(tool) / inside


def read_origin(window: WindowVault) -> dict[str, str]:
    """Return what a window's vault remembers of its transcript; nothing when that does not read.

    `window`, `path`, `name`, `format`; `tool` and `inside` for one that lay in a chat tool's folder; `in`, the
    folder of another vault, for one that shares its file with others.
    """
    try:
        facts: Mapping[str, object] = json.loads((window.folder / ORIGIN).read_bytes())
    except (OSError, ValueError):
        return {}
    return {str(name): str(value) for name, value in facts.items()} if isinstance(facts, dict) else {}
