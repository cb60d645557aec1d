"""Giving the original transcript files back, byte for byte, where the chat tool can resume them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from awf_archive.errors import NegativeAnswerError, UsageError
from awf_archive.services.keep import read_origin
from awf_archive.store import atomic
from awf_archive.store.vault import Vault, WindowVault


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """One file that was written, or was there already with the same bytes."""

    path: Path
    size: int
    is_new: bool


def restore(vault: Vault, window: str, to: Path | None) -> list[Restored]:
    """Write the newest generation of a window's files to `to`, else to where they lay.

    A file that is there with other bytes is never overwritten. Raises NegativeAnswerError when the vault does
    not hold the window, UsageError when several windows begin so or a file is in the way, DamagedArchiveError
    when a segment is not whole, DiskError.
    """
    found = _find(vault, window)
    origin = read_origin(found)
    main = Path(origin["path"]) if origin else Path(f"{window}.jsonl")
    folder = to or main.parent
    planned = [
        (folder / (name or main.name), b"".join(found.read(segments)))
        for name, segments in found.files().items()
    ]
    for path, data in planned:
        if path.exists() and path.read_bytes() != data:
            raise UsageError(f"{path}: is there already, with other bytes.", "Restore elsewhere with --to.")
    return list(_written(folder, planned))


def _written(folder: Path, planned: list[tuple[Path, bytes]]) -> Iterator[Restored]:
    root = folder.resolve()
    for path, data in planned:
        if root not in path.resolve().parents:
            raise UsageError(f"{path}: leads outside {folder}.", "Nothing more was written.")
        is_new = not path.exists()
        if is_new:
            atomic.write(path, data, mode=0o600)
        yield Restored(path=path, size=len(data), is_new=is_new)


def _find(vault: Vault, window: str) -> WindowVault:
    """Return the one window whose id is, or begins with, `window`."""
    names = {found: read_origin(found).get("window", "") for found in vault.windows()}
    matching = [found for found, name in names.items() if name.startswith(window)]
    exact = [found for found in matching if names[found] == window]
    match exact or matching:
        case [found]:
            return found
        case []:
            raise NegativeAnswerError(
                f"{window}: the vault does not hold this window.",
                "awf-archive list --json shows every window.",
            )
        case _:
            raise UsageError(f"{window}: several windows begin so.", "Give more of its id.")
