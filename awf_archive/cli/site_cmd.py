"""`awf-archive site`: the pages a team reads (SPEC 6)."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import click

from awf_archive.cli import output, setup
from awf_archive.cli.site_secrets import FAIL_ON_SECRETS, fail_on_secrets_in
from awf_archive.domain.wording.counted import counted

if TYPE_CHECKING:
    from awf_archive.site_builder.build import How, Report

_TARGET = click.option(
    "--site-dir", type=click.Path(path_type=Path), help="Where to put it. [default: .awf-archive/site]"
)
_JOBS = click.option(
    "--jobs", type=click.IntRange(0), default=0, help="Processes that render. [default: one per processor]"
)
_WITHOUT = click.option(
    "--without-words", is_flag=True, help="Leave out the search over every word: a third of the size."
)


@click.group()
def command() -> None:
    """Build the site of the archive: every session of every feature, to be read in a browser."""


@command.command()
@_TARGET
@click.option("--full", is_flag=True, help="Compare every turn file and write every session anew.")
@FAIL_ON_SECRETS
@_JOBS
@click.option("--strict", is_flag=True, help="End with an error when anything could not be read.")
@_WITHOUT
@setup.common_of_several
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
    workspaces: tuple[Path, ...],
) -> int:
    """Build the site; only what changed is rendered and written."""
    everyone = setup.prepare_several(workspaces, lang)
    words = everyone[0].words
    from awf_archive.site_builder.build import How

    how = How(full=full, jobs=jobs, with_words=not without_words)
    report = _build(everyone, site_dir, how)
    from awf_archive.domain.wording.secret_words import SECRET_WORDS, kinds_text

    if fail_on_secrets:
        fail_on_secrets_in(everyone)
    if as_json:
        output.json_object(report.to_json())
    else:
        size = f"{report.size / 1e6:,.1f}"
        output.text(
            words.site.built.format(sessions=report.sessions, pages=report.pages, size=size, path=report.path)
        )
        if report.masked:
            told = SECRET_WORDS[words.language].site
            output.text(counted(told, n=sum(report.masked.values()), kinds=kinds_text(report.masked)))
    return 1 if strict and report.warnings else 0


def _build(everyone: Sequence[setup.Setup], site_dir: Path | None, how: "How | None" = None) -> "Report":
    from awf_archive.site_builder.build import How
    from awf_archive.site_builder.build import build as build_site

    ready = everyone[0]
    report = build_site(
        ready.layout,
        site_dir=site_dir,
        language=ready.words.language,
        how=replace(how or How(), beside=tuple(one.layout for one in everyone[1:])),
        progress=output.progress(ready.words.site.building),
    )
    for warning in report.warnings:
        output.note(f"⚠️ {warning}")
    return report


@command.command()
@_TARGET
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: any free one."
)
@click.option("--open/--no-open", "opens", default=True, help="Open it in the browser. [default: open]")
@setup.common_of_several
def serve(  # noqa: PLR0913 - click hands every option over as an argument
    *,
    site_dir: Path | None,
    port: int,
    opens: bool,
    as_json: bool,
    lang: str | None,
    workspaces: tuple[Path, ...],
) -> int:
    """Show the site on this machine and build it again when the archive changes."""
    everyone = setup.prepare_several(workspaces, lang)
    words = everyone[0].words.site
    report = _build(everyone, site_dir)
    from awf_archive.render.sheet import count
    from awf_archive.site_builder.serve import follow, start

    server, url = start(report.path.parent, port)
    if as_json:
        output.json_object({"url": url, **report.to_json()})
        sys.stdout.flush()
    else:
        output.text(words.serving.format(url=url))
    if opens:
        click.launch(url)

    def rebuild() -> None:
        output.note(count(words.rebuilt, _build(everyone, site_dir).changed))

    try:
        follow([one.layout for one in everyone], rebuild, Event())
    except KeyboardInterrupt:
        pass
    finally:
        server.shutdown()
        server.server_close()
    return 0


@command.command()
@click.option("--branch", default="gh-pages", show_default=True, help="A branch for the site alone.")
@click.option(
    "--push", "remote", metavar="REMOTE", default="", help="Push the branch there too, such as origin."
)
@click.option("--folder", type=click.Path(path_type=Path), help="Publish into this folder instead.")
@click.option("--rsync", metavar="TARGET", help="Publish with rsync instead, such as host:/srv/www.")
@setup.common_of_several
def publish(  # noqa: PLR0913 - click hands every option over as an argument
    *,
    branch: str,
    remote: str,
    folder: Path | None,
    rsync: str | None,
    as_json: bool,
    lang: str | None,
    workspaces: tuple[Path, ...],
) -> int:
    """Build the site and put it on a git branch, into a folder, or on a server."""
    everyone = setup.prepare_several(workspaces, lang)
    ready = everyone[0]
    report = _build(everyone, None)
    site = report.path.parent
    from awf_archive.site_builder.publish import copy_to
    from awf_archive.site_builder.publish_git import Branch, publish_branch
    from awf_archive.site_builder.publish_rsync import rsync_to

    if folder:
        where, is_new = str(folder), copy_to(site, folder) > 0
    elif rsync:
        where, is_new = rsync, True
        rsync_to(site, rsync)
    else:
        where = f"{remote} {branch}".strip()
        is_new = publish_branch(site, Branch(repository=ready.layout.root, name=branch, remote=remote))
    if as_json:
        output.json_object({"where": where, "changed": is_new, "warnings": list(report.warnings)})
    else:
        words = ready.words.site
        output.text((words.published if is_new else words.unchanged).format(where=where))
    return 0
