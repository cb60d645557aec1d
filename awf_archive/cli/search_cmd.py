"""`awf-archive search`: find a topic in everything ever said (SPEC 4)."""

from pathlib import Path

import click

from awf_archive.cli import output, setup
from awf_archive.cli.search_view import as_json as answer_json
from awf_archive.cli.search_view import page
from awf_archive.domain.team import SCOPES
from awf_archive.domain.wording import Wording
from awf_archive.domain.wording.team_words import TEAM_WORDS
from awf_archive.errors import NegativeAnswerError, UsageError
from awf_archive.search.documents import Request
from awf_archive.services.search import Answer
from awf_archive.services.team_search import Scope, search

_KINDS = "turn, chunk, decision, state, brain; or a part of turns: said, tools, thinking, summary."


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("topic", nargs=-1, type=click.UNPROCESSED)
@click.option("--feature", default="", help="Only in this feature.")
@click.option("--kind", default="", help=_KINDS)
@click.option("--role", default="", help="user or assistant.")
@click.option("--tool", default="", help="Only turns that used this tool.")
@click.option("--file", default="", help="Only turns that touched this file or folder.")
@click.option("--session", default="", help="Only in this session.")
@click.option("--since", default="", help="From this day on: 2026-03-02, 2026-03, or 7d for a week ago.")
@click.option("--until", default="", help="Up to this day.")
@click.option("--limit", default=10, type=click.IntRange(1, 1000), help="How many hits.  [default: 10]")
@click.option("--offset", default=0, type=click.IntRange(0), help="Hits to leave out, for the next page.")
@click.option(
    "--scope", type=click.Choice(SCOPES), default="here", help="here, or the whole team's archives."
)
@click.option(
    "--archive", "archives", multiple=True, help="With --scope team: only this archive. May be repeated."
)
@click.option("--open", "is_open", is_flag=True, help="Open the best hit in $VISUAL or $EDITOR, at the line.")
@click.option("--hit", default=0, type=click.IntRange(0), help="Which hit --open opens.  [default: the best]")
@setup.common
def command(  # noqa: PLR0913 - click hands every option over as an argument
    *,
    topic: tuple[str, ...],
    limit: int,
    offset: int,
    scope: str,
    archives: tuple[str, ...],
    is_open: bool,
    hit: int,
    as_json: bool,
    lang: str | None,
    workspace: Path | None,
    **filters: str,
) -> int:
    """Find a topic in everything ever said: turns, tools, summaries, decisions, the work state.

    Plain words mean all of them, with or without Vietnamese marks. "a phrase", -not, OR and begin* work too,
    and so do filters in the topic: feature: kind: file: tool: role: session: since: until:
    Options without a topic list what they let through, newest first.
    """
    if not topic and not any(filters.values()):
        raise UsageError("search: a topic is missing.", "For example: awf-archive search quyết định")
    if is_open and scope == "team":
        raise UsageError("--open opens files of this workspace.", "Follow the link that a team's hit has.")
    if is_open and hit:
        offset, limit = hit - 1, 1
    ready = setup.prepare(workspace, lang, needs=("team",) if scope == "team" else ())
    request = Request(topic=" ".join(topic).strip(), now=setup.now(), limit=limit, offset=offset, **filters)
    answer = answer_from(ready, scope, request, archives)
    code = setup.tell_damaged(ready)
    if as_json:
        output.json_object(answer_json(answer))
    elif is_open and answer.shown:
        from awf_archive.cli.search_open import open_hit

        return open_hit(ready.layout.root, answer.shown[0], answer.result.terms)
    else:
        output.paged(page(answer, request, ready.words))
    return code or (0 if answer.shown else NegativeAnswerError.exit_code)


def answer_from(ready: setup.Setup, scope: str, request: Request, archives: tuple[str, ...] = ()) -> Answer:
    """Ask this workspace or the team, and say on stderr what is wrong with the answer."""
    bar = output.progress(ready.words.search.index.label)
    answer = search(ready.archive, request, bar, scope=Scope(scope, ready.settings.team, archives))
    tell_about_index(answer, ready.words)
    return answer


def tell_about_index(answer: Answer, words: Wording) -> None:
    """Say on stderr what is wrong with the index or with what it was made of."""
    if why := words.search.rebuilt.get(answer.rebuilt):
        output.note(why)
    if answer.is_behind:
        output.note(words.search.is_behind)
    if answer.team:
        team = TEAM_WORDS[words.language]
        if answer.team.away:
            output.note(team.instead.format(why=answer.team.away))
        if answer.team.is_partial:
            output.note(team.partial)
    for problem in answer.unread:
        output.note(words.search.unread.format(problem=problem))
