"""`awf-archive recap`: where the work stands, or what was ever said of a topic (SPEC 4)."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from awf_archive.cli import output, setup
from awf_archive.cli.damage_note import tell_unread
from awf_archive.cli.recap_view import as_json as recap_json
from awf_archive.cli.recap_view import spelled
from awf_archive.domain.recap import LEVEL_BUDGETS, MOST_TOKENS, RECAP_COMMANDS
from awf_archive.domain.team import SCOPES
from awf_archive.errors import NegativeAnswerError
from awf_archive.services.recap import Request as RecapRequest
from awf_archive.services.recap import make_recap

if TYPE_CHECKING:
    from awf_archive.search.documents import Request as Search


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("topic", nargs=-1, type=click.UNPROCESSED)
@click.option("--topic", "given_topic", default="", help="Search for this, also if it is `full` or `deep`.")
@click.option("--inject", is_flag=True, help="Print the block for a model's system prompt.")
@click.option("--budget", type=click.IntRange(1, MOST_TOKENS), help="Tokens to keep to.  [default: by level]")
@click.option(
    "--place",
    type=click.Choice(sorted(RECAP_COMMANDS)),
    default="shell",
    help="Where it is shown, for the names of commands.",
)
@click.option("--feature", default="", help="Search only in this feature.")
@click.option("--kind", default="", help="turn, chunk, decision, state, brain; or said, tools, thinking.")
@click.option("--session", default="", help="Search only in this session.")
@click.option("--since", default="", help="From this day on: 2026-03-02, 2026-03, or 7d for a week ago.")
@click.option("--until", default="", help="Up to this day.")
@click.option("--limit", default=10, type=click.IntRange(1, 1000), help="How many hits.  [default: 10]")
@click.option("--offset", default=0, type=click.IntRange(0), help="Hits to leave out, for the next page.")
@click.option("--scope", type=click.Choice(SCOPES), default="here", help="Search here, or the whole team.")
@setup.common
def command(  # noqa: PLR0913 - click hands every option over as an argument
    *,
    topic: tuple[str, ...],
    given_topic: str,
    inject: bool,
    budget: int | None,
    place: str,
    feature: str,
    kind: str,
    session: str,
    since: str,
    until: str,
    limit: int,
    offset: int,
    scope: str,
    as_json: bool,
    lang: str | None,
    workspace: Path | None,
) -> int:
    """Tell where the work stands, from `.brain/session.json`; with a topic, search everything ever said.

    \b
    awf-archive recap           summary, task, blockers            about 200 tokens
    awf-archive recap full      decisions, tasks, files too        about 800
    awf-archive recap deep      errors, saves, conversation too    about 2 000
    awf-archive recap TOPIC     the same search as awf-archive search
    awf-archive recap --scope team [TOPIC]     what a team said of it, or in the last week
    """
    ready = setup.prepare(workspace, lang, needs=("team",) if scope == "team" else ())
    words = given_topic or " ".join(topic)
    level = level_of(topic) if not given_topic else None
    if level is None or scope == "team":
        from awf_archive.search.documents import Request

        words = words or ("" if since else _LATELY)
        filters = {"feature": feature, "kind": kind, "session": session, "since": since, "until": until}
        search = Request(topic=words, now=setup.now(), limit=limit, offset=offset, **filters)
        return _search(ready, scope, search, as_json=as_json)
    request = RecapRequest(
        level=level,
        budget=budget,
        is_inject=inject,
        language=ready.words.language,
        place=place,
        now=datetime.now(UTC),
        zone=datetime.now().astimezone().tzinfo or UTC,
    )
    return _recap(ready, request, print_json=as_json)


def level_of(topic: tuple[str, ...]) -> str | None:
    """Return the level that the words alone name; None when they are a topic.

    >>> level_of(()), level_of(("full",)), level_of(("full", "text", "search"))
    ('1', 'full', None)
    """
    words = " ".join(topic).strip().lower()
    if not words:
        return "1"
    return words if words in LEVEL_BUDGETS else None


def _recap(ready: setup.Setup, request: RecapRequest, *, print_json: bool) -> int:
    made = make_recap(ready.archive, request)
    for problem in made.work.problems:
        output.note(problem)
    if not request.is_inject:
        tell_unread(ready)
    if print_json:
        output.json_object(recap_json(made))
    elif made.text:
        output.paged(spelled(made.text, sys.stdout.encoding))
    return NegativeAnswerError.exit_code if made.is_empty and not request.is_inject else 0


_LATELY = "since:7d"
"""The topic of a team's recap without one: what was said in the last week, newest first; the answer says so."""


def _search(ready: setup.Setup, scope: str, request: "Search", *, as_json: bool) -> int:
    from awf_archive.cli.search_cmd import answer_from
    from awf_archive.cli.search_view import as_json as answer_json
    from awf_archive.cli.search_view import page as answer_page

    answer = answer_from(ready, scope, request)
    if as_json:
        output.json_object(answer_json(answer))
    else:
        output.paged(spelled(answer_page(answer, request, ready.words), sys.stdout.encoding))
    return 0 if answer.shown else NegativeAnswerError.exit_code
