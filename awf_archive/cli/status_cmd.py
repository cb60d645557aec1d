"""`awf-archive status`: one screen that says where the work stands and what to do next."""

import sys
from datetime import UTC, datetime
from pathlib import Path

import click

from awf_archive import config
from awf_archive.cli import output, setup, status_view
from awf_archive.cli.damage_note import tell_unread
from awf_archive.cli.recap_view import spelled
from awf_archive.domain.wording.recap_words import STATUS_WORDS
from awf_archive.integrations.unsaved import unsaved
from awf_archive.services.autosave import Place
from awf_archive.services.discovery import transcripts
from awf_archive.services.status import status


@click.command()
@setup.common
def command(*, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """Tell on one screen: project, feature, task, last save, what is not yet archived, how full the context is."""
    ready = setup.prepare(workspace, lang)
    found = status(
        Place(layout=ready.layout),
        list(transcripts(ready.layout.root, config.tool_folder("claude-code"))),
        ready.settings.chunk_threshold,
    )
    language = ready.words.language
    for problem in found.problems:
        output.note(problem)
    tell_unread(ready)
    lost = unsaved(ready.layout)
    if as_json:
        output.json_object(status_view.as_json(found, STATUS_WORDS[language], lost))
    else:
        screen = status_view.screen(found, language, datetime.now(UTC), lost)
        output.text(spelled(screen, sys.stdout.encoding))
    return 0
