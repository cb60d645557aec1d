"""What `install` and `uninstall` do to any tool: a plan of files, and what is kept to take it back (SPEC 7)."""

import hashlib
import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from awf_archive import config
from awf_archive.errors import InputError
from awf_archive.integrations.changes import Change, read, written
from awf_archive.integrations.hook_files import read_json
from awf_archive.integrations.settings_hooks import Wanted, with_hooks, without_hooks
from awf_archive.integrations.skills import MARK

PROGRAM = "awf-archive"
Command = tuple[str, ...]
"""How the program is called: words, not yet quoted for any shell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where it is installed, and how the program is called there."""

    settings: Path
    """The file that names hooks."""
    pages: Path
    """The folder of skills or commands."""
    command: Command
    inside: Path | None = None
    """The workspace, where the files must lie in it: a cloned repository's link must not lead elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """How one tool is set up."""

    name: str
    """As it stands behind `install`, and behind `awf-archive hook`."""
    title: str
    scopes: tuple[str, ...]
    place_of: Callable[[str, Path], Place]
    """The place of a scope; the path is the workspace's."""
    hooks_of: Callable[[Command], Mapping[str, object]]
    """What is added to the list of each event."""
    pages_of: Callable[[Command], Iterable[tuple[str, str]]]
    """Path and text of each skill or command."""
    beside: Mapping[str, object] = field(default_factory=dict)
    """What a new settings file needs beside hooks."""
    sign: str = "/"
    """What is typed before a command's name."""

    def wanted(self, command: Command) -> Wanted:
        """Return the hooks that the settings file is to hold."""
        return Wanted(self.name, self.hooks_of(command), self.beside)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What would be changed, and what is kept to take it back."""

    changes: tuple[Change, ...]
    record: Mapping[str, object] | None
    """What `uninstall` must know of the settings file, the first change; None to forget it."""
    kept: tuple[Path, ...] = ()
    """Pages that someone changed since: they stay."""


def program() -> Command:
    """Return how this very program is called from anywhere: hooks run without our environment's PATH."""
    beside = Path(sys.executable).with_name(f"{PROGRAM}.exe" if sys.platform == "win32" else PROGRAM)
    if beside.is_file():
        return (str(beside),)
    found = shutil.which(PROGRAM)
    return (found,) if found else (sys.executable, "-P", "-m", "awf_archive")


def on_a_line(command: Command, *more: str) -> str:
    """Return a command as a shell reads it."""
    words = [*command, *more]
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


def plan_install(setup: Setup, place: Place) -> Plan:
    """Return what installing changes. Raises InputError for a settings file that cannot be changed safely."""
    path, before = settings_file(place.settings, place.inside)
    known = _known(path)
    after, made = with_hooks(text_of(path, before), setup.wanted(place.command), str(path))
    changes = [Change(path=path, before=before, after=encoded(after, before)), *page_changes(setup, place)]
    record: Mapping[str, object] | None = known
    if not changes[0].is_none:
        record = _record(setup, known, changes[0], made)
    return Plan(changes=tuple(changes), record=record)


def plan_uninstall(setup: Setup, place: Place) -> Plan:
    """Return what takes everything back. Raises InputError as above."""
    path, before = settings_file(place.settings, place.inside)
    known = _known(path)
    if before is not None and known and known.get("after") == _digest(before):
        original = known.get("before")
        after = original.encode("utf-8") if isinstance(original, str) else None
    elif before is None:
        after = None
    else:
        made = known.get("made") if known else None
        names = made if isinstance(made, list) else None
        text = without_hooks(text_of(path, before), setup.name, str(path), names)
        after = encoded(text, before)
    changes, kept = [Change(path=path, before=before, after=after)], []
    for page_path, page in _pages(setup, place):
        held = read(page_path)
        if held is None or MARK.encode() not in held:
            continue
        if held == page.encode():
            changes.append(Change(path=page_path, before=held, after=None))
        else:
            kept.append(page_path)
    return Plan(changes=tuple(changes), record=None, kept=tuple(kept))


