"""`awf-archive site`: the pages a team reads (SPEC 6)."""

from collections import Counter
from pathlib import Path

import click

from awf_archive.cli import output, setup
from awf_archive.domain.wording.secret_words import SECRET_WORDS, kinds_text
from awf_archive.errors import NegativeAnswerError

_FAIL = click.option(
    "--fail-on-secrets", is_flag=True, help="End with an error when secrets had to be masked: for CI."
)

_TARGET = click.option(
    "--site-dir", type=click.Path(path_type=Path), help="Where to put it. [default: .awf-archive/site]"
)
_JOBS = click.option(
    "--jobs", type=click.IntRange(0), default=0, help="Processes that render. [default: one per processor]"
)
_WITHOUT = click.option(
    "--without-words", is_flag=True, help="Leave out the search over every word: half the size."
)


@click.group()
def command() -> None:
    """Build the site of the archive: every session of every feature, to be read in a browser."""


@command.command()
@_TARGET
@click.option("--full", is_flag=True, help="Compare every turn file and write every session anew.")
@_FAIL
@_JOBS
@click.option("--strict", is_flag=True, help="End with an error when anything could not be read.")
@_WITHOUT
@setup.common
def build(  # noqa: PLR0913 - click hands every option over as an argument
    *,
    site_dir: Path | None,
    full: bool,
    fail_on_secrets: bool,
    jobs: int,
    strict: bool,
    without_words: bool,
    as_json: bool,
    lang: str | None,
    workspace: Path | None,
) -> int:
    """Build the site; only what changed is rendered and written."""
    ready = setup.prepare(workspace, lang)
    from awf_archive.site_builder.build import How
    from awf_archive.site_builder.build import build as build_site

    report = build_site(
        ready.layout,
        site_dir=site_dir,
        language=ready.words.language,
        how=How(full=full, jobs=jobs, with_words=not without_words),
        progress=output.progress(ready.words.site.building),
    )
    if fail_on_secrets:
        _fail_on_secrets(ready)
    for warning in report.warnings:
        output.note(f"⚠️ {warning}")
    if as_json:
        output.json_object(report.to_json())
    else:
        words = ready.words.site
        output.text(words.built.format(sessions=report.sessions, pages=report.pages, path=report.path))
    return 1 if strict and report.warnings else 0


def _fail_on_secrets(ready: setup.Setup) -> None:
    """Raise NegativeAnswerError when the archive holds secrets, which the site shows masked."""
    from awf_archive.services.scan import scan_archive

    kinds = Counter(one.kind for one in scan_archive(ready.layout).spots)
    if kinds:
        text = SECRET_WORDS[ready.words.language].site.format(n=kinds.total(), kinds=kinds_text(kinds))
        raise NegativeAnswerError(text, "awf-archive scan")
