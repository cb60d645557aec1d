"""`awf-archive site`: the pages a team reads (SPEC 6)."""

from pathlib import Path

import click

from awf_archive.cli import output, setup


@click.group()
def command() -> None:
    """Build the site of the archive: every session of every feature, to be read in a browser."""


@command.command()
@click.option(
    "--site-dir", type=click.Path(path_type=Path), help="Where to put it. [default: .awf-archive/site]"
)
@click.option("--full", is_flag=True, help="Compare every turn file and write every session anew.")
@setup.common
def build(
    *, site_dir: Path | None, full: bool, as_json: bool, lang: str | None, workspace: Path | None
) -> int:
    """Build the site; only what changed is rendered and written."""
    ready = setup.prepare(workspace, lang)
    from awf_archive.site_builder.build import How
    from awf_archive.site_builder.build import build as build_site

    report = build_site(
        ready.layout,
        site_dir=site_dir,
        language=ready.words.language,
        how=How(full=full),
        progress=output.progress(ready.words.site.building),
    )
    for warning in report.warnings:
        output.note(f"⚠️ {warning}")
    if as_json:
        output.json_object(
            {
                "sessions": report.sessions,
                "pages": report.pages,
                "path": str(report.path),
                "warnings": list(report.warnings),
            }
        )
        return 0
    index = report.path / "index.html" if report.path.is_dir() else report.path
    output.text(ready.words.site.built.format(sessions=report.sessions, pages=report.pages, path=index))
    return 0
