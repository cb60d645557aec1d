"""`awf-archive formats`: which transcripts can be read, and what lies on this machine."""

from pathlib import Path

import click

from awf_archive.cli import output, setup
from awf_archive.domain.wording.import_words import IMPORT_WORDS
from awf_archive.readers import READERS
from awf_archive.services.doctor import found_by_format
from awf_archive.services.places import folder_for


@click.command()
@setup.common
def command(*, as_json: bool, lang: str | None, workspace: Path | None) -> int:
    """List the formats that can be read, and how many transcripts of each lie on this machine."""
    ready = setup.prepare(workspace, lang)
    counts = found_by_format(folder_for(ready.layout.root))
    rows = [(reader.name, reader.title, counts.get(reader.name, 0)) for reader in READERS]
    if as_json:
        formats = [{"format": name, "title": title, "found": count} for name, title, count in rows]
        output.json_object({"formats": formats})
        return 0
    columns = IMPORT_WORDS[ready.words.language].format_columns
    output.text(output.table([columns, *((name, title, str(count)) for name, title, count in rows)]))
    return 0
