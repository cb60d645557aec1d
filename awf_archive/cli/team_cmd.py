"""`awf-archive team`: send this archive to a search that many share, and look after it (docs/team.md)."""

from pathlib import Path

import click

from awf_archive.cli import output, setup
from awf_archive.domain.wording.counted import counted
from awf_archive.domain.wording.team_words import TEAM_WORDS, TeamWords
from awf_archive.errors import NegativeAnswerError
from awf_archive.services import team as service
from awf_archive.services.team import Pushed, TeamStatus


@click.group()
def command() -> None:
    """Search the archives of a whole team: set up with [team] in your awf-archive.toml, see docs/team.md."""


@command.command()
@setup.common
def push(*, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Send what is saved and not sent yet; what an earlier push had sent is not sent again."""
    return _push(setup.prepare(workspace, lang, needs=("team",)), as_json=as_json, everything=False)


@command.command()
@setup.common
def reindex(*, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Send everything again and take away what the archive does not have: the cluster then holds exactly this."""
    return _push(setup.prepare(workspace, lang, needs=("team",)), as_json=as_json, everything=True)


def _push(ready: setup.Setup, *, as_json: bool, everything: bool) -> int:
    words = TEAM_WORDS[ready.words.language]
    bar = output.progress(words.label)
    done = service.push(ready.layout, ready.settings.team, bar, everything=everything, at_once=True)
    if as_json:
        output.json_object(_pushed_json(done))
    else:
        output.text(_pushed_text(done, words))
    return NegativeAnswerError.exit_code if done.refused or done.unread else 0


def _pushed_json(done: Pushed) -> dict[str, object]:
    return {
        "archive": done.archive,
        "index": done.index,
        "documents": done.documents,
        "removed": done.removed,
        "refused": list(done.refused),
        "unread": list(done.unread),
        "live": done.is_live,
    }


def _pushed_text(done: Pushed, words: TeamWords) -> str:
    said = words.pushed if done.documents or done.removed else words.nothing
    lines = [
        said.format(documents=done.documents, removed=done.removed, archive=done.archive, index=done.index)
    ]
    if done.refused:
        lines.append(words.refused.format(why=", ".join(done.refused)))
    lines += [words.unread.format(problem=problem) for problem in done.unread]
    if not done.is_live:
        lines.append(words.not_live)
    return "\n".join(lines)


@command.command()
@setup.common
def status(*, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Say how far this archive is sent, and whether the cluster answers. Exit code 1 where something waits."""
    ready = setup.prepare(workspace, lang, needs=("team",))
    found = service.status(ready.layout, ready.settings.team)
    if as_json:
        output.json_object(_status_json(found))
    else:
        output.text(_status_text(found, TEAM_WORDS[ready.words.language]))
    return NegativeAnswerError.exit_code if found.waiting or found.away else 0


def _status_json(found: TeamStatus) -> dict[str, object]:
    return {
        "archive": found.archive,
        "index": found.index,
        "hosts": list(found.hosts),
        "waiting": found.waiting,
        "sent": found.sent,
        "there": found.there,
        "away": found.away or None,
        "lastPush": found.last_push or None,
        "nextTry": found.next_try or None,
        "problem": found.problem or None,
    }


def _status_text(found: TeamStatus, words: TeamWords) -> str:
    lines = [words.place.format(archive=found.archive, index=found.index, hosts=", ".join(found.hosts))]
    lines.append(counted(words.waiting, n=found.waiting) if found.waiting else words.complete)
    lines.append(words.last_push.format(time=found.last_push) if found.last_push else words.never)
    if found.there is None:
        lines.append(words.away.format(why=found.away))
    else:
        lines.append(counted(words.sent, sent=found.sent, there=found.there))
        if found.there < found.sent:
            lines.append(words.fewer)
    if found.problem:
        lines.append(words.next_try.format(problem=found.problem, time=found.next_try))
    return "\n".join(lines)


@command.command()
@click.option("--drop-old", is_flag=True, help="Delete the indices that are no longer searched.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@setup.common
def upgrade(*, drop_old: bool, yes: bool, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Bring the whole team's index to this version's form; it is searched all the while.

    To be run once, by whoever may write every archive's turns, after awf-archive itself was upgraded.
    """
    ready = setup.prepare(workspace, lang, needs=("team",))
    words, team = TEAM_WORDS[ready.words.language], ready.settings.team
    if drop_old and not yes and not click.confirm(words.is_this_all.format(index=team.index_name), err=True):
        return NegativeAnswerError.exit_code
    done = service.upgrade(team, output.progress(words.label), drop_old=drop_old)
    if as_json:
        output.json_object({"documents": done.documents, "old": list(done.old), "dropped": done.is_dropped})
        return 0
    lines = [counted(words.upgraded, documents=done.documents, version=done.version)]
    if not done.documents:
        lines = [words.up_to_date]
    if done.old:
        said = words.old_dropped if done.is_dropped else words.old_left
        lines.append(said.format(names=", ".join(done.old)))
    output.text("\n".join(lines))
    return 0