def _record(
    setup: Setup, known: Mapping[str, object] | None, change: Change, made: list[str]
) -> dict[str, object]:
    """Return what is remembered: the file as it was before we ever touched it, and what we made of it."""
    earlier = known.get("made") if known else None
    all_made = list(dict.fromkeys([*map(str, earlier if isinstance(earlier, list) else []), *made]))
    original: object = None
    if known and change.before is not None and known.get("after") == _digest(change.before):
        original = known.get("before")
    elif change.before is not None:
        text = without_hooks(text_of(change.path, change.before), setup.name, str(change.path), all_made)
        original = encoded(text, change.before).decode("utf-8")
    return {"before": original, "after": _digest(change.after or b""), "made": all_made}


def settings_file(path: Path, inside: Path | None) -> tuple[Path, bytes | None]:
    """Return the settings file itself, behind its links, and its bytes. Raises InputError where that is unsafe."""
    try:
        real = path.resolve()
    except (OSError, RuntimeError) as problem:
        raise InputError(
            f"{path}: a link that leads nowhere.", "Mend the link; nothing was changed."
        ) from problem
    if inside and inside.resolve() not in real.parents:
        raise InputError(
            f"{path}: leads out of the workspace, to {real}.", "Put a file in its place; nothing was changed."
        )
    if real.is_dir():
        raise InputError(f"{path}: is a folder.", "Move it away; nothing was changed.")
    if path.is_symlink() and not real.exists():
        raise InputError(
            f"{path}: a link to {real}, which is not there.", "Mend the link; nothing was changed."
        )
    return real, read(real)


_BYTE_ORDER_MARK = "\ufeff"


def text_of(path: Path, data: bytes | None) -> str:
    """Return a settings file's text. Raises InputError where it is none."""
    try:
        return (data or b"").decode("utf-8").removeprefix(_BYTE_ORDER_MARK)
    except UnicodeDecodeError as problem:
        raise InputError(f"{path}: not UTF-8.", "Save it as UTF-8; nothing was changed.") from problem


def encoded(text: str, before: bytes | None) -> bytes:
    """Return a text as bytes, with a byte order mark where the file had one."""
    has_mark = (before or b"").startswith(_BYTE_ORDER_MARK.encode())
    return ((_BYTE_ORDER_MARK if has_mark else "") + text).encode("utf-8")


def _pages(setup: Setup, place: Place) -> Iterable[tuple[Path, str]]:
    return ((place.pages / name, page) for name, page in setup.pages_of(place.command))


def page_changes(setup: Setup, place: Place) -> Iterable[Change]:
    """Yield the change of each page. Raises InputError where another's page is in its place."""
    for path, page in _pages(setup, place):
        if place.inside and place.inside.resolve() not in path.resolve().parents:
            raise InputError(
                f"{path}: leads out of the workspace.", "Put a folder in its place; nothing was changed."
            )
        held = read(path)
        if held is not None and MARK.encode() not in held:
            raise InputError(
                f"{path}: there is one of this name, not ours.", "Move it away; nothing was changed."
            )
        yield Change(path=path, before=held, after=page.encode())


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def record_path() -> Path:
    """Return where is kept what `uninstall` must know."""
    return config.data_folder() / "installed.json"


def _known(path: Path) -> Mapping[str, object] | None:
    entry = read_json(record_path()).get(str(path))
    return entry if isinstance(entry, dict) else None


def carry_out(plan: Plan) -> None:
    """Write a plan's files, and what takes them back before them. Raises DiskError or LockedError."""
    from awf_archive.store import atomic
    from awf_archive.store.lock import holding

    path = record_path()
    name = str(plan.changes[0].path)
    with holding(path.with_name("installed-lock"), 10.0):
        record = read_json(path)
        if plan.record is not None and record.get(name) != plan.record:
            atomic.write(path, json.dumps(record | {name: plan.record}, indent=1).encode(), mode=0o600)
        for change in plan.changes:
            written(change)
        if plan.record is None and name in record:
            left = {one: value for one, value in record.items() if one != name}
            atomic.write(path, json.dumps(left, indent=1).encode(), mode=0o600)
