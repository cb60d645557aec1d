"""`awf-archive search`: find a topic in everything ever said (SPEC 4)."""

from pathlib import Path

import click

from awf_archive.cli import output, setup
from awf_archive.cli.search_view import as_json as answer_json
from awf_archive.cli.search_view import page
from awf_archive.errors import NegativeAnswerError, UsageError
from awf_archive.search.documents import Request
from awf_archive.services.search import search


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("topic", nargs=-1, type=click.UNPROCESSED)
@click.option("--feature", default="", help="Only in this feature.")
@click.option("--kind", default="", help="turn, chunk, decision; or a part of turns: said, tools, thinking.")
@click.option("--role", default="", help="user or assistant.")
@click.option("--session", default="", help="Only in this session.")
@click.option("--since", default="", help="From this day on: 2026-03-02, 2026-03, or 7d for a week ago.")
@click.option("--until", default="", help="Up to this day.")
@click.option("--limit", default=10, type=click.IntRange(1, 1000), help="How many hits.  [default: 10]")
@click.option("--offset", default=0, type=click.IntRange(0), help="Hits to leave out, for the next page.")
@setup.common
def command(  # noqa: PLR0913 - click hands every option over as an argument
    *,
    topic: tuple[str, ...],
    feature: str,
    kind: str,
    role: str,
    session: str,
    since: str,
    until: str,
    limit: int,
    offset: int,
    as_json: bool,
    lang: str | None,
    workspace: Path | None,
) -> int:
    """Find a topic in everything ever said: turns, tools, summaries, decisions.

    Plain words mean all of them, with or without Vietnamese marks. "a phrase", -not, OR and begin* work too,
    and so do filters in the topic: feature: kind: file: tool: role: session: since: until:
    """
    words = " ".join(topic)
    if not words.strip():
        raise UsageError("search: a topic is missing.", "For example: awf-archive search quyết định")
    ready = setup.prepare(workspace, lang)
    request = Request(
        topic=words,
        feature=feature,
        kind=kind,
        role=role,
        session=session,
        since=since,
        until=until,
        now=setup.now(),
        limit=limit,
        offset=offset,
    )
    answer = search(ready.archive, request, output.progress("index"))
    if as_json:
        output.json_object(answer_json(answer))
    else:
        output.paged(page(answer, request, ready.words))
    return 0 if answer.shown else NegativeAnswerError.exit_code
