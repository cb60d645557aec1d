"""What every command needs first: the workspace, its settings and the language (SPEC 1.1, 8)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import click

from awf_archive import config
from awf_archive.cli import output
from awf_archive.domain.wording import WORDINGS, Wording, choose
from awf_archive.errors import DamagedArchiveError
from awf_archive.services.workspace import find_workspace
from awf_archive.store.archive import Archive
from awf_archive.store.layout import Layout

_Command = TypeVar("_Command", bound=Callable[..., object])


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """Where a command works and how it speaks."""

    archive: Archive
    settings: config.Settings
    words: Wording

    @property
    def layout(self) -> Layout:
        """Where files lie."""
        return self.archive.layout

    @property
    def vaults(self) -> Path:
        """The folder of all vaults."""
        given = self.settings.vault_dir
        return Path(given).expanduser() if given else config.data_folder() / "vault"


_EVERYWHERE = (
    click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs."),
    click.option(
        "--lang", type=click.Choice(sorted(WORDINGS)), help="Language of what is printed and saved."
    ),
)
_WORKSPACE = click.option(
    "--workspace",
    type=click.Path(path_type=Path),
    help="The folder whose archive is meant. [default: found from the current folder]",
)
_WORKSPACES = click.option(
    "--workspace",
    "workspaces",
    type=click.Path(path_type=Path),
    multiple=True,
    help="A folder whose archive is meant; may be given more than once. [default: found from the current folder]",
)


def common(command: _Command) -> _Command:
    """Add the options that every command has."""
    return _with((*_EVERYWHERE, _WORKSPACE), command)


def common_of_several(command: _Command) -> _Command:
    """Add the same options to a command that may look at several workspaces."""
    return _with((*_EVERYWHERE, _WORKSPACES), command)


def _with(options: Iterable[Callable[[_Command], _Command]], command: _Command) -> _Command:
    for option in options:
        command = option(command)
    return command


def prepare(workspace: Path | None, language: str | None, needs: Sequence[str] = ()) -> Setup:
    """Return where the command works; `needs` names the settings that it cannot do without.

    Raises UsageError for a wrong folder, for a wrong setting of those, and for one that no command may pass over.
    """
    root = find_workspace(Path.cwd(), workspace)
    settings = config.load(root)
    settings.need(*needs)
    for note in settings.notes:
        output.note(note)
    if not _is_for_program():
        for message in settings.wrong.values():
            output.note(f"⚠️ {message} It does not count.")
    return Setup(
        archive=Archive(layout=Layout(root=root, archive_dir=settings.archive_dir)),
        settings=settings,
        words=choose(language or settings.language or config.language_of_locale()),
    )


def _is_for_program() -> bool:
    """Whether the command that runs was asked for JSON."""
    context = click.get_current_context(silent=True)
    return bool(context and context.params.get("as_json"))


def prepare_several(workspaces: Sequence[Path], language: str | None) -> tuple[Setup, ...]:
    """Return where the command works, the first workspace first. Raises UsageError as `prepare` does."""
    found = [prepare(one, language) for one in workspaces or (None,)]
    return tuple({one.layout.root.resolve(): one for one in found}.values())


def tell_damaged(ready: Setup, feature: str | None = None) -> int:
    """Say which features do not read and are left out; return the exit code that this asks for, or 0.

    Raises DamagedArchiveError when none reads.
    """
    damaged = {} if feature else ready.archive.damaged()
    if damaged and len(damaged) == len(ready.archive.features()):
        raise next(iter(damaged.values()))
    for problem in damaged.values():
        output.note(f"⚠️ {problem.message} {problem.hint}")
    return DamagedArchiveError.exit_code if damaged else 0


def now() -> str:
    """Return the time in UTC as the archive writes it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
