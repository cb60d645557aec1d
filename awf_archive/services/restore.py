"""Giving the original transcript files back, byte for byte, where the chat tool can resume them."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath

from awf_archive.errors import NegativeAnswerError, UsageError
from awf_archive.services.keep import place_in_tool, read_origin
from awf_archive.services.vault_source import safe_name
from awf_archive.store import atomic
from awf_archive.store.vault import Segment, Vault, WindowVault, newest_files

_BLOCK = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """One file that was written, or was there already with the same bytes."""

    path: Path
    size: int
    is_new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Planned:
    path: Path
    segments: list[Segment]

    @property
    def size(self) -> int:
        return sum(one.length for one in self.segments)

    @property
    def sha256(self) -> str:
        return self.segments[-1].total_sha256


def restore(vault: Vault, window: str, to: Path | None) -> list[Restored]:
    """Write the newest generation of a window's files to `to`, else to where its chat tool keeps them.

    A file that is there with other bytes is never overwritten. Raises NegativeAnswerError when the vault does
    not hold the window, UsageError when several windows begin so, a file is in the way, or no chat tool would
    look for it, DamagedArchiveError when a segment is not whole: then nothing was written. Raises DiskError.
    """
    found, origin = _find(vault, window)
    files = newest_files(found.segments())
    main = _target(origin, to)
    folder = main.parent
    planned = [
        _Planned(path=folder / (safe_name(found, name) or main.name), segments=segments)
        for name, segments in files.items()
    ]
    for one in planned:
        for _ in found.read(one.segments):
            pass  # every segment is checked before the first byte is written
        if one.path.exists() and _digest(one.path) != one.sha256:
            raise UsageError(
                f"{one.path}: is there already, with other bytes.", "Restore elsewhere with --to."
            )
    for one in planned:
        if folder.resolve() not in one.path.resolve().parents:
            raise UsageError(f"{one.path}: leads outside {folder}.", "Restore elsewhere with --to.")
    return list(_written(found, planned))


def _target(origin: dict[str, str], to: Path | None) -> Path:
    """Return where a transcript goes: into the folder that was named, else to where its chat tool keeps it."""
    name = PurePosixPath(origin.get("name") or "transcript").name
    there = place_in_tool(origin)
    if to is None and there is None:
        raise UsageError(
            f"{name}: did not lie in the folder of a chat tool that could resume it.",
            "Say where to write it, with --to.",
        )
    return to / name if to else there.with_name(name) if there else Path(name)


def _digest(path: Path) -> str:
    hasher = sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            hasher.update(block)
    return hasher.hexdigest()


def _written(found: WindowVault, planned: list[_Planned]) -> Iterator[Restored]:
    for one in planned:
        is_new = not one.path.exists()
        if is_new:
            atomic.write_pieces(one.path, found.read(one.segments), mode=0o600)
        yield Restored(path=one.path, size=one.size, is_new=is_new)


def _find(vault: Vault, window: str) -> tuple[WindowVault, dict[str, str]]:
    """Return the one window whose id is, or begins with, `window`; and where it came from."""
    origins = {found: read_origin(found) for found in vault.origins()}
    match _matching(origins, window):
        case [found]:
            within = origins[found].get("in")
            shared = WindowVault(folder=vault.root / Path(within).name) if within else found
            return shared, origins[found] | {"name": origins.get(shared, origins[found]).get("name", "")}
        case []:
            raise NegativeAnswerError(
                f"{window}: the vault does not hold this window.",
                "awf-archive list --json shows every window.",
            )
        case _:
            raise UsageError(f"{window}: several windows begin so.", "Give more of its id.")


def _matching(origins: dict[WindowVault, dict[str, str]], window: str) -> list[WindowVault]:
    """Return the windows that are meant; of one conversation in several files, that which its tool resumes."""
    names = {found: origin.get("window", "") for found, origin in origins.items()}
    matching = [found for found, name in names.items() if name and name.startswith(window)]
    ids = {found: names[found].split(" ")[0] for found in matching}
    found = [one for one in matching if ids[one] == window] or matching
    if len({ids[one] for one in found}) > 1:
        return found
    in_tool = [one for one in found if place_in_tool(origins[one])] or found
    named_so = [one for one in in_tool if origins[one].get("name", "").startswith(ids[one])] or in_tool
    return [one for one in named_so if names[one] == ids[one]] or named_so
