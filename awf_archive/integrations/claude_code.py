"""`install claude-code`: what is added to the tool's settings, as a plan of files, and taken back (SPEC 7)."""

import hashlib
import json
import shlex
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from awf_archive import config
from awf_archive.errors import InputError
from awf_archive.integrations import skills
from awf_archive.integrations.changes import Change, read, written
from awf_archive.integrations.hook_events import EVENTS
from awf_archive.integrations.hook_files import read_json
from awf_archive.integrations.settings_hooks import with_hooks, without_hooks

SCOPES = ("user", "project", "local")
PROGRAM = "awf-archive"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where it is installed, and how the program is called there."""

    folder: Path
    """The tool's folder: `.claude` of the user or of the workspace."""
    settings: Path
    command: tuple[str, ...]
    is_inside: bool
    """Whether the files must lie in that folder: a cloned repository's link must not lead elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What would be changed, and what is kept to take it back."""

    changes: tuple[Change, ...]
    record: Mapping[str, object] | None
    """What `uninstall` must know of the settings file; None to forget it."""
    kept: tuple[Path, ...] = ()
    """Pages that someone changed since: they stay."""


def place_of(scope: str, root: Path) -> Place:
    """Return where a scope's files lie."""
    if scope == "user":
        folder = config.tool_folder("claude-code")
        return Place(folder=folder, settings=folder / "settings.json", command=program(), is_inside=False)
    folder = root / ".claude"
    name = "settings.json" if scope == "project" else "settings.local.json"
    command = (PROGRAM,) if scope == "project" else program()
    return Place(folder=folder, settings=folder / name, command=command, is_inside=True)


def program() -> tuple[str, ...]:
    """Return how this very program is called from anywhere: hooks run without our environment's PATH."""
    beside = Path(sys.executable).with_name(f"{PROGRAM}.exe" if sys.platform == "win32" else PROGRAM)
    if beside.is_file():
        return (str(beside),)
    found = shutil.which(PROGRAM)
    return (found,) if found else (sys.executable, "-P", "-m", "awf_archive")


def hooks_of(command: tuple[str, ...]) -> dict[str, object]:
    """Return the group of hooks of each event. With `args` no shell is between the tool and us."""
    return {
        row.name: {
            "matcher": "",
            "hooks": [
                {
                    "type": "command",
                    "command": command[0],
                    "args": [*command[1:], "hook", "claude-code"],
                    "timeout": row.timeout,
                    **({"async": True} if row.is_async else {}),
                }
            ],
        }
        for row in EVENTS
    }


def plan_install(place: Place) -> Plan:
    """Return what installing changes. Raises InputError for a settings file that cannot be changed safely."""
    path, before = _settings(place)
    known = _known(path)
    text = _text(path, before)
    after, made = with_hooks(text, hooks_of(place.command), str(path))
    changes = [Change(path=path, before=before, after=_encoded(after, before))]
    for name, page in skills.pages("awf-", shlex.join(place.command)):
        changes.append(_page_change(place.folder / "skills" / name, page, place))
    record: Mapping[str, object] | None = known
    if not changes[0].is_none:
        record = _record(known, changes[0], made)
    return Plan(changes=tuple(changes), record=record)


def plan_uninstall(place: Place) -> Plan:
    """Return what takes everything back. Raises InputError as above."""
    path, before = _settings(place)
    known = _known(path)
    if before is not None and known and known.get("after") == _digest(before):
        original = known.get("before")
        after = original.encode("utf-8") if isinstance(original, str) else None
    elif before is None:
        after = None
    else:
        made = known.get("made") if known else None
        text = without_hooks(_text(path, before), str(path), made if isinstance(made, list) else None)
        after = _encoded(text, before)
    changes, kept = [Change(path=path, before=before, after=after)], []
    for name, page in skills.pages("awf-", shlex.join(place.command)):
        page_path = place.folder / "skills" / name
        held = read(page_path)
        if held is None or skills.MARK.encode() not in held:
            continue
        if held == page.encode():
            changes.append(Change(path=page_path, before=held, after=None))
        else:
            kept.append(page_path)
    return Plan(changes=tuple(changes), record=None, kept=tuple(kept))


def _record(known: Mapping[str, object] | None, change: Change, made: list[str]) -> dict[str, object]:
    """Return what is remembered: the file as it was before we ever touched it, and what we made of it."""
    earlier = _list(known.get("made")) if known else []
    all_made = list(dict.fromkeys([*map(str, earlier), *made]))
    original: object = None
    if known and change.before is not None and known.get("after") == _digest(change.before):
        original = known.get("before")
    elif change.before is not None:
        text = without_hooks(_text(change.path, change.before), str(change.path), all_made)
        original = _encoded(text, change.before).decode("utf-8")
    return {"before": original, "after": _digest(change.after or b""), "made": all_made}


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _settings(place: Place) -> tuple[Path, bytes | None]:
    """Return the settings file itself, behind its links, and its bytes. Raises InputError where that is unsafe."""
    path = place.settings
    try:
        real = path.resolve()
    except (OSError, RuntimeError) as problem:
        raise InputError(
            f"{path}: a link that leads nowhere.", "Mend the link; nothing was changed."
        ) from problem
    if place.is_inside and place.folder.parent.resolve() not in real.parents:
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


_MARK = "\ufeff"


def _text(path: Path, data: bytes | None) -> str:
    try:
        return (data or b"").decode("utf-8").removeprefix(_MARK)
    except UnicodeDecodeError as problem:
        raise InputError(f"{path}: not UTF-8.", "Save it as UTF-8; nothing was changed.") from problem


def _encoded(text: str, before: bytes | None) -> bytes:
    has_mark = bool(before) and (before or b"").startswith(_MARK.encode())
    return ((_MARK if has_mark else "") + text).encode("utf-8")


def _page_change(path: Path, page: str, place: Place) -> Change:
    """Return the change of one page. Raises InputError where another's page is in its place."""
    if place.is_inside and place.folder.parent.resolve() not in path.resolve().parents:
        raise InputError(
            f"{path}: leads out of the workspace.", "Put a folder in its place; nothing was changed."
        )
    held = read(path)
    if held is not None and skills.MARK.encode() not in held:
        raise InputError(
            f"{path}: there is a skill of this name, not ours.", "Move it away; nothing was changed."
        )
    return Change(path=path, before=held, after=page.encode())


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
