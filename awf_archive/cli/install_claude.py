"""`install claude-code` and `uninstall claude-code` (SPEC 7)."""

import difflib
import sys
from collections.abc import Iterable
from pathlib import Path

import click

from awf_archive.cli import output, setup
from awf_archive.domain.wording.install_words import INSTALL_WORDS, InstallWords
from awf_archive.integrations.changes import Change
from awf_archive.integrations.claude_code import (
    SCOPES,
    Place,
    Plan,
    carry_out,
    place_of,
    plan_install,
    plan_uninstall,
)
from awf_archive.integrations.trust import is_brain_trusted

_SCOPE = click.option(
    "--scope",
    type=click.Choice(SCOPES),
    default="user",
    help="For you everywhere, for everybody in this folder, or for you in this folder.  [default: user]",
)
_DRY = click.option("--dry-run", is_flag=True, help="Show what would change and write nothing.")
_YES = click.option("--yes", is_flag=True, help="Do not ask.")


@click.command("claude-code")
@_SCOPE
@_DRY
@_YES
@setup.common
def install(  # noqa: PLR0913 - click hands every option over as an argument
    *, scope: str, dry_run: bool, yes: bool, as_json: bool, lang: str | None, workspace: Path | None
) -> int:
    """Have Claude Code save by itself, and give it /awf-recap, /awf-checkpoint and /awf-resume.

    Adds hooks to its settings file and three skills; everything else there stays as it is. Twice changes nothing.
    """
    ready = setup.prepare(workspace, lang)
    words = INSTALL_WORDS[ready.words.language]
    place = place_of(scope, ready.layout.root)
    code = _done(
        plan_install(place), (place, words.installed, words.unchanged), words, _Wish(dry_run, yes, as_json)
    )
    root = ready.layout.root
    if not as_json and (root / ".brain").is_dir() and not is_brain_trusted(root):
        output.note(words.trust_hint)
    return code


@click.command("claude-code")
@_SCOPE
@_DRY
@_YES
@setup.common
def uninstall(  # noqa: PLR0913 - click hands every option over as an argument
    *, scope: str, dry_run: bool, yes: bool, as_json: bool, lang: str | None, workspace: Path | None
) -> int:
    """Take back what `install claude-code` added, and nothing else. What was saved stays."""
    ready = setup.prepare(workspace, lang)
    words = INSTALL_WORDS[ready.words.language]
    place = place_of(scope, ready.layout.root)
    plan = plan_uninstall(place)
    for path in plan.kept:
        output.note(words.kept.format(path=path))
    return _done(plan, (place, words.removed, words.nothing), words, _Wish(dry_run, yes, as_json))


class _Wish:
    """How it is to be done."""

    def __init__(self, is_dry: bool, is_sure: bool, as_json: bool) -> None:  # noqa: FBT001 - click's flags
        self.is_dry = is_dry
        self.is_asking = not is_sure and not as_json and sys.stdin.isatty() and sys.stderr.isatty()
        self.as_json = as_json


def _done(plan: Plan, told: tuple[Place, str, str], words: InstallWords, wish: _Wish) -> int:
    """Show a plan, ask where somebody can answer, carry it out, and say so."""
    place, done, none = told
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
        output.text(none)
        return 0
    if wish.is_dry or wish.is_asking:
        output.text("\n".join(diff(plan.changes)))
    if wish.is_dry:
        return 0
    if wish.is_asking and not click.confirm(words.asked.format(n=len(changes)), default=True, err=True):
        output.text(words.left)
        return 1
    carry_out(plan)
    output.text(done.format(path=place.settings))
    if done == words.installed:
        output.text(words.restart)
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
