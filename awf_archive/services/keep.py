"""Keeping a transcript's own bytes before anything is made of them (ARCHITECTURE, "On disk")."""

import json
from collections.abc import Mapping
from pathlib import Path
from uuid import uuid4

from awf_archive.domain.escape import json_pages
from awf_archive.domain.ids import WindowId
from awf_archive.store import atomic
from awf_archive.store.layout import Layout
from awf_archive.store.vault import Readable, Vault, WindowVault

WORKSPACE_FILE = "workspace.json"
"""Says which workspace a vault belongs to on this machine."""
_ORIGIN = "origin.json"


def workspace_vault(layout: Layout, vaults: Path) -> Vault:
    """Return the vault of a workspace below the folder of all vaults; its name is made at the first call.

    The name lies in the workspace's private folder. If that was cleaned away, the vault is found again by the
    path that it remembers.
    """
    name_file = layout.private / "id"
    name = _read_name(name_file) or _found_by_path(layout.root, vaults) or uuid4().hex
    about = vaults / name / WORKSPACE_FILE
    if _read_name(name_file) != name:
        atomic.write(name_file, name.encode() + b"\n")
    if not about.exists():
        atomic.write(about, json_pages({"path": str(layout.root)}), mode=0o600)
    return Vault(root=vaults / name)


def existing_vault(layout: Layout, vaults: Path) -> Vault | None:
    """Return the vault of a workspace if it has one; nothing is written."""
    name = _read_name(layout.private / "id") or _found_by_path(layout.root, vaults)
    return Vault(root=vaults / name) if name else None


def _read_name(path: Path) -> str:
    try:
        name = path.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""
    return name if name.isalnum() else ""


def _found_by_path(root: Path, vaults: Path) -> str:
    for about in sorted(vaults.glob(f"*/{WORKSPACE_FILE}")):
        try:
            if json.loads(about.read_bytes()).get("path") == str(root):
                return about.parent.name
        except (OSError, ValueError, AttributeError):
            continue
    return ""


def keep(vault: Vault, window: WindowId, origin: Path, sources: Mapping[str, Readable]) -> int:
    """Append what is new in a transcript and the files beside it; return how many bytes that was.

    Raises DiskError, and DamagedArchiveError when the vault's chain is broken: then nothing is added to it.
    """
    kept = vault.window(window)
    added = kept.append(sources)
    about = kept.folder / _ORIGIN
    if added and not about.exists():
        facts = {"window": window, "path": str(origin.absolute()), "name": origin.name}
        atomic.write(about, json_pages(facts), mode=0o600)
    return added


def origin_of(vault: Vault, window: WindowId) -> dict[str, str]:
    """Return where a window's transcript lay when it was first kept: `window`, `path` and `name`."""
    return read_origin(vault.window(window))


def read_origin(window: WindowVault) -> dict[str, str]:
    """Return what a window's vault remembers of its transcript; nothing when that does not read."""
    try:
        facts = json.loads((window.folder / _ORIGIN).read_bytes())
    except (OSError, ValueError):
        return {}
    return {str(name): str(value) for name, value in facts.items()} if isinstance(facts, dict) else {}
