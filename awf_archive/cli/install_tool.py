"""`install` and `uninstall` of each chat tool, made from `SETUPS` (SPEC 7)."""

import difflib
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import click

from awf_archive.cli import output, setup
from awf_archive.domain.wording.counted import counted
from awf_archive.domain.wording.install_words import INSTALL_WORDS, InstallWords
from awf_archive.integrations import codex
from awf_archive.integrations.changes import Change
from awf_archive.integrations.installing import Plan, Setup, carry_out, plan_install, plan_uninstall
from awf_archive.integrations.skills import SKILLS
from awf_archive.integrations.trust import is_brain_trusted

_SCOPES = {
    "user": "for you everywhere",
    "project": "for everybody in this folder",
    "local": "for you in this folder",
}


class _Wish:
    """How it is to be done."""

    def __init__(self, is_dry: bool, is_sure: bool, as_json: bool) -> None:  # noqa: FBT001 - click's flags
        self.is_dry = is_dry
        self.is_asking = not is_sure and not as_json and sys.stdin.isatty() and sys.stderr.isatty()
        self.as_json = as_json


class _Told(NamedTuple):
    """What is said of it."""

    done: str
    none: str
    next: tuple[str, ...] = ()
    """Behind `done`."""


def _how(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options of all of them."""
    for option in (
        setup.common,
        click.option("--yes", is_flag=True, help="Do not ask."),
        click.option("--dry-run", is_flag=True, help="Show what would change and write nothing."),
    ):
        command = option(command)
    return command


def _scope_of(tool: Setup) -> Callable[[Callable[..., int]], Callable[..., int]]:
    told = ", ".join(_SCOPES[name] for name in tool.scopes)
    return click.option(
        "--scope",
        type=click.Choice(tool.scopes),
        default="user",
        help=f"{told[0].upper()}{told[1:]}.  [default: user]",
    )


def install_of(tool: Setup) -> click.Command:
    """Return `install TOOL`."""

    @click.command(
        tool.name,
        help=f"""Have {tool.title} save by itself, and give it {_commands(tool)}.

        Adds hooks to its settings file and three pages; everything else there stays as it is. Twice changes nothing.
        """,
    )
    @_scope_of(tool)
    @_how
    def install(  # noqa: PLR0913 - click hands every option over as an argument
        *, scope: str, dry_run: bool, yes: bool, as_json: bool, lang: str | None, workspace: Path | None
    ) -> int:
        ready = setup.prepare(workspace, lang)
        words, root = INSTALL_WORDS[ready.words.language], ready.layout.root
        place = tool.place_of(scope, root)
        told = _Told(
            words.installed.format(tool=tool.title, path=place.settings),
            words.unchanged,
            (words.restart.format(commands=_commands(tool)), *_hints(tool, words)),
        )
        code = _done(plan_install(tool, place), told, words, _Wish(dry_run, yes, as_json))
        if not as_json and (root / ".brain").is_dir() and not is_brain_trusted(root):
            output.note(words.trust_hint)
        return code

    return install


def uninstall_of(tool: Setup) -> click.Command:
    """Return `uninstall TOOL`."""

    @click.command(
        tool.name, help=f"Take back what `install {tool.name}` added, and nothing else. What was saved stays."
    )
    @_scope_of(tool)
    @_how
    def uninstall(  # noqa: PLR0913 - click hands every option over as an argument
        *, scope: str, dry_run: bool, yes: bool, as_json: bool, lang: str | None, workspace: Path | None
    ) -> int:
        ready = setup.prepare(workspace, lang)
        words = INSTALL_WORDS[ready.words.language]
        place = tool.place_of(scope, ready.layout.root)
        plan = plan_uninstall(tool, place)
        for path in plan.kept:
            output.note(words.kept.format(path=path))
        told = _Told(words.removed.format(path=place.settings), words.nothing)
        return _done(plan, told, words, _Wish(dry_run, yes, as_json))

    return uninstall


@click.command("codex-notify")
@_how
def install_notify(
    *, dry_run: bool, yes: bool, as_json: bool, lang: str | None, workspace: Path | None
) -> int:
    """Have Codex CLI save after each turn through its `notify` program: for versions without hooks.

    Adds one line to config.toml; a `notify` of yours is left alone, and the command says so.
    """
    words = INSTALL_WORDS[setup.prepare(workspace, lang).words.language]
    plan = codex.plan_notify()
    told = _Told(words.installed.format(tool=codex.SETUP.title, path=plan.changes[0].path), words.unchanged)
    return _done(plan, told, words, _Wish(dry_run, yes, as_json))


@click.command("codex-notify")
@_how
def uninstall_notify(
    *, dry_run: bool, yes: bool, as_json: bool, lang: str | None, workspace: Path | None
) -> int:
    """Take the line back that `install codex-notify` added, and nothing else."""
    words = INSTALL_WORDS[setup.prepare(workspace, lang).words.language]
    plan = codex.plan_no_notify()
    told = _Told(words.removed.format(path=plan.changes[0].path), words.nothing)
    return _done(plan, told, words, _Wish(dry_run, yes, as_json))


def _commands(tool: Setup) -> str:
    return ", ".join(f"{tool.sign}awf-{skill.name}" for skill in SKILLS)


def _hints(tool: Setup, words: InstallWords) -> tuple[str, ...]:
    """Return what a person has to do in the tool itself."""
    if tool is not codex.SETUP:
        return ()
    return (words.codex_off if codex.are_hooks_off() else words.codex_review,)


def _done(plan: Plan, told: _Told, words: InstallWords, wish: _Wish) -> int:
    """Show a plan, ask where somebody can answer, carry it out, and say so."""
    changes = [change for change in plan.changes if not change.is_none]
    if wish.as_json:
        if not wish.is_dry:
            carry_out(plan)
        paths = [str(change.path) for change in changes]
        output.json_object(
            {"changed": paths, "kept": [str(path) for path in plan.kept], "dryRun": wish.is_dry}
        )
        return 0
    if not changes:
        output.text(told.none)
        return 0
    if wish.is_dry or wish.is_asking:
        output.text("\n".join(diff(plan.changes)))
    if wish.is_dry:
        return 0
    if wish.is_asking and not click.confirm(counted(words.asked, n=len(changes)), default=True, err=True):
        output.text(words.left)
        return 1
    carry_out(plan)
    output.text("\n".join((told.done, *told.next)))
    return 0


def diff(changes: Iterable[Change]) -> list[str]:
    """Return what is changed, as `diff -u` shows it."""
    lines: list[str] = []
    for change in changes:
        before, after = (
            (data or b"").decode("utf-8", "replace").splitlines() for data in (change.before, change.after)
        )
        old, new = (
            "/dev/null" if data is None else str(change.path) for data in (change.before, change.after)
        )
        lines += difflib.unified_diff(before, after, old, new, lineterm="")
    return lines
